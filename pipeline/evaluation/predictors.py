"""Classifiers and regressors, trained on the features of the training rows."""

import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from pipeline.evaluation.methods import SVM_STEPS, Options, feature_scale, unfitted

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


def linear_rule(
    Z: np.ndarray,
    truth: np.ndarray,
    C: float,
    class_weight: str | None = None,
    scale: np.ndarray | float = 1.0,
) -> Predictor:
    """Train a linear SVM on features times ``scale``, one-vs-one for several classes.

    Predictions come from the normal vectors, which is faster than libsvm's sum over support
    vectors. As in libsvm, the first class with the most votes of all pairs wins.
    """
    if not FAST:
        svm = SVC(C=C, kernel="linear", class_weight=class_weight, max_iter=SVM_STEPS)
        return _predictor(svm.fit(Z * scale, truth), scale)
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
    if not FAST:
        return _predictor(unfitted("rbf_svm", Z, options).fit(Z, truth))
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


def _predictor(svm: SVC, scale: np.ndarray | float = 1.0) -> Predictor:
    """Return what a fitted SVM predicts of rows times ``scale``, by its public methods."""
    decide = None if len(svm.classes_) > 2 else lambda rows: svm.decision_function(rows * scale)
    return Predictor(lambda rows: svm.predict(rows * scale), decide)


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
    if method in _FAST:
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
    *,
    steps: int = SVM_STEPS,
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
        max_iter=steps,
        cache_size=_SVM_CACHE,
        **kernel,
    )
    if fitted[7]:
        message = f"The SVM stopped after {steps} steps, before it converged."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return classes, fitted


def _pairwise_normals(duals: np.ndarray, counts: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return the normal vector of each pair of classes; class i has no row against itself."""
    parts, normals = np.split(np.arange(len(vectors)), np.cumsum(counts)[:-1]), []
    for (i, a), (j, b) in combinations(enumerate(parts), 2):
        normals.append(duals[j - 1, a] @ vectors[a] + duals[i, b] @ vectors[b])
    return np.array(normals)


def _is_libsvm() -> bool:
    """Return whether the private functions do what `SVC` does: two classes, and no convergence."""
    Z, truth = np.array([[0.0], [1.0], [2.0], [2.5], [4.0], [5.0]]), np.array([0, 1, 0, 2, 1, 2])
    kernel: dict[str, Any] = {"kernel": "rbf", "gamma": 0.5}
    for rows, steps, sign in ((3, SVM_STEPS, -1), (6, 1, 1)):
        svm = SVC(**kernel, class_weight="balanced", max_iter=steps, decision_function_shape="ovo")
        try:
            with warnings.catch_warnings(action="ignore"):
                svm.fit(Z[:rows], truth[:rows])
                _, fitted = _libsvm(Z[:rows], truth[:rows], 1.0, "balanced", steps=steps, **kernel)
            model = fitted[:7]
            found = [*model[:3], sign * model[3], sign * model[4], fitted[7]]
            found.append(libsvm.predict(Z, *model, **kernel))
            found.append(np.squeeze(sign * libsvm.decision_function(Z, *model, **kernel)))
        except Exception:  # whatever becomes of functions with other arguments
            return False
        expected = [svm.support_, svm.support_vectors_, svm.n_support_, svm.dual_coef_]
        expected += [svm.intercept_, svm.fit_status_, svm.predict(Z), svm.decision_function(Z)]
        if not all(map(np.array_equal, found, expected)):
            return False
    return True


FAST = _is_libsvm()
"""Whether libsvm is called without the checks of `SVC`, which gives the same more slowly."""
