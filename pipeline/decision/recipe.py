"""A model of all rows as ten lines of Python."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import read_header
from pipeline.datasets.preparation import raw_rows
from pipeline.datasets.published import CACHE

Imports = set[str]

LONG_CALL = 70
"""Characters of arguments above which each has a line of its own."""


class Reading(NamedTuple):
    """Lines of Python that give rows the name ``rows``, and the imports that they need."""

    lines: str
    imports: Imports


def reading(rows: Dataset, spec: Mapping[str, Any], stored: str) -> Reading:
    """Return how the rows of a dataset are read.

    For a user's file pandas must give the same rows; if it does not, as with marks for missing
    cells that it does not know, the reader of the pipeline does.

    Parameters
    ----------
    rows : Dataset
        What models are fitted to.
    spec : mapping
        Where they come from, as in the configuration.
    stored : str
        File of the dataset, for rows that were drawn and are nowhere else.
    """
    if "generator" in spec:
        lines = f"drawn = load_dataset({stored!r})\nrows = drawn.X[drawn.splits[0][0]]"
        return Reading(lines, {"from pipeline.datasets.dataset import load_dataset"})
    if "sklearn" in spec:
        load = f"load_{spec['sklearn']}"
        return Reading(f"rows = {load}().data", {f"from sklearn.datasets import {load}"})
    columns = list(rows.feature_names)
    if "openml" in spec:
        arguments = f"data_id={spec['openml']}, data_home={spec.get('cache', CACHE)!r}"
        lines = f"rows = fetch_openml({arguments}, as_frame=True).frame[{columns}]"
        return Reading(lines, {"from sklearn.datasets import fetch_openml"})
    if rows.precomputed:
        return Reading(f"rows = np.load({spec['path']!r})['K']", {"import numpy as np"})
    found = _by_pandas(str(spec["path"]), columns)
    if _gives(found, rows):
        return found
    own = {
        "from pipeline.datasets.make import read_rows",
        "from pipeline.datasets.preparation import raw_rows",
    }
    return Reading(f"rows = raw_rows(read_rows({rows.name!r}, {dict(spec)!r}))", own)


def recipe(name: str, rows: Reading, model: Pipeline) -> str:
    """Return a script that refits a model.

    Parameters
    ----------
    name : str
        That of the dataset.
    rows : Reading
        How the rows that it is fitted to are read.
    model : Pipeline
        With all its parameters, fitted or not.
    """
    imports = {"from sklearn.pipeline import make_pipeline", *rows.imports}
    steps = ",\n".join(f"    {source(step, imports)}" for _, step in model.steps)
    lines = [
        f'"""Refit the final model of {name}, in the folder where the pipeline ran."""',
        "",
        *sorted(imports, key=lambda line: (line.startswith("from"), line)),
        "",
        rows.lines,
        f"model = make_pipeline(\n{steps},\n).fit(rows)",
        "embedding = model.transform(rows)",
    ]
    return "\n".join(lines) + "\n"


def source(value: Any, imports: Imports) -> str:
    """Return a value as Python, and add the imports that it needs.

    Estimators have the arguments that differ from the default ones.

    >>> from sklearn.preprocessing import StandardScaler
    >>> source([("x", StandardScaler(with_std=False))], set())
    "[('x', StandardScaler(with_std=False))]"
    """
    if isinstance(value, BaseEstimator):
        imports.add(_import(type(value)))
        defaults = inspect.signature(type(value)).parameters
        given = [
            f"{name}={source(found, imports)}"
            for name, found in value.get_params(deep=False).items()
            if source(found, set()) != source(defaults[name].default, set())
        ]
        inside = ", ".join(given)
        if len(inside) > LONG_CALL:
            inside = "\n        " + ",\n        ".join(given) + ",\n    "
        return f"{type(value).__name__}({inside})"
    if isinstance(value, list | tuple):
        inside = ", ".join(source(one, imports) for one in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if inspect.isfunction(value) or inspect.isclass(value):
        imports.add(_import(value))
        return value.__name__
    return repr(value.item() if isinstance(value, np.generic) else value)


def _import(thing: Any) -> str:
    """Return the import of a class or function, from the outermost module that has it."""
    parts = thing.__module__.split(".")
    modules = [".".join(parts[: n + 1]) for n in range(len(parts))]
    has = (m for m in modules if getattr(import_module(m), thing.__name__, None) is thing)
    return f"from {next(has)} import {thing.__name__}"


def _by_pandas(path: str, columns: list[str]) -> Reading:
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind == "npz":
        return Reading(f"rows = np.load({path!r})['X']", {"import numpy as np"})
    reader = {"parquet": "parquet", "feather": "feather", "arrow": "feather", "xlsx": "excel"}
    given, chosen = [repr(path)], f"[{columns}]"
    if kind not in reader:
        separator, header = read_header(path)
        if separator != ",":
            given.append(f"sep={separator!r}")
        left_out = [name for name in header if name not in columns]
        if len(left_out) < len(columns) and columns == [n for n in header if n in columns]:
            chosen = f".drop(columns={left_out})" if left_out else ""
    table = f"pd.read_{reader.get(kind, 'csv')}({', '.join(given)})"
    return Reading(f"rows = {table}{chosen}", {"import pandas as pd"})


def _gives(found: Reading, rows: Dataset) -> bool:
    """Return whether lines of Python give the rows of a dataset."""
    scope: dict[str, Any] = {}
    wanted = raw_rows(rows)
    try:
        exec("\n".join([*sorted(found.imports), found.lines]), scope)
        given = scope["rows"]
        if not isinstance(given, pd.DataFrame):
            given = pd.DataFrame(given, columns=wanted.columns)
        pd.testing.assert_frame_equal(given, wanted, check_dtype=False, rtol=1e-12, atol=0)
    except Exception:  # whatever pandas makes of a file that it reads in another way, or not at all
        return False
    return True
