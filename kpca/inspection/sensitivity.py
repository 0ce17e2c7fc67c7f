"""How the components depend on the input variables: gradients and importances.

A score is a smooth function of the point, z_j(x) = Σ_i C_ij k(x, x_i) + constant, so that
its gradient says which variables a component reads at a place, as loadings do everywhere
for linear PCA.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kpca.expansion import Subspace
from kpca.kernels import KernelParameters, kernel_matrix, squared_norms
from kpca.kernels.inner_product import LINKS, argument
from kpca.linalg.row_blocks import blocks
from kpca.operators.sources import KernelSource
from kpca.preimage.base import as_dense
from kpca.types import Floats, Matrix

ENTRIES = 1 << 20  # of a block of kernel values: 8 MB


def gradients(model: Any, X: Matrix) -> Floats:
    """Give the gradients ∂z_j/∂x_f of the scores at points.

    Parameters
    ----------
    model : KernelPCA
        Fitted, with a kernel by name.
    X : array of shape (m, d)

    Returns
    -------
    ndarray of shape (m, k, d)
        In units of a score over a unit of the variable.

    Raises
    ------
    ValueError
        For a callable or precomputed kernel, whose derivative is not known.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> abs(gradients(model, [[1.0, 1.0]])).round(3)
    array([[[0.6, 0.8]]])
    """
    return _slopes(model, X, Subspace(model).axes)


def importance(model: Any, X: Matrix | None = None) -> Floats:
    """Give the share of each variable in the changes of each component.

    I_jf ∝ s_f √(mean over points of (∂z_j/∂x_f)²), s_f the standard deviation of the
    variable, scaled so that each row sums to 1. For linear PCA that is |loading| · s_f.

    Parameters
    ----------
    model : KernelPCA
        Fitted, with a kernel by name.
    X : array of shape (m, d), optional
        The points to average over; by default the training points.

    Returns
    -------
    ndarray of shape (k, d)
        Rows of components with eigenvalue zero are zero.
    """
    check_is_fitted(model)
    X = as_dense(model.X_fit_ if X is None else X)
    strengths = np.sqrt(np.square(gradients(model, X)).mean(axis=0)) * X.std(axis=0)
    totals = strengths.sum(axis=1, keepdims=True)
    return np.divide(strengths, totals, out=np.zeros_like(strengths), where=totals > 0)


def residual_gradients(model: Any, X: Matrix) -> Floats:
    """Give the gradient of `KernelPCA.reconstruction_error` at points.

    ∂k(x, x)/∂x − 2 ∂⟨φ(x), μ⟩/∂x − 2 Σ_j z_j ∂z_j/∂x, of shape (m, d).
    """
    source = _source(model)
    space, points = Subspace(model), as_dense(X)
    sums = _slopes(model, points, np.column_stack([space.axes, space.mean]))
    scores = np.asarray(model.transform(points), dtype=np.float64)
    explained = np.einsum("mj,mjf->mf", scores, sums[:, :-1])
    return _own_slope(source.name, points, source.parameters) - 2 * sums[:, -1] - 2 * explained


def _slopes(model: Any, X: Matrix, C: Floats) -> Floats:
    source = _source(model)
    points, training = as_dense(X), as_dense(source.X)
    parts = [
        _sums(source.name, points[block], training, C, source.parameters)
        for block in blocks(len(points), max(1, ENTRIES // len(training)))
    ]
    return np.concatenate(parts) if parts else np.empty((0, C.shape[1], training.shape[1]))


def _source(model: Any) -> KernelSource:
    check_is_fitted(model)
    source = model._source()
    if not isinstance(source, KernelSource) or source.name not in KNOWN:
        raise ValueError(
            f"The derivative of kernel={model.kernel!r} is not known: gradients need a kernel by "
            f"name, one of {KNOWN}, on the points themselves."
        )
    return source


def _sums(name: str, X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """Give Σ_i C_ij ∂k(x, t_i)/∂x_f at the rows x of X, an array of shape (m, p, d).

    For a function of the inner product ∂k/∂x = γ f′(γ x·t_i + c) t_i.
    """
    if name in SLOPES:
        return SLOPES[name](X, T, C, p)
    gamma, constant = argument(name, p)
    return gamma * _each(LINKS[name].slope(gamma * (X @ T.T) + constant, p), T, C)


def _own_slope(name: str, X: Floats, p: KernelParameters) -> Floats:
    """Give ∂k(x, x)/∂x_f, of shape (m, d): 2γ f′(γ‖x‖² + c) x, or 0 where k(x, x) is constant."""
    if name in SLOPES:
        return np.zeros_like(X)
    gamma, constant = argument(name, p)
    return 2 * gamma * LINKS[name].slope(gamma * squared_norms(X) + constant, p)[:, None] * X


def _each(K: Floats, T: Floats, C: Floats) -> Floats:
    """Σ_i K_mi C_ij T_if, one column of C at a time so that memory stays O(m n)."""
    return np.stack([(K * column) @ T for column in C.T], axis=1)


def _gaussian(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """∂k/∂x = −2γ k (x − x_i)."""
    K = kernel_matrix(X, T, kernel="rbf", gamma=p.gamma)
    return -2 * p.gamma * ((K @ C)[:, :, None] * X[:, None, :] - _each(K, T, C))


def _laplacian(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """∂k/∂x_f = −γ k sign(x_f − x_if); zero on the kink itself."""
    K = kernel_matrix(X, T, kernel="laplacian", gamma=p.gamma)
    signs = (np.sign(x[:, None] - t) for x, t in zip(X.T, T.T, strict=True))
    return -p.gamma * np.stack([(K * sign) @ C for sign in signs], axis=2)


def _cosine(X: Floats, T: Floats, C: Floats, _: KernelParameters) -> Floats:
    """∂k/∂x = (x̂_i − k x̂)/‖x‖; zero at the origin, where there is no direction."""
    norms = np.sqrt(squared_norms(X))[:, None]
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    lengths = np.sqrt(squared_norms(T))[:, None]
    directions = np.divide(T, lengths, out=np.zeros_like(T), where=lengths > 0)
    unit = X * inverse
    along = (unit @ (directions.T @ C))[:, :, None] * unit[:, None, :]
    return ((directions.T @ C).T - along) * inverse[:, :, None]


# Kernels whose k(x, x) is constant.
SLOPES: dict[str, Callable[[Floats, Floats, Floats, KernelParameters], Floats]] = {
    "rbf": _gaussian,
    "laplacian": _laplacian,
    "cosine": _cosine,
}
KNOWN = sorted([*SLOPES, *LINKS])
