"""The page of a run, made of what the run has written; a part without its file is left out."""

from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup
from matplotlib.ticker import MaxNLocator

from pipeline.decision.sentence import amount
from pipeline.decision.sentence import number as shown_number
from pipeline.drawing import forest, style
from pipeline.fingerprint import ROOT
from pipeline.messages import MODEL_FILES
from pipeline.page.embedding import SHADES, embedding, words
from pipeline.page.html import Figure, bokeh, environment, figure, inlined, own
from pipeline.page.methods import latex, methods
from pipeline.page.tables import column_meanings, documents, table
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
)
"""Shown where they are short enough; every other table is among the files."""

EXPLORER = "report/explorer.html"

COMPARED = (*RAW, "embedding")
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
    "trustworthiness": "trustworthiness: neighbours in the plane are neighbours in the data",
    "continuity": "continuity: neighbours in the data are neighbours in the plane",
    "distances": "rank correlation of distances in the plane and in the data",
}
"""Measure of a plane → its words."""

MOST_CLASSES = 12
"""A larger confusion matrix is in the table alone."""

_NAMES = {
    "roc_auc": "ROC AUC",
    "r2": "R²",
    "rmse": "RMSE, in units of the target",
    "predictor_script": "script of the predictor",
}


def page(
    folder: Path,
    made: Collection[str],
    figures: Sequence[Mapping[str, str]],
    roles: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Return the HTML of a run.

    Parameters
    ----------
    folder : Path
        That of the results, from which ``made`` lists the files of this run: others there may be
        of an earlier one.
    figures : sequence of mappings
        With ``name``, ``category``, ``title`` and ``caption``, the path of a file in the
        repository, in the order of the page.
    roles : mapping of str to mapping, optional
        For each dataset the columns of its file that serve as id, label, target and group.
    """
    run = Run(folder, made, roles or {})
    shown: dict[str, list[Figure]] = {}
    for entry in figures:
        if (svg := f"figures/{entry['name']}.svg") in run.made:
            found = figure(folder / svg, entry["title"], ROOT / entry["caption"])
            shown.setdefault(entry["category"], []).append(found)
    meanings = column_meanings(documents(ROOT))
    tables = [table(folder, path, meanings) for path in TABLES if path in run.made]
    datasets = run.datasets()
    provenance = run.records("provenance.csv")
    known = {row["name"]: row["value"] for row in provenance}
    decided = [data for data in datasets if data["decision"]]
    for data in decided:
        data["methods"] = methods(data, data["decision"], known)
    return (
        environment(number=number, words=words, latex=latex)
        .get_template("index.html.j2")
        .render(
            title=_title([dataset["title"] for dataset in datasets]),
            datasets=datasets,
            scales=_scales([data["decision"] for data in decided]),
            figures=shown,
            tables=[found for found in tables if found],
            claims=run.records("tables/claims.csv"),
            provenance=provenance,
            files=_files(run),
            library=_libraries(plots=any(dataset["embedding"] for dataset in datasets)),
            shades=SHADES,
            explorer=Path(EXPLORER).name if EXPLORER in run.made else None,
        )
    )


class Run:
    """The files that a run has made."""

    def __init__(
        self, folder: Path, made: Collection[str], roles: Mapping[str, Mapping[str, str]]
    ) -> None:
        self.folder, self.roles = folder, roles
        self.made = {Path(path).relative_to(folder).as_posix() for path in made}

    def frame(self, path: str) -> pd.DataFrame:
        """Return a table, empty where the run has made none."""
        return read_table(self.folder / path) if path in self.made else pd.DataFrame()

    def records(self, path: str) -> list[dict[str, Any]]:
        """Return the rows of a table; none where the run has made none."""
        return _records(self.frame(path))

    def datasets(self) -> list[dict[str, Any]]:
        """Return what is known of each dataset, in the order of the configuration."""
        decisions = {row["dataset"]: row for row in self.records("tables/decisions.csv")}
        comparisons = self.frame("tables/comparisons.csv")
        return [self._dataset(row, decisions, comparisons) for row in self._rows()]

    def _rows(self) -> list[dict[str, Any]]:
        rows = self.records("tables/datasets.csv")
        return [row | {"dataset": str(row["dataset"])} for row in rows]

    def _dataset(
        self, row: dict[str, Any], decisions: Mapping[str, Any], comparisons: pd.DataFrame
    ) -> dict[str, Any]:
        name = row["dataset"]
        paths = {what: self._path(name, what) for what in MODEL_FILES}
        script, points = paths["script"], paths["embedding"]
        shown = None
        if points:
            shown = embedding(self.folder / points, name, self.roles.get(name, {}))
        lines = _lines(comparisons, name)
        models, held_out = self._held_out(name)
        return row | {
            "title": style.title(name),
            "warnings": [text for text in (row.get("warnings") or "").split(" | ") if text],
            "decision": _decided(decisions.get(name)),
            "embedding": shown,
            "planes": self._planes(name),
            "lines": lines,
            "measure": METRICS[lines[0]["metric"]].words if lines else None,
            "pca": next((line["mean"] for line in lines if line["line"] == "pca"), None),
            **_axis(lines),
            "models": models,
            "held_out": held_out,
            "confusion": self._confusion(name),
            "script": (self.folder / script).read_text(encoding="utf-8") if script else None,
            "paths": {_NAMES.get(what, what): path for what, path in paths.items() if path},
        }

    def _held_out(self, dataset: str) -> tuple[list[str], dict[str, list[dict[str, Any] | None]]]:
        """Return the models of a dataset, and metric → its value for each of them."""
        rows = self.frame("tables/held_out.csv")
        rows = rows[rows["dataset"] == dataset] if len(rows) else rows
        models = list(dict.fromkeys(rows["model"])) if len(rows) else []
        found: dict[str, list[dict[str, Any] | None]] = {}
        for row in _records(rows):
            name = f"recall of {row['class']}" if row["class"] is not None else row["metric"]
            found.setdefault(_NAMES.get(name, name), [None] * len(models))
            found[_NAMES.get(name, name)][models.index(row["model"])] = row
        return models, found

    def _planes(self, dataset: str) -> dict[str, dict[str, dict[str, Any]]]:
        """Return measure → plane, the view or PCA's → how far it can be trusted."""
        rows = [row for row in self.records("tables/own_view.csv") if row["dataset"] == dataset]
        return {
            words: {row["plane"]: row for row in rows if row["measure"] == measure}
            for measure, words in MEASURES.items()
            if rows
        }

    def _confusion(self, dataset: str) -> list[tuple[str, list[int]]]:
        """Return each class with the counts of its predictions by kernel PCA, of few classes."""
        rows = self.frame("tables/confusion.csv")
        if rows.empty:
            return []
        rows = rows[(rows["dataset"] == dataset) & (rows["model"] == "kernel PCA")]
        groups = rows.groupby("class", sort=False)["rows"]
        found = [(str(name), counts.tolist()) for name, counts in groups]
        return found if len(found) <= MOST_CLASSES else []

    def _path(self, dataset: str, what: str) -> str | None:
        """Return the path of a file of a dataset; that of a user's file has a plain name."""
        name, ending = MODEL_FILES[what]
        candidates = (f"models/{dataset}{ending}", name)
        return next((path for path in candidates if path in self.made), None)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table, None in what is empty."""
    whole = frame.astype(object)
    return [
        {str(name): value for name, value in row.items()}
        for row in whole.where(whole.notna(), None).to_dict("records")
    ]


def _title(datasets: Sequence[str]) -> str:
    """Return the title of the page.

    >>> _title(["rings", "moons"]), _title(list("abcd"))
    ('rings and moons: kernel PCA', 'Kernel PCA of 4 datasets')
    """
    if len(datasets) > 3:
        return f"Kernel PCA of {len(datasets)} datasets"
    *first, last = datasets or ["No data"]
    return " and ".join([*([", ".join(first)] if first else []), last]) + ": kernel PCA"


def _decided(row: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a decision with its verdicts, its measure and its difference from PCA in words."""
    if row is None:
        return None
    measure = METRICS.get(row["measure"])
    first, _, rest = row["sentence"].partition(". ")
    words: dict[str, Any] = {"first": first + "." * bool(rest), "rest": rest}
    words["verdicts"] = {
        name: (*VERDICTS[row[f"vs_{name}"]][:2], f"{VERDICTS[row[f'vs_{name}']][2]} {baseline}")
        for name, baseline in BASELINES.items()
    }
    words["difference"] = ""
    if row["gain"] is not None:
        side = "above" if row["gain"] >= 0 else "below"
        words["difference"] = f"{amount(abs(row['gain']), row['measure'])} {side} PCA"
    words["margin"] = measure.margin if measure else 0.0
    words["caveats"] = [text for text in (row["caveats"] or "").split(" | ") if text]
    words["metric"] = measure.words if measure else row["measure"]
    return row | words


def _lines(comparisons: pd.DataFrame, dataset: str) -> list[dict[str, Any]]:
    """Return what a dataset was compared with, as in the figure `comparison`."""
    if comparisons.empty:
        return []
    rows = forest.lines(comparisons[comparisons["dataset"] == dataset], COMPARED)
    order = {name: place for place, name in enumerate(forest.order(rows))}
    rows = rows.sort_values("line", key=lambda names: names.map(order), kind="stable")
    return [
        row | forest.line_style(row["line"]) | {"tuned": row["criterion"] == "cv"}
        for row in _records(rows)
    ]


def _ends(rows: Sequence[Mapping[str, Any]], low: str, high: str) -> tuple[float, float]:
    """Return the scale that intervals share, zero in it for a gain; no metric exceeds 1."""
    values = [row[end] for row in rows for end in (low, high) if pd.notna(row[end])]
    if low == "gain_low":
        values.append(0.0)
    if not values:
        return 0.0, 1.0
    start, end = style.at_least(min(values), max(values), forest.LEAST_WIDTH)
    return start - 0.04 * (end - start), min(end + 0.04 * (end - start), 1.0)


def _axis(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the scale of the lines, and its ticks."""
    low, high = ends = _ends(lines, "low", "high")
    ticks = [
        tick
        for tick in MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(low, high)
        if low <= tick <= high
    ]
    return {"ends": ends, "ticks": ticks}


def _scales(decisions: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return metric → the scale of its improvements over PCA."""
    return {
        metric: _ends([d for d in decisions if d["metric"] == metric], "gain_low", "gain_high")
        for metric in {d["metric"] for d in decisions}
    }


def _files(run: Run) -> list[tuple[str, list[str]]]:
    """Return the files to link to, by folder: what a person opens, not what a run keeps."""
    kinds = (".csv", ".svg", ".py", ".npz")
    kept = ("datasets/", "fits/", "scores/")
    paths = [path for path in run.made if path.endswith(kinds) and not path.startswith(kept)]
    by_folder = sorted(paths, key=lambda path: (Path(path).parent.as_posix(), path))
    return [
        ("" if folder == "." else f"{folder}/", list(group))
        for folder, group in groupby(by_folder, key=lambda path: Path(path).parent.as_posix())
    ]


def _libraries(*, plots: bool) -> dict[str, Markup]:
    """Return the scripts of others that the page carries: each once, as text of a script."""
    tables = files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8")
    ours = {name: own(name) for name in ("plots.js", "page.js", "style.css")}
    return {"tables": inlined(tables), "bokeh": bokeh() if plots else Markup(), **ours}


def number(value: float | None) -> str:
    """Return a score with three decimals; nothing if there is none.

    >>> number(-0.01234), number(None)
    ('−0.012', '')
    """
    return "" if value is None or pd.isna(value) else shown_number(value)
