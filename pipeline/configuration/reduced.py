"""Less than a configuration asks for: what rows do not allow, and what `quick` leaves out.

Imported while the Snakefile is parsed, hence the standard library only.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.tasks import grid_of

if TYPE_CHECKING:
    from pipeline.datasets.problems import Sizes

QUICK_REPLICATES = 3
QUICK_KERNELS = ("linear", "poly", "rbf")
QUICK_VALUES = {"median": (0.1, 1, 10), "degree": (2,)}
"""Parameter → values that are kept of those in the grid; of other parameters the first."""

QUICK_FIGURES = ("gallery", "comparison", "gain", "own_features", "own_novelty")


def reduced(
    config: Mapping[str, Any], sizes: "Sizes | None" = None
) -> tuple[dict[str, Any], list[str]]:
    """Return a resolved configuration as it is run, and in words what was left out, a line each.

    A file given by `data` gets as many folds and components as its rows allow, of which it has
    ``sizes``. A configuration that names datasets means the numbers it says, and is refused before
    it comes here. `quick` keeps some values of the configuration; a whole run computes all
    settings.
    """
    run, words = dict(config), list[str]()
    if sizes:
        run["evaluation"] = within(run["evaluation"], sizes)
        words += _left_out(config["evaluation"], run, sizes)
    if run["quick"]:
        whole, run = run, quick(run)
        words.append(_what_quick_leaves(whole, run))
    return run, words


def within(evaluation: Mapping[str, Any], sizes: "Sizes") -> dict[str, Any]:
    """Return the section with as many folds and components as rows allow.

    Where every number of components is too large, the largest possible stands in for them.
    """
    folds = sizes.most_folds(evaluation["folds"])
    most = sizes.most_components(folds)
    kept = [m for m in evaluation["n_components"] if m <= most] or [most]
    return {**evaluation, "folds": folds, "n_components": kept}


def quick(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a small part of a configuration; the folds stay."""
    datasets = dict(config["datasets"])
    for name, spec in datasets.items():
        if "replicates" in spec:
            datasets[name] = spec | {"replicates": min(QUICK_REPLICATES, spec["replicates"])}
    kernels = {
        name: {axis: _some(axis, values) for axis, values in (axes or {}).items()}
        for name, axes in config["kernels"].items()
        if name in QUICK_KERNELS
    }
    sizes = config["evaluation"]["n_components"]
    return {
        **config,
        "replicates": min(QUICK_REPLICATES, config["replicates"]),
        "datasets": datasets,
        "kernels": kernels or config["kernels"],
        "evaluation": config["evaluation"] | {"n_components": sorted({min(sizes), max(sizes)})},
        "studies": [],
    }


def left_out_by_quick(whole: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Return what the whole run adds to a quick one, such as "7 random splits and 3 kernels"."""
    splits = whole["replicates"] - run["replicates"]
    kernels = len(whole["kernels"]) - len(run["kernels"])
    return f"{splits} random splits, {kernels} kernels and more hyperparameter settings"


def _some(axis: str, values: list[Any]) -> list[Any]:
    return [value for value in values if value in QUICK_VALUES.get(axis, ())] or values[:1]


def _left_out(asked: Mapping[str, Any], run: Mapping[str, Any], sizes: "Sizes") -> Iterator[str]:
    """Return a sentence on what a small file or a quick run leaves out of the configuration."""
    given, file = run["evaluation"], run["data"]
    if sizes.rows < sizes.rows_of_file:
        by_class = " stratified by class" if sizes.smallest < sizes.rows else ""
        remedy = f"max_rows={sizes.rows_of_file} takes all"
        if run["quick"]:
            remedy = "leave out quick=true for more"
        yield (
            f"{file} has {sizes.rows_of_file} rows, of which a sample of {sizes.rows}{by_class} is "
            f"swept: {remedy}"
        )
    allowed, wanted = set(given["n_components"]), set(asked["n_components"])
    if given["folds"] == asked["folds"] and allowed == wanted:
        return
    left_out = sorted(wanted - allowed)
    components = _listed(sorted(allowed)) + " component" + "s" * (allowed != {1})
    if left_out:
        components += f" ({_listed(left_out)} left out)"
    rows, folds = f"{sizes.rows} rows", f"{given['folds']} folds"
    if given["folds"] != asked["folds"]:
        folds += f" in place of {asked['folds']}"
        rows += f" in {sizes.groups} groups" if sizes.groups else ""
        rows += f", {sizes.smallest} in the smallest class," if sizes.smallest < sizes.rows else ""
    yield f"{rows} allow {components} and {folds}"


def _what_quick_leaves(whole: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    settings = [
        sum(len(family) for name in config["datasets"] for family in grid_of(config, name).values())
        for config in (run, whole)
    ]
    return (
        f"a quick look: {run['replicates']} of {whole['replicates']} replicates, "
        f"{len(run['kernels'])} of {len(whole['kernels'])} kernels ({', '.join(run['kernels'])}), "
        f"{settings[0]} of {settings[1]} settings, {_listed(run['evaluation']['n_components'])} "
        f"of {_listed(whole['evaluation']['n_components'])} components, {len(QUICK_FIGURES)} "
        "figures; leave out quick=true for all of it, with the explorer and the choice without "
        "labels"
    )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
