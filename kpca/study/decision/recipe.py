"""Scripts that refit the exported model; they need kpca, pandas and scikit-learn alone."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from kpca.reading.dates import PARTS
from kpca.reading.formats import is_text, kind_of, read_header
from kpca.reading.notation import COMMA, POINT, SIGNS
from kpca.reading.table import MISSING_CELL
from kpca.reading.text import sheet_name
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.sources import CLASS_SIZES

_LONG = 20  # of more names a script lists those that are left out, if these are fewer
_LONG_CALL = 70  # characters of arguments above which each has a line of its own
_READERS = {".xlsx": "excel", ".parquet": "parquet", ".feather": "feather", ".arrow": "feather"}
# What stands in a script → the import that it needs.
_IMPORTS = {
    "np.": "import numpy as np",
    "pd.": "import pandas as pd",
    "kpca.save(": "import kpca",
    "CalibratedPipeline(": "from kpca.calibration import CalibratedPipeline",
    "read_dates(": "from kpca.reading.dates import read_dates",
    "make_pipeline(": "from sklearn.pipeline import make_pipeline",
    **{
        f"cv={name}(": f"from sklearn.model_selection import {name}"
        for name in ("KFold", "GroupKFold", "StratifiedKFold", "StratifiedGroupKFold")
    },
    "train_test_split(": "from sklearn.model_selection import train_test_split",
    "fetch_openml(": "from sklearn.datasets import fetch_openml",
    **{f"load_{name}(": f"from sklearn.datasets import load_{name}" for name in CLASS_SIZES},
}

_SCRIPT = """\
{% if "generator" in spec %}
drawn = np.load({{ path }})
first = drawn["train"][: drawn["train_sizes"][0]]
rows = pd.DataFrame(drawn["X"][first], columns={{ columns }})
{% elif "sklearn" in spec %}
data = load_{{ spec.sklearn }}(as_frame=True)
rows = data.data
{% else %}
{% if "openml" in spec %}
data = fetch_openml(data_id={{ spec.openml }}, as_frame=True)
table = data.frame.convert_dtypes()
{% elif kind == ".npz" %}
arrays = np.load({{ path }})
roles = {{ label }}, {{ target }}, {{ group }}
table = pd.DataFrame({name: arrays[name] for name in roles if name in arrays})
table = table.convert_dtypes()
{% elif reader in ("csv", "excel") %}
table = pd.read_{{ reader }}({{ path }}, {{ options }})
table = table.rename(columns=str.strip).map(str.strip)
{% else %}
table = pd.read_{{ reader }}({{ path }}).convert_dtypes()
{% endif %}
{% if not rows.precomputed %}
columns = {{ columns }}
{% if kind == ".npz" %}
table = pd.DataFrame(arrays["X"], columns=columns).join(table)
{% endif %}
{% endif %}
table = table.replace(r"{{ missing_cell }}", np.nan, regex=True)
{% if reader == "excel" %}
table = table.dropna(how="all")
{% endif %}
{% for mark, columns in notations.items() %}
left_out = r"[{{ signs }}\\s'\N{RIGHT SINGLE QUOTATION MARK}{{ "." if mark == "," else "," }}]"
notation = {left_out: "", "\N{MINUS SIGN}": "-"{{ ', ",": "."' if mark == "," }}}
table[{{ columns }}] = table[{{ columns }}].replace(notation, regex=True)
{% endfor %}
{% if "time" in spec %}
{% if spec.time in rows.dates %}
times = table[{{ quoted(spec.time) }}].fillna("")
times = read_dates(times, day_first={{ rows.dates[spec.time] }}, zones=True)
{% else %}
times = table[{{ quoted(spec.time) }}].astype(float)
{% endif %}
table = table.iloc[np.argsort(times.to_numpy(), kind="stable")]
{% endif %}
{% for column, day_first in rows.dates.items() if spec.dates %}
days = read_dates(table[{{ quoted(column) }}].fillna(""), day_first={{ day_first }})
days.index = table.index
{% for part in spec.dates %}
table["{{ column }}_{{ part }}"] = days.dt.{{ parts.get(part, part) }}
{% endfor %}
{% endfor %}
{% if spec.missing %}
table = table.dropna(subset=[{{ needed | join(", ") }}])
{% endif %}
{% if spec.min_class_size %}
sizes = table.groupby({{ label }})[{{ label }}].transform("size")
table = table[sizes >= {{ spec.min_class_size }}]
{% endif %}
{% if rows.precomputed %}
rows = arrays["K"]{{ "[np.ix_(table.index, table.index)]" if spec.min_class_size }}
{% elif rows.categories %}
texts = table[{{ rows.categories | list }}].astype(str).map(str.strip, na_action="ignore")
texts = texts.astype(object).replace("<NA>", np.nan)
rows = table[columns].drop(columns=texts.columns).astype(float).join(texts)
{% else %}
rows = table[columns].astype(float)
{% endif %}
{% endif %}
{{ front }} = make_pipeline(
{% for step in steps %}
    {{ step }},
{% endfor %}
).fit(rows)
{{ features }} = {{ front }}.transform(rows)
{% if last %}
{% if "generator" in spec %}
answer = drawn[{{ '"target"][first]' if rows.y is none else '"y"][first].astype(str)' }}
{% elif "sklearn" in spec %}
answer = data.target_names[data.target].astype(str)
{% elif rows.y is none %}
answer = table[{{ target }}].astype(float)
{% else %}
answer = table[{{ label }}].astype(str).str.strip()
{% endif %}
answer = np.asarray(answer)
{% if most %}
some, _ = train_test_split(
    np.arange(len(answer)), train_size={{ most }}, random_state=0{{ stratify }}
)
{% if "time" in spec %}
some = np.sort(some)
{% endif %}
{% endif %}
last = {{ last }}.fit({{ features }}{{ "[some]" if fitted }}, answer{{ "[some]" if fitted }})
predictor = CalibratedPipeline([("model", {{ front }}), ("predictor", last)])
{% if cv %}
{% if rows.groups is not none %}
groups = pd.factorize(table[{{ group }}])[0]
{% endif %}
predictor.calibrate(
    rows{{ some }}, answer{{ "[some]" if most }}, cv={{ cv }}{{ groups }}
)
{% endif %}
{% if saved %}
kpca.save(predictor, "predictor.npz", notes={{ notes }})
{% endif %}
{% endif %}
"""
_TEMPLATE = Environment(trim_blocks=True, lstrip_blocks=True).from_string(_SCRIPT)


def refit_script(
    rows: Dataset,
    spec: Mapping[str, Any],
    stored: str,
    model: Pipeline,
    *,
    last: BaseEstimator | None = None,
    notes: Mapping[str, str] | None = None,
    fitted: int = 0,
    most: int = 0,
    cv: Any = None,
) -> str:
    """Return a script that refits a model to rows, or the predictor that ends in ``last``.

    Rows come from where ``spec`` says, as in the configuration, and those that were drawn from the
    file ``stored`` of the dataset. Only the parameters of the model count. ``last`` is trained on
    a sample of ``fitted`` rows, or on all of them (0). Probabilities or intervals come from folds
    ``cv`` of ``most`` rows. The file of the predictor has ``notes``.
    """
    imports: set[str] = set()
    path, kind = spec.get("path", stored), kind_of(spec.get("path", ""))
    names, separator = list(rows.feature_names), ","
    columns, options = repr(names), ["dtype=str", "keep_default_na=False"]
    if kind == ".npz":
        columns = f'[f"x{{number}}" for number in range(1, {len(names) + 1})]'
    elif kind == ".xlsx":
        sheet = sheet_name(pd.ExcelFile(path), str(spec.get("sheet", 1)))
        options.insert(0, f"sheet_name={sheet!r}")
    elif "path" in spec and is_text(path):
        separator, header = read_header(path, spec)
        sep = {",": None, " ": r"\s+"}.get(separator, separator)
        read = {"encoding": spec.get("encoding"), "sep": sep}
        options[:0] = [f"{name}={value!r}" for name, value in read.items() if value]
        others = [name or "Unnamed: 0" for name in header if name not in names]
        if _LONG < len(names) > len(others) and names == [n for n in header if n in names]:
            columns = f"table.columns.drop({others})"
    if spec.get("header", 1) > 1:
        options.append(f"skiprows={spec['header'] - 1}")
    label = "data.target_names[0]" if "openml" in spec else "'y'"
    label = repr(spec["label"]) if "label" in spec else label
    target, group = (repr(spec.get(role, role)) for role in ("target", "group"))
    given = {label: rows.y, target: rows.target, group: rows.groups}
    embeds = hasattr(model[-1], "kernel")
    needed = ["*columns"] if spec.get("missing") == "drop" else []
    if isinstance(cv, list):
        cv = [f"(np.arange({len(a)}), np.arange({b[0]}, {b[-1] + 1}))" for a, b in cv]
        cv = f"[{', '.join(cv)}]"
    notations: dict[str, list[str]] = {"": [], POINT: [], COMMA: []}
    for column in rows.amounts:
        notations[rows.decimal[column]].append(column)
    body = _TEMPLATE.render(
        spec=spec,
        rows=rows,
        notations={mark: columns for mark, columns in notations.items() if columns},
        signs=SIGNS,
        quoted=repr,
        parts=PARTS,
        path=repr(_place(path)),
        kind=kind,
        reader=_READERS.get(kind, "csv"),
        options=", ".join(options),
        columns=columns,
        label=label,
        target=target,
        group=group,
        needed=[*needed, *(name for name, values in given.items() if values is not None)],
        missing_cell=MISSING_CELL,
        steps=[source(step, imports) for _, step in model.steps],
        last=last and source(last, imports).replace("\n    ", "\n"),
        front="model" if embeds else "prepare",
        features="embedding" if embeds else "features",
        fitted=fitted,
        most=most,
        stratify="" if rows.y is None else ", stratify=answer",
        some=("[np.ix_(some, some)]" if rows.precomputed else ".iloc[some]") if most else "",
        cv=cv,
        groups="" if rows.groups is None else f", groups=groups{'[some]' if most else ''}",
        saved=not (embeds and callable(model[-1].kernel)),
        notes=notes,
    )
    imports |= {line for call, line in _IMPORTS.items() if call in body}
    ordered = sorted(imports, key=lambda line: (line.startswith("from"), line))
    purpose = f"Refit the {'predictor' if last else 'final model'} of {rows.name}."
    return "\n".join([f'"""{purpose}"""', "", *ordered, "", body]) + "\n"


def source(value: Any, imports: set[str]) -> str:
    """Return a value as Python, and add the imports that it needs.

    Estimators have the arguments that differ from the default ones.
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
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
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


def _place(path: str) -> str:
    """Return a path from the working folder, or of a file elsewhere its name."""
    if not Path(path).is_absolute():
        return path
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if here in Path(path).parents else Path(path).name
