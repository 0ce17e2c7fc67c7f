"""Means over replicates with intervals, and paired differences against linear PCA."""

from collections.abc import Iterator

import pandas as pd

from pipeline.drawing.curves import overlaps
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.statistics import ROUNDING, holm, interval, verdict

COMPARED_WITH = {"rbf_svm": "linear_svm", "spectral": "kmeans"}
"""A baseline without a representation is compared with PCA before this method."""

GAIN_VERDICTS = {"holds": "gain shown", "fails": "no gain shown", "undecided": "undecided"}
"""Verdict on "the gain lies beyond the margin": how the table puts it.

A gain is judged, not a kernel: "fails" would read as if PCA did.
"""


def compare(selected: pd.DataFrame, datasets: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dataset, method, kernel and criterion of what was selected.

    ``datasets`` has replicates, ``draws``, ``train`` and ``test`` rows. Of each there are the mean
    test score with its 95 % interval, cut off where the metric ends; the paired gain over PCA that
    was tuned the same way, with its interval; p of a gain that equals the margin of the metric,
    ``p_holm`` after Holm within the dataset, method and metric, and what it decides, the verdict on
    a gain beyond that margin.
    """
    overlap = overlaps(datasets)
    test = selected[selected["split"] == "test"].copy()
    # The kernel that was chosen differs between replicates: the method is the choosing.
    over = test["criterion"] == "cv_over_kernels"
    test["kernel"] = test["kernel"].mask(over, "best kernel")
    rows: list[dict[str, object]] = []
    for keys, values in test.groupby(["dataset", "method", "metric"], sort=True):
        dataset, method, metric = map(str, keys)
        baseline = _pca(test, dataset, COMPARED_WITH.get(method, method), metric)
        rows += _rows((dataset, method, metric), values, baseline, overlap[dataset])
    table = pd.DataFrame(rows)
    if "p" in table:
        families = table.dropna(subset="gain").groupby(["dataset", "method", "metric"])["p"]
        table["p_holm"] = families.transform(lambda p: holm(p.to_numpy()))
        gained = table[table["gain"].notna()]
        margins = [METRICS[metric].margin for metric in gained["metric"]]
        judged = map(verdict, gained["gain"], gained["p_holm"], margins)
        table["verdict"] = pd.Series([GAIN_VERDICTS[v] for v in judged], index=gained.index)
    return table


def _rows(
    names: tuple[str, str, str],
    values: pd.DataFrame,
    baseline: pd.Series | None,
    test_over_train: float | None,
) -> Iterator[dict[str, object]]:
    dataset, method, metric = names
    for (kernel, criterion), group in values.groupby(["kernel", "criterion"], sort=True):
        scores = group.set_index("replicate")["value"].sort_index()
        mean = interval(scores.to_numpy(), test_over_train=test_over_train)
        row = {
            "dataset": dataset,
            "method": method,
            "metric": metric,
            "main": metric == MAIN_METRIC[method],
            "kernel": kernel,
            "criterion": criterion,
            "replicates": len(scores),
            "mean": mean.mean,
            "low": max(mean.low, METRICS[metric].least),
            "high": min(mean.high, 1.0),
        }
        if baseline is not None and (kernel != "pca" or criterion != "cv"):
            gains = scores - baseline.loc[scores.index]
            gains = gains.where(gains.abs() > ROUNDING, 0.0)
            margin, widest = METRICS[metric].margin, 1 - METRICS[metric].least
            gain = interval(gains.to_numpy(), test_over_train=test_over_train, null=margin)
            row |= {
                "gain": gain.mean,
                "gain_low": max(gain.low, -widest),
                "gain_high": min(gain.high, widest),
                "p": gain.p,
            }
        yield row


def _pca(test: pd.DataFrame, dataset: str, method: str, metric: str) -> pd.Series | None:
    wanted = {"dataset": dataset, "method": method, "metric": metric}
    wanted |= {"kernel": "pca", "criterion": "cv"}
    rows = test[(test[list(wanted)] == pd.Series(wanted)).all(axis=1)]
    return None if rows.empty else rows.set_index("replicate")["value"]
