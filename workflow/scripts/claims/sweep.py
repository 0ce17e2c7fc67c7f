"""Cases of the theory's statements that the tables of the sweep show."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import Design, overlap_of
from kpca.study.evidence.selection import scores_at
from kpca.study.evidence.statistics import half_width
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS
from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, averaged

UNIT = ["dataset", "replicate"]
SETTING = ["cell", "n_components", "C"]
SVM = "linear_svm"
WHITENED = "linear_svm_whitened"
KMEANS = "kmeans"
# Claims, each with the columns that identify its rows in the table of comparisons.
COMPARED = pd.read_csv(Path(__file__).with_name("compared.csv"))
HIGHEST = 1.0  # largest possible score
DIGITS = 10  # decimals to which scores are rounded, fewer than the twelve digits in tables
ROUNDING = 1e-12


class Pair(NamedTuple):
    """A claim about the difference between two tables of scores.

    ``metric`` names the metric of the scores. It is empty if the tables have numbers of components
    in place of scores. If ``is_limited``, the difference can be at most the highest score minus the
    baseline.
    """

    claim: str
    scores: pd.DataFrame
    baseline: pd.DataFrame
    metric: str = METHODS[SVM].metric
    is_limited: bool = False


def compared(comparisons: pd.DataFrame) -> Iterator[Case]:
    """Yield one case per row of ``comparisons`` that `COMPARED` names, with its interval."""
    main = comparisons[comparisons["main"].astype(bool)].dropna(subset="gain")
    for row in COMPARED.merge(main).to_dict("records"):
        gain = row["gain"]
        low = row["gain_low"]
        high = row["gain_high"]
        replicates = row["replicates"]
        error = max(gain - low, high - gain) / half_width(replicates)
        most = HIGHEST - row["mean"] + gain
        yield Case(row["claim"], gain, low, high, row["dataset"], replicates, error, highest=most)


def differences(pairs: Iterable[Pair], datasets: pd.DataFrame) -> Iterator[Case]:
    """Yield one case per pair and dataset: scores minus baseline, paired by replicate."""
    described = datasets.set_index("dataset", drop=False).to_dict("index")
    for pair in pairs:
        baseline = pair.baseline[[*UNIT, "value"]].rename(columns={"value": "baseline"})
        both = pair.scores.merge(baseline, on=UNIT)
        for name, rows in both.groupby("dataset", sort=False):
            if len(rows) == 1:
                continue
            options: dict[str, Any] = {"overlap": overlap_of(described[name])}
            if pair.metric:
                options["least"] = Design.of(described[name], pair.metric).least_difference
            if pair.is_limited:
                options["highest"] = HIGHEST - rows["baseline"].mean()
            values = (rows["value"] - rows["baseline"]).round(DIGITS)
            yield averaged(pair.claim, values, str(name), **options)


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of ``table`` that have a method, its main metric and a split."""
    wanted = [method, METHODS[method].metric, split]
    return table[(table[["method", "metric", "split"]] == wanted).all(axis=1)]


def chosen(selected: pd.DataFrame, method: str, criterion: str, kernel: str = "") -> pd.DataFrame:
    """Return test scores of a method, and kernel if named, at settings that a criterion chose."""
    rows = main_rows(selected, method)
    rows = rows[rows["criterion"] == criterion]
    return rows[rows["kernel"] == kernel] if kernel else rows


def variance_share(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame
) -> tuple[Pair, Pair]:
    """Return two pairs that compare the variance rule with tuning: number of components, score."""
    tuned = chosen(selected, SVM, "cv_over_kernels")
    rule = variance_rule[[*UNIT, "cell", "components_for_share"]]
    both = tuned.merge(rule, on=[*UNIT, "cell"])
    at_share = both.assign(n_components=both["components_for_share"])
    count, baseline = (
        rows.assign(value=np.log2(rows["n_components"])) for rows in (at_share, both)
    )
    keys = [*UNIT, "cell", "C", "n_components"]
    cost = main_rows(scores, SVM).merge(at_share[keys], on=keys)
    return Pair("7-count", count, baseline, metric=""), Pair("7-cost", tuned, cost)


def tested(scores: pd.DataFrame, grid: set[str]) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Yield each dataset, its test scores by replicate and setting, and mean validation scores."""
    of_kernels = scores[scores["kernel"].isin(grid)]
    validated = main_rows(of_kernels, SVM, "cv")
    seen = scores_at(main_rows(of_kernels, SVM), validated)
    for name, rows in seen.groupby("dataset", sort=False):
        by = rows.pivot(index="replicate", columns=SETTING, values="value").dropna(axis=1)
        means = validated[validated["dataset"] == name].groupby(SETTING)["value"].mean()
        yield str(name), by, means.round(DIGITS).loc[by.columns]


def sensitivity(
    scores: pd.DataFrame, grid: set[str], overlap: dict[str, float | None]
) -> Iterator[Case]:
    """Yield the cases on the fraction of settings that are within the margin of the best one.

    The best setting has the highest mean validation score.
    """
    margin = METRICS[METHODS[SVM].metric].margin + ROUNDING
    for name, by, means in tested(scores, grid):
        within = by.ge(by[means.idxmax()] - margin, axis=0).mean(axis=1)
        yield averaged("9-sensitive", within, name, overlap=overlap[name])


def hindsight(scores: pd.DataFrame) -> pd.DataFrame:
    """Return test scores of the Gaussian kernel at the setting that is best in other replicates.

    The best setting has the largest sum of test scores over the other replicates.
    """
    best = []
    for name, by, _ in tested(scores, {"rbf"}):
        others = (by.sum() - by).round(DIGITS).to_numpy().argmax(axis=1)
        values = by.to_numpy()[np.arange(len(by)), others]
        best += [(name, r, value) for r, value in zip(by.index, values, strict=True)]
    return pd.DataFrame(best, columns=[*UNIT, "value"])


@script
def measure(**tables: pd.DataFrame) -> Tables:
    """Return the cases of the sweep.

    The table ``label_free`` is only given if the grid has multiples of the median γ.
    """
    # The configuration may use the SVM on whitened scores only.
    if SVM not in set(tables["selected"]["method"]):
        renamed = {"method": {WHITENED: SVM}}
        tables = {name: table.replace(renamed) for name, table in tables.items()}
    scores = tables["scores"]
    selected = tables["selected"]
    datasets = tables["datasets"]
    variance_rule = tables["variance_rule"]
    cases = [*compared(tables["comparisons"])]
    clusters = chosen(selected, KMEANS, "cv_over_kernels")
    raw = chosen(selected, KMEANS, "cv", "raw")
    of_kmeans = Pair("8-kmeans-tuned-raw", clusters, raw, METHODS[KMEANS].metric, is_limited=True)
    cases += differences([of_kmeans], datasets)
    pairs = []
    if SVM in set(selected["method"]):
        overlap = {row["dataset"]: overlap_of(row) for row in datasets.to_dict("records")}
        cases += sensitivity(scores, set(variance_rule["kernel"]), overlap)
        count, cost = variance_share(scores, selected, variance_rule)
        cases += differences([count], datasets)
        pairs = [cost]
        if set(variance_rule["kernel"]) - {"linear", "rbf"}:
            gaussian = chosen(selected, SVM, "cv", "rbf")
            over_kernels = chosen(selected, SVM, "cv_over_kernels")
            pairs.append(Pair("9-default", gaussian, over_kernels))
    if "label_free" in tables:
        rows = tables["label_free"]
        rows = rows[rows["method"] == SVM]
        tuned, median = (rows[rows["criterion"] == name] for name in ("cv", "variance"))
        gain = Pair("10-gamma-median", tuned, median, is_limited=True)
        cases += differences([gain], datasets)
        pairs.append(Pair("10-gamma-hindsight", hindsight(scores), tuned))
    cases += differences(pairs, datasets)
    return {"claims": pd.DataFrame(cases, columns=Case._fields)}
