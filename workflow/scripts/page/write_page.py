"""Write the page of a run, made of what it has written; a part without its file is left out."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from matplotlib.ticker import MaxNLocator

from pipeline.decision import sentence
from pipeline.decision.answer import comparisons
from pipeline.decision.second_sample import plane_words
from pipeline.drawing import forest, style
from pipeline.evaluation.methods import PREDICTORS
from pipeline.evaluation.metrics import METRICS
from pipeline.files import write_text
from pipeline.fingerprint import ROOT
from pipeline.job import script
from pipeline.messages import MODEL_FILES
from pipeline.page.embedding import NAMES, ROLES, embedding, words
from pipeline.page.html import (
    check_meanings,
    column_meanings,
    documents,
    explained,
    figure,
    glossary,
    render,
    table,
)
from pipeline.page.small import small
from pipeline.page.summary import MOST_NAMED, listed, summary
from pipeline.page.trust import trust
from pipeline.populations import CELLS, TITLES, resembled
from pipeline.store import read_table

TABLES = (
    "tables/decisions.csv",
    "tables/ranking.csv",
    "tables/checks.csv",
    "tables/datasets.csv",
    "tables/comparisons.csv",
    "tables/components.csv",
    "tables/budgets.csv",
    "tables/linear_agreement.csv",
    "papers/overview.csv",
    "papers/cells.csv",
    "tables/claims.csv",
    "tables/claims_cases.csv",
    "tables/costs.csv",
    "calibration/effects.csv",
    "calibration/reliability.csv",
    "provenance.csv",
)
"""Shown where they are short enough."""

VERDICTS = {
    "better": ("yes", "✓", "better than"),
    "enough": ("open", "=", ""),
    "worse": ("no", "✗", "worse than"),
    "inconclusive": ("open", "?", "inconclusive vs"),
    "no comparison": ("open", "–", "not compared with"),
}
"""Verdict → style, sign and words of its badge."""

BASELINES = {
    "chance": ("chance", "no better than chance"),
    "raw": ("raw features", "raw features are enough"),
    "pca": ("PCA", "PCA is enough"),
}
"""Baseline → its name, and the words of "enough"."""

MEASURES = {
    "training": "trustworthiness: neighbours in the picture are neighbours in the data",
    "training_continuity": "continuity: neighbours in the data are neighbours in the picture",
    "training_distances": "rank correlation of distances in the picture and in the data",
    "trustworthiness": "held-out rows: trustworthiness",
    "continuity": "held-out rows: continuity",
    "distances": "held-out rows: rank correlation of distances",
    "alone": "fraction of new rows with the same place alone and in a batch",
    "bootstraps": "agreement with pictures of bootstraps",
}
"""Measure of a picture → its words."""

CHECKED = ("warning", "note", "passed", "not applicable")
"""What the page lists of checks: issues by their severity, then the others."""

LEAD = re.compile(r".*? on held-out rows.*?\.(?= |$)|.*?\.(?= |$)")
"""What is recommended and its score, else the first sentence."""

MOST_CLASSES = 12
"""A larger confusion matrix is in the table alone."""

VERSIONS = ("kpca", "python", "numpy", "scipy", "scikit-learn")
"""Named in the paragraph on methods, if they are known."""

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "%_&#${}"}
    | {sign: f"${name}$" for sign, name in {"−": "-", "×": r"\times", "γ": r"\gamma"}.items()}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
)

_NAMES = {
    "roc_auc": "ROC AUC",
    "r2": "R²",
    "rmse": "RMSE, in units of the target",
    "rank_correlation": "rank correlation",
    "residual_kurtosis": "excess kurtosis of the residuals",
    "predictor_script": "script of the predictor",
}


def page(folder: Path, made: Collection[str], figures: Sequence[Mapping[str, str]]) -> str:
    """Return the HTML of a run, from the files that it ``made``: others may be of an earlier one.

    ``figures`` have name, category, title and the path of their caption, in the order of the page.
    """
    run, here = Run(folder, made), folder.resolve() / "report"
    shown: dict[str, list[dict[str, Any]]] = {}
    for entry in figures:
        if (svg := f"figures/{entry['name']}.svg") in run.made:
            found = figure(folder / svg, entry["title"], ROOT / entry["caption"])
            shown.setdefault(entry["category"], []).append(found)
    meanings = column_meanings(documents(ROOT, "columns*.md"))
    checks = check_meanings(documents(ROOT, "checks.md"))
    tables = [table(folder, path, meanings) for path in TABLES if path in run.made]
    provenance = run.records("provenance.csv")
    known = {row["name"]: row["value"] for row in provenance}
    datasets = [_dataset(run, row, known, checks) for row in run.records("tables/datasets.csv")]
    scales: dict[str, list[tuple[float, float]]] = {}
    for d in (data["decision"] for data in datasets):
        scales.setdefault(d["measure"], []).append((d["gain_low"], d["gain_high"]))
    of = listed([data["title"] for data in datasets])
    terms = glossary((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    filters: dict[str, Any] = {"words": words, "latex": latex, "to": sentence.ends}
    filters |= {"method": NAMES.get, "explained": lambda text: explained(text, terms)}
    filters |= {"number": _if_known(number), "amount": _if_known(sentence.amount)}
    filters |= {"odds": _if_known(sentence.percentage)}
    return render(
        "index.html.j2",
        filters,
        title=f"Kernel PCA of {of}{' datasets' * (len(datasets) > MOST_NAMED)}",
        datasets=datasets,
        summary=summary(run.frame("tables/decisions.csv")),
        terms=terms,
        cited=cited(known),
        documents=relpath(ROOT / "docs/index.md", here) if here.is_relative_to(ROOT) else "",
        scales={measure: _axis(pairs, measure) for measure, pairs in scales.items()},
        figures=shown,
        tables=[found for found in tables if found],
        claims=run.records("tables/claims.csv"),
        provenance=provenance,
        explored="report/explorer.html" in run.made,
        taught="report/lesson.html" in run.made,
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


def number(value: float) -> str:
    """Return a score for people.

    >>> number(0.91236), number(0.9996), number(1)
    ('0.912', 'above 0.999', '1.000')
    """
    return "above 0.999" if 0.9995 <= value < 1 - 1e-9 else sentence.number(value)


def _if_known(to_words: Callable[..., str]) -> Callable[..., str]:
    """Return a filter that gives no words for a missing number."""
    return lambda value, *more: "" if pd.isna(value) else to_words(value, *more)


def cited(provenance: Mapping[str, str]) -> str:
    """Return how to cite the software, of CITATION.cff and the version that the run had."""
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(author["name"] for author in cff["authors"])
    return f"{authors}. {cff['title']}. Version {provenance.get('kpca', 'unknown')}."


def _dataset(
    run: Run,
    row: dict[Any, Any],
    provenance: Mapping[str, str],
    meanings: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Return what is known of a dataset; meanings are those of the checks."""
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
    ranking = _ranked(run.frame("tables/ranking.csv", dataset=name), decision)
    compared = _compared(decision)
    checks: dict[str, list[dict[Any, Any]]] = {kind: [] for kind in CHECKED}
    for check in run.records("tables/checks.csv", dataset=name):
        kind = check["severity"] if check["status"] == "issue" else check["status"]
        checks[kind].append(check | {"meaning": meanings[check["code"]]})
    answer = decision["sentence"]
    first = LEAD.match(answer)
    lead = first[0] if first else answer
    held_out = run.records("tables/held_out.csv", dataset=name)
    for value in held_out:
        metric = value["metric"] if pd.isna(value["class"]) else f"recall of {value['class']}"
        value["metric"] = _NAMES.get(metric, metric)
    pictures = trust(run.records("tables/own_view.csv", dataset=name))
    drawn = embedding(run.folder / paths["embedding"], roles, pictures.first)
    model = run.folder / paths.get("model", "none")
    counts = run.records("tables/confusion.csv", dataset=name, model="kernel PCA")
    confusion = _pivoted(counts, "class", "predicted")
    return row | {
        "warnings": [] if pd.isna(row["warnings"]) else row["warnings"].split(" | "),
        "first": lead,
        "rest": answer.removeprefix(lead).strip(),
        "decision": _decided(decision),
        "ranking": ranking,
        "compared": compared,
        "differences": _axis(
            [(row["low"], row["high"]) for row in compared if row["baseline"] != "chance"],
            decision["measure"],
        ),
        "checks": {kind: found for kind, found in checks.items() if found},
        "calibrated": calibrated(row, decision),
        "methods": methods(row, decision, provenance, ranking),
        "embedding": drawn,
        "small": small(drawn, decision, model),
        "pictures": pictures,
        "plane": plane_words(run.frame("tables/components.csv", dataset=name)),
        "measures": {MEASURES[name]: row for name, row in pictures.measures.items()},
        "lines": lines,
        "measure": METRICS[lines[0]["metric"]].words if lines else None,
        "pca": next((line["mean"] for line in lines if line["line"] == "pca"), None),
        "scores": _axis([(line["low"], line["high"]) for line in lines]),
        "models": [*dict.fromkeys(value["model"] for value in held_out)],
        "held_out": _pivoted(held_out, "metric", "model"),
        "confusion": confusion if len(confusion) <= MOST_CLASSES else {},
        "script": (run.folder / paths["script"]).read_text(encoding="utf-8"),
        "paths": {_NAMES.get(what, what): path for what, path in paths.items()},
    }


def calibrated(row: Mapping[str, Any], decision: Mapping[str, Any]) -> str:
    """Return how often CIs were right in the simulated population that a dataset resembles most.

    Only random splits of datasets with labels or a target were simulated.
    """
    numeric = decision["measure"] == "correlation"
    answered = numeric or decision["measure"] == "balanced_accuracy"
    if not answered or row["draws"] == "independent" or pd.isna(decision["gain"]):
        return ""
    likest = resembled(
        read_table(CELLS).to_dict("records"),
        numeric=numeric,
        rows=decision["rows"],
        classes=row["classes"],
        groups=row["groups"],
        gain=decision["gain"],
    )
    title = TITLES[likest["population"]].partition(":")[0]
    words = f"Of the simulated populations, this dataset resembles “{title}” with {likest['rows']} "
    if pd.isna(likest["pca"]):
        return words + "rows most, which has no 95 % CIs."
    score, pca, raw = (f"{100 * likest[name]:.0f} %" for name in ("recommended", "pca", "raw"))
    return (
        f"{words}rows most. There, the 95 % CI contained the true recommended score in {score} of "
        f"{likest['sets']} datasets, the difference from PCA in {pca}, and that from raw features "
        f"in {raw}."
    )


def _pivoted(rows: Sequence[dict[Any, Any]], outer: str, inner: str) -> dict[str, dict[str, Any]]:
    """Return value of a column → value of another one → row, in the order of the rows."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row[outer], {})[row[inner]] = row
    return found


def _decided(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a decision with its badges, its measure and its difference from PCA in words."""
    verdicts = {}
    for name, (baseline, enough) in BASELINES.items():
        look, sign, text = VERDICTS[row[f"vs_{name}"]]
        verdicts[name] = (look, sign, f"{text} {baseline}" if text else enough)
    metric, gain = METRICS[row["measure"]], (row[name] for name in sentence.GAIN)
    return row | {
        "verdicts": verdicts,
        "scored": row["measure"] != "trustworthiness",
        "unit": "" if row["measure"] == "balanced_accuracy" else f", {metric.words}",
        "difference": sentence.difference(row["measure"], *gain),
        "margin": metric.margin,
        "metric": metric.words,
    }


def _ranked(ranking: pd.DataFrame, decision: dict[Any, Any]) -> list[dict[Any, Any]]:
    """Return the options, the highest mean first, with how each predicts."""
    if ranking.empty:
        return []
    words = sentence.option_names(decision)
    rows = ranking.sort_values("mean", ascending=False, kind="stable").to_dict("records")
    return [row | {"words": words[row["model"]]} for row in rows]


def _compared(decision: Mapping[str, Any]) -> list[dict[Any, Any]]:
    """Return the comparisons that have an estimate, with their sizes in words."""
    found = comparisons(decision).dropna(subset="difference")
    rows = found[found["verdict"] != "no comparison"].to_dict("records")
    sizes = [[row[name] for name in ("difference", "low", "high")] for row in rows]
    return [
        row | {"size": sentence.difference(decision["measure"], *size)}
        for row, size in zip(rows, sizes, strict=True)
    ]


def _lines(comparisons: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return what a dataset was compared with, as in the figure `comparison`."""
    if comparisons.empty:
        return []
    rows = forest.lines(comparisons, [*PREDICTORS, "embedding"])
    names = forest.order(rows)
    rows = rows.sort_values("line", key=lambda lines: lines.map([*names].index), kind="stable")
    return [
        row
        | forest.line_style(row["line"])
        | {"label": names[row["line"]], "tuned": row["criterion"] == "cv"}
        for row in rows.to_dict("records")
    ]


def _axis(intervals: Iterable[tuple[float, float]], measure: str = "") -> dict[str, Any]:
    """Return ends and ticks of the scale that intervals share, and its unit.

    With a measure they are differences, and zero is among them. No metric exceeds 1.
    """
    values = [end for pair in intervals for end in pair if pd.notna(end)] + [0.0] * bool(measure)
    low, high = style.at_least(min(values), max(values), forest.LEAST_WIDTH) if values else (0, 1)
    room = 0.04 * (high - low)
    ends = low - room, high + room if measure else min(high + room, 1.0)
    points = measure == "balanced_accuracy"
    found = MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(*ends)
    ticks = [
        (
            round(100 * (tick - ends[0]) / (ends[1] - ends[0]), 2),
            sentence.number(100 * tick, 0) if points else sentence.number(tick, 2),
        )
        for tick in found
        if ends[0] <= tick <= ends[1]
    ]
    unit = "points" if points else METRICS[measure].words if measure else ""
    return {"ends": ends, "ticks": ticks, "unit": unit}


def methods(
    data: Mapping[str, Any],
    decision: Mapping[str, Any],
    provenance: Mapping[str, str],
    ranking: Sequence[Mapping[str, Any]],
) -> str:
    """Return the paragraph of a dataset, from its rows of the tables and the versions by name."""
    text = render(
        "methods.txt.j2",
        data=data,
        d=decision,
        metric=METRICS[decision["measure"]].words,
        margin=METRICS[decision["measure"]].margin,
        ranking=ranking,
        compared=_compared(decision),
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
