"""Novelty detection: kernel PCA against density, linear PCA, one-class SVM, isolation forest.

Detectors see ordinary rows only. None of their parameters is chosen with novel rows: γ is that
of the median distance for all kernels, and subspaces keep 90 % of the variance.

References
----------
Hoffmann (2007), Kernel PCA for novelty detection, Pattern Recognition 40.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.novelty import hotelling
from pipeline.datasets.builtin import read_builtin
from pipeline.job import run
from pipeline.seeds import rng_for, seed_for

SHARE = 0.9
TRAINING_SHARE = 0.7
# Score of the rows of the second array, the higher the more novel, learned from the first.
Detector = Callable[[np.ndarray, np.ndarray, float, int], np.ndarray]


def residual(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Reconstruction error of kernel PCA."""
    return KernelPCA(SHARE, kernel="rbf", gamma=gamma).fit(X).reconstruction_error(new)


def t_squared(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Hotelling's T² of kernel PCA."""
    return hotelling(KernelPCA(SHARE, kernel="rbf", gamma=gamma).fit(X), new)


def parzen(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Reconstruction error from no component at all: a decreasing function of a Parzen density."""
    model = KernelPCA(1, kernel="rbf", gamma=gamma).fit(X)
    return model.reconstruction_error(new) + model.transform(new)[:, 0] ** 2


def linear(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Reconstruction error of linear PCA."""
    return KernelPCA(SHARE, kernel="linear").fit(X).reconstruction_error(new)


def one_class_svm(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Distance from the boundary of a one-class SVM."""
    from sklearn.svm import OneClassSVM

    return -OneClassSVM(gamma=gamma, nu=0.05).fit(X).decision_function(new)


def forest(X: np.ndarray, new: np.ndarray, gamma: float, seed: int) -> np.ndarray:
    """Score of an isolation forest."""
    from sklearn.ensemble import IsolationForest

    return -IsolationForest(random_state=seed).fit(X).score_samples(new)


DETECTORS: dict[str, Detector] = {
    "residual": residual,
    "t_squared": t_squared,
    "parzen": parzen,
    "linear": linear,
    "one_class_svm": one_class_svm,
    "forest": forest,
}
RATES = np.linspace(0, 1, 101)


def cases() -> dict[str, tuple[np.ndarray, np.ndarray, Sequence[int]]]:
    """Return rows, labels and the classes that are ordinary in turn."""
    cancer = read_builtin("breast_cancer", {"sklearn": "breast_cancer"})
    digits = read_builtin("digits", {"sklearn": "digits"})
    if cancer.y is None or digits.y is None:
        raise TypeError("both datasets have labels")
    benign = cancer.class_names.index("benign")
    return {
        "breast cancer": (cancer.X, cancer.y, [benign]),
        "digits": (digits.X, digits.y, range(10)),
    }


def roc(
    *,
    seed: int,
    replicates: int = 5,
    n_novel: int = 400,
    multiples: Sequence[float] = (0.1, 0.3, 1, 3, 10),
) -> dict[str, pd.DataFrame]:
    """Return areas under ROC curves, and the curves at the median γ.

    Replicates re-draw the split of the ordinary rows, 70 % for training, and the novel rows,
    ``n_novel`` at most. ``multiples`` are those of γ at the median distance, for the detectors that
    have one.

    Columns of ``areas``: data, ordinary (class), detector, multiple, replicate, auc, n_train,
    n_test (ordinary rows). Of ``curves``: data, detector, replicate, false (share of ordinary rows
    beyond the limit), true (share of novel rows), the mean over the ordinary classes.
    """
    areas, curves = [], []
    for data, (X, y, classes) in cases().items():
        for replicate in range(replicates):
            collected: dict[str, list[np.ndarray]] = {}
            for c in classes:
                rng = rng_for(seed, "novelty", data, c, replicate)
                train, ordinary, novel = _split(X[y == c], X[y != c], n_novel, rng)
                sizes = len(train), len(ordinary)
                start = seed_for(seed, "novelty", data, c, replicate, "forest")
                for name, multiple, scores in _scores(train, ordinary, novel, multiples, start):
                    curve, area = roc_curve(scores[: len(ordinary)], scores[len(ordinary) :])
                    areas.append((data, c, name, multiple, replicate, area, *sizes))
                    if multiple == 1:
                        collected.setdefault(name, []).append(curve)
            curves += [
                (data, name, replicate, false, true)
                for name, several in collected.items()
                for false, true in zip(RATES, np.mean(several, axis=0), strict=True)
            ]
    names = ["data", "ordinary", "detector", "multiple", "replicate", "auc", "n_train", "n_test"]
    return {
        "areas": pd.DataFrame(areas, columns=names),
        "curves": pd.DataFrame(curves, columns=["data", "detector", "replicate", "false", "true"]),
    }


def roc_curve(ordinary: np.ndarray, novel: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the share of novel rows found at each of `RATES`, and the area under the curve."""
    from sklearn.metrics import roc_auc_score
    from sklearn.metrics import roc_curve as steps

    truth = np.repeat([0, 1], [len(ordinary), len(novel)])
    scores = np.concatenate([ordinary, novel])
    false, true, _ = steps(truth, scores)
    return np.interp(RATES, false, true), float(roc_auc_score(truth, scores))


def _split(
    own: np.ndarray, others: np.ndarray, n_novel: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return training, ordinary and novel rows, standardised by the training rows."""
    order = rng.permutation(len(own))
    train, ordinary = np.split(own[order], [round(TRAINING_SHARE * len(own))])
    novel = others[rng.permutation(len(others))[:n_novel]]
    mean, scale = train.mean(axis=0), train.std(axis=0)
    # A pixel that no training digit uses keeps its unit: it must neither vanish nor explode.
    scale = np.where(scale > 0, scale, max(1.0, float(np.median(scale))))
    return (train - mean) / scale, (ordinary - mean) / scale, (novel - mean) / scale


def _scores(
    train: np.ndarray,
    ordinary: np.ndarray,
    novel: np.ndarray,
    multiples: Sequence[float],
    seed: int,
) -> list[tuple[str, float, np.ndarray]]:
    new, median = np.vstack([ordinary, novel]), median_gamma(train)
    return [
        (name, multiple, detector(train, new, multiple * median, seed))
        for name, detector in DETECTORS.items()
        for multiple in (multiples if name not in ("linear", "forest") else [1.0])
    ]


if __name__ == "__main__":
    run(roc)
