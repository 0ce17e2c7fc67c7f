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
from kpca.inspection.sensitivity import expansion_of, quadratic_form
from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.expansion import Expansion
from kpca.types import Floats, Matrix
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
    count = (points.shape[1] + 1) // 2
    values = []
    for point in points:
        end = _factors(expansion, point)
        values.append(_integral(np.ones_like(end), end, lambda _: expansion.axes, count).T)
    return np.array(values)


def statistic_values(
    expansion: Expansion, statistic: str, points: Floats, reference: Floats
) -> Floats:
    """Return Shapley values of a statistic at dense points, of shape (m, d), as the reference has.

    The values sum to the difference of the statistic from that of the reference. With t the
    probability that a variable is put in, E z_j² = (E z_j)² + Var z_j. All points of the expansion
    give the first term, and landmarks give the second one, which is 0 at both ends. It comes from
    interactions of variables.
    """
    axes, source = expansion.axes, expansion.source
    n = len(axes)
    linear, weights = quadratic_form(expansion, statistic)
    rows = np.random.default_rng(0).choice(n, min(n, LANDMARKS), replace=False)
    landmarks = source.with_samples(source.X[rows])
    kernel_values = landmarks.apply(source.X, np.eye(len(rows)), expansion.n_threads)
    scores = expansion.point_scores + expansion.offsets
    landmark_axes: Any = np.linalg.lstsq(kernel_values, scores, rcond=1e-10)[0]
    products = (landmark_axes * weights) @ landmark_axes.T
    first, second = np.triu_indices(len(rows))
    of_pairs = products[first, second] * np.where(first == second, 1, 2)

    def with_pairs(point: Floats) -> Floats:
        factors = _factors(expansion, point)
        return np.hstack([factors, factors[:, rows[first]] * factors[:, rows[second]]])

    def slopes(expected: Floats) -> Floats:
        means = expected[:n] @ axes - expansion.offsets
        of_points = linear + axes @ (2 * weights * means)
        of_points[rows] -= 2 * products @ expected[rows]
        return np.append(of_points, of_pairs)

    count = min(points.shape[1], _NODES)
    values = [
        _integral(with_pairs(origin), with_pairs(point), slopes, count)
        for origin, point in zip(reference, points, strict=True)
    ]
    return np.array(values)


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
    change = end - start
    total: Any = 0
    for node, weight in zip(*np.polynomial.legendre.leggauss(count), strict=True):
        factors = start + (node + 1) / 2 * change
        products = factors.prod(axis=0)
        rates = change / np.maximum(factors, _TINY) * (weight / 2 * products)
        total += rates @ slopes(products)
    return total
