"""Scripts that refit the exported model; they need kpca, pandas and scikit-learn alone."""

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import TEXT, kind_of, read_header, sheet_name
from pipeline.datasets.published import CLASS_SIZES
from pipeline.datasets.table import MISSING_CELL

Imports = set[str]

_LONG = 20  # of more names a script lists those that are left out, if these are fewer
_LONG_CALL = 70
"""Characters of arguments above which each has a line of its own."""


class Reading(NamedTuple):
    """Lines of Python that read what a model is fitted to.

    Attributes
    ----------
    rows : list of str
        They give rows the name ``rows``.
    answer : str
        It comes after them, and gives labels or target the name ``answer``.
    """

    rows: list[str]
    answer: str


def reading(rows: Dataset, spec: Mapping[str, Any], stored: str) -> Reading:
    """Return how the rows of a dataset are read, with its labels or target.

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
        lines = [
            f"drawn = np.load({_place(stored)!r})",
            'first = drawn["train"][: drawn["train_sizes"][0]]',
            f'rows = pd.DataFrame(drawn["X"][first], columns={list(rows.feature_names)})',
        ]
        answer = 'drawn["target"][first]' if rows.y is None else 'drawn["y"][first].astype(str)'
        return Reading(lines, f"answer = {answer}")
    if "sklearn" in spec:
        lines = [f"data = load_{spec['sklearn']}(as_frame=True)", "rows = data.data"]
        return Reading(lines, "answer = data.target_names[data.target].astype(str)")
    label = repr(spec.get("label", "y"))
    if "openml" in spec:
        label = repr(spec["label"]) if "label" in spec else "data.target_names[0]"
    target, text = repr(spec.get("target", "target")), kind_of(spec.get("path", "")) in TEXT
    decimal_comma = text and read_header(spec["path"], *_encoding(spec))[0] != ","
    number = '.replace(",", ".", regex=True).astype(float)' if decimal_comma else ".astype(float)"
    lines = [*_table(rows, spec), f'table = table.replace(r"{MISSING_CELL}", np.nan, regex=True)']
    lines += [*_kept(rows, spec, label, target), *_rows(rows, spec, number)]
    if not rows.precomputed:
        columns = _columns(rows, spec)
        lines.insert(2 * columns.startswith("table"), f"columns = {columns}")
    answer = (
        f"table[{target}]{number}" if rows.y is None else f"table[{label}].astype(str).str.strip()"
    )
    return Reading(lines, f"answer = {answer}")


def model_script(name: str, read: Reading, model: Pipeline) -> str:
    """Return a script that refits a model; only the parameters of the model count."""
    return _script(f"Refit the final model of {name}.", read.rows, *_fit(model))


def predictor_script(
    name: str, read: Reading, predictor: Pipeline, notes: Mapping[str, str], *, most: int
) -> str:
    """Return a script that refits a predictor, which may be trained on ``most`` rows at most."""
    model, last = predictor
    lines, imports = _fit(model)
    lines += [read.answer, "scores = model.transform(rows)"]
    if most:
        imports.add("from sklearn.model_selection import train_test_split")
        drawn = f"train_size={most}, stratify=answer, random_state=0"
        lines.append(f"scores, _, answer, _ = train_test_split(scores, answer, {drawn})")
    lines.append(f"last = {source(last, imports)}.fit(scores, answer)")
    lines.append("predictor = make_pipeline(model, last)")
    if not callable(model[-1].kernel):
        imports.add("import kpca")
        lines.append(f'kpca.save(predictor, "predictor.npz", notes={dict(notes)})')
    return _script(f"Refit the predictor of {name}.", read.rows, lines, imports)


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
        if len(inside) > _LONG_CALL:
            inside = "\n        " + ",\n        ".join(given) + ",\n    "
        return f"{type(value).__name__}({inside})"
    if isinstance(value, list | tuple):
        inside = ", ".join(source(one, imports) for one in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, np.ufunc):
        return f"np.{value.__name__}"
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


def _fit(model: Pipeline) -> tuple[list[str], Imports]:
    imports = {"from sklearn.pipeline import make_pipeline"}
    steps = ",\n".join(f"    {source(step, imports)}" for _, step in model.steps)
    lines = [f"model = make_pipeline(\n{steps},\n).fit(rows)", "embedding = model.transform(rows)"]
    return lines, imports


def _script(purpose: str, rows: list[str], lines: list[str], imports: Imports) -> str:
    text = "\n".join([*rows, *lines])
    for call, line in (
        ("np.", "import numpy as np"),
        ("pd.", "import pandas as pd"),
        ("fetch_openml(", "from sklearn.datasets import fetch_openml"),
        *((f"load_{name}(", f"from sklearn.datasets import load_{name}") for name in CLASS_SIZES),
    ):
        if call in text:
            imports.add(line)
    ordered = sorted(imports, key=lambda line: (line.startswith("from"), line))
    return "\n".join([f'"""{purpose}"""', "", *ordered, "", text]) + "\n"


def _table(rows: Dataset, spec: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines that give the name ``table`` to the columns of a file."""
    if "openml" in spec:
        yield f"data = fetch_openml(data_id={spec['openml']}, as_frame=True)"
        yield "table = data.frame.convert_dtypes()"
        return
    path, kind = repr(_place(spec["path"])), kind_of(spec["path"])
    if kind == ".npz":
        yield f"arrays = np.load({path})"
        known = (spec.get("label", "y"), spec.get("target", "target"), spec.get("group", "group"))
        yield f"table = pd.DataFrame({{name: arrays[name] for name in {known} if name in arrays}})"
        if not rows.precomputed:
            yield 'table = pd.DataFrame(arrays["X"], columns=columns).join(table)'
        yield "table = table.convert_dtypes()"
        return
    if kind not in (*TEXT, ".xlsx"):
        reader = "parquet" if kind == ".parquet" else "feather"
        yield f"table = pd.read_{reader}({path}).convert_dtypes()"
        return
    options = ["dtype=str", "keep_default_na=False"]
    if kind == ".xlsx":
        reader, name = "excel", sheet_name(Path(spec["path"]), spec.get("sheet", 1), "")
        options.insert(0, f"sheet_name={name!r}")
    else:
        reader, separator = "csv", read_header(spec["path"], *_encoding(spec))[0]
        options[:0] = [f"sep={separator!r}"] * (separator != ",")
        options[:0] = [f"encoding={name!r}" for name in _encoding(spec)]
    yield f"table = pd.read_{reader}({', '.join([path, *options])})"
    yield "table = table.rename(columns=str.strip).map(str.strip)"


def _columns(rows: Dataset, spec: Mapping[str, Any]) -> str:
    """Return the names of the features, as a list or as the columns of ``table`` but others."""
    names, kind = list(rows.feature_names), kind_of(spec.get("path", ""))
    if kind == ".npz":
        return f'[f"x{{number}}" for number in range(1, {len(names) + 1})]'
    if kind in TEXT and len(names) > _LONG:
        header = read_header(spec["path"], *_encoding(spec))[1]
        others = [name or "Unnamed: 0" for name in header if name not in names]
        if len(others) < len(names) and names == [name for name in header if name in names]:
            return f"table.columns.drop({others})"
    return repr(names)


def _kept(rows: Dataset, spec: Mapping[str, Any], label: str, target: str) -> Iterator[str]:
    """Yield lines that leave out rows: blank ones, and what `missing` and `min_class_size` say."""
    if kind_of(spec.get("path", "")) == ".xlsx":
        yield 'table = table.dropna(how="all")'
    if spec.get("missing"):
        given = {label: rows.y, target: rows.target, repr(spec.get("group")): rows.groups}
        needed = ["*columns"] if spec["missing"] == "drop" else []
        needed += [name for name, values in given.items() if values is not None]
        yield f"table = table.dropna(subset=[{', '.join(needed)}])"
    if spec.get("min_class_size"):
        sizes = f"table.groupby({label})[{label}].transform('size')"
        yield f"table = table[{sizes} >= {spec['min_class_size']}]"


def _rows(rows: Dataset, spec: Mapping[str, Any], number: str) -> Iterator[str]:
    if rows.precomputed:
        kept = "[np.ix_(table.index, table.index)]" if spec.get("min_class_size") else ""
        yield f'rows = arrays["K"]{kept}'
    elif rows.categories:
        texts = list(rows.categories)
        yield f"texts = table[{texts}].astype(str).map(str.strip, na_action='ignore')"
        yield "texts = texts.astype(object).replace('<NA>', np.nan)"
        yield f"rows = table[columns].drop(columns=texts.columns){number}.join(texts)"
    else:
        yield f"rows = table[columns]{number}"


def _encoding(spec: Mapping[str, Any]) -> list[str]:
    return [spec["encoding"]] if spec.get("encoding") else []


def _place(path: str) -> str:
    """Return a path from the working folder, or of a file elsewhere its name."""
    if not Path(path).is_absolute():
        return path
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if here in Path(path).parents else Path(path).name
