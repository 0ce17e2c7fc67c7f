"""Sparse principal components by elastic nets, by dictionary learning, and by deflation.

All functions that fit or measure components take a root R of the covariance matrix C, RᵀR = C.
They need no other data, so that samples and their covariance matrix give the same components.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.optimize import brentq

from kpca.linear.svd import svd
from kpca.types import EPS, Floats

#: Largest asymmetry or negative eigenvalue that is rounding, relative to the largest entry.
COVARIANCE_ROUNDING = 1e-8
#: An entry counts as equal to the largest one if its modulus is at least this fraction of it.
BELOW_ALL = 1 - 1e-12
#: Largest duality gap, relative to ‖Xa_j‖², at which an elastic net counts as solved.
GAP_TOLERANCE = 1e-10


class SparseLoadings(NamedTuple):
    """Sparse loadings, and how the iterations that computed them ended.

    The columns of the loadings have norm 1, or 0 if the penalty leaves no nonzero entry. In general
    they are neither orthogonal nor sorted by variance.
    """

    loadings: Floats  # (d, k)
    n_iter: int  # number of iterations; the largest one if components iterate separately
    converged: bool  # whether the last iteration changed the loadings by less than the tolerance


def data_root(centred: Floats) -> Floats:
    """Return R with RᵀR = XᵀX/(n − 1) for centred X: X/√(n − 1), or its QR factor if n > d."""
    n, d = centred.shape
    root = centred / np.sqrt(n - 1)
    return scipy.linalg.qr(root, mode="r")[0][:d] if n > d else root


def covariance_root(C: Floats) -> Floats:
    """Return the symmetric root of the covariance matrix C.

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
    """Return B with its columns scaled to norm 1; columns of zeros stay zero."""
    lengths = np.linalg.norm(B, axis=0)
    return B / np.where(lengths > 0, lengths, 1.0)


def adjusted_variances(X: Floats, B: Floats) -> Floats:
    """Return the variance that each score adds to those before it: R_jj² of XB = QR.

    If the scores are uncorrelated, these are their variances ‖Xb_j‖². Otherwise the result depends
    on the order of the scores.

    X of shape (m, d) is any root of the covariance matrix, B of shape (d, k) loadings of norm 1.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), J. Comput. Graph. Stat. 15, section 3.4.
    """
    added = np.diag(scipy.linalg.qr(X @ B, mode="r")[0]) ** 2
    return np.pad(added, (0, B.shape[1] - len(added)))


def unexplained_share(X: Floats, B: Floats) -> float:
    """Return ‖X − XP‖²_F/‖X‖²_F, where P projects orthogonally on the span of the loadings B."""
    basis = scipy.linalg.orth(B)
    total = np.sum(X**2)
    return float(np.sum((X - (X @ basis) @ basis.T) ** 2)) / (total or 1.0)


def elastic_nets(
    X: Floats, A: Floats, *, l1: Floats, l2: float, start: Floats | None = None
) -> Floats:
    """Return B whose column b_j minimises ‖Xa_j − Xb‖² + λ‖b‖² + λ₁ⱼ‖b‖₁.

    X of shape (m, d) is any root of the covariance matrix. A of shape (d, k) holds the directions
    whose scores XA are regressed on X. λ₁ is `l1` of shape (k,), and λ is `l2`; both are at least
    0. Coordinate descent begins at `start`, of shape (d, k).

    For λ → ∞ the minimiser times λ tends to the soft threshold sign(c)(|c| − λ₁ⱼ/2)₊ of
    c = XᵀXa_j. λ = ∞ returns this threshold, which needs no iteration.

    References
    ----------
    Zou and Hastie (2005), Regularization and variable selection via the elastic net, JRSS B 67.
    """
    from sklearn.linear_model import enet_path  # The import takes a second.

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
            # Without a seed, `enet_path` draws from NumPy's global state, although it needs none.
            random_state=0,
        )
        B[:, j] = coefficients[:, 0]
    return B


def _ridge(X: Floats, y: Floats, l2: float) -> Floats:
    """Return the b of smallest norm among the minimisers of ‖y − Xb‖² + λ‖b‖²."""
    d = X.shape[1]
    rows = np.vstack([X, np.sqrt(l2) * np.eye(d)])
    return scipy.linalg.lstsq(rows, np.concatenate([y, np.zeros(d)]))[0]


def spca(
    X: Floats, n_components: int, *, l1: Floats, l2: float, tol: float, max_iter: int
) -> SparseLoadings:
    """Minimise ‖X − XBAᵀ‖² + λ Σ‖b_j‖² + Σ λ₁ⱼ‖b_j‖₁ alternately over B and A, where AᵀA = I.

    With A fixed, B is one elastic net for each component. With B fixed, A = UVᵀ from the SVD
    XᵀXB = UDVᵀ. Both steps lower the objective. A starts at the ordinary loadings, and the
    columns of B are normalised at the end. The problem is not convex, so that the limit is a
    stationary point, and not always the minimum.

    With ``max_iter=0`` this is the method of two steps, which regresses each ordinary score on the
    variables. If λ₁ = 0, that method returns the ordinary loadings for every λ > 0.

    X, λ₁ and λ are those of `elastic_nets`. The alternation stops if no normalised loading changes
    by `tol` or more.

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
    """Return the A = UVᵀ with AᵀA = I that maximises tr(AᵀM), where M = UDVᵀ is an SVD."""
    U, _, Vt = scipy.linalg.svd(M, full_matrices=False)
    return U @ Vt


def dictionary(
    X: Floats, n_components: int, *, l1: float, tol: float, max_iter: int, random_state: int
) -> SparseLoadings:
    """Minimise ½‖X − ZBᵀ‖²_F + λ₁ Σ|B| over codes B and scores Z with columns of norm ≤ 1.

    The scores are free: they need not be projections XB of the data. This is therefore a matrix
    factorisation rather than a search for directions.

    With X = data/√(n − 1), λ₁ is scikit-learn's alpha divided by √(n − 1). `tol` is the relative
    change of the objective at which the alternation stops. `random_state` seeds the atoms that
    replace unused ones.

    References
    ----------
    Mairal, Bach, Ponce and Sapiro (2009), Online dictionary learning for sparse coding, ICML;
    ``sklearn.decomposition.dict_learning``.
    """
    from sklearn.decomposition import dict_learning  # The import takes a second.

    limits = {"tol": tol, "max_iter": max_iter}
    code, _, _, n_iter = dict_learning(
        X.T, n_components, alpha=l1, random_state=random_state, return_n_iter=True, **limits
    )
    return SparseLoadings(unit_columns(np.asarray(code)), int(n_iter), converged=n_iter < max_iter)


def deflation(
    X: Floats, n_components: int, *, bound: Floats, tol: float, max_iter: int
) -> SparseLoadings:
    """Maximise wᵀXᵀXw under ‖w‖₂ = 1 and ‖w‖₁ ≤ t, remove the direction w from X, and repeat.

    The objective is convex, so that maximising its linearisation increases it. An iteration thus
    replaces w by the z that maximises (XᵀXw)ᵀz, which is a soft threshold. Sparse directions are
    not orthogonal. Therefore X ← X − Xqqᵀ removes the part q of w that is orthogonal to the earlier
    directions; in this way X loses the whole span of all directions.

    X of shape (m, d) is any root of the covariance matrix. `bound` has one t per component: t = 1
    leaves a single variable, and t = √d is no restriction. The iterations of a component end if no
    loading changes by `tol` or more, or after `max_iter`.

    References
    ----------
    Jolliffe, Trendafilov and Uddin (2003), A modified principal component technique based on
    the LASSO, J. Comput. Graph. Stat. 12. Mackey (2008), Deflation methods for sparse PCA, NIPS.
    """
    rest = X.copy()
    removed = np.empty((X.shape[1], 0))
    # If the norm of the rest of X is smaller, the rest is rounding of removed components.
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
    """Return the z with ‖z‖₂ = 1 and ‖z‖₁ ≤ t that maximises cᵀz, or zeros if c is zero.

    `bound` is t ≥ 1. z is proportional to sign(c)(|c| − Δ)₊, where Δ = 0 if ‖z‖₁ ≤ t then holds,
    and otherwise Δ is chosen so that ‖z‖₁ = t.
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
            # More entries share the largest modulus than the bound allows, so keep one of them.
            z = np.zeros_like(c)
            z[np.argmax(magnitude)] = 1.0
    return np.sign(c) * z / np.linalg.norm(z)
