"""Means over replicates with 95 % CIs, and paired differences from baselines."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pipeline.evaluation.settings import CHANCE
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.selection import KERNEL_PCA, ONLY_PCA, RAW_FEATURES
from pipeline.tables.statistics import (
    FEWEST_GROUPS,
    ROUNDING,
    holm,
    interval,
    least_half_width,
    verdict,
)

PLANNED = ("chance", "raw", "pca")
"""Baselines of kernel PCA; Holm's correction covers these comparisons."""

LEAST_OF_DRAWS = 0.7
"""Least half-width of a difference of independent draws, in margins.

Most draws may agree, and others differ by far. With 0.7 five equal draws are still decided after
Holm's correction.
"""

CLUSTERING = {"spectral": "kmeans"}
"""A baseline without a representation is compared with PCA before this method."""

Influences = Mapping[str, np.ndarray]
"""Model → how far each row, or group of rows, moves its mean score over random splits."""

_MODELS = {
    ("best kernel", "cv_over_kernels"): KERNEL_PCA,
    ("pca", "cv"): ONLY_PCA,
    ("best raw", "cv_over_raw"): RAW_FEATURES,
}
_KEYS = ["dataset", "method", "metric"]
_JUDGED = ("gain", "gain_high", "p", "p_holm")
_CHOSEN = {"cv_over_kernels": "best kernel", "cv_over_raw": "best raw"}


def overlaps(datasets: pd.DataFrame) -> dict[str, float | None]:
    """Return what `interval` takes as ``test_over_train``, for each dataset.

    None for independent draws, else n_test/n_train; NaN if the groups are too few for an interval.
    """
    found: dict[str, float | None] = {}
    for row in datasets.to_dict("records"):
        few = 0 < row["groups"] < FEWEST_GROUPS
        ratio = math.nan if few else float(row["test_over_train"])
        found[str(row["dataset"])] = None if row["draws"] == "independent" else ratio
    return found


def compare(
    selected: pd.DataFrame,
    datasets: pd.DataFrame,
    main: Mapping[str, str],
    influences: Mapping[str, Influences] | None = None,
) -> pd.DataFrame:
    """Return one row per dataset, method, kernel, criterion and baseline of what was selected.

    Each row has the mean test score with its 95 % CI, cut off where the metric ends. ``gain`` is
    the paired difference from a baseline: PCA that was tuned in the same way. The half-width of its
    CI is at least `LEAST_OF_DRAWS` margins for independent draws. For the choice among all kernels
    the baselines are also chance and the best predictor on raw features. p is that of a
    gain that equals the margin of the metric. Holm's correction covers the three planned
    comparisons of a dataset together, and apart from them the kernels of each dataset, method,
    metric and criterion.

    Parameters
    ----------
    selected : DataFrame
        Of `pipeline.tables.selection.select`.
    datasets : DataFrame
        With the columns of `pipeline.datasets.dataset.describe`.
    main : mapping of str to str
        The method by which the kernel of each dataset is chosen.
    influences : mapping of str to mapping of str to ndarray, default=None
        For datasets with random splits: model → how far each row moves its mean score.
    """
    described = {row["dataset"]: row for row in datasets.to_dict("records")}
    overlap = overlaps(datasets)
    test = selected[selected["split"] == "test"].copy()
    chosen = test["criterion"].map(_CHOSEN)
    test["kernel"] = test["kernel"].mask(chosen.notna(), chosen)
    raw = test["kernel"] == "best raw"  # by several methods: one line of the main method
    test["method"] = test["method"].mask(raw, test["dataset"].map(main))
    rows: list[dict[str, object]] = []
    for keys, values in test.groupby(_KEYS, sort=True):
        dataset, method, metric = map(str, keys)
        against = CLUSTERING.get(method, method)
        if method not in CLUSTERING and metric == MAIN_METRIC[main[dataset]]:
            against = main[dataset]
        least = _least(described[dataset], metric)
        for kernel, criterion, baseline, scores, reference in _pairs(
            test, values, against, planned=method == main[dataset]
        ):
            row: dict[str, object] = {"dataset": dataset, "method": method, "metric": metric}
            row |= {"main": metric == MAIN_METRIC[method], "kernel": kernel}
            row |= {"criterion": criterion, "baseline": baseline}
            planned = row["main"] and method == main[dataset]
            known = (influences or {}).get(dataset, {}) if planned else {}
            moved = _moved(known, _MODELS.get((kernel, criterion), ""), baseline)
            rows.append(row | _numbers(scores, reference, metric, overlap[dataset], least, *moved))
    return _judged(pd.DataFrame(rows))


def _pairs(
    test: pd.DataFrame, values: pd.DataFrame, against: str, *, planned: bool
) -> Iterator[tuple[str, str, str, pd.Series, pd.Series | None]]:
    """Yield kernel, criterion, baseline, scores and scores of the baseline, by replicate."""
    dataset, metric = values["dataset"].iloc[0], values["metric"].iloc[0]
    here = test[(test["dataset"] == dataset) & (test["metric"] == metric)]
    pca = here[(here["kernel"] == "pca") & (here["criterion"] == "cv")]
    references = {
        "pca": pca[pca["method"] == against],
        "raw": here[here["kernel"] == "best raw"],
        "chance": here[here["method"].isin(CHANCE.values()) & (here["criterion"] == "cv")],
    }
    by_replicate = {
        name: None if rows.empty else rows.set_index("replicate")["value"]
        for name, rows in references.items()
    }
    for names, group in values.groupby(["kernel", "criterion"], sort=True):
        scores = group.set_index("replicate")["value"].sort_index()
        kernel, criterion = map(str, names)
        same = kernel in ("pca", "linear") and criterion == "cv"  # by construction
        same &= group["method"].iloc[0] == against
        yield kernel, criterion, "pca", scores, None if same else by_replicate["pca"]
        if planned and kernel == "best kernel":
            for baseline in ("chance", "raw"):
                if by_replicate[baseline] is not None:
                    yield kernel, criterion, baseline, scores, by_replicate[baseline]


def _moved(
    influences: Influences, model: str, baseline: str
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return how far the rows move a mean score, and its difference from a baseline."""
    own = influences.get(model)
    if own is None or baseline == "chance":  # whose score does not depend on the rows
        return own, own
    other = influences.get(RAW_FEATURES if baseline == "raw" else ONLY_PCA)
    return own, None if other is None else own - other


def _numbers(
    scores: pd.Series,
    reference: pd.Series | None,
    metric: str,
    overlap: float | None,
    least: float,
    influence: np.ndarray | None,
    influence_on_gain: np.ndarray | None,
) -> dict[str, object]:
    limits = METRICS[metric]
    mean = interval(scores.to_numpy(), test_over_train=overlap, influence=influence, least=least)
    row: dict[str, object] = {
        "replicates": len(scores),
        "mean": mean.mean,
        "low": max(mean.low, limits.least),
        "high": min(mean.high, 1.0),
    }
    if reference is None:
        return row
    gains = scores - reference.loc[scores.index]
    gains = gains.where(gains.abs() > ROUNDING, 0.0)
    if overlap is None:
        least = max(least, LEAST_OF_DRAWS * limits.margin)
    gain = interval(
        gains.to_numpy(),
        test_over_train=overlap,
        influence=influence_on_gain,
        least=least,
        null=limits.margin,
    )
    widest = 1 - limits.least
    return row | {
        "gain": gain.mean,
        "gain_low": max(gain.low, -widest),
        "gain_high": min(gain.high, widest),
        "p": gain.p,
    }


def least_half_widths(datasets: pd.DataFrame) -> dict[str, float]:
    """Return the least half-width of an interval of balanced accuracy, for each dataset."""
    rows = datasets.to_dict("records")
    return {str(row["dataset"]): _least(row, "balanced_accuracy") for row in rows}


def _least(described: Mapping[Any, Any], metric: str) -> float:
    """Return the least half-width of an interval, by class for balanced accuracy.

    The other metrics are not means over rows. Their half-width is the same fraction of all rows,
    by convention: it only keeps scores without spread from having an interval of zero width.
    """
    held_out = [int(n) for n in str(described["held_out"]).split()]
    by_class = metric == "balanced_accuracy"
    return least_half_width(held_out if by_class else [sum(held_out)])


def _judged(table: pd.DataFrame) -> pd.DataFrame:
    """Add adjusted p-values and verdicts; rows that are equal by construction have neither."""
    if "gain" not in table:
        return table.assign(verdict="no comparison")
    compared = table["gain"].notna() & (table["method"] != "embedding")
    table["p"] = table["p"].where(compared)
    planned = (table["kernel"] == "best kernel") & table["main"]
    planned &= table["method"].map(lambda name: name not in ("kmeans", *CLUSTERING))
    family = table["dataset"].where(
        planned, table[[*_KEYS, "criterion"]].astype(str).agg("/".join, axis=1)
    )
    adjusted = table[compared].groupby(family[compared])["p"].transform(_holm)
    table["p_holm"] = adjusted.reindex(table.index)
    table["verdict"] = [
        verdict(*(float(row[name]) for name in _JUDGED), margin=METRICS[row["metric"]].margin)
        if counted
        else "no comparison"
        for row, counted in zip(table.to_dict("records"), compared, strict=True)
    ]
    return table


def _holm(p: pd.Series) -> pd.Series:
    return pd.Series(holm(p.to_numpy()), index=p.index)
