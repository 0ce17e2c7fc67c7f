"""How the components depend on the input variables: gradients and importances.

A score is a smooth function of the point, z_j(x) = Σ_i C_ij k(x, x_i) + constant, so that
its gradient says which variables a component reads at a place, as loadings do everywhere
for linear PCA.
"""

import numpy as np

from kpca.base import BaseKernelPCA, check_model
from kpca.kernels.derivatives import diagonal_gradients, weighted_gradients
from kpca.kernels.registry import KERNELS, as_dense
from kpca.linalg.resources import blocks, default_budget
from kpca.operators.expansion import Expansion
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix
from kpca.validation import check_memory, checked_samples

GRADIENT_ENTRIES = 1 << 20  # of a block of kernel values: 8 MB


def gradients(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Return the gradients ∂z_j/∂x_f of the scores with respect to the variables.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted, with a kernel by name.
    X : array of shape (m, d)
        Samples at which to take the gradients.

    Returns
    -------
    ndarray of shape (m, k, d)
        Gradients, in units of a score per unit of the variable.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a fitted KernelPCA, if its kernel is callable or precomputed, since its
        derivative is not known, or if the model does not take X.
    MemoryError
        If the gradients need more than the memory budget of the model, before any is computed.

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
    return _slopes(expansion, points, expansion.axes)


def importance(model: BaseKernelPCA, X: Matrix | None = None) -> Floats:
    """Return how much each variable changes each component, as fractions.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted, with a kernel by name.
    X : array of shape (m, d) or None, default=None
        Samples to average over. None means the training samples with their weights.

    Returns
    -------
    ndarray of shape (k, d)
        Fractions; each row sums to 1. Rows of components with eigenvalue zero are zero.

    Raises
    ------
    TypeError, ValueError
        As `gradients`, and for a single sample, which has no spread.

    Notes
    -----
    I_jf ∝ s_f √(mean over samples of (∂z_j/∂x_f)²), with s_f the standard deviation of variable f.
    For linear PCA that is ``|loading|`` · s_f.

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
    for block in blocks(len(points), rows_at_once(expansion)):
        slopes = _slopes(expansion, points[block], expansion.axes)
        squares += np.einsum("m,mjf->jf", weights[block], np.square(slopes))
    spread = np.sqrt(weights @ np.square(points - weights @ points))
    strengths = np.sqrt(squares) * spread
    totals = strengths.sum(axis=1, keepdims=True)
    return np.divide(strengths, totals, out=np.zeros_like(strengths), where=totals > 0)


def quadratic_form(expansion: Expansion, statistic: str) -> tuple[Floats, Floats]:
    """Return coefficients l and weights w of a novelty statistic.

    It is a constant + Σ_i l_i k(x, x_i) + Σ_j w_j z_j², and k(x, x) is added for the residual.
    """
    if statistic == "residual":
        return -2 * expansion.mean, -np.ones_like(expansion.offsets)
    return np.zeros_like(expansion.mean), 1 / score_variances(expansion)


def statistic_gradients(expansion: Expansion, statistic: str, points: Floats) -> Floats:
    """Return the gradient of a novelty statistic at dense points, of shape (m, d)."""
    source = _differentiable(expansion)
    linear, weights = quadratic_form(expansion, statistic)
    sums = _slopes(expansion, points, np.column_stack([expansion.axes, linear]))
    scaled = 2 * weights * expansion.scores(points)
    total = sums[:, -1] + np.einsum("mj,mjf->mf", scaled, sums[:, :-1])
    if statistic == "residual":
        total += diagonal_gradients(source.name, points, source.parameters)
    return total


def hotelling_values(expansion: Expansion, points: Matrix) -> Floats:
    """Return Hotelling's T² of points, of shape (m,)."""
    return (expansion.scores(points) ** 2 / score_variances(expansion)).sum(axis=1)


def score_variances(expansion: Expansion) -> Floats:
    """Return λ_j/W of each component, infinity for one without a variance, which has no part."""
    values = expansion.eigenvalues
    return np.where(values > 0, values / expansion.centering.total, np.inf)


def rows_at_once(expansion: Expansion) -> int:
    """Return how many samples have their gradients in memory at once."""
    return max(1, GRADIENT_ENTRIES // ((expansion.axes.shape[1] + 1) * expansion.source.X.shape[1]))


def expansion_of(model: BaseKernelPCA) -> Expansion:
    """Return the expansion of a fitted model whose kernel has a known derivative."""
    check_model(model)
    expansion = model.expansion()
    _differentiable(expansion)
    return expansion


def _slopes(expansion: Expansion, points: Floats, C: Floats) -> Floats:
    """Return the gradients of Σ_i C_ij k(x, x_i), of shape (m, p, d)."""
    source = _differentiable(expansion)
    name, training, parameters = source.name, as_dense(source.X), source.parameters
    slopes = np.empty((len(points), C.shape[1], training.shape[1]))
    for block in blocks(len(points), max(1, GRADIENT_ENTRIES // len(training))):
        slopes[block] = weighted_gradients(name, points[block], training, C, parameters)
    return slopes


def _differentiable(expansion: Expansion) -> KernelSource:
    source = expansion.source
    if not isinstance(source, KernelSource):
        raise ValueError(
            f"The derivative of kernel={source.name!r} is not known: gradients need a kernel by "
            f"name, one of {sorted(KERNELS)}, on the points themselves."
        )
    return source
