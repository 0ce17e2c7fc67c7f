"""Kernel PCA before the SVM and before k-means, against raw rows and PCA."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from kpca.pipeline.selection import best_setting, scores_at
from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.sweep import (
    UNIT,
    Estimand,
    across,
    by_replicate,
    dataset_claims,
    judged,
    main_rows,
    margin_of,
    metric_of,
    paired,
    svm_of,
)

FIGURE = "claims_gains"
BASELINES = {"raw": "raw rows", "pca": "PCA"}
CONTENDERS = {"tuned": "kernel and parameters tuned", "label_free": "label-free"}
GAUSSIAN = "rbf"
RESULTS = ["method", "contender", "baseline"]
SOURCES = {
    "kmeans": "a step before k-means",
    "linear_svm": "a step before the SVM",
    "linear_svm_whitened": "a step before the SVM",
}


def measure(
    scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on what kernel PCA gains, and the gains.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``gains``: columns method, contender, baseline, dataset, replicates, mean, low, high,
        comparisons, verdict. ``equivalence``: the difference of a linear SVM on the largest
        number of Gaussian components from the Gaussian SVM on raw rows.
    """
    svm = svm_of(selected)
    methods = [name for name in (svm, "kmeans") if name in set(selected["method"])]
    parts: list[pd.DataFrame] = []
    claims: list[Claim] = []
    for method in methods:
        for contender, baseline, rows in _gains(selected, datasets, str(method)):
            keys = dict(zip(RESULTS, (method, contender, baseline), strict=True))
            parts.append(rows.assign(**keys))
            claims += _gain_claims(str(method), contender, baseline, rows)
    same = _equivalence(scores, selected, datasets, svm) if svm else pd.DataFrame()
    if len(same):
        claims += _equivalence_claims(same, str(svm))
    gains = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=RESULTS)
    return claims, {"gains": gains, "equivalence": same.reindex(columns=_columns(same))}


def gain(selected: pd.DataFrame, method: str, contender: str, baseline: str) -> pd.DataFrame:
    """Return the paired gain of a contender over a baseline, as `paired` does.

    Parameters
    ----------
    selected : DataFrame
        Of the sweep.
    method : str
        Downstream.
    contender : {"tuned", "label_free"}
        Kernel and parameters by cross-validation inside training rows, or the Gaussian
        kernel at the median γ with the share of the variance (and C = 1).
    baseline : {"raw", "pca"}
        With their own parameters by cross-validation.
    """
    rows = main_rows(selected, method)
    if contender == "tuned":
        ours = rows[rows["criterion"] == "cv_over_kernels"]
    else:
        ours = rows[(rows["criterion"] == "label_free") & (rows["kernel"] == GAUSSIAN)]
    theirs = rows[(rows["criterion"] == "cv") & (rows["kernel"] == baseline)]
    return paired(by_replicate(ours), by_replicate(theirs))


def enough_components(scores: pd.DataFrame, method: str) -> pd.Series:
    """Return the test score on the largest number of Gaussian components, γ and C by validation."""
    rows = scores[(scores["kernel"] == GAUSSIAN) & (scores["method"] == method)]
    cell = [rows[name] for name in (*UNIT, "cell")]
    tuned = rows["n_components"].where(rows["split"] == "cv")
    largest = rows[rows["n_components"] == tuned.groupby(cell).transform("max")]
    best = best_setting(largest, UNIT)
    return by_replicate(main_rows(scores_at(largest, best), method))


def _gains(
    selected: pd.DataFrame, datasets: pd.DataFrame, method: str
) -> Iterator[tuple[str, str, pd.DataFrame]]:
    asked = _gain_asked(method, "", "")
    for contender in CONTENDERS:
        for baseline in BASELINES:
            differences = gain(selected, method, contender, baseline)
            if len(differences):
                yield contender, baseline, judged(differences, datasets, asked)


def _gain_asked(method: str, contender: str, baseline: str) -> Estimand:
    words = f"gain of {metric_of(method)} over {BASELINES.get(baseline, baseline)}"
    tuned = "" if contender != "tuned" or method != "kmeans" else ", label-tuned"
    return Estimand(words + tuned, "above", margin_of(method))


def _gain_claims(method: str, contender: str, baseline: str, rows: pd.DataFrame) -> Iterator[Claim]:
    asked = _gain_asked(method, contender, baseline)
    before = "k-means" if method == "kmeans" else "the SVM"
    said = f"Kernel PCA ({CONTENDERS[contender]}) before {before} gains over {BASELINES[baseline]}"
    name = f"8-{'kmeans' if method == 'kmeans' else 'svm'}-{contender}-{baseline}"
    yield across(name, f"{said}.", SOURCES[method], rows["mean"], asked, FIGURE)
    if contender == "tuned":
        yield from dataset_claims(name, said, rows, asked, FIGURE)


def _equivalence(
    scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame, svm: str
) -> pd.DataFrame:
    if "rbf_svm" not in set(selected["method"]) or GAUSSIAN not in set(scores["kernel"]):
        return pd.DataFrame()
    gaussian = main_rows(selected, "rbf_svm")
    theirs = by_replicate(gaussian[gaussian["criterion"] == "cv"])
    differences = paired(enough_components(scores, svm), theirs)
    return judged(differences, datasets, _equivalence_asked(svm))


def _equivalence_asked(svm: str) -> Estimand:
    words = f"{metric_of(svm)} of a linear SVM on the most components less that of a Gaussian SVM"
    return Estimand(words, "within", margin_of(svm))


def _equivalence_claims(rows: pd.DataFrame, svm: str) -> Iterator[Claim]:
    asked = _equivalence_asked(svm)
    said = "A linear SVM on enough Gaussian components is as good as a Gaussian SVM"
    yield across("8-rbf-svm", f"{said}.", "", rows["mean"], asked, FIGURE)
    yield from dataset_claims("8-rbf-svm", said, rows, asked, FIGURE)


def _columns(rows: pd.DataFrame) -> list[str]:
    return list(rows.columns) or ["dataset", "mean", "low", "high"]
