"""The configuration as the rules use it, read and checked by one function.

Imported while the Snakefile is parsed, hence the standard library, yaml and jsonschema only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.configuration.config import as_typed, check_config, named_kernels, resolve
from pipeline.configuration.inputs import Found, input_problems
from pipeline.configuration.reduced import left_out_by_quick, reduced
from pipeline.datasets.synthetic import SYNTHETIC
from pipeline.errors import InputError
from pipeline.messages import replaced_file


@dataclass(frozen=True)
class Loaded:
    """A configuration, and what is known of its datasets before any job.

    Attributes
    ----------
    config : dict
        What is run: complete, and reduced to what the rows allow and to what `quick` keeps.
    notices : list of str
        What is odd about the data.
    left_out : list of str
        What rows or `quick` leave out of what was asked for.
    quick_leaves_out : str
        What the whole run adds to a quick one; empty without `quick`.
    found : Found
        What is known of the files that were read.
    """

    config: dict[str, Any]
    notices: list[str]
    left_out: list[str]
    quick_leaves_out: str
    found: Found

    def with_source(self, key: str, value: str) -> list[str]:
        """Return the datasets that have a source, such as the generator `rings`."""
        return [name for name, spec in self.config["datasets"].items() if spec.get(key) == value]

    def with_rows(self) -> list[str]:
        """Return the datasets that are no kernel matrix."""
        specs = self.config["datasets"].items()
        return [name for name, spec in specs if not spec.get("kernel_matrix")]

    def with_answer(self, *columns: str) -> list[str]:
        """Return the datasets that have, or may turn out to have, a `label` or a `target`."""
        return [name for name in self.config["datasets"] if self._answer(name) in columns]

    def is_answered(self, name: str) -> bool:
        """Return whether a dataset is known to have labels or a target."""
        spec = self.config["datasets"][name]
        named = "openml" not in spec or bool({"label", "target"} & {*spec})
        return named and self._answer(name) != "none"

    def _answer(self, name: str) -> str:
        """Return `label`, `target` or `none`; OpenML's default target serves as the label."""
        spec = self.config["datasets"][name]
        if "generator" in spec:
            return SYNTHETIC[spec["generator"]].answer
        task = self.found.tasks.get(name, "regression" if "target" in spec else "classification")
        return {"classification": "label", "regression": "target"}.get(task, task)

    def in_the_plane(self) -> list[str]:
        """Return the datasets that have two features as a kernel sees them."""
        return [name for name, spec in self.config["datasets"].items() if self._is_flat(name, spec)]

    def sweeps(self, kernel: str, parameter: str) -> bool:
        """Return whether the grid of a kernel has at least two values of a parameter."""
        return len((self.config["kernels"].get(kernel) or {}).get(parameter, [])) > 1

    def _is_flat(self, name: str, spec: Mapping[str, Any]) -> bool:
        if "generator" in spec:
            return SYNTHETIC[spec["generator"]].features == 2
        return not spec.get("kernel_matrix") and self.found.columns.get(name) == 2


def load(
    config: Mapping[str, Any],
    files: Sequence[str] = (),
    command_line: Mapping[str, Any] | None = None,
) -> Loaded:
    """Return a configuration as the rules use it; nothing is written and nothing printed.

    Parameters
    ----------
    config : mapping
        Merged, as Snakemake hands it over.
    files : sequence of str
        The files that it came from.
    command_line : mapping, optional
        What the command line gave of it.

    Raises
    ------
    InputError
        With everything that is wrong with the configuration, its data and its code.
    """
    given = dict(config)
    paths = [Path(file) for file in files]
    said = as_typed if "data" in given else str
    try:
        if isinstance(given.get("kernels"), str):
            given["kernels"] = named_kernels(given["kernels"], paths)
        found = Found()
        further = partial(input_problems, found=found)
        check_config(given, paths, command_line=command_line, further=further)
    except InputError as error:
        raise InputError(said(str(error))) from error
    whole = resolve(given)
    [sizes] = found.sizes.values() if "data" in given else [None]
    run, left_out = reduced(whole, sizes)
    return Loaded(
        run,
        [*map(said, found.notices), *_replaced(run)],
        left_out,
        left_out_by_quick(whole, run) if run["quick"] else "",
        found,
    )


def _replaced(config: Mapping[str, Any]) -> list[str]:
    """Return a notice if the run overwrites the results of another file with the same name."""
    if "data" not in config:
        return []
    [(name, spec)] = config["datasets"].items()
    folder, path = config["results"], spec["path"]
    before = replaced_file(Path(folder), name, path)
    if not before:
        return []
    return [
        f"{folder} holds results for {before}; this run overwrites them with those for {path}. To "
        "keep both, name another folder: --config results=FOLDER"
    ]
