"""A model of all rows as ten lines of Python."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from pipeline.datasets.csv_header import read_header
from pipeline.datasets.dataset import Dataset

Imports = set[str]


def recipe(rows: Dataset, spec: Mapping[str, Any], model: Pipeline, stored: str) -> str:
    """Return a script that fits a model anew.

    Parameters
    ----------
    rows : Dataset
        What it is fitted to.
    spec : mapping
        Where they come from, as in the configuration.
    model : Pipeline
        With all its parameters, fitted or not.
    stored : str
        File of the dataset, for rows that were drawn and are nowhere else.
    """
    imports: Imports = set()
    steps = ",\n".join(f"    {source(step, imports)}" for _, step in model.steps)
    reading = _reading(rows, spec, stored, imports)
    imports.add("from sklearn.pipeline import make_pipeline")
    lines = [
        f'"""The model of {rows.name}, fitted anew where the pipeline ran."""',
        "",
        *sorted(imports, key=lambda line: (line.startswith("from"), line)),
        "",
        reading,
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
        written = {name: source(v, imports) for name, v in value.get_params(deep=False).items()}
        given = [
            f"{name}={text}"
            for name, text in written.items()
            if text != source(defaults[name].default, imports)
        ]
        return f"{type(value).__name__}({', '.join(given)})"
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


def _reading(rows: Dataset, spec: Mapping[str, Any], stored: str, imports: Imports) -> str:
    if "generator" in spec:
        imports.add("from pipeline.datasets.dataset import load_dataset")
        return f"drawn = load_dataset({stored!r})\nrows = drawn.X[drawn.splits[0][0]]"
    if "sklearn" in spec:
        imports.add(f"from sklearn.datasets import load_{spec['sklearn']}")
        return f"rows = load_{spec['sklearn']}().data"
    columns = list(rows.feature_names)
    if "openml" in spec:
        imports.add("from sklearn.datasets import fetch_openml")
        from pipeline.datasets.openml import CACHE

        arguments = f"data_id={spec['openml']}, data_home={spec.get('cache', CACHE)!r}"
        return f"table = fetch_openml({arguments}, as_frame=True).frame\nrows = table[{columns}]"
    path = str(spec["path"])
    if path.lower().endswith(".npz"):
        name = "K" if rows.precomputed else "X"
        imports.add("import numpy as np")
        return f"rows = np.load({path!r})[{name!r}]"
    imports.add("import pandas as pd")
    if path.lower().endswith(".parquet"):
        return f"rows = pd.read_parquet({path!r})[{columns}]"
    separator, _ = read_header(path)
    others = "" if separator == "," else f", sep={separator!r}"
    table = f"pd.read_csv({path!r}{others})"
    if not set(columns) <= set(_header(path, separator)):  # names that spaces surround
        table += ".rename(columns=str.strip)"
    return f"rows = {table}[{columns}]"


def _header(path: str, separator: str) -> list[str]:
    import pandas as pd

    return list(pd.read_csv(path, sep=separator, nrows=0).columns)
