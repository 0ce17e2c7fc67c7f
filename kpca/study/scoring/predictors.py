"""Classifiers and regressors, trained on the features of the training rows."""

import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca.study.scoring.methods import SVM_STEPS, Options, feature_scale, unfitted

try:  # which is private: `_is_libsvm` tells if it is still what this module takes it for
    from sklearn.svm import _libsvm as libsvm
except ImportError:
    libsvm = None

_SVM_CACHE = 200  # MB, the default of scikit-learn


class Predictor(NamedTuple):
    """A trained classifier or regressor."""

    predict: Callable[[np.ndarray], np.ndarray]  # rows → class numbers, or predicted targets
    # Rows → decision values of the second of two classes; None if there are none.
    score: Callable[[np.ndarray], np.ndarray] | None = None


def _linear_svm(Z: np.ndarray, truth: np.ndarray, options: Options, *, scaling: str) -> Predictor:
    """Train a linear SVM on scaled features, one-vs-one for several classes.

    Predictions come from the normal vectors, which is faster than libsvm's sum over support
    vectors. As in libsvm, the first class with the most votes of all pairs wins.
    """
    scale = feature_scale(Z, scaling)
    classes, fitted = _libsvm(Z * scale, truth, options.C, options.class_weight, kernel="linear")
    _, vectors, counts, duals, offsets, *_ = fitted
    normals = _pairwise_normals(duals, counts, vectors)
    first, second = (np.eye(len(classes))[pair] for pair in np.triu_indices(len(classes), k=1))

    def values(rows: np.ndarray) -> np.ndarray:  # positive for the first class of a pair
        return np.asarray(rows * scale @ normals.T + offsets)

    def predict(rows: np.ndarray) -> np.ndarray:
        votes = (values(rows) > 0) @ (first - second) + second.sum(axis=0)
        return np.asarray(classes[votes.argmax(axis=1)])

    return Predictor(predict, (lambda rows: -values(rows)[:, 0]) if len(classes) == 2 else None)


def affine(Z: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (m, k) and offsets (k,) of the affine map of Z (n, m) nearest to values.

    They are those of least squares, of several the smallest weights. Values are (n, k), or (n,)
    with one number for an offset.
    """
    mean, center = Z.mean(axis=0), values.mean(axis=0)
    weights = np.linalg.lstsq(Z - mean, values - center, rcond=None)[0]
    return weights, np.asarray(center - mean @ weights)


def _rbf_svm(Z: np.ndarray, truth: np.ndarray, options: Options) -> Predictor:
    kernel: dict[str, Any] = {"kernel": "rbf", "gamma": options.gamma}
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


# Methods that are trained most often → a faster function with the rule of their estimator.
_FAST: dict[str, Callable[[np.ndarray, np.ndarray, Options], Predictor]] = {
    "linear_svm": partial(_linear_svm, scaling="unit"),
    "linear_svm_whitened": partial(_linear_svm, scaling="whiten"),
    "rbf_svm": _rbf_svm,
    "least_squares": _least_squares,
}


def train(method: str, Z: np.ndarray, truth: np.ndarray, options: Options) -> Predictor:
    """Train a predictor of `METHODS` on features Z with classes from 0, or targets."""
    if FAST and method in _FAST:
        return _FAST[method](Z, truth, options)
    model = unfitted(method, Z, options).fit(Z, truth)
    if hasattr(model, "predict_proba") and not hasattr(model, "decision_function"):
        return Predictor(model.predict, lambda rows: model.predict_proba(rows)[:, -1])
    return Predictor(model.predict, getattr(model, "decision_function", None))


def _libsvm(
    Z: np.ndarray,
    truth: np.ndarray,
    C: float,
    class_weight: str | None,
    **kernel: Any,
) -> tuple[np.ndarray, tuple[Any, ...]]:
    """Return the classes and what libsvm fits, without the checks of `SVC`, which are slow."""
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
    """Return the normal vector of each pair of classes; class i has no row against itself."""
    parts, normals = np.split(np.arange(len(vectors)), np.cumsum(counts)[:-1]), []
    for (i, a), (j, b) in combinations(enumerate(parts), 2):
        normals.append(duals[j - 1, a] @ vectors[a] + duals[i, b] @ vectors[b])
    return np.array(normals)


def _is_libsvm() -> bool:
    """Return whether libsvm gives what `SVC` does, of two classes and of three, without a word."""
    Z, truth = np.array([[0.0], [1.0], [2.0], [2.5], [4.0], [5.0]]), np.array([0, 1, 0, 2, 1, 2])
    options = Options(C=1.0, gamma=1.0)
    for rows, method in product((3, 6), ("linear_svm", "rbf_svm")):
        svm = unfitted(method, Z[:rows], options).fit(Z[:rows], truth[:rows])
        try:
            with warnings.catch_warnings(action="error"):
                fast = _FAST[method](Z[:rows], truth[:rows], options)
            np.testing.assert_array_equal(fast.predict(Z), svm.predict(Z))
            if fast.score:
                np.testing.assert_allclose(fast.score(Z), svm.decision_function(Z), atol=1e-12)
        except Exception:  # whatever becomes of functions with other arguments
            return False
    return True


FAST = _is_libsvm()  # else the estimators themselves, which give the same more slowly
