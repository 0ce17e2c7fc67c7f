"""Sparse principal components by elastic nets, by dictionary learning, and by deflation.

The methods, and the measures of their components, see a root R of the covariance matrix, RᵀR = C,
and nothing else.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.optimize import brentq

from kpca.linear.svd import svd
from kpca.types import EPS, Floats

#: Relative asymmetry, and negative eigenvalue, that count as rounding.
COVARIANCE_ROUNDING = 1e-8
#: Fraction of the largest entry; what lies between them counts as equal to it.
BELOW_ALL = 1 - 1e-12
#: Duality gap, relative to ‖y‖², at which an inner problem counts as solved.
GAP_TOLERANCE = 1e-10


class SparseLoadings(NamedTuple):
    """Sparse directions and how the method that found them ended.

    The loadings are columns of norm 1, or 0 where the penalty leaves nothing, in general neither
    orthogonal nor sorted by variance.
    """

    loadings: Floats  # (d, k)
    n_iter: int  # number of iterations, the largest one if each component has its own
    converged: bool  # whether the last iteration changed the loadings by less than the tolerance


def data_root(centred: Floats) -> Floats:
    """Return a root of XᵀX/(n − 1), X centred: X/√(n − 1), or its triangular factor if smaller."""
    n, d = centred.shape
    root = centred / np.sqrt(n - 1)
    return scipy.linalg.qr(root, mode="r")[0][:d] if n > d else root


def covariance_root(C: Floats) -> Floats:
    """Return the symmetric root of a covariance matrix.

    Raises
    ------
    ValueError
        If C is not square, not symmetric, or has a negative eigenvalue.
    """
    if C.shape[0] != C.shape[1]:
        raise ValueError(f'a covariance matrix is square, not {C.shape}: for samples, input="data"')
    scale = np.max(np.abs(C))
    if np.max(np.abs(C - C.T)) > COVARIANCE_ROUNDING * scale:
        raise ValueError("the covariance matrix is not symmetric: pass (C + C.T)/2 if it is meant")
    eigenvalues, vectors = scipy.linalg.eigh(C)
    if eigenvalues[0] < -COVARIANCE_ROUNDING * scale:
        raise ValueError(
            f"the covariance matrix has the negative eigenvalue {eigenvalues[0]:.2g}: clip it first"
        )
    return (vectors * np.sqrt(np.maximum(eigenvalues, 0.0))) @ vectors.T


def unit_columns(B: Floats) -> Floats:
    """Return B with columns of norm 1; a column of zeros stays."""
    lengths = np.linalg.norm(B, axis=0)
    return B / np.where(lengths > 0, lengths, 1.0)


def adjusted_variances(X: Floats, B: Floats) -> Floats:
    """Return what each score adds to those before it: R_jj² of the QR factorisation XB = QR.

    Equal to the variances ‖Xb_j‖² where the scores are uncorrelated; it depends on the order.

    X of shape (m, d) is any root of the covariance matrix, B of shape (d, k) loadings of norm 1.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), J. Comput. Graph. Stat. 15, section 3.4.
    """
    added = np.diag(scipy.linalg.qr(X @ B, mode="r")[0]) ** 2
    return np.pad(added, (0, B.shape[1] - len(added)))


def unexplained_share(X: Floats, B: Floats) -> float:
    """Return ‖X − XP‖²_F/‖X‖²_F in [0, 1], P the projection on the span of the loadings B."""
    basis = scipy.linalg.orth(B)
    total = np.sum(X**2)
    return float(np.sum((X - (X @ basis) @ basis.T) ** 2)) / (total or 1.0)


def elastic_nets(
    X: Floats, A: Floats, *, l1: Floats, l2: float, start: Floats | None = None
) -> Floats:
    """Return B whose column b_j minimises ‖Xa_j − Xb‖² + λ‖b‖² + λ₁ⱼ‖b‖₁.

    For λ → ∞ the minimiser times λ tends to the soft threshold sign(c)(|c| − λ₁ⱼ/2)₊ of
    c = XᵀXa_j, which needs no iteration: that is what λ = ∞ returns.

    X of shape (m, d) is any root of the covariance matrix, and A of shape (d, k) holds the
    directions whose scores XA are regressed on X. λ₁ of shape (k,) and λ are not negative; λ may be
    infinite. Coordinate descent begins at `start`, of shape (d, k).

    References
    ----------
    Zou and Hastie (2005), Regularization and variable selection via the elastic net, JRSS B 67.
    """
    from sklearn.linear_model import enet_path  # here, since it costs a second

    products = X.T @ (X @ A)
    if np.isinf(l2):
        return np.sign(products) * np.maximum(np.abs(products) - l1 / 2, 0.0)
    B, (m, d) = np.empty_like(A), X.shape
    gram = X.T @ X if m >= d else None
    for j, penalty in enumerate(l1):
        if penalty == 0:
            B[:, j] = _ridge(X, X @ A[:, j], l2)
            continue
        # scikit-learn minimises ‖y − Xb‖²/2m + α(ρ‖b‖₁ + (1 − ρ)‖b‖²/2).
        alpha = (penalty / 2 + l2) / m
        _, coefficients, _ = enet_path(
            np.asfortranarray(X),
            X @ A[:, j],
            l1_ratio=penalty / (2 * m * alpha),
            alphas=[alpha],
            precompute=False if gram is None else gram,
            Xy=None if gram is None else products[:, j].copy(),
            coef_init=None if start is None else start[:, j],
            tol=GAP_TOLERANCE,
            max_iter=100_000,
            check_input=False,
            # Without a seed it draws from the global state, even if coordinates go in turn.
            random_state=0,
        )
        B[:, j] = coefficients[:, 0]
    return B


def _ridge(X: Floats, y: Floats, l2: float) -> Floats:
    """Minimise ‖y − Xb‖² + λ‖b‖²; of several minimisers, the one of least norm."""
    d = X.shape[1]
    rows = np.vstack([X, np.sqrt(l2) * np.eye(d)])
    return scipy.linalg.lstsq(rows, np.concatenate([y, np.zeros(d)]))[0]


def spca(
    X: Floats, n_components: int, *, l1: Floats, l2: float, tol: float, max_iter: int
) -> SparseLoadings:
    """Minimise ‖X − XBAᵀ‖² + λ Σ‖b_j‖² + Σ λ₁ⱼ‖b_j‖₁ over B and AᵀA = I, in turn.

    With A fixed, B is one elastic net for each component; with B fixed, A = UVᵀ from the SVD
    XᵀXB = UDVᵀ. Both steps lower the objective. A starts at the ordinary loadings, and the
    columns of B are normalised at the end. The limit is a stationary point: the problem is not
    convex. With ``max_iter=0`` it is the method of two steps, which regresses each ordinary score
    on the variables. Where λ₁ = 0 that returns the ordinary loadings for every λ > 0.

    X, λ₁ and λ are those of `elastic_nets`; `tol` is the largest change of a normalised loading
    at which the alternation stops.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), Sparse principal component analysis, J. Comput. Graph.
    Stat. 15, algorithm 1 and sections 3.1 and 4.
    """
    A = svd(X, n_components).Vt.T
    B = elastic_nets(X, A, l1=l1, l2=l2)
    for n_iter in range(1, max_iter + 1):
        before = unit_columns(B)
        A = procrustes(X.T @ (X @ B))
        B = elastic_nets(X, A, l1=l1, l2=l2, start=B)
        if np.max(np.abs(unit_columns(B) - before)) < tol:
            return SparseLoadings(unit_columns(B), n_iter, converged=True)
    return SparseLoadings(unit_columns(B), max(max_iter, 1), converged=not max_iter)


def procrustes(M: Floats) -> Floats:
    """Return the A with orthonormal columns that maximises tr(AᵀM): UVᵀ of the SVD M = UDVᵀ."""
    U, _, Vt = scipy.linalg.svd(M, full_matrices=False)
    return U @ Vt


def dictionary(
    X: Floats, n_components: int, *, l1: float, tol: float, max_iter: int, random_state: int
) -> SparseLoadings:
    """Minimise ½‖X − ZBᵀ‖²_F + λ₁ Σ|B| over codes B and scores Z with columns of norm ≤ 1.

    The scores are free: they need not be projections XB of the data, so that this is matrix
    factorisation more than a search for directions.

    With X = data/√(n − 1), λ₁ is scikit-learn's alpha divided by √(n − 1). `tol` is the relative
    change of the objective at which the alternation stops; the seed is for atoms that fall out
    of use.

    References
    ----------
    Mairal, Bach, Ponce and Sapiro (2009), Online dictionary learning for sparse coding, ICML;
    ``sklearn.decomposition.dict_learning``.
    """
    from sklearn.decomposition import dict_learning  # here, since it costs a second

    limits = {"tol": tol, "max_iter": max_iter}
    code, _, _, n_iter = dict_learning(
        X.T, n_components, alpha=l1, random_state=random_state, return_n_iter=True, **limits
    )
    return SparseLoadings(unit_columns(np.asarray(code)), int(n_iter), converged=n_iter < max_iter)


def deflation(
    X: Floats, n_components: int, *, bound: Floats, tol: float, max_iter: int
) -> SparseLoadings:
    """Maximise wᵀXᵀXw under ‖w‖₂ = 1, ‖w‖₁ ≤ t; remove the direction; repeat.

    The maximum of a convex function is climbed by maximising its linearisation, whose solution
    is a soft threshold: w ← argmax (XᵀXw)ᵀz. Sparse directions are not orthogonal, so what is
    removed is the part of w orthogonal to those before: X ← X − Xqqᵀ takes their whole span away.

    X of shape (m, d) is any root of the covariance matrix, and `bound` has a t for each component:
    1 leaves a single variable, √d bounds nothing. `tol` is the largest change of a loading at the
    end of each direction, and `max_iter` limits its iterations.

    References
    ----------
    Jolliffe, Trendafilov and Uddin (2003), A modified principal component technique based on
    the LASSO, J. Comput. Graph. Stat. 12. Mackey (2008), Deflation methods for sparse PCA, NIPS.
    """
    rest = X.copy()
    removed = np.empty((X.shape[1], 0))
    # A remainder of X below this is the rounding error of the removed components.
    rounding = max(X.shape) * EPS * np.linalg.norm(X)
    loadings = []
    for t in bound[:n_components]:
        if np.linalg.norm(rest) <= rounding:
            rest = np.zeros_like(X)
        w, n_iter, converged = _climb(rest, float(t), tol, max_iter)
        loadings.append((w, n_iter, converged))
        q = w - removed @ (removed.T @ w)
        q /= np.linalg.norm(q) or 1.0
        rest -= np.outer(rest @ q, q)
        removed = np.column_stack([removed, q])
    directions, counts, statuses = zip(*loadings, strict=True)
    return SparseLoadings(np.column_stack(directions), max(counts), all(statuses))


def _climb(X: Floats, t: float, tol: float, max_iter: int) -> tuple[Floats, int, bool]:
    w = bounded_maximizer(X.T @ (X @ svd(X, 1).Vt[0]), t)
    for n_iter in range(1, max_iter + 1):
        before = w
        w = bounded_maximizer(X.T @ (X @ w), t)
        if np.max(np.abs(w - before)) < tol:
            return w, n_iter, True
    return w, max_iter, False


def bounded_maximizer(c: Floats, bound: float) -> Floats:
    """Return the z of norm 1 and ‖z‖₁ ≤ t, t ≥ 1, that maximises cᵀz; zero if c is.

    z ∝ sign(c)(|c| − Δ)₊ with the Δ at which ‖z‖₁ = t.
    """
    largest = np.abs(c).max()
    if largest == 0:
        return np.zeros_like(c)
    magnitude = np.abs(c) / largest

    def excess(threshold: float) -> float:
        rest = np.maximum(magnitude - threshold, 0.0)
        return float(rest.sum() - bound * np.linalg.norm(rest))

    z = magnitude
    if excess(0.0) > 0:
        if excess(BELOW_ALL) <= 0:
            z = np.maximum(magnitude - brentq(excess, 0.0, BELOW_ALL, xtol=EPS), 0.0)
        else:
            # More entries are the largest than the bound allows, and any of them will do.
            z = np.zeros_like(c)
            z[np.argmax(magnitude)] = 1.0
    return np.sign(c) * z / np.linalg.norm(z)
