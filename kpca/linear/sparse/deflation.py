"""Sparse PCA one direction at a time, each under a bound on its L1 norm."""

import numpy as np

from kpca.linear.sparse.measures import SparseLoadings
from kpca.linear.svd import svd
from kpca.types import Floats


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
    rest, removed = X.copy(), np.empty((X.shape[1], 0))
    # Below this, what is left of X is the rounding error of what was removed.
    rounding = max(X.shape) * np.finfo(np.float64).eps * np.linalg.norm(X)
    found = []
    for t in bound[:n_components]:
        if np.linalg.norm(rest) <= rounding:
            rest = np.zeros_like(X)
        w, n_iter, converged = _climb(rest, float(t), tol, max_iter)
        found.append((w, n_iter, converged))
        q = w - removed @ (removed.T @ w)
        q /= np.linalg.norm(q) or 1.0
        rest -= np.outer(rest @ q, q)
        removed = np.column_stack([removed, q])
    directions, counts, statuses = zip(*found, strict=True)
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

    z ∝ sign(c)(|c| − Δ)₊ with the Δ at which ‖z‖₁ = t, found exactly: between two neighbours of
    the sorted |c| the ratio of the norms is the root of a quadratic.
    """
    magnitude = np.abs(c)
    total = np.linalg.norm(magnitude)
    if total == 0:
        return np.zeros_like(c)
    if magnitude.sum() <= bound * total:
        return c / total
    z = np.maximum(magnitude - _threshold(np.sort(magnitude)[::-1], bound), 0.0)
    if not z.any():
        # Equal largest entries, and a bound that holds fewer of them: one is as good as another.
        z[np.argmax(magnitude)] = 1.0
    return np.asarray(np.sign(c) * z / np.linalg.norm(z))


def _threshold(descending: Floats, t: float) -> float:
    """Return the Δ at which ‖(a − Δ)₊‖₁ = t ‖(a − Δ)₊‖₂."""
    count = np.arange(1, len(descending) + 1)
    sums, squares = np.cumsum(descending), np.cumsum(descending**2)
    # With Δ at the next entry, exactly the first `count` entries survive; the ratio of the norms
    # grows from each such Δ to the next, and the wanted one lies before the first that exceeds t.
    following = np.append(descending[1:], 0.0)
    l1 = sums - count * following
    l2 = np.sqrt(np.maximum(squares - 2 * following * sums + count * following**2, 0.0))
    s = int(np.argmax((l1 >= t * l2) & (count > t**2)))
    if count[s] <= t**2:
        return float(descending[0])
    spread = max(count[s] * squares[s] - sums[s] ** 2, 0.0) / (count[s] - t**2)
    return float((sums[s] - t * np.sqrt(spread)) / count[s])
