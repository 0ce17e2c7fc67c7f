"""Compare how well detectors find faults of a simulated process at equal false alarms.

``python -m benchmarks.monitoring`` prints the two tables of docs/howto/monitor.md: the percentage
of rows of each fault that each detector finds, and false alarms with and without the blocks of rows
that `kpca.KernelPCANovelty` asks for in a warning.
"""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from kpca import KernelPCA, KernelPCANovelty
from kpca.novelty import novelty_scores, order
from kpca.study.monitoring.process import FAULTS, process

ROWS = 1000
FALSE_ALARM = 0.05
CORRELATIONS = (0.5, 0.6, 0.7, 0.8, 0.9)
DRAWS = 3  # number of random draws over which rates are averaged

Detector = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (normal, new) → statistic of new rows


def detected(draws: int = DRAWS) -> pd.DataFrame:
    """Return the percentage of faulty rows that each detector finds, at equal false alarms.

    The limit of a detector is the value that 5 % of 2 000 separate normal rows exceed.
    """
    rows = []
    for fault in FAULTS:
        rates = []
        for seed in range(draws):
            normal, limits = (
                _sensors(process(n, seed=s)) for n, s in ((600, seed), (2000, 1 + 100 + seed))
            )
            faulty = _sensors(process(600, seed=1000 + seed, fault=fault))
            scaler = StandardScaler().fit(normal)
            normal, limits, faulty = map(scaler.transform, (normal, limits, faulty))
            rates.append(
                [
                    _detection_rate(detector, normal, limits, faulty)
                    for detector in DETECTORS.values()
                ]
            )
        rows.append([fault, *(100 * np.mean(rates, axis=0)).round(1)])
    return pd.DataFrame(rows, columns=["fault", *DETECTORS])


def promises(draws: int = DRAWS, n: int = ROWS) -> pd.DataFrame:
    """Return the false alarms of ten processes, with and without the blocks that a fit asks for.

    Rates are in percent, and the target is 5 %. The columns "block" and "with_blocks" are empty if
    the detector cannot promise any rate.
    """
    rows = []
    for turns in (True, False):
        for correlation in CORRELATIONS:
            results = [_promised(n, correlation, turns, seed) for seed in range(draws)]
            means = pd.DataFrame(results).mean().round(1)
            kind = "turning" if turns else "linear"
            rows.append({"process": kind, "autocorrelation": correlation, "rows": n} | dict(means))
    return pd.DataFrame(rows)


def _promised(n: int, correlation: float, turns: bool, seed: int) -> dict[str, float]:
    table = process(2 * n, seed=seed, correlation=correlation, turns=turns)
    scaler = StandardScaler().fit(_sensors(table[:n]))
    normal, new = (scaler.transform(_sensors(part)) for part in (table[:n], table[n + 100 :]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # The column "warned" counts these warnings.
        alone = KernelPCANovelty(false_alarm=FALSE_ALARM).fit(normal)
    result = {
        "memory": alone.memory_,
        "warned": 100.0 * (alone.memory_ > 1),
        "false_alarms": 100 * (alone.predict(new) < 0).mean(),
        "block": np.nan,
        "with_blocks": np.nan,
    }
    block = order.block_length(alone.memory_)
    if alone.memory_ > 1 and n * FALSE_ALARM >= block * (1 - FALSE_ALARM):
        detector = KernelPCANovelty(false_alarm=FALSE_ALARM).fit(
            normal, groups=np.arange(n) // block
        )
        result |= {"block": block, "with_blocks": 100 * (detector.predict(new) < 0).mean()}
    return result


def _mahalanobis(normal: np.ndarray, new: np.ndarray) -> np.ndarray:
    centred = new - normal.mean(axis=0)
    return np.einsum("if,fg,ig->i", centred, np.linalg.inv(np.cov(normal.T)), centred)


def _pca(normal: np.ndarray, new: np.ndarray) -> np.ndarray:
    model = PCA(0.9).fit(normal)
    return np.square(new - model.inverse_transform(model.transform(new))).sum(axis=1)


def _kernel_pca(normal: np.ndarray, new: np.ndarray) -> np.ndarray:
    model = KernelPCA(0.9, kernel="rbf", gamma="median").fit(normal)
    return novelty_scores(model, new, statistic="residual")


DETECTORS: dict[str, Detector] = {
    "Mahalanobis": _mahalanobis,
    "PCA residual": _pca,
    "kernel PCA residual": _kernel_pca,
}


def _detection_rate(
    detector: Detector, normal: np.ndarray, limits: np.ndarray, faulty: np.ndarray
) -> float:
    limit = np.quantile(detector(normal, limits), 1 - FALSE_ALARM)
    return float((detector(normal, faulty) > limit).mean())


def _sensors(table: pd.DataFrame) -> np.ndarray:
    return table.drop(columns="minute").to_numpy()


if __name__ == "__main__":
    print(detected().to_string(index=False))
    print()
    print(promises().to_string(index=False))
