"""Classifiers and regressors, trained on the features of the training rows."""

import math
import warnings
from collections.abc import Callable
from functools import partial
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, SVR
from sklearn.svm import _libsvm as libsvm

from pipeline.evaluation.settings import BASELINES, LINEAR_SVMS

# libsvm takes hours on rows that nearly coincide. It stops after this many steps; the sweep counts
# scikit-learn's ConvergenceWarning.
SVM_STEPS = 200_000
_SVM_CACHE = 200  # MB, the default of scikit-learn
_TREES = 50


class Options(NamedTuple):
    """Settings of one fit; each trainer reads those that it needs.

    Attributes
    ----------
    C : float
        Inverse strength of the regularization.
    class_weight : str or None
        "balanced" weights each class by the inverse of its size; None weights rows equally.
    gamma : float
        Parameter of the Gaussian kernel.
    seed : int
        Seed of the random forest.
    """

    C: float = math.nan
    class_weight: str | None = None
    gamma: float = math.nan
    seed: int = 0


class Predictor(NamedTuple):
    """A trained classifier or regressor.

    Attributes
    ----------
    predict : callable
        (rows) → class numbers, or predicted targets.
    score : callable or None
        (rows) → decision values of the second of two classes; None if there are none.
    """

    predict: Callable[[np.ndarray], np.ndarray]
    score: Callable[[np.ndarray], np.ndarray] | None = None


def linear_rule(
    Z: np.ndarray,
    truth: np.ndarray,
    C: float,
    class_weight: str | None = None,
    scale: np.ndarray | float = 1.0,
) -> Predictor:
    """Train a linear SVM on features times ``scale``, one-vs-one for several classes.

    Predictions come from the normal vectors, which is faster than libsvm's sum over support
    vectors. For several classes, each pair votes, and the first class with the most votes wins, as
    in libsvm.
    """
    classes, fitted = _libsvm(Z * scale, truth, C, class_weight, kernel="linear")
    _, vectors, counts, duals, offsets, *_ = fitted
    if len(classes) == 2:  # libsvm's values are positive for the first class

        def score(rows: np.ndarray) -> np.ndarray:
            return -(rows * scale @ (duals @ vectors).T + offsets)[:, 0]

        return Predictor(lambda rows: classes[(score(rows) > 0).astype(np.intp)], score)
    normals = _pairwise_normals(duals, counts, vectors)
    first, second = (np.eye(len(classes))[pair] for pair in np.triu_indices(len(classes), k=1))

    def predict(rows: np.ndarray) -> np.ndarray:
        votes = (rows * scale @ normals.T + offsets > 0) @ (first - second) + second.sum(axis=0)
        return np.asarray(classes[votes.argmax(axis=1)])

    return Predictor(predict)


def affine(Z: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (m, k) and offsets (k,) of the affine map of Z (n, m) nearest to values.

    They are those of least squares, of several the smallest weights. Values are (n, k), or (n,)
    with one number for an offset.
    """
    mean, center = Z.mean(axis=0), values.mean(axis=0)
    weights = np.linalg.lstsq(Z - mean, values - center, rcond=None)[0]
    return weights, np.asarray(center - mean @ weights)


def _linear_svm(Z: np.ndarray, truth: np.ndarray, options: Options, *, scaling: str) -> Predictor:
    return linear_rule(Z, truth, options.C, options.class_weight, feature_scale(Z, scaling))


def _rbf_svm(Z: np.ndarray, truth: np.ndarray, options: Options) -> Predictor:
    kernel = {"kernel": "rbf", "gamma": options.gamma}
    classes, fitted = _libsvm(Z, truth, options.C, options.class_weight, **kernel)
    model = fitted[:7]  # without the state of the optimizer

    def predict(rows: np.ndarray) -> np.ndarray:
        numbers = libsvm.predict(np.ascontiguousarray(rows, dtype=np.float64), *model, **kernel)
        return np.asarray(classes[numbers.astype(np.intp)])

    def score(rows: np.ndarray) -> np.ndarray:
        rows = np.ascontiguousarray(rows, dtype=np.float64)
        return -np.ravel(libsvm.decision_function(rows, *model, **kernel))

    return Predictor(predict, score if len(classes) == 2 else None)


def _least_squares(Z: np.ndarray, truth: np.ndarray, options: Options) -> Predictor:
    weights, offset = affine(Z, truth)
    return Predictor(lambda rows: rows @ weights + offset)


def unfitted(Z: np.ndarray, options: Options, method: str) -> Any:
    """Return the estimator of scikit-learn that predicts as a method of `TRAINERS` trained on Z.

    Factors that the method gives to all features alike are in the parameters: hence Z.
    """
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    C, weights = options.C, {"class_weight": options.class_weight}
    svm, seed = {"max_iter": SVM_STEPS}, {"random_state": options.seed}
    if method == "linear_svm":
        unit = float(feature_scale(Z, "unit"))
        return SVC(kernel="linear", C=float(C * unit**2), **weights, **svm)
    # Of standardized features, whose mean squared norm is the number of those that vary.
    together = max(int((np.ptp(Z, axis=0) > 0).sum()), 1)
    penalties = [float(f"{together * penalty:.6g}") for penalty in np.logspace(-3, 4, 15)]
    last: Any = {
        "linear_svm_whitened": SVC(kernel="linear", C=C, **weights, **svm),
        "rbf_svm": SVC(gamma=options.gamma, C=C, **weights, **svm),
        "logistic_regression": LogisticRegression(C=C / together, max_iter=1000, **weights),
        "random_forest": RandomForestClassifier(_TREES, **weights, **seed),
        "most_frequent": DummyClassifier(strategy="most_frequent"),
        "least_squares": LinearRegression(),
        "ridge": RidgeCV(penalties),  # chooses its penalty by leave-one-out error
        "svr": TransformedTargetRegressor(
            SVR(gamma=options.gamma, C=C, **svm), transformer=StandardScaler()
        ),
        "random_forest_regressor": RandomForestRegressor(_TREES, **seed),
        "mean": DummyRegressor(),
    }[method]
    scaled = ("linear_svm_whitened", "logistic_regression", "ridge")
    return make_pipeline(StandardScaler(), last) if method in scaled else last


def _of_scikit_learn(
    Z: np.ndarray, truth: np.ndarray, options: Options, *, method: str
) -> Predictor:
    model = unfitted(Z, options, method).fit(Z, truth)
    if hasattr(model, "predict_proba") and not hasattr(model, "decision_function"):
        return Predictor(model.predict, lambda rows: model.predict_proba(rows)[:, -1])
    return Predictor(model.predict, getattr(model, "decision_function", None))


TRAINERS: dict[str, Callable[[np.ndarray, np.ndarray, Options], Predictor]] = {
    **{name: partial(_linear_svm, scaling=scaling) for scaling, name in LINEAR_SVMS.items()},
    "rbf_svm": _rbf_svm,
    "least_squares": _least_squares,
    **{n: partial(_of_scikit_learn, method=n) for n in ("svr", *chain(*BASELINES.values()))},
}
REGRESSORS = ("least_squares", "ridge", "svr", "random_forest_regressor", "mean")


def feature_scale(Z: np.ndarray, scaling: str) -> np.ndarray | float:
    """Return one factor of all features for mean squared norm 1, or one of each for variance 1.

    The first is the scaling "unit", the second "whiten".
    """
    squares = np.einsum("ij,ij->j", Z, Z) / len(Z) if scaling == "unit" else Z.var(axis=0)
    total = squares.sum()
    if total == 0:
        return 1.0
    if scaling == "unit":
        return 1 / math.sqrt(total)
    # A component without variance stays as it is.
    return 1 / np.sqrt(np.where(squares > 1e-12 * total, squares, 1.0))


def _libsvm(
    Z: np.ndarray, truth: np.ndarray, C: float, class_weight: str | None, **kernel: Any
) -> tuple[np.ndarray, tuple[Any, ...]]:
    """Return the classes, and what scikit-learn's libsvm returns for their numbers.

    The checks of `SVC` take four times as long as most fits.
    """
    classes, numbered, sizes = np.unique(truth, return_inverse=True, return_counts=True)
    weights = len(truth) / (len(sizes) * sizes) if class_weight else np.ones(len(sizes))
    libsvm.set_verbosity_wrap(0)  # it prints each fit otherwise
    fitted = libsvm.fit(
        np.ascontiguousarray(Z, dtype=np.float64),
        numbered.astype(np.float64),
        C=C,
        class_weight=weights,
        max_iter=SVM_STEPS,
        cache_size=_SVM_CACHE,
        **kernel,
    )
    if fitted[7]:
        message = f"The SVM stopped after {SVM_STEPS} steps, before it converged."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return classes, fitted


def _pairwise_normals(duals: np.ndarray, counts: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return the normal vector of each pair of classes.

    libsvm sorts support vectors by class. Those of class i have their coefficients against class j
    in row j - 1 if i < j, and in row j otherwise.
    """
    parts = np.split(np.arange(len(vectors)), np.cumsum(counts)[:-1])
    normals = [
        duals[j - 1, parts[i]] @ vectors[parts[i]] + duals[i, parts[j]] @ vectors[parts[j]]
        for i, j in combinations(range(len(counts)), 2)
    ]
    return np.array(normals)
