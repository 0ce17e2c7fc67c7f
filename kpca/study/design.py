"""The design of a study of one table: its defaults, and a reduced design for a quick look.

The Snakefile imports this module, which therefore needs only the standard library.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from kpca.reading.errors import input_error, nearest
from kpca.study.fitting.grid import grid_of
from kpca.study.fitting.kernels import FAMILIES
from kpca.study.options import is_true, listed, table_evaluation, table_spec

# Defaults of a study; config/config.yaml has the same values.
SEED = 2026
REPLICATES = 10
KERNELS: dict[str, dict[str, list[float]]] = {
    "linear": {},
    "poly": {"degree": [2, 3, 5, 7], "scale": [1], "coef0": [1]},
    "rbf": {"median": [0.01, 0.1, 1, 3, 10, 30]},
    "laplacian": {"median": [0.1, 1, 3]},
    "sigmoid": {"scale": [1], "coef0": [0]},
    "cosine": {},
}
EVALUATION: dict[str, Any] = {
    "n_components": [2, 5, 12, 32, 64, 128],
    "C": [1, 10, 100],
    "folds": 3,
    "scaling": ["unit"],
    "class_weight": "balanced",
    "kmeans_starts": 5,
    "variance_share": 0.9,
}
QUICK_ROWS = 1000  # largest number of rows of a table in a quick study
QUICK_REPLICATES = 3
QUICK_KERNELS = ("linear", "poly", "rbf")
# Parameter → its values in the grid of a quick study. Other parameters keep their first value.
QUICK_VALUES = {"median": (0.1, 1, 10), "degree": (2,)}


def complete_design(
    name: str,
    table: Any,
    options: Mapping[str, Any],
    config: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the design of a study of one table.

    Parameters
    ----------
    name : str
        Name of the dataset that the table becomes.
    table : DataFrame or str
        The table, or the path of its file.
    options : mapping
        Options of the user, with checked values, such as the roles of columns.
    config : mapping
        Sections of a configuration that replace the defaults.

    Returns
    -------
    dict
        The design in the form of a complete configuration, which the jobs of a run take.

    Raises
    ------
    InputError
        If kernels, parameters or keys of the evaluation are unknown or lack a value. The message
        lists them all.
    """
    kernels = config.get("kernels", KERNELS)
    if "kernels" in options:
        kernels = {kernel: kernels.get(kernel, {}) for kernel in listed(options["kernels"])}
    evaluation = config.get("evaluation", EVALUATION)
    problems = [*_kernel_problems(kernels), *_evaluation_problems(evaluation)]
    if problems:
        raise input_error("configuration", problems)
    spec = table_spec(table, options)
    quick = is_true(options.get("quick"))
    return {
        "seed": config.get("seed", SEED),
        "replicates": options.get("splits", config.get("replicates", REPLICATES)),
        "datasets": {name: quick_rows(spec) if quick else spec},
        "kernels": kernels,
        "methods": config.get("methods"),
        "evaluation": dict(sorted(table_evaluation(evaluation, options).items())),
        "quick": quick,
    }


def _kernel_problems(kernels: Mapping[str, Any]) -> Iterator[str]:
    for kernel, axes in kernels.items():
        if "callable" in (axes or {}):
            continue
        if kernel not in FAMILIES:
            yield f"kernels.{kernel}: unknown kernel; {nearest(kernel, [*FAMILIES])}"
            continue
        axis_names = FAMILIES[kernel].axes
        for axis, values in (axes or {}).items():
            if axis not in axis_names:
                yield f"kernels.{kernel}.{axis}: unknown key; {nearest(axis, axis_names)}"
            elif not isinstance(values, list) or not values:
                yield f"kernels.{kernel}.{axis}: {values!r} must be a list of numbers"
        if "median" in axis_names and not axes:
            yield f"kernels.{kernel}: empty: give at least one entry, such as median: [1]"


def _evaluation_problems(evaluation: Mapping[str, Any]) -> Iterator[str]:
    for key in evaluation:
        if key not in EVALUATION:
            yield f"evaluation.{key}: unknown key; {nearest(key, [*EVALUATION])}"
    for key in EVALUATION:
        if key not in evaluation and key != "class_weight":
            yield f"evaluation.{key}: missing: {EVALUATION[key]} is the default"


def quick_rows(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dataset's entry of the configuration, limited to `QUICK_ROWS` rows."""
    return {**spec, "max_rows": min(QUICK_ROWS, spec.get("max_rows", QUICK_ROWS))}


def quick_design(design: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reduced design for a quick look, with the number of folds of ``design``."""
    datasets = dict(design["datasets"])
    for name, spec in datasets.items():
        if "replicates" in spec:
            datasets[name] = spec | {"replicates": min(QUICK_REPLICATES, spec["replicates"])}
    kernels = {}
    for name, axes in design["kernels"].items():
        if name in QUICK_KERNELS:
            kernels[name] = {
                axis: _quick_values(axis, values) for axis, values in (axes or {}).items()
            }
    sizes = sorted(design["evaluation"]["n_components"])
    few = sorted({sizes[0], sizes[len(sizes) // 2]})
    return {
        **design,
        "replicates": min(QUICK_REPLICATES, design["replicates"]),
        "datasets": datasets,
        "kernels": kernels or design["kernels"],
        "evaluation": design["evaluation"] | {"n_components": few},
        "studies": [],
    }


def _quick_values(axis: str, values: list[float]) -> list[float]:
    chosen = [value for value in values if value in QUICK_VALUES.get(axis, ())]
    return chosen or values[:1]


def left_out_by_quick(whole: Mapping[str, Any], quick: Mapping[str, Any]) -> str:
    """Return a text that says how much of the ``whole`` design the ``quick`` one covers."""
    components = [
        ", ".join(map(str, design["evaluation"]["n_components"])) for design in (quick, whole)
    ]
    return (
        f"a quick look: {quick['replicates']} of {whole['replicates']} replicates, "
        f"{len(quick['kernels'])} of {len(whole['kernels'])} kernels "
        f"({', '.join(quick['kernels'])}), {_n_settings(quick)} of {_n_settings(whole)} settings, "
        f"{components[0]} of {components[1]} components, no clustering; "
        "leave out quick=true for all of it"
    )


def _n_settings(design: Mapping[str, Any]) -> int:
    total = 0
    for name in design["datasets"]:
        total += sum(len(family) for family in grid_of(design, name).values())
    return total
