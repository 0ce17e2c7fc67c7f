"""Write the page of a run, made of what it has written; a part without its file is left out."""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from pipeline.decision import sentence
from pipeline.drawing import forest, style
from pipeline.files import write_text
from pipeline.fingerprint import ROOT
from pipeline.job import script
from pipeline.messages import MODEL_FILES
from pipeline.page.embedding import RAMP, ROLES, embedding, words
from pipeline.page.html import column_meanings, documents, figure, render, table
from pipeline.page.trust import trust
from pipeline.store import read_table
from pipeline.tables.metrics import METRICS
from pipeline.tables.selection import RAW

TABLES = (
    "tables/decisions.csv",
    "tables/datasets.csv",
    "tables/comparisons.csv",
    "tables/budgets.csv",
    "papers/overview.csv",
    "papers/cells.csv",
    "tables/claims.csv",
    "tables/claims_cases.csv",
    "calibration/calibration.csv",
    "calibration/small.csv",
    "provenance.csv",
)
"""Shown where they are short enough."""

VERDICTS = {
    "better": ("yes", "✓", "better than"),
    "enough": ("open", "=", "no better than"),
    "worse": ("no", "✗", "worse than"),
    "inconclusive": ("open", "?", "inconclusive vs"),
    "no comparison": ("open", "–", "not compared with"),
}
"""Verdict → style, sign and words of its badge."""

BASELINES = {"chance": "chance", "raw": "raw features", "pca": "PCA"}

MEASURES = {
    "training": "trustworthiness: neighbours in the picture are neighbours in the data",
    "training_continuity": "continuity: neighbours in the data are neighbours in the picture",
    "training_distances": "rank correlation of distances in the picture and in the data",
    "trustworthiness": "held-out rows: trustworthiness",
    "continuity": "held-out rows: continuity",
    "distances": "held-out rows: rank correlation of distances",
    "alone": "fraction of new rows with the same place alone and in a batch",
    "bootstraps": "agreement with pictures of bootstraps",
    "label": "ten nearest neighbours tell the label: balanced accuracy",
    "target": "ten nearest neighbours tell the target: R²",
}
"""Measure of a picture → its words."""

MOST_CLASSES = 12
"""A larger confusion matrix is in the table alone."""

VERSIONS = ("kpca", "python", "numpy", "scipy", "scikit-learn")
"""Named in the paragraph on methods, if they are known."""

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "%_&#${}"}
    | {sign: f"${name}$" for sign, name in {"−": "-", "×": r"\times", "γ": r"\gamma"}.items()}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
)

MOST_NAMED = 3
"""Datasets that the title names."""

_NAMES = {
    "roc_auc": "ROC AUC",
    "r2": "R²",
    "rmse": "RMSE, in units of the target",
    "predictor_script": "script of the predictor",
}


def page(folder: Path, made: Collection[str], figures: Sequence[Mapping[str, str]]) -> str:
    """Return the HTML of a run.

    Parameters
    ----------
    folder : Path
        That of the results, from which ``made`` lists the files of this run: others there may be
        of an earlier one.
    figures : sequence of mappings
        With ``name``, ``category``, ``title`` and ``caption``, the path of a file in the
        repository, in the order of the page.
    """
    run = Run(folder, made)
    shown: dict[str, list[dict[str, Any]]] = {}
    for entry in figures:
        if (svg := f"figures/{entry['name']}.svg") in run.made:
            found = figure(folder / svg, entry["title"], ROOT / entry["caption"])
            shown.setdefault(entry["category"], []).append(found)
    meanings = column_meanings(documents(ROOT))
    tables = [table(folder, path, meanings) for path in TABLES if path in run.made]
    provenance = run.records("provenance.csv")
    known = {row["name"]: row["value"] for row in provenance}
    datasets = [_dataset(run, row, known) for row in run.records("tables/datasets.csv")]
    scales: dict[str, list[dict[str, Any]]] = {}
    for data in datasets:
        scales.setdefault(data["decision"]["metric"], []).append(data["decision"])
    titles = [data["title"] for data in datasets]
    of = ", ".join(titles) if 0 < len(titles) <= MOST_NAMED else f"{len(titles)} datasets"
    filters: dict[str, Any] = {"words": words, "latex": latex}
    filters["number"] = lambda value: "" if pd.isna(value) else sentence.number(value)
    return render(
        "index.html.j2",
        filters,
        title=f"Kernel PCA of {of}",
        datasets=datasets,
        scales={metric: _ends(of, "gain_low", "gain_high") for metric, of in scales.items()},
        figures=shown,
        tables=[found for found in tables if found],
        claims=run.records("tables/claims.csv"),
        provenance=provenance,
        shades=RAMP,
        explored="report/explorer.html" in run.made,
    )


class Run:
    """The files that a run has made."""

    def __init__(self, folder: Path, made: Collection[str]) -> None:
        self.folder = folder
        self.made = {Path(path).relative_to(folder).as_posix() for path in made}

    def frame(self, path: str, **values: str) -> pd.DataFrame:
        """Return the rows of a table with some values, none where the run has made none."""
        frame = read_table(self.folder / path) if path in self.made else pd.DataFrame()
        for column, value in values.items() if len(frame) else ():
            frame = frame[frame[column].astype(str) == value]
        return frame

    def records(self, path: str, **values: str) -> list[dict[Any, Any]]:
        """Return the rows of a table with some values."""
        return self.frame(path, **values).to_dict("records")


def _dataset(run: Run, row: dict[Any, Any], provenance: Mapping[str, str]) -> dict[str, Any]:
    """Return what is known of a dataset."""
    name = str(row["dataset"])
    row |= {"dataset": name, "title": style.title(name)}
    paths = {  # those of a user's file have plain names
        what: path
        for what, (plain, ending) in MODEL_FILES.items()
        for path in (plain, f"models/{name}{ending}")
        if path in run.made
    }
    (decision,) = run.records("tables/decisions.csv", dataset=name)
    options = {role: f"datasets.{name}.{role}" for role in ROLES}
    roles = {r: str(json.loads(provenance[o])) for r, o in options.items() if o in provenance}
    lines = _lines(run.frame("tables/comparisons.csv", dataset=name))
    ends = _ends(lines, "low", "high")
    ticks = MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(*ends)
    held_out = run.records("tables/held_out.csv", dataset=name)
    for value in held_out:
        metric = value["metric"] if pd.isna(value["class"]) else f"recall of {value['class']}"
        value["metric"] = _NAMES.get(metric, metric)
    pictures = trust(run.records("tables/own_view.csv", dataset=name))
    counts = run.records("tables/confusion.csv", dataset=name, model="kernel PCA")
    confusion = _pivoted(counts, "class", "predicted")
    return row | {
        "warnings": _parted(row["warnings"]),
        "decision": _decided(decision),
        "methods": methods(row, decision, provenance),
        "embedding": embedding(run.folder / paths["embedding"], name, roles, pictures.first),
        "pictures": pictures,
        "measures": {MEASURES[name]: row for name, row in pictures.measures.items()},
        "lines": lines,
        "measure": METRICS[lines[0]["metric"]].words if lines else None,
        "pca": next((line["mean"] for line in lines if line["line"] == "pca"), None),
        "ends": ends,
        "ticks": [tick for tick in ticks if ends[0] <= tick <= ends[1]],
        "models": [*dict.fromkeys(value["model"] for value in held_out)],
        "held_out": _pivoted(held_out, "metric", "model"),
        "confusion": confusion if len(confusion) <= MOST_CLASSES else {},
        "script": (run.folder / paths["script"]).read_text(encoding="utf-8"),
        "paths": {_NAMES.get(what, what): path for what, path in paths.items()},
    }


def _pivoted(rows: Sequence[dict[Any, Any]], outer: str, inner: str) -> dict[str, dict[str, Any]]:
    """Return value of a column → value of another one → row, in the order of the rows."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row[outer], {})[row[inner]] = row
    return found


def _parted(texts: str) -> list[str]:
    return [] if pd.isna(texts) else texts.split(" | ")


def _decided(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a decision with its verdicts, its measure and its difference from PCA in words."""
    verdicts = {}
    for name, baseline in BASELINES.items():
        look, sign, text = VERDICTS[row[f"vs_{name}"]]
        verdicts[name] = (look, sign, f"{text} {baseline}")
    metric, gain = METRICS[row["measure"]], row["gain"]
    side = "" if pd.isna(gain) else "above PCA" if gain >= 0 else "below PCA"
    return row | {
        "verdicts": verdicts,
        "difference": side and f"{sentence.amount(abs(gain), row['measure'])} {side}",
        "margin": metric.margin,
        "caveats": _parted(row["caveats"]),
        "metric": metric.words,
    }


def _lines(comparisons: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return what a dataset was compared with, as in the figure `comparison`."""
    if comparisons.empty:
        return []
    rows = forest.lines(comparisons, [*RAW, "embedding"])
    rows = rows.sort_values(
        "line", key=lambda lines: lines.map(forest.order(rows).index), kind="stable"
    )
    return [
        row | forest.line_style(row["line"]) | {"tuned": row["criterion"] == "cv"}
        for row in rows.to_dict("records")
    ]


def _ends(rows: Sequence[Mapping[str, Any]], low: str, high: str) -> tuple[float, float]:
    """Return the scale that intervals share, zero in it for a gain; no metric exceeds 1."""
    values = [row[end] for row in rows for end in (low, high) if pd.notna(row[end])]
    if low == "gain_low":
        values.append(0.0)
    if not values:
        return 0.0, 1.0
    start, end = style.at_least(min(values), max(values), forest.LEAST_WIDTH)
    room = 0.04 * (end - start)
    return start - room, end + room if low == "gain_low" else min(end + room, 1.0)


def methods(
    data: Mapping[str, Any], decision: Mapping[str, Any], provenance: Mapping[str, str]
) -> str:
    """Return the paragraph of a dataset.

    Parameters
    ----------
    data, decision : mapping
        The row of the dataset in ``datasets.csv``, with its title, and in ``decisions.csv``.
    provenance : mapping of str to str
        Versions and parameters by name.
    """
    text = render(
        "methods.txt.j2",
        data=data,
        d=decision,
        metric=METRICS[decision["measure"]].words,
        versions=[f"{name} {provenance[name]}" for name in VERSIONS if name in provenance],
        seed=provenance.get("seed", "unknown"),
        words=sentence,
    )
    return " ".join(text.split())


def latex(text: str) -> str:
    r"""Return text for LaTeX, in a document with an encoding of UTF-8.

    >>> print(latex("95 % CI −0.1 to 0.2, γ = 3"))
    95 \% CI $-$0.1 to 0.2, $\gamma$ = 3
    """
    return text.translate(_LATEX)


@script
def write_page(
    made: Sequence[str],
    figures: Sequence[Mapping[str, str]],
    finished: Sequence[str],
    paths: Sequence[str],
) -> None:
    """Write what a run has made, and ``finished`` results of another target, to one file."""
    write_text(paths[0], page(Path(paths[0]).parents[1], [*made, *finished], figures))
