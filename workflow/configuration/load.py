"""Load the configuration for the rules, check it, and drop what the rows or `quick` exclude.

The check includes the data and the code that the configuration names. While the Snakefile is
parsed, it imports this module. Modules that need NumPy are therefore imported inside functions.
"""

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca.reading.errors import InputError, input_error
from kpca.study.datasets.spec import is_large
from kpca.study.datasets.synthetic import SYNTHETIC
from kpca.study.design import QUICK_REPLICATES, left_out_by_quick, quick_design
from kpca.study.fitting.grid import grid_of, method_points, points
from kpca.study.options import as_typed
from workflow import ROOT
from workflow.configuration.config import check_config, named_kernels, resolve
from workflow.configuration.usps import check_usps
from workflow.messages import answer_of, replaced

if TYPE_CHECKING:
    from kpca.study.datasets.dataset import Dataset

# Packages that read data. Without them, Snakemake still plans, lints and draws graphs of rules.
READS = ("numpy", "pandas", "scipy", "sklearn")
# Smallest number of fits that causes a notice; config/full.yaml causes this notice and takes hours.
MANY_FITS = 50_000
INSTALLED = {"site-packages", "dist-packages", "lib-dynload"}  # folders of installed packages


@dataclass(frozen=True)
class Loaded:
    """A configuration, and what is known about its datasets before any job."""

    config: dict[str, Any]  # complete, but reduced to what the rows allow and `quick` keeps
    notices: list[str]  # sentences about unusual data and other warnings of the run
    left_out: list[str]  # requests that are left out because of too few rows or `quick`
    found: dict[str, "Dataset"]  # datasets whose files were read, by name, without their features

    def warnings(self) -> dict[str, list[str]]:
        """Return the warnings about the data, by dataset."""
        as_message = as_typed if "data" in self.config else str
        return {
            name: [as_message(warning) for warning in rows.warnings]
            for name, rows in self.found.items()
            if rows.warnings
        }

    def with_rows(self) -> list[str]:
        """Return the names of datasets that are not kernel matrices."""
        specs = self.config["datasets"].items()
        return [name for name, spec in specs if not spec.get("kernel_matrix")]

    def with_answer(self, *columns: str) -> list[str]:
        """Return the datasets that have, or may prove to have, one of ``columns``.

        The ``columns`` are `label`, `target` or both.
        """
        return [name for name in self.config["datasets"] if self._answer(name) in columns]

    def is_answered(self, name: str) -> bool:
        """Return whether a dataset is known to have labels or a target."""
        spec = self.config["datasets"][name]
        is_certain = "openml" not in spec or not {"label", "target"}.isdisjoint(spec)
        return is_certain and self._answer(name) != "none"

    def in_the_plane(self) -> list[str]:
        """Return the datasets with two features, counted after categories are made columns."""
        columns = {}
        for name, spec in self.config["datasets"].items():
            if "generator" in spec:
                columns[name] = SYNTHETIC[spec["generator"]].features
            elif rows := self.found.get(name):
                dummies = sum(len(names) - 1 for names in rows.categories.values())
                columns[name] = len(rows.feature_names) + dummies
        return [name for name in self.with_rows() if columns.get(name) == 2]

    def sweeps(self, kernel: str, parameter: str) -> bool:
        """Return whether the grid of a kernel has at least two values of a parameter."""
        return len((self.config["kernels"].get(kernel) or {}).get(parameter, [])) > 1

    def own_files(self, section: str) -> list[str]:
        """Return the files of custom kernels or methods that are not in installed packages.

        The ``section`` is ``kernels`` or ``methods``.
        """
        expand = points if section == "kernels" else method_points
        files = set()
        here = Path.cwd()
        for name, entry in (self.config.get(section) or {}).items():
            path = expand(name, entry)[0].callable
            file = source_file(path.partition(":")[0]) if path else None
            if file and INSTALLED.isdisjoint(file.parts):
                files.add(str(file.relative_to(here) if file.is_relative_to(here) else file))
        return sorted(files)

    def n_fits(self) -> int:
        """Return how often the sweep fits kernel PCA if no result is cached."""
        total = 0
        for name, spec in self.config["datasets"].items():
            settings = sum(map(len, grid_of(self.config, name).values()))
            replicates = spec.get("replicates", self.config["replicates"])
            total += settings * replicates * (1 + self.config["evaluation"]["folds"])
        return total

    def _answer(self, name: str) -> str:
        """Return what a dataset has: `label` (or OpenML's default target), `target` or `none`."""
        spec = self.config["datasets"][name]
        if "generator" in spec:
            return SYNTHETIC[spec["generator"]].answer
        if name in self.found:
            task = self.found[name].task
            return {"classification": "label", "regression": "target"}.get(task, task)
        return "target" if "target" in spec else "label"


def lend(cache: str) -> None:
    """Set the environment of jobs: the path of this project's modules, and the folder ``cache``."""
    paths = (str(ROOT), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    if cache:
        os.environ["KPCA_CACHE"] = cache


def source_file(module: str) -> Path | None:
    """Return the file of a module (``__init__.py`` for a package), without running the module."""
    top, *rest = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent.joinpath(*rest) if rest else Path(spec.origin)
    places = (file / "__init__.py", file.with_suffix(".py"))
    return next((path for path in places if path.is_file()), None)


def load(
    config: Mapping[str, Any],
    files: Sequence[str] = (),
    command_line: Mapping[str, Any] | None = None,
) -> Loaded:
    """Return a configuration in the form that the rules use; nothing is written or printed.

    ``config`` is merged by Snakemake from the ``files`` and the ``command_line``. An `InputError`
    lists everything that is wrong with the configuration, its data and its code.
    """
    if lacking := ", ".join(name for name in READS if not find_spec(name)):
        lacking = f"{lacking}: not installed, so data are not checked and no job can run"
        if "data" in config:
            raise input_error("environment", [f"{lacking}; see README.md"])
    merged = dict(config)
    read = dict[str, "Dataset"]()
    paths = [Path(file) for file in files]
    warnings = as_typed if "data" in merged else str
    try:
        if isinstance(merged.get("kernels"), str):
            merged["kernels"] = named_kernels(merged["kernels"], paths)
        checks = {} if lacking else {"further": partial(input_problems, found=read)}
        check_config(merged, paths, command_line=command_line, **checks)
    except InputError as error:
        raise InputError(warnings(str(error))) from error
    run, overwritten = _with_folder(resolve(merged), merged)
    left_out = list[str]()
    if "data" in merged:
        from kpca.study.datasets.sizes import within_rows

        [(name, rows)] = read.items()
        spec = run["datasets"][name]
        quick = run["quick"]
        if not is_large(spec):
            evaluation, left_out = within_rows(
                rows, spec, run["evaluation"], quick=quick, seed=run["seed"]
            )
            run = run | {"evaluation": evaluation}
    if run["quick"]:
        whole = run
        run = quick_design(run)
        left_out = [*left_out, left_out_by_quick(whole, run)]
    notices = [*overwritten, *filter(None, [lacking])]
    folder = Path(run["results"]).resolve()
    if not folder.is_relative_to(Path.cwd().resolve()):
        notices.append(f"results are written outside of this folder, to {folder}")
    loaded = Loaded(run, notices, left_out, read)
    warned = loaded.warnings().items()
    notices[:0] = [
        f"dataset {name!r}: {warning}" for name, warnings in warned for warning in warnings
    ]
    fits = loaded.n_fits()
    if fits >= MANY_FITS:
        notices.append(
            f"the sweep has up to {fits:,} fits of kernel PCA; fewer values in `kernels`, or fewer "
            "`replicates`, take less time"
        )
    return loaded


def _with_folder(
    config: dict[str, Any], given: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the configuration with a folder of results that other results do not occupy.

    If the folder has results for another label or target, the name of the label or target is
    appended. A notice says if the run still overwrites other results.
    """
    if "data" not in given:
        return config, []
    [(name, spec)] = config["datasets"].items()
    file, answer = replaced(Path(config["results"]), name, spec)
    if answer and "results" not in given:
        suffix = re.sub(r"^(label|target) |\W", lambda m: "" if m[1] else "_", answer_of(spec))
        config = config | {"results": f"{config['results']}-{suffix}"}
        file, answer = replaced(Path(config["results"]), name, spec)
    before = file or answer
    if not before:
        return config, []
    return config, [
        f"{config['results']} holds results for {before}; this run overwrites them with those for "
        f"{spec['path'] if file else answer_of(spec)}. To keep both, name another folder: --config "
        "results=FOLDER"
    ]


def input_problems(config: Mapping[str, Any], found: dict[str, "Dataset"]) -> Iterator[str]:
    """Yield the problems of the data and code that a configuration names.

    Datasets without problems are added to ``found``. The configuration is resolved, and has no
    entries that `check_config` refused.
    """
    from kpca.study.fitting.own_code import try_kernel, try_method

    trials = [partial(_try_data, name, config, found) for name in config["datasets"]]
    if config.get("usps"):
        trials.append(partial(check_usps, config["usps"]))
    specs = [spec for spec in config["datasets"].values() if not spec.get("kernel_matrix")]
    rows: Mapping[str, Any] = next((spec for spec in specs if "openml" not in spec), {})
    for name, axes in config["kernels"].items():
        if "callable" in (axes or {}):
            trials.append(partial(try_kernel, points(name, axes), rows))
    for name, method in (config.get("methods") or {}).items():
        trials.append(partial(try_method, method_points(name, method)))
    for trial in trials:
        try:
            trial()
        except InputError as error:
            yield str(error)


def _try_data(name: str, config: Mapping[str, Any], found: dict[str, "Dataset"]) -> None:
    """Read a dataset, and add it to ``found`` if it has enough rows for folds and components.

    If the configuration has the key `data`, both numbers are adapted to the rows later.
    """
    from kpca.study.datasets.make import check_dataset

    spec = config["datasets"][name]
    evaluation = config.get("evaluation", {})
    most = QUICK_REPLICATES if config.get("quick") else math.inf
    replicates = min(most, spec.get("replicates", config.get("replicates", 1)))
    needs = {"seed": config.get("seed", 0), "replicates": replicates}
    if "data" not in config:
        # If such a value was itself refused, use the smallest number that it could require.
        needs["n_components"] = min(evaluation.get("n_components", [1]))
        needs["folds"] = evaluation.get("folds", 2)
    if rows := check_dataset(name, spec, **needs):
        # Drop the features, which would take memory for the whole run.
        found[name] = replace(rows, X=rows.X[:, :0].copy())
