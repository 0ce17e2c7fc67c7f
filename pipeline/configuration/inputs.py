"""Test what a configuration names before any job: data, custom kernels and methods.

Imported while the Snakefile is parsed: what needs NumPy is imported where it is called.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pipeline.datasets.usps import check_usps
from pipeline.errors import InputError
from pipeline.grid import method_points, points
from pipeline.tasks import source_of

if TYPE_CHECKING:
    from pipeline.datasets.problems import Sizes


@dataclass
class Found:
    """What the trials found.

    Attributes
    ----------
    notices : list of str
        What is odd about the data.
    columns : dict
        Dataset → how many columns a kernel sees, of the files that were read.
    tasks : dict
        Dataset → "classification", "regression" or "none", of the files that were read.
    sizes : dict
        Dataset → what its rows allow, of the files that were read.
    """

    notices: list[str] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    tasks: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, "Sizes"] = field(default_factory=dict)


def input_problems(config: Mapping[str, Any], found: Found | None = None) -> Iterator[str]:
    """Yield what is wrong with what a configuration names, and note in ``found`` what is right.

    The configuration is resolved, and sound as far as it goes: sections and entries with a problem
    of their own are left out.
    """
    for trial in (*_of_data(config, found or Found()), *_of_own_code(config)):
        try:
            trial()
        except InputError as error:
            yield str(error)


def _of_data(config: Mapping[str, Any], found: Found) -> Iterator[Callable[[], object]]:
    """Whether data can be read, and suffice for folds and components.

    These follow from the rows where a file is given by `data`.
    """
    evaluation, needs = config.get("evaluation", {}), {"seed": config.get("seed", 0)}
    if "data" not in config:
        # Of what is wrong itself, the least that could be asked for.
        needs["n_components"] = max(evaluation.get("n_components", [1]))
        needs["folds"] = evaluation.get("folds", 2)
    for name, spec in config["datasets"].items():
        replicates = spec.get("replicates", config.get("replicates", 1))
        given = needs | {"replicates": replicates}
        yield partial(_try_data, name, source_of(spec), given, found)
    if config.get("usps"):
        yield partial(check_usps, config["usps"])


def _of_own_code(config: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    """Whether custom code can be imported, and answers as it should."""
    specs = [spec for spec in config["datasets"].values() if not spec.get("kernel_matrix")]
    rows: Mapping[str, Any] = next((spec for spec in specs if "openml" not in spec), {})
    for name, axes in config["kernels"].items():
        if "callable" in (axes or {}):
            yield partial(_try_own, "try_kernel", points(name, axes), source_of(rows))
    for name, method in (config.get("methods") or {}).items():
        yield partial(_try_own, "try_method", method_points(name, method))


def _try_data(name: str, spec: Mapping[str, Any], needs: Any, found: Found) -> None:
    from pipeline.datasets.make import check_dataset
    from pipeline.datasets.problems import sizes_of

    rows = check_dataset(name, spec, **needs)
    if rows is not None:
        found.notices += [f"dataset {name!r}: {warning}" for warning in rows.warnings]
        found.columns[name] = rows.X.shape[1] + sum(len(n) - 1 for n in rows.categories.values())
        found.tasks[name] = rows.task
        found.sizes[name] = sizes_of(rows, spec)


def _try_own(trial: str, *given: Any) -> None:
    from pipeline import own_code

    getattr(own_code, trial)(*given)
