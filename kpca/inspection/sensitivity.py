"""How the components depend on the input variables: gradients and importances.

A score is a smooth function of the point, z_j(x) = Σ_i C_ij k(x, x_i) + constant, so that
its gradient says which variables a component reads at a place, as loadings do everywhere
for linear PCA.
"""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from kpca.expansion import Subspace
from kpca.kernels import as_dense
from kpca.kernels.gradients import KNOWN, diagonal_gradients, weighted_gradients
from kpca.linalg.row_blocks import blocks
from kpca.operators.sources import KernelSource
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
    return (
        diagonal_gradients(source.name, points, source.parameters) - 2 * sums[:, -1] - 2 * explained
    )


def _slopes(model: Any, X: Matrix, C: Floats) -> Floats:
    source = _source(model)
    points, training = as_dense(X), as_dense(source.X)
    parts = [
        weighted_gradients(source.name, points[block], training, C, source.parameters)
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
