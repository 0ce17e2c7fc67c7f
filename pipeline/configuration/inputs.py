"""Test what a configuration names before any job: data, custom kernels and methods.

An unchanged input is not tested again, so that a start does not import NumPy. A note has the digest
of all that its test depends on, and the result of the test.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.datasets.needs import Sizes
from pipeline.datasets.usps import check_usps
from pipeline.errors import InputError
from pipeline.fingerprint import code_of, own_fingerprint
from pipeline.grid import Point, method_points, points
from pipeline.tasks import source_of

if TYPE_CHECKING:
    from pipeline.datasets.make import Checked

Found = Mapping[str, Any]
"""What a trial found, as JSON has it: `warnings`, of a file `columns` and `task`, `sizes`."""

Trial = tuple[str, Any, Callable[[], Found | None]]
"""Name of its note, what it depends on, and the trial, which returns None if it was impossible."""


def input_problems(
    config: Mapping[str, Any], warn: Callable[[str], object] = lambda _: None
) -> Iterator[str]:
    """Yield what is wrong with what a configuration names, and call `warn` with what is odd.

    The configuration is resolved, and sound as far as it goes: sections and entries with a problem
    of their own are left out.
    """
    for trial in (*_of_data(config), *_of_own_code(config)):
        try:
            found = _found(config, trial) or {"warnings": []}
        except InputError as error:
            yield str(error)
        else:
            for warning in found["warnings"]:
                warn(warning)
    if config.get("usps"):
        try:
            check_usps(config["usps"])
        except InputError as error:
            yield str(error)


def own_sizes(config: Mapping[str, Any]) -> Sizes:
    """Return what the rows of the one file given by `data` allow.

    Raises
    ------
    InputError
        Where the file cannot be used at all.
    """
    (trial,) = _of_data(config)
    found = _found(config, trial)
    assert found is not None  # a user's file can be read
    return Sizes(**found["sizes"])


def found_of(config: Mapping[str, Any], name: str) -> Found:
    """Return what the trial of a dataset found; nothing if it was not read.

    Raises
    ------
    InputError
        Where it cannot be used at all.
    """
    trial = next(trial for trial in _of_data(config) if trial[0] == f"dataset-{name}")
    return _found(config, trial) or {}


def _found(config: Mapping[str, Any], trial: Trial) -> Found | None:
    """Return what a trial found: its note says so where nothing has changed since."""
    name, depends_on, work = trial
    # Logs are what may differ between two runs.
    note = Path(config["results"], "logs/checked", name) if "results" in config else None
    digest = hashlib.sha256(
        json.dumps(depends_on, sort_keys=True, default=str).encode()
    ).hexdigest()
    if note and note.is_file():
        noted, _, kept = note.read_text(encoding="utf-8").partition("\n")
        if noted == digest and kept:
            known: Found = json.loads(kept)
            return known
    found = work()
    if found is not None and note:
        _keep(note, f"{digest}\n{json.dumps(found)}")
    return found


def _of_data(config: Mapping[str, Any]) -> Iterator[Trial]:
    """Whether data can be read, and suffice for folds and components.

    These follow from the rows where a file is given by `data`.
    """
    evaluation = config.get("evaluation", {})
    # Of what is wrong itself, the least that could be asked for.
    needs = {
        "n_components": max(evaluation.get("n_components", [1])),
        "folds": evaluation.get("folds", 2),
        "seed": config.get("seed", 0),
    }
    for name, spec in config["datasets"].items():
        replicates = spec.get("replicates", config.get("replicates", 1))
        asked = needs | {"replicates": replicates}
        work: Callable[..., Found | None] = _try_data
        if "data" in config:
            work, asked = _try_own_file, {k: asked[k] for k in ("seed", "replicates")}
        trial = partial(work, name, source_of(spec), asked)
        yield f"dataset-{name}", (_state(spec), asked), trial


def _of_own_code(config: Mapping[str, Any]) -> Iterator[Trial]:
    """Whether custom code can be imported, and answers as it should."""
    specs = [spec for spec in config["datasets"].values() if not spec.get("kernel_matrix")]
    rows: Mapping[str, Any] = next((spec for spec in specs if "openml" not in spec), {})
    for name, axes in config["kernels"].items():
        if "callable" in (axes or {}):
            depends_on = axes, _own_code(axes["callable"]), _state(rows)
            trial = partial(_try_kernel, points(name, axes), source_of(rows))
            yield f"kernel-{name}", depends_on, trial
    for name, method in (config.get("methods") or {}).items():
        family = method_points(name, method)
        code = _own_code(str(family[0].callable))
        yield f"method-{name}", (method, code), partial(_try_method, family)


# Imported where they are called: a start without changes should not pay for NumPy.
def _try_data(name: str, spec: Mapping[str, Any], needs: Mapping[str, int]) -> Found | None:
    from pipeline.datasets.make import check_dataset

    checked = check_dataset(name, spec, **needs)
    return checked and _said(name, checked)


def _try_own_file(name: str, spec: Mapping[str, Any], draws: Mapping[str, int]) -> Found:
    from pipeline.datasets.make import check_own_file

    sizes, checked = check_own_file(name, spec, **draws)
    return {**_said(name, checked), "sizes": sizes._asdict()}


def _said(name: str, checked: "Checked") -> Found:
    warnings = [f"dataset {name!r}: {warning}" for warning in checked.warnings]
    return {"warnings": warnings, "columns": checked.columns, "task": checked.task}


def _try_kernel(family: list[Point], spec: Mapping[str, Any]) -> Found | None:
    from pipeline.own_code import try_kernel

    return {"warnings": []} if try_kernel(family, spec) else None


def _try_method(family: list[Point]) -> Found | None:
    from pipeline.own_code import try_method

    return {"warnings": []} if try_method(family) else None


def _state(spec: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what a look at a dataset depends on, its file by time and size."""
    stat = Path(spec["path"]).stat() if "path" in spec else None
    file = stat and (stat.st_mtime_ns, stat.st_size)
    return source_of(spec), file, code_of("workflow/scripts/sweep/make_dataset.py")


def _own_code(path: str) -> tuple[str, str]:
    try:
        return own_fingerprint([path]), code_of("pipeline/own_code.py")
    except SyntaxError:  # which the trial says with its line
        return "", ""


def _keep(note: Path, text: str) -> None:
    """Keep a note, except where nothing may be written, as in somebody else's results."""
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, encoding="utf-8")
    except OSError:
        pass
