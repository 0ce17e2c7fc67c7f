"""The elastic nets of sparse PCA: one for each component, all on the same variables."""

import numpy as np
import scipy.linalg

from kpca.types import Floats

#: Duality gap, relative to ‖y‖², at which an inner problem counts as solved.
GAP_TOLERANCE = 1e-10


def elastic_nets(
    X: Floats, A: Floats, *, l1: Floats, l2: float, start: Floats | None = None
) -> Floats:
    """Return B whose column b_j minimises ‖Xa_j − Xb‖² + λ‖b‖² + λ₁ⱼ‖b‖₁.

    For λ → ∞ the minimiser times λ tends to the soft threshold sign(c)(|c| − λ₁ⱼ/2)₊ of
    c = XᵀXa_j, which needs no iteration: that is what λ = ∞ returns.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Any root of the covariance matrix, S = XᵀX.
    A : ndarray of shape (d, k)
        Directions whose scores XA are regressed on X.
    l1 : ndarray of shape (k,)
        λ₁ of each component, not negative.
    l2 : float
        λ, not negative; may be infinite.
    start : ndarray of shape (d, k) or None
        Where the coordinate descent starts.

    Returns
    -------
    ndarray of shape (d, k)

    References
    ----------
    Zou and Hastie (2005), Regularization and variable selection via the elastic net, JRSS B 67.
    """
    products = X.T @ (X @ A)
    if np.isinf(l2):
        return np.sign(products) * np.maximum(np.abs(products) - l1 / 2, 0.0)
    gram = X.T @ X if X.shape[0] >= X.shape[1] else None
    B = np.empty_like(A)
    for j, penalty in enumerate(l1):
        if penalty == 0:
            B[:, j] = _ridge(X, X @ A[:, j], l2)
        else:
            first = None if start is None else start[:, j]
            B[:, j] = _descend(X, gram, A[:, j], products[:, j], float(penalty), l2, first)
    return B


def _ridge(X: Floats, y: Floats, l2: float) -> Floats:
    """Minimise ‖y − Xb‖² + λ‖b‖²; of several minimisers, the one of least norm."""
    d = X.shape[1]
    rows = np.vstack([X, np.sqrt(l2) * np.eye(d)])
    solution: Floats = scipy.linalg.lstsq(rows, np.concatenate([y, np.zeros(d)]))[0]
    return solution


def _descend(
    X: Floats,
    gram: Floats | None,
    a: Floats,
    product: Floats,
    l1: float,
    l2: float,
    start: Floats | None,
) -> Floats:
    # Imported here: sklearn.linear_model costs a second, and most users of this package
    # never fit a sparse component.
    from sklearn.linear_model import enet_path

    # scikit-learn minimises ‖y − Xb‖²/2m + α(ρ‖b‖₁ + (1 − ρ)‖b‖²/2).
    m = len(X)
    alpha = (l1 / 2 + l2) / m
    _, coefficients, _ = enet_path(
        np.asfortranarray(X),
        X @ a,
        l1_ratio=l1 / (2 * m * alpha),
        alphas=[alpha],
        precompute=False if gram is None else gram,
        Xy=None if gram is None else product.copy(),
        coef_init=start,
        tol=GAP_TOLERANCE,
        max_iter=100_000,
        check_input=False,
    )
    solution: Floats = coefficients[:, 0]
    return solution
