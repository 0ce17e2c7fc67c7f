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
from kpca.types import Array, Floats, Matrix
from kpca.validation import checked_samples

PRODUCT_KERNELS = ("laplacian", "rbf")  # exp(−γ Σ_f |x_f − y_f|^p)
LANDMARKS = 48  # points of the model per set that estimates interactions of variables
NODES = 12  # nodes of the quadrature of a statistic, exact for polynomials of degree 23
_TINY = np.finfo(np.float64).tiny  # least divisor, so that a factor of 0 at both ends has no part


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
) -> tuple[Floats, Floats]:
    """Return Shapley values of a statistic at dense points, and their errors.

    The values of shape (m, d) sum to the difference of the statistic from that of the reference,
    which has the same shape. With t the probability that a variable is put in, E z_j² = (E z_j)² +
    Var z_j. All points of the expansion give the first term. The second one comes from interactions
    of variables and is 0 at both ends. Two sets of landmarks estimate it: a value is the mean of
    both, and the error of shape (m,) is the largest difference between the two of any variable.
    """
    axes = expansion.axes
    linear, weights = quadratic_form(expansion, statistic)
    rng, n = np.random.default_rng(0), len(axes)
    drawn = [rng.choice(n, min(n, LANDMARKS), replace=False) for _ in range(2)]
    forms = [_form_of_landmarks(expansion, rows, weights) for rows in drawn]

    def slopes(expected: Floats) -> Floats:
        means = expected @ axes - expansion.offsets
        return linear + axes @ (2 * weights * means)

    count = min(points.shape[1], NODES)
    values, errors = np.empty_like(points), np.empty(len(points))
    for row, (origin, point) in enumerate(zip(reference, points, strict=True)):
        start, end = _factors(expansion, origin), _factors(expansion, point)
        first, second = (
            _variance_values(form, start[:, rows], end[:, rows], count)
            for form, rows in zip(forms, drawn, strict=True)
        )
        values[row] = _integral(start, end, slopes, count) + (first + second) / 2
        errors[row] = np.abs(first - second).max()
    return values, errors


def _form_of_landmarks(expansion: Expansion, rows: Array, weights: Floats) -> Floats:
    """Return Q such that kᵀQk is Σ_j w_j z_j² of scores that are fitted by landmarks."""
    source = expansion.source
    landmarks = source.with_samples(source.X[rows])
    kernel_values = landmarks.apply(source.X, np.eye(len(rows)), expansion.n_threads)
    scores = expansion.point_scores + expansion.offsets
    axes: Any = np.linalg.lstsq(kernel_values, scores, rcond=1e-10)[0]
    return np.asarray((axes * weights) @ axes.T)


def _variance_values(form: Floats, start: Floats, end: Floats, count: int) -> Floats:
    """Return the part of Var z_j: of products of two factors, minus the products of their means."""
    first, second = np.triu_indices(len(form))
    of_pairs = form[first, second] * np.where(first == second, 1, 2)
    start_pairs, end_pairs = (side[:, first] * side[:, second] for side in (start, end))
    of_products = _integral(start_pairs, end_pairs, lambda _: of_pairs, count)
    of_means = _integral(start, end, lambda expected: 2 * form @ expected, count)
    return of_products - of_means


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
