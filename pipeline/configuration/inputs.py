"""What a configuration names, tried before any job: data, and kernels and methods of one's own.

What was tried before and has not changed since is not tried again: a start should not pay for
NumPy. Of each there is a note: the digest of all that its trial depends on, then what the trial
warned of, a line each.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.datasets.usps import check_usps
from pipeline.errors import InputError
from pipeline.fingerprint import code_of, own_fingerprint
from pipeline.grid import Point, method_points, points
from pipeline.plan import source_of

Trial = tuple[str, Any, Callable[[], Sequence[str] | None]]
"""Name of its note, what it depends on, and the trial: its warnings, None if it was impossible."""


def input_problems(
    config: Mapping[str, Any], warn: Callable[[str], object] = lambda _: None
) -> Iterator[str]:
    """Yield what is wrong with what a configuration names, and call `warn` with what is odd.

    The configuration is resolved, and sound as far as it goes: sections and entries with a problem
    of their own are left out.
    """
    # Logs are what may differ between two runs.
    folder = Path(config["results"], "logs/checked") if "results" in config else None
    for name, depends_on, trial in (*_of_data(config), *_of_own_code(config)):
        note = folder / name if folder else None
        digest = hashlib.sha256(
            json.dumps(depends_on, sort_keys=True, default=str).encode()
        ).hexdigest()
        known = note.read_text(encoding="utf-8").split("\n") if note and note.is_file() else [""]
        warnings: Sequence[str] | None = known[1:]
        if known[0] != digest:
            try:
                warnings = trial()
            except InputError as error:
                yield str(error)
                continue
            if note and warnings is not None:
                _keep(note, "\n".join([digest, *warnings]))
        for warning in warnings or ():
            warn(warning)
    if config.get("usps"):
        try:
            check_usps(config["usps"])
        except InputError as error:
            yield str(error)


def _of_data(config: Mapping[str, Any]) -> Iterator[Trial]:
    """Whether data can be read, and suffice for folds and components."""
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
        trial = partial(_try_data, name, source_of(spec), asked)
        yield f"dataset-{name}", (_state(spec), asked), trial


def _of_own_code(config: Mapping[str, Any]) -> Iterator[Trial]:
    """Whether one's own code can be imported, and answers as it should."""
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
def _try_data(name: str, spec: Mapping[str, Any], needs: Mapping[str, int]) -> list[str] | None:
    from pipeline.datasets.make import check_dataset

    warnings = check_dataset(name, spec, **needs)
    return None if warnings is None else [f"dataset {name!r}: {w}" for w in warnings]


def _try_kernel(family: list[Point], spec: Mapping[str, Any]) -> list[str] | None:
    from pipeline.own_code import try_kernel

    return [] if try_kernel(family, spec) else None


def _try_method(family: list[Point]) -> list[str] | None:
    from pipeline.own_code import try_method

    return [] if try_method(family) else None


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
