"""Shapley values of the input variables, for kernels that are products over the variables.

A score z_j(x) = Σ_i C_ij Π_f k_f(x_f, x_if) − ⟨μ, v_j⟩ is a sum of products. Variables that are
left out have the factors of a reference, so the mean over all orders in which variables are put in
is the integral of a polynomial (Mohammadi, Chau, Muandet, 2025). A Gauss–Legendre quadrature
computes it exactly.

References
----------
Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
product-kernel methods, arXiv 2505.16516.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from kpca.base import BaseKernelPCA
from kpca.inspection.sensitivity import expansion_of, score_variances
from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.expansion import Expansion
from kpca.types import Array, Floats, Matrix
from kpca.validation import checked_samples

PRODUCT_KERNELS = ("laplacian", "rbf")  # exp(−γ Σ_f |x_f − y_f|^p)
LANDMARKS = 64  # points of the model by which interactions of its scores are computed
_NODES = 16  # of the quadrature of a statistic: polynomials of degree 31 are exact
_TINY = np.finfo(np.float64).tiny  # a factor of 0 at both ends changes nothing


def shapley_values(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Return the exact Shapley values of the variables for the scores of samples.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted, with the kernel "rbf" or "laplacian".
    X : array of shape (m, d)
        Samples.

    Returns
    -------
    ndarray of shape (m, k, d)
        Values in the unit of the scores. Over the variables, they sum to the score minus the score
        with all variables left out. A variable that is left out does not distinguish the sample
        from any training sample: its factor of the kernel is 1.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a fitted KernelPCA, if its kernel is no product over the variables, or if
        the model does not take X.

    Notes
    -----
    The time per sample is O(n d² k).

    References
    ----------
    Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
    product-kernel methods, arXiv 2505.16516.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]])
    >>> model = KernelPCA(1, kernel="rbf", gamma=0.1).fit(X)
    >>> values = shapley_values(model, X)
    >>> left_out = model.transform(X) - values.sum(axis=2)
    >>> bool(np.allclose(left_out, left_out[0]))
    True
    """
    expansion = expansion_of(model)
    if expansion.source.name not in PRODUCT_KERNELS:
        raise ValueError(
            f"kernel={expansion.source.name!r} is no product over the variables, which Shapley "
            f"values need: take one of {PRODUCT_KERNELS}."
        )
    points = as_dense(checked_samples(model, X))
    values = np.empty((len(points), expansion.axes.shape[1], points.shape[1]))
    count = (points.shape[1] + 1) // 2
    for row, point in enumerate(points):
        end = _factors(expansion, point)
        values[row] = _integral(np.ones_like(end), end, lambda _: expansion.axes, count).T
    return values


def statistic_values(
    expansion: Expansion, statistic: str, points: Floats, reference: Floats
) -> Floats:
    """Return Shapley values of a statistic at dense points, of shape (m, d), as the reference has.

    The values sum to the difference of the statistic from that of the reference. With t the
    probability that a variable is put in, E z_j² = (E z_j)² + Var z_j. All points of the expansion
    give the first term, and landmarks give the second one, which is 0 at both ends. It comes from
    interactions of variables.
    """
    axes = expansion.axes
    # The statistic is a constant + Σ_i linear_i k(x, x_i) + Σ_j weights_j z_j².
    linear, weights = np.zeros(len(axes)), 1 / score_variances(expansion)
    if statistic == "residual":
        linear, weights = -2 * expansion.mean, -np.ones_like(weights)
    landmarks, landmark_axes = _landmark_axes(expansion)
    products = (landmark_axes * weights) @ landmark_axes.T
    first, second = np.triu_indices(len(landmark_axes))
    of_pairs = products[first, second] * np.where(first == second, 1, 2)

    def mean_slopes(expected: Floats) -> Floats:
        scores = expected @ axes - expansion.offsets
        return linear + axes @ (2 * weights * scores)

    values, count = np.empty_like(points), min(points.shape[1], _NODES)
    for row, (origin, point) in enumerate(zip(reference, points, strict=True)):
        start, end = (_factors(expansion, ends) for ends in (origin, point))
        values[row] = _integral(start, end, mean_slopes, count)
        start, end = start[:, landmarks], end[:, landmarks]
        values[row] -= _integral(start, end, lambda expected: 2 * products @ expected, count)
        start, end = (side[:, first] * side[:, second] for side in (start, end))
        values[row] += _integral(start, end, lambda _: of_pairs, count)
    return values


def _factors(expansion: Expansion, point: Floats) -> Floats:
    """Return k_f(x_f, x_if), of shape (d, n)."""
    source: Any = expansion.source
    distances = np.abs(as_dense(source.X) - point).T ** KERNELS[source.name].median_power
    return np.exp(-source.parameters.gamma * distances)


def _integral(start: Floats, end: Floats, slopes: Callable[[Floats], Floats], count: int) -> Floats:
    """Return what each variable changes a function of products of factors, of shape (d, …).

    It is a mean over the probability with which variables are put in, by a number of nodes. The
    function has slopes with respect to the products.
    """
    change, total = end - start, np.float64(0)
    for node, weight in zip(*np.polynomial.legendre.leggauss(count), strict=True):
        factors = start + (node + 1) / 2 * change
        products = factors.prod(axis=0)
        rates = change / np.maximum(factors, _TINY) * (weight / 2 * products)
        total = total + rates @ slopes(products)
    return np.asarray(total)


def _landmark_axes(expansion: Expansion) -> tuple[Array, Floats]:
    """Return rows of landmarks and coefficients of the axes in them, which fit all scores best."""
    n, source = len(expansion.axes), expansion.source
    if n <= LANDMARKS:
        return np.arange(n), expansion.axes
    rows = np.random.default_rng(0).choice(n, LANDMARKS, replace=False)
    values = source.with_samples(source.X[rows]).apply(
        source.X, np.eye(LANDMARKS), expansion.n_threads
    )
    products = expansion.point_scores + expansion.offsets
    return rows, np.asarray(np.linalg.lstsq(values, products, rcond=1e-10)[0], float)
