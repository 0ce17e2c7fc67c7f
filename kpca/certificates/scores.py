"""Bounds on errors of scores, per group of near-equal eigenvalues.

The bounds allow for a rotation within a group, because near-equal eigenvalues do not determine
their eigenvectors.
"""

import math

import numpy as np

from kpca.types import Array, Floats

# Neighbouring eigenvalues form a group if they differ by at most APART times the norm of all
# residuals together.
APART = 100


def groups(values: Floats, norms: Floats) -> Array:
    """Return for each eigenvalue the number of its group of near-equal eigenvalues.

    `norms` are the norms of the residuals.
    """
    apart = values[:-1] - values[1:] > APART * np.linalg.norm(norms)
    return np.concatenate([np.zeros(min(1, len(values)), dtype=np.intp), np.cumsum(apart)])


def score_errors(values: Floats, norms: Floats, group: Array, beyond: float) -> Floats:
    """Bound ‖Ẑ − ZW‖_F per group for computed scores Ẑ, true scores Z and an orthogonal W.

    The norm is over all training points. Let A, Λ be the returned eigenpairs of a group, R their
    residuals, and U, M the true eigenpairs, so that Z = U M^½. Let δ be the distance from Λ to all
    other eigenvalues of K̄. The returned eigenvalues outside the group have errors of at most the
    norm of all residuals (Weyl), and no omitted eigenvalue is above `beyond`. Then ‖sin Θ‖_F ≤ s =
    ‖R‖_F / δ (Davis, Kahan 1970). Let W be the orthogonal factor of UᵀA. Then ‖A − UW‖_F ≤ √2 s,
    and X = M^½W − WΛ^½ solves M^½X + XΛ^½ = MW − WΛ. The norm of the right side is at most ‖R‖_F +
    (spread of Λ and M) s². Together this gives √(2 λ_max) s + (‖R‖_F + spread · s²) / √λ_min.

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
