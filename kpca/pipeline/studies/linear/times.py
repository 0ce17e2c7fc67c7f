"""Wall times of the routes and of the factorisations, beside what they err."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from kpca.linear.routes import ROUTES, principal_axes
from kpca.linear.sparse_pca import SparsePCA
from kpca.linear.svd import svd
from kpca.pipeline.studies.linear.samples import builtin
from kpca.pipeline.studies.linear.sparse_fits import TOLERANCE
from kpca.pipeline.studies.linear.svd_errors import example_spectra, matrix_with_spectrum


def best_time(action: Callable[[], object], repeats: int) -> float:
    """Return the least wall time of several calls, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def route_times(
    *, n: int, sizes: Sequence[int], n_components: int, repeats: int, seed: int
) -> pd.DataFrame:
    """Time every route on n samples of d variables, d on either side of n.

    Returns
    -------
    DataFrame
        Columns route, n, d, seconds.
    """
    rows = []
    for d in sizes:
        X = np.random.default_rng(seed).standard_normal((n, d)) * np.arange(1, d + 1) ** -0.5
        X -= X.mean(axis=0)
        for route in ROUTES:
            action = partial(principal_axes, X, n_components, route=route)
            seconds = best_time(action, repeats)
            rows.append((route, n, d, seconds))
    return pd.DataFrame(rows, columns=["route", "n", "d", "seconds"])


def svd_times(
    *, shape: tuple[int, int], n_components: int, n_iters: Sequence[int], repeats: int, seed: int
) -> pd.DataFrame:
    """Time full, truncated and randomized SVD, and scikit-learn's randomized one.

    Returns
    -------
    DataFrame
        Columns spectrum, method, n_iter, seconds, excess: the Frobenius error over that of the
        best approximation of the same rank, minus 1. Our times include the error estimates.
    """
    rows = []
    for name, spectrum in example_spectra(shape[1]).items():
        X = matrix_with_spectrum(spectrum, shape[0], seed)
        best = float(np.sqrt(np.sum(spectrum[n_components:] ** 2)))
        for method, q, action in _factorisations(X, n_components, n_iters):
            seconds = best_time(action, repeats)
            rows.append((name, method, q, seconds, _frobenius(X, *action()) / best - 1))
    return pd.DataFrame(rows, columns=["spectrum", "method", "n_iter", "seconds", "excess"])


def sparse_times(seed: int) -> pd.DataFrame:
    """Time sparse PCA on digits, and by soft thresholds on 100 samples of 5000 variables.

    Returns
    -------
    DataFrame
        Columns data, l1_penalty, seconds, iterations, converged, nonzeros: the mean over the
        components.
    """
    rows = []
    for name, X, options in (
        ("digits, 10 components", builtin("digits"), {"n_components": 10}),
        ("100 × 5000, 5 components", blocks(seed), {"n_components": 5, "l2_penalty": np.inf}),
    ):
        for penalty in (2.0, 5.0, 20.0):
            model = SparsePCA(l1_penalty=penalty, tol=TOLERANCE, **options)
            seconds = best_time(partial(model.fit, X), 1)
            nonzeros = model.n_nonzero_.mean()
            rows.append((name, penalty, seconds, model.n_iter_, model.converged_, nonzeros))
    columns = ["data", "l1_penalty", "seconds", "iterations", "converged", "nonzeros"]
    return pd.DataFrame(rows, columns=columns)


def blocks(seed: int) -> np.ndarray:
    """Return 100 samples of 5000 variables: five factors of 40 variables each, and noise."""
    rng = np.random.default_rng(seed)
    loadings = np.zeros((5, 5000))
    for j in range(5):
        loadings[j, 40 * j : 40 * (j + 1)] = 1
    scores = rng.standard_normal((100, 5)) * [5, 4, 3, 2.5, 2]
    return np.asarray(scores @ loadings + rng.standard_normal((100, 5000)))


Factors = tuple[np.ndarray, np.ndarray, np.ndarray]


def _factorisations(
    X: np.ndarray, k: int, n_iters: Sequence[int]
) -> Iterator[tuple[str, int, Callable[[], Factors]]]:
    from sklearn.utils.extmath import randomized_svd

    for method in ("full", "truncated"):
        yield method, 0, partial(_factors, X, k, method=method)
    theirs = partial(randomized_svd, X, k, power_iteration_normalizer="LU", random_state=0)
    for q in n_iters:
        yield "randomized", q, partial(_factors, X, k, method="randomized", n_iter=q)
        yield "scikit-learn's randomized", q, partial(theirs, n_iter=q)


def _factors(X: np.ndarray, k: int, **options: Any) -> Factors:
    found = svd(X, k, **options)
    return found.U, found.s, found.Vt


def _frobenius(X: np.ndarray, U: np.ndarray, s: np.ndarray, Vt: np.ndarray) -> float:
    return float(np.linalg.norm(X - (U * s) @ Vt))
