"""Run a function as a job of Snakemake: its arguments, outputs, log, and readable errors."""

import inspect
import logging
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from kpca.reading.errors import InputError
from kpca.study.cache import Cache
from kpca.study.store import read_table, write_table

_Function = TypeVar("_Function", bound=Callable[..., Any])
Tables = dict[str, pd.DataFrame]  # name of an output of the rule → table
# Inputs whose change reruns a rule, but which are not arguments of its script.
UNSEEN = ("code", "sources")


def script(function: _Function, write: Callable[[Any, Any], None] | None = None) -> _Function:
    """Run a function as the job of its rule, if Snakemake executes its module as a script.

    CONTRIBUTING.md says what the arguments are and how the result is written. If ``write`` is
    given, it writes the result: write(result, outputs). If the job fails, the log has the reason:
    the message of an `InputError`, or the traceback of another error.
    """
    if function.__module__ != "__main__":
        return function
    snakemake = function.__globals__["snakemake"]  # Snakemake defines this name in the script.
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    logging.captureWarnings(True)
    logging.basicConfig(
        filename=path,
        filemode="w",
        force=True,
        format="%(levelname)s %(message)s",
        level=logging.INFO,
    )
    if "sklearn" in sys.modules:
        # Data are checked when they are read. To check them again in each of the hundred thousand
        # small fits of a run would take longer than the fits.
        sys.modules["sklearn"].set_config(assume_finite=True, skip_parameter_validation=True)
    try:
        result = function(**_arguments(function, snakemake))
        if result is not None:
            (write or _write)(result, snakemake.output)
    except Exception as error:
        # If the error occurred in another process, its cause is the traceback there, as text.
        remote = type(error.__cause__).__name__ == "_RemoteTraceback"
        told = error.__cause__ if remote else traceback.format_exc()
        failed = f"{snakemake.rule} failed\n{told}"
        logging.error("%s", error if isinstance(error, InputError) else failed)
        sys.exit(1)
    return function


def cache_of(output: str, code: Sequence[str]) -> Cache:
    """Return the cache for results of ``code``, in the configured folder or near ``output``."""
    folder = os.environ.get("KPCA_CACHE") or Path(output).parents[1] / "cache"
    return Cache(folder, code)


def _arguments(function: Callable[..., Any], snakemake: Any) -> dict[str, Any]:
    arguments = dict(snakemake.input.items()) | dict(snakemake.params.items())
    takes = inspect.signature(function).parameters
    for name in UNSEEN:
        if name not in takes:
            arguments.pop(name, None)
    for name, value in snakemake.input.items():
        if name in arguments and isinstance(value, str) and value.endswith(".csv"):
            arguments[name] = read_table(value)
    offered = {"threads": snakemake.threads, "paths": snakemake.output}
    return arguments | {name: value for name, value in offered.items() if name in takes}


def _write(found: pd.DataFrame | Tables, outputs: Any) -> None:
    tables = {"": found} if isinstance(found, pd.DataFrame) else found
    paths = dict(outputs.items()) or {"": outputs[0]}
    if set(tables) != set(paths):
        raise ValueError(f"the rule has outputs {sorted(paths)}, and its script {sorted(tables)}")
    for name, table in tables.items():
        write_table(table, paths[name])
