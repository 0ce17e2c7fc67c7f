"""Error bounds of scores: eigenvectors turn within groups of near-equal eigenvalues."""

import math

import numpy as np

from kpca.types import Array, Floats

APART = 100  # times all residuals together: neighbours closer than this form a group


def groups(values: Floats, norms: Floats) -> Array:
    """Return numbers of groups of near-equal eigenvalues, given the norms of their residuals."""
    apart = values[:-1] - values[1:] > APART * np.linalg.norm(norms)
    return np.concatenate([np.zeros(min(1, len(values)), dtype=np.intp), np.cumsum(apart)])


def score_errors(values: Floats, norms: Floats, group: Array, beyond: float) -> Floats:
    """Bound ‖Ẑ − ZW‖_F for the scores of each group, W orthogonal, over all training points.

    Let A, Λ be the pairs of a group with residuals R, Z = U M^½ the true scores, and δ the distance
    from Λ to all other eigenvalues of K̄: those that were returned, off by the norm of all residuals
    at most (Weyl), and the rest, none above `beyond`. Then ‖sin Θ‖_F ≤ s = ‖R‖_F / δ (Davis, Kahan
    1970). With W the orthogonal factor of UᵀA, ‖A − UW‖_F ≤ √2 s, and X = M^½W − WΛ^½ solves
    M^½X + XΛ^½ = MW − WΛ, of norm ‖R‖_F + (spread of Λ and M) s² at most, which gives
    √(2 λ_max) s + (‖R‖_F + spread · s²) / √λ_min.

    References
    ----------
    Davis, Kahan (1970), The rotation of eigenvectors by a perturbation III, SIAM J. Numer. Anal. 7.
    """
    errors = np.full(len(values), math.inf)
    slack = np.linalg.norm(norms)
    above = np.append(math.inf, values - slack)
    below = np.maximum(np.append(values[1:] + slack, -math.inf), beyond)
    for number in range(group.max(initial=-1) + 1):
        first, last = np.flatnonzero(group == number)[[0, -1]]
        high = values[first]
        low = values[last]
        gap = min(above[first] - high, low - below[last])
        residual = np.linalg.norm(norms[first : last + 1])
        if low > 0 and residual < gap:
            sine = residual / gap
            spread = high - low + 2 * slack
            error = math.sqrt(2 * high) * sine + (residual + spread * sine**2) / math.sqrt(low)
            errors[first : last + 1] = error
    return errors
