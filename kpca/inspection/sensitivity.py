"""How the components depend on the input variables: gradients and importances.

A score z_j(x) = Σ_i C_ij k(x, x_i) + constant is a smooth function of the point x. Its gradient
shows on which variables the component depends at x. For linear PCA, the gradient is the same
everywhere and consists of the loadings.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kpca.base import BaseKernelPCA, check_model
from kpca.kernels.derivatives import diagonal_gradients, weighted_gradients
from kpca.kernels.registry import KERNELS, as_dense
from kpca.linalg.resources import blocks, default_budget
from kpca.operators.expansion import Expansion
from kpca.operators.grams import inverse_roots
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix
from kpca.validation import check_memory, checked_samples

GRADIENT_ENTRIES = 1 << 20  # number of kernel values, or of gradients, per block; they take 8 MB


def gradients(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Return the gradients ∂z_j/∂x_f of the scores with respect to the variables.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model whose kernel is given by name.
    X : array of shape (m, d)
        Samples at which to take the gradients.

    Returns
    -------
    ndarray of shape (m, k, d)
        Gradients, in units of a score per unit of the variable.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a fitted KernelPCA, or if the model does not take X. Also if the kernel is
        callable or precomputed, because its derivative is then not known, and if a derivative is
        not finite, as of "poly" with a fractional degree where γ x·y + coef0 is negative.
    MemoryError
        If the gradients need more than the memory budget of the model. They are then not computed.

    Notes
    -----
    z_j(x) = Σ_i C_ij k(x, x_i) − ⟨μ, v_j⟩, so ∂z_j/∂x_f = Σ_i C_ij ∂k(x, x_i)/∂x_f.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> abs(gradients(model, [[1.0, 1.0]])).round(3)
    array([[[0.6, 0.8]]])
    """
    expansion = expansion_of(model)
    points = as_dense(checked_samples(model, X))
    k, (m, d) = expansion.axes.shape[1], points.shape
    purpose = f"The gradients of {k} components at {m} points of {d} variables take"
    budget = model.memory_budget or default_budget()
    check_memory(purpose, 8.0 * k * m * d, budget, "pass fewer points at a time")
    slopes = np.empty((m, k, d))
    for block, slopes_of_block in _slopes(expansion, points, expansion.axes):
        slopes[block] = slopes_of_block
    return slopes


def importance(model: BaseKernelPCA, X: Matrix | None = None) -> Floats:
    """Return how much each variable changes each component, as fractions.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model whose kernel is given by name.
    X : array of shape (m, d) or None, default=None
        Samples to average over. None means the training samples with their weights. A
        `LandmarkKernelPCA` does not hold them, so None means its landmarks with equal weights.

    Returns
    -------
    ndarray of shape (k, d)
        Fractions; each row sums to 1. Rows of components with eigenvalue zero are zero.

    Raises
    ------
    TypeError, ValueError
        As for `gradients`, and if X has only one sample, because it has no spread.

    Notes
    -----
    I_jf ∝ s_f √(mean over samples of (∂z_j/∂x_f)²), with s_f the standard deviation of variable f.
    For linear PCA, I_jf is proportional to ``|loading|`` · s_f.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]])
    >>> importance(KernelPCA(1).fit(X)).round(3)
    array([[1., 0.]])
    """
    expansion = expansion_of(model)
    points = as_dense(expansion.source.X if X is None else checked_samples(model, X, rows=2))
    weights = np.full(len(points), 1 / len(points))
    if X is None and expansion.eigenvectors is not None:
        weights = expansion.centering.normalized_weights
    squares = np.zeros((expansion.axes.shape[1], points.shape[1]))
    for block, slopes in _slopes(expansion, points, expansion.axes):
        squares += np.einsum("m,mjf->jf", weights[block], np.square(slopes))
    spread = np.sqrt(weights @ np.square(points - weights @ points))
    strengths = np.sqrt(squares) * spread
    totals = strengths.sum(axis=1, keepdims=True)
    return strengths / np.where(totals > 0, totals, 1)


def quadratic_form(expansion: Expansion, statistic: str) -> tuple[Floats, Floats]:
    """Return the coefficients l and weights w that define a novelty statistic.

    The statistic is a constant + Σ_i l_i k(x, x_i) + Σ_j w_j z_j². The residual also includes
    k(x, x). For T², components with variance zero have the weight 0.
    """
    if statistic == "residual":
        return -2 * expansion.mean, -np.ones_like(expansion.offsets)
    weights = expansion.centering.total * inverse_roots(expansion.eigenvalues) ** 2
    return np.zeros_like(expansion.mean), weights


def statistic_at(expansion: Expansion, statistic: str, points: Matrix) -> Floats:
    """Return the values of a novelty statistic at points, of shape (m,)."""
    if statistic == "residual":
        return expansion.squared_distances(points)
    return expansion.scores(points) ** 2 @ quadratic_form(expansion, statistic)[1]


def statistic_gradients(expansion: Expansion, statistic: str, points: Floats) -> Floats:
    """Return the gradient of a novelty statistic at dense points, of shape (m, d)."""
    linear, weights = quadratic_form(expansion, statistic)
    factors = np.column_stack([2 * weights * expansion.scores(points), np.ones(len(points))])
    gradient = np.empty(points.shape)
    for block, slopes in _slopes(expansion, points, np.column_stack([expansion.axes, linear])):
        gradient[block] = np.einsum("mj,mjf->mf", factors[block], slopes)
    if statistic == "residual":
        shifted, points = expansion.shifted(points)
        source: Any = shifted.source
        gradient += diagonal_gradients(source.name, points, source.parameters)
    return gradient


def expansion_of(model: BaseKernelPCA) -> Expansion:
    """Return the expansion of a fitted model whose kernel has a known derivative."""
    check_model(model)
    expansion = model.expansion()
    if not isinstance(expansion.source, KernelSource):
        raise ValueError(
            f"The derivative of kernel={expansion.source.name!r} is not known: gradients need a "
            f"kernel by name, one of {sorted(KERNELS)}, on the points themselves."
        )
    return expansion


def _slopes(expansion: Expansion, points: Floats, C: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield slices of points with the gradients of Σ_i C_ij k(x, x_i) there, of shape (m, p, d)."""
    shifted, points = expansion.shifted(points)
    source: Any = shifted.source
    training = as_dense(source.X)
    entries_per_point = max(len(training), C.shape[1] * training.shape[1])
    for block in blocks(len(points), max(1, GRADIENT_ENTRIES // entries_per_point)):
        yield block, weighted_gradients(source.name, points[block], training, C, source.parameters)
