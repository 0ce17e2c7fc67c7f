"""What `quick` leaves of a configuration.

Imported while the Snakefile is parsed, hence the standard library only.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.tasks import grid_of

QUICK_REPLICATES = 3
QUICK_KERNELS = ("linear", "poly", "rbf")
QUICK_VALUES = {"median": (0.1, 1, 10), "degree": (2,)}
"""Parameter → values that are kept of those in the grid; of other parameters the first."""

QUICK_FIGURES = ("gallery", "comparison", "gain", "own_features", "own_novelty")


def quick(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a small part of a resolved configuration; the folds stay."""
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


def _some(axis: str, values: list[Any]) -> list[Any]:
    return [value for value in values if value in QUICK_VALUES.get(axis, ())] or values[:1]


def kept_by_quick(whole: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Return how much of the whole run a quick one is."""
    both = (run, whole)
    grids = [[grid_of(config, name) for name in config["datasets"]] for config in both]
    settings = [sum(len(f) for grid in each for f in grid.values()) for each in grids]
    components = [", ".join(map(str, c["evaluation"]["n_components"])) for c in both]
    return (
        f"a quick look: {run['replicates']} of {whole['replicates']} replicates, "
        f"{len(run['kernels'])} of {len(whole['kernels'])} kernels ({', '.join(run['kernels'])}), "
        f"{settings[0]} of {settings[1]} settings, {components[0]} of {components[1]} components, "
        f"{len(QUICK_FIGURES)} figures; leave out quick=true for all of it, with the explorer and "
        "the choice without labels"
    )


def left_out_by_quick(whole: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Return what the whole run adds to a quick one, such as "7 random splits and 3 kernels"."""
    splits = whole["replicates"] - run["replicates"]
    kernels = len(whole["kernels"]) - len(run["kernels"])
    return f"{splits} random splits, {kernels} kernels and more hyperparameter settings"
