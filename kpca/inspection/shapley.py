"""Shapley values of the input variables, for kernels that are products over the variables.

A score z_j(x) = Σ_i C_ij Π_f k_f(x_f, x_if) − ⟨μ, v_j⟩ is a sum of products. A variable that is
left out has the factor k_f of a reference instead. Then the mean over all orders in which variables
are put in is the integral of a polynomial (Mohammadi, Chau, Muandet, 2025). A Gauss–Legendre
quadrature computes this integral exactly.

References
----------
Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
product-kernel methods, arXiv 2505.16516.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import roots_sh_legendre

from kpca.base import BaseKernelPCA
from kpca.inspection.sensitivity import expansion_of, quadratic_form
from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.expansion import Expansion
from kpca.types import Floats, Matrix
from kpca.validation import checked_samples

PRODUCT_KERNELS = ("laplacian", "rbf")  # kernels exp(−γ Σ_f |x_f − y_f|^p)
LANDMARKS = 48  # number of landmarks in each of the two sets that estimate interactions
NODES = 12  # number of quadrature nodes for a statistic; exact up to polynomials of degree 23
LEAST = 1.5e-154  # smallest kernel factor, so that its square, a divisor, does not underflow


def shapley_values(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Return the exact Shapley values of the variables for the scores of samples.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model with the kernel "rbf" or "laplacian".
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
        If `model` is not a fitted KernelPCA, if its kernel is not a product over the variables, or
        if the model does not take X.

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
    quadrature = roots_sh_legendre((points.shape[1] + 1) // 2)
    values = []
    for point in points:
        end = _factors(expansion, point)
        changes = _changes(np.ones_like(end), end, np.ones_like, quadrature, np.multiply)
        values.append((changes @ expansion.axes).T)
    return np.array(values)


def statistic_values(
    expansion: Expansion, statistic: str, points: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """Return Shapley values of a statistic at dense points, of shape (m, d), and their errors.

    The values of a point sum to its statistic minus the statistic of its row of `reference`. If
    variables are put in with probability t, E z_j² = (E z_j)² + Var z_j. The first term is computed
    from all points of the expansion. The variance comes from interactions of variables, and is 0 at
    t = 0 and t = 1. Two sets of landmarks estimate it, and a value uses the mean of both estimates.
    The error of a point, in an array of shape (m,), is their largest difference over the variables.
    """
    linear, weights = quadratic_form(expansion, statistic)
    rng = np.random.default_rng(0)
    quadrature = roots_sh_legendre(min(points.shape[1], NODES))
    variances = [_variance_of_scores(expansion, weights, rng, quadrature) for _ in range(2)]

    def slopes(products: Floats) -> Floats:
        scores = products @ expansion.axes - expansion.offsets
        return linear + (2 * weights * scores) @ expansion.axes.T

    values = np.empty_like(points)
    errors = np.empty(len(points))
    for row, point in enumerate(points):
        start = _factors(expansion, reference[row])
        end = _factors(expansion, point)
        estimates = [variance(start, end) for variance in variances]
        values[row] = _changes(start, end, slopes, quadrature) + np.mean(estimates, axis=0)
        errors[row] = np.ptp(estimates, axis=0).max()
    return values, errors


def _variance_of_scores(
    expansion: Expansion, weights: Floats, rng: np.random.Generator, quadrature: Sequence[Floats]
) -> Callable[[Floats, Floats], Floats]:
    """Draw landmarks, and return a function that computes what Var z_j adds to Shapley values.

    The function takes the factors of the kernel at the reference and at the point. Its result is
    the contribution of products of two factors, minus that of the products of their means.
    """
    source: Any = expansion.source
    landmarks = rng.choice(source.n, min(source.n, LANDMARKS), replace=False)
    kernel_values = source.with_samples(source.X[landmarks]).bound().values(source.X)
    scores = expansion.point_scores + expansion.offsets
    axes: Any = np.linalg.lstsq(kernel_values, scores, rcond=1e-10)[0]
    # With Q = form and kernel values k of the landmarks, kᵀQk approximates Σ_j w_j z_j².
    form = (axes * weights) @ axes.T
    # Compute each pair of landmarks once, because pairs take most of the time.
    pairs = np.triu_indices(len(form))
    of_pairs = (2 * form - np.diag(form.diagonal()))[pairs]

    def variance(start: Floats, end: Floats) -> Floats:
        start = start[:, landmarks]
        end = end[:, landmarks]
        first, second = pairs
        pairs_start = start[:, first] * start[:, second]
        pairs_end = end[:, first] * end[:, second]
        of_products = _changes(pairs_start, pairs_end, lambda _: of_pairs, quadrature)
        of_means = _changes(start, end, lambda products: 2 * products @ form, quadrature)
        return of_products - of_means

    return variance


def _factors(expansion: Expansion, point: Floats) -> Floats:
    """Return the factors k_f(x_f, x_if) of the kernel at a point x, of shape (d, n)."""
    source: Any = expansion.source
    distances = np.abs(as_dense(source.X) - point).T ** KERNELS[source.name].median_power
    return np.maximum(np.exp(-source.parameters.gamma * distances), LEAST)


def _changes(
    start: Floats,
    end: Floats,
    slopes: Callable[[Floats], Floats],
    quadrature: Sequence[Floats],
    share_out: Callable[[Floats, Floats], Any] = np.matmul,
) -> Any:
    """Return how much each variable changes a function of the n products of kernel factors.

    ``start`` and ``end`` hold the factors, of shape (d, n), if all variables are left out or put
    in. A change is the mean over all orders in which variables are put in. It is computed as an
    integral over the probability that a variable is put in. ``slopes`` returns the derivatives of
    the function at products of shape (count, n), one row per node of the quadrature. The result has
    shape (d,), or (d, n) if ``share_out`` is np.multiply, which does not sum over the products.
    """
    nodes, weights = quadrature
    # Contiguous arrays, and a loop over the nodes, reduce the time to a third.
    start, steps = np.ascontiguousarray(start), np.ascontiguousarray(end - start)
    products = np.array([(start + node * steps).prod(axis=0) for node in nodes])
    gains = weights[:, None] * products * slopes(products)
    rates = (steps / (start + node * steps) for node in nodes)
    return sum(map(share_out, rates, gains))
