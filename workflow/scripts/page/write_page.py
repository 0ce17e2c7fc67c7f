"""Write the page of a run from the files of the run; parts whose files are missing are left out."""

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from os.path import relpath
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from markupsafe import Markup
from matplotlib.ticker import MaxNLocator

from kpca.files import write_text
from kpca.study.decision import sentence
from kpca.study.decision.answer import Answer, usage
from kpca.study.decision.checks import HEAVY_TAILS
from kpca.study.decision.record import Decision, number
from kpca.study.decision.second_sample import plane_words
from kpca.study.evidence.comparison import THRESHOLD
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from workflow import ROOT
from workflow.drawing import style
from workflow.drawing.forest import LEAST_WIDTH
from workflow.job import script
from workflow.messages import MODEL_FILES
from workflow.page import html
from workflow.page.embedding import MOST_CLASSES, NAMES, ROLES, Embedding, embedding, words
from workflow.page.questions import Section, sections
from workflow.page.scatter import scatter
from workflow.page.small import small
from workflow.page.summary import MOST_NAMED, listed, summary
from workflow.page.trust import trust
from workflow.populations import CELLS, POPULATIONS, Likeness, resembled

Rows = list[dict[Any, Any]]
Figures = Sequence[Mapping[str, str]]  # name, title and path of the caption of each figure

# Tables that the page shows if they are short enough.
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

# Tables from which the answers to the questions are computed.
ANSWERING = (
    "tables/decisions.csv",
    "tables/scores.csv",
    "tables/claims.csv",
    "tables/claims_cases.csv",
    "tables/denoising.csv",
    "tables/landmarks_enough.csv",
    "tables/importance.csv",
    "calibration/effects.csv",
)

# Measure of a picture → its words.
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

CHECKED = ("warning", "note", "passed", "not applicable")  # issues by severity, then other statuses
# Pattern of the recommendation with its score or, if there is none, of the first sentence.
LEAD = re.compile(r".*? on held-out rows.*?\.(?= |$)|.*?\.(?= |$)")
FITTING = 560  # width in pixels of the widest figure that is readable on a telephone
MOST_POINTS = 300  # largest number of points in a picture that needs no script
KURTOSIS = "residual_kurtosis"
# Software whose version the paragraph on methods names.
VERSIONS = ("kpca", "python", "numpy", "scipy", "scikit-learn")

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "%_&#${}"}
    | {sign: f"${name}$" for sign, name in {"−": "-", "×": r"\times", "γ": r"\gamma"}.items()}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
)

# Name of a kernel or dataset within the name of a case → its words.
_CASES = {name: look["label"] for name, look in style.KERNELS.items()}
_CASES |= {name: style.title(name) for name in ("swiss_roll", "breast_cancer")}

_NAMES = {
    "roc_auc": "ROC AUC",
    "r2": "R²",
    "rmse": "RMSE, in units of the target",
    "rank_correlation": "rank correlation",
    KURTOSIS: "excess kurtosis of the residuals",
}


def page(folder: Path, made: Collection[str], figures: Figures) -> str:
    """Return the HTML of a run from the files that the run ``made``, and no older files.

    ``figures`` have name, category, title and the path of their caption, in the order of the page.
    """
    run = Run(folder, made)
    here = folder.resolve() / "report"
    meanings = html.column_meanings(html.documents(ROOT, "columns*.md"))
    checks = html.check_meanings(html.documents(ROOT, "checks.md"))
    tables = [html.table(folder, path, meanings) for path in TABLES if path in run.made]
    provenance = run.records("provenance.csv")
    known = {row["name"]: row["value"] for row in provenance}
    datasets = [reported(run, row, known, checks) for row in run.records("tables/datasets.csv")]
    scales: dict[str, list[float]] = {}
    for data in datasets:
        ends = [end for row in data["compared"] for end in row["interval"]]
        scales.setdefault(data["decision"]["measure"], []).extend(ends)
    of = listed([data["title"] for data in datasets])
    terms = html.glossary((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    filters = {
        "words": words,
        "latex": latex,
        "method": NAMES.get,
        "number": number,
        "counted": counted,
        "explained": partial(html.explained, terms=terms),
    }
    return html.render(
        "index.html.j2",
        filters,
        title=f"Kernel PCA of {of}{' datasets' * (len(datasets) > MOST_NAMED)}",
        datasets=datasets,
        summary=summary(run.frame("tables/decisions.csv")),
        threshold=f"{THRESHOLD:g}",
        words=sentence,
        terms=terms,
        fitting=FITTING,
        cited=cited(known),
        documents=relpath(ROOT / "docs", here) if here.is_relative_to(ROOT) else "",
        scales={measure: _axis(ends, measure) for measure, ends in scales.items()},
        sections=answered(run, figures),
        tables=list(filter(None, tables)),
        metrics=METRICS,
        provenance=provenance,
        most_classes=MOST_CLASSES,
        explored="report/explorer.html" in run.made,
        taught="report/lesson.html" in run.made,
    )


def results_page(folder: Path, made: Collection[str], figures: Figures) -> str:
    """Return the findings and figures of a run in Markdown for the site; arguments as in `page`."""
    return html.render(
        "results.md.j2", {"markdown": html.markdown}, sections=answered(Run(folder, made), figures)
    )


class Run:
    """The files that a run has made."""

    def __init__(self, folder: Path, made: Collection[str]) -> None:
        self.folder = folder
        self.made = {Path(path).relative_to(folder).as_posix() for path in made}

    def frame(self, path: str, **values: str) -> pd.DataFrame:
        """Return the rows of a table that have ``values``; none if the run has no such table."""
        frame = read_table(self.folder / path) if path in self.made else pd.DataFrame()
        for column, value in values.items() if len(frame) else ():
            frame = frame[frame[column].astype(str) == value]
        return frame

    def records(self, path: str, **values: str) -> Rows:
        """Return the rows of `frame` as dictionaries."""
        return self.frame(path, **values).to_dict("records")


def answered(run: Run, figures: Figures) -> list[Section]:
    """Return the sections of a run's page, with the figures that the run has made."""
    drawn = [
        html.figure(run.folder / svg, entry["title"], ROOT / entry["caption"])
        for entry in figures
        if (svg := f"figures/{entry['name']}.svg") in run.made
    ]
    return sections(
        {path: run.frame(path) for path in ANSWERING if path in run.made},
        drawn,
        run.records("tables/claims.csv") + run.records("tables/costs.csv"),
    )


def counted(cases: str) -> str:
    """Return in how many cases a statement holds, and names of these cases, labelled as in figures.

    >>> counted("holds in 2 of 3: rbf on swiss_roll, rings; fails in 1: wine")
    '2 of 3: Gaussian on Swiss roll, rings'
    """
    held = cases.partition("; ")[0].removeprefix("holds in ")
    return re.sub(r"\w+", lambda name: _CASES.get(name[0], name[0]), held)


def cited(provenance: Mapping[str, str]) -> str:
    """Return how to cite the software, from CITATION.cff and the version that the run used."""
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(author["name"] for author in cff["authors"])
    return f"{authors}. {cff['title']}. Version {provenance.get('kpca', 'unknown')}."


def reported(
    run: Run,
    row: dict[Any, Any],
    provenance: Mapping[str, str],
    meanings: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Return what the page shows about a dataset; ``meanings`` explains the codes of checks."""
    name = str(row["dataset"])
    title = style.title(name)
    paths = {  # The model of a user's file is model.npz, not models/DATASET.npz.
        kind: path
        for kind, (plain, ending) in MODEL_FILES.items()
        for path in (plain, f"models/{name}{ending}")
        if path in run.made
    }
    (decision,) = run.records("tables/decisions.csv", dataset=name)
    checks = run.frame("tables/checks.csv", dataset=name)
    ranking = run.frame("tables/ranking.csv", dataset=name)
    answer = Answer(Decision.of(decision), ranking, checks)
    first = LEAD.match(answer.sentence)
    lead = first[0] if first else answer.sentence
    views = run.frame("tables/own_view.csv", dataset=name)
    trusted = trust(views)
    roles = {
        role: str(json.loads(provenance[option]))
        for role in ROLES
        if (option := f"datasets.{name}.{role}") in provenance
    }
    drawn = embedding(run.folder / paths["embedding"], roles, trusted.first)
    held_out = run.records("tables/held_out.csv", dataset=name)
    kurtosis = {of["model"]: of["mean"] for of in held_out if of["metric"] == KURTOSIS}
    counts = run.records("tables/confusion.csv", dataset=name, model="kernel PCA")
    measured = [
        (MEASURES[view["measure"]], view["method"], _estimate(view))
        for view in views.to_dict("records")
        if view["measure"] in MEASURES
    ]
    estimates = [(_metric_words(value), value["model"], _estimate(value)) for value in held_out]
    confused = [(count["class"], count["predicted"], str(count["rows"])) for count in counts]
    return {
        "row": row,  # row of tables/datasets.csv
        "title": title,
        "lead": lead,  # recommendation, or the first sentence of the answer
        "rest": answer.sentence.removeprefix(lead).strip(),
        "decision": decision,  # row of tables/decisions.csv
        "ranking": answer.tables()[0].to_dict("records"),
        "compared": compared(answer),
        "checks": by_kind(checks, meanings),
        "calibrated": calibrated(row, decision, kurtosis.get(decision["recommended"], math.nan)),
        "methods": methods(row | {"title": title}, answer, provenance),
        "embedding": drawn,
        "small": small(drawn, decision, run.folder / paths.get("model", "none")),
        "planes": planes(drawn, name),
        "trust": trusted,
        "second_sample": plane_words(run.frame("tables/components.csv", dataset=name)),
        "measures": _crossed("measure, 1 is best", measured),
        "held_out": _crossed("metric", estimates),
        "confusion": _crossed("class", confused),
        "script": _script(run, paths),
        "paths": paths,  # paths of the files of the final model
    }


def by_kind(checks: pd.DataFrame, meanings: Mapping[str, Sequence[str]]) -> dict[str, Rows]:
    """Return the rows of checks with their meanings: issues by severity, others by status."""
    kinds = checks["severity"].where(checks["status"] == "issue", checks["status"])
    groups = dict(list(checks.assign(meaning=checks["code"].map(meanings)).groupby(kinds)))
    return {kind: groups[kind].to_dict("records") for kind in CHECKED if kind in groups}


def _metric_words(row: Mapping[Any, Any]) -> str:
    """Return the name of a held-out metric, or the class whose recall it is."""
    if pd.notna(row["class"]):
        return f"recall of {row['class']}"
    return _NAMES.get(row["metric"], row["metric"])


def _script(run: Run, paths: Mapping[str, str]) -> str:
    """Return Python code that applies the predictor, or else the model, to new rows."""
    for kind in ("predictor", "model"):
        if kind in paths:
            return usage(f"{run.folder}/{paths[kind]}", predicts=kind == "predictor")
    return ""


def planes(drawn: Embedding, name: str) -> dict[str, Markup]:
    """Return a picture of each plane of an embedding, coloured by its first colour column."""
    markers = drawn.first.markers()
    pictures = {}
    for plane, axes in drawn.script_data["axes"].items():
        points = drawn.table[[*axes]].to_numpy(float)
        about = f"{len(drawn.table)} rows of {style.title(name)} by {NAMES.get(plane, plane)}"
        pictures[plane] = scatter(points, markers, about, MOST_POINTS)
    return pictures


def calibrated(row: Mapping[str, Any], decision: Mapping[str, Any], kurtosis: float) -> str:
    """Return how often CIs were right in the simulated population that a dataset resembles most.

    Only random splits of datasets with labels or a target were simulated. The kurtosis is that of
    the residuals of a target. The text is empty if no population resembles the dataset.
    """
    numeric = decision["measure"] == "correlation"
    answered = numeric or decision["measure"] == "balanced_accuracy"
    if not answered or row["draws"] == "independent" or pd.isna(decision["gain"]):
        return ""
    likest = resembled(
        read_table(CELLS).to_dict("records"),
        Likeness(
            numeric=numeric,
            is_grouped=row["groups"] > 0,
            heavy=kurtosis > HEAVY_TAILS,
            rows=decision["rows"],
            columns=row["columns"],
            rarest=row["smallest_class"] / row["rows"],
            groups=row["groups"],
            gain=decision["gain"],
        ),
    )
    if not likest:
        return ""
    title = POPULATIONS[likest["population"]]["title"].partition(":")[0]
    words = f"Of the simulated populations, this dataset resembles “{title}” with {likest['rows']} "
    if pd.isna(likest["pca"]):
        return words + "rows most, which has no 95 % CIs."
    score, pca, raw = (f"{100 * likest[name]:.0f} %" for name in ("recommended", "pca", "raw"))
    return (
        f"{words}rows most. There, the 95 % CI contained the true recommended score in {score} of "
        f"{likest['sets']} datasets, the difference from PCA in {pca}, and that from raw features "
        f"in {raw}."
    )


def _crossed(title: str, cells: Iterable[tuple[str, str, str]]) -> list[dict[Any, str]]:
    """Return the rows of a cross table; each of ``cells`` is row name, column name and text."""
    found: dict[str, dict[str, str]] = {}
    for first, second, text in cells:
        found.setdefault(first, {title: first})[second] = text
    return pd.DataFrame(found.values()).fillna("–").to_dict("records")


def _estimate(row: Mapping[Any, Any]) -> str:
    """Return a mean with its CI in words."""
    ends = (row[name] for name in ("mean", "low", "high"))
    return "–" if pd.isna(row["mean"]) else sentence.with_ci(*ends)


def compared(answer: Answer) -> Rows:
    """Return the comparisons in words, with their intervals.

    The comparison with chance has no interval, because it lies far from the other comparisons.
    """
    known = answer.comparisons.dropna(subset="difference")
    near = known[["low", "difference", "high"]].where(known["baseline"] != "chance")
    rows = answer.tables()[1]
    if rows.empty:  # A kernel matrix has no comparisons.
        return []
    rows.insert(1, "interval", near.to_numpy().tolist())
    return rows[rows["verdict"] != "no comparison"].to_dict("records")


def _axis(values: Iterable[float], measure: str) -> dict[str, Any]:
    """Return the ends, ticks and unit of a scale that includes ``values`` and zero."""
    known = [0.0, *filter(pd.notna, values)]
    ends = style.at_least(min(known), max(known), LEAST_WIDTH)
    ticks = MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(*ends)
    unit = METRICS[measure].words
    texts = [number(tick, 2) for tick in ticks]
    if measure == "balanced_accuracy":
        unit = "points"
        texts = [number(100 * tick, 0) for tick in ticks]
    places = np.linspace(0, 100, len(ticks)).round(2).tolist()
    marks = list(zip(places, texts, strict=True))
    return {"ends": (ticks[0], ticks[-1]), "ticks": marks, "unit": unit}


def methods(data: Mapping[str, Any], answer: Answer, provenance: Mapping[str, str]) -> str:
    """Return the paragraph on methods for a dataset.

    ``data`` is the row of the dataset in datasets.csv, and ``provenance`` has the versions by name.
    """
    text = html.render(
        "methods.txt.j2",
        data=data,
        d=answer.decision,
        metric=METRICS[answer.decision.measure],
        ranking=answer.ranking.sort_values("mean", ascending=False).to_dict("records"),
        compared=answer.comparisons.dropna(subset="difference").to_dict("records"),
        versions=[f"{name} {provenance[name]}" for name in VERSIONS if name in provenance],
        seed=provenance.get("seed", "unknown"),
        words=sentence,
        threshold=f"{THRESHOLD:g}",
    )
    return " ".join(text.split())


def latex(text: str) -> str:
    r"""Return text escaped for a LaTeX document that is encoded in UTF-8.

    >>> print(latex("95 % CI −0.1 to 0.2, γ = 3"))
    95 \% CI $-$0.1 to 0.2, $\gamma$ = 3
    """
    return text.translate(_LATEX)


@script
def write_page(
    made: Sequence[str],
    pages: Sequence[str],
    figures: Figures,
    finished: Sequence[str],
    paths: Sequence[str],
) -> None:
    """Write the page and the Markdown of a run, with ``finished`` results of other targets."""
    files = [*made, *pages, *finished]
    folder = Path(paths[0]).parents[1]
    write_text(paths[0], page(folder, files, figures))
    write_text(paths[1], results_page(folder, files, figures))
