"""Principal component analysis."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from kpca import validation
from kpca.linear.base import LinearReduction
from kpca.linear.routes import ROUTES, certified
from kpca.linear.svd import SVD_METHODS
from kpca.types import EPS, Floats
from kpca.validation import FRACTION, NONE, SEED, TRUTH, instance_of, integer, one_of

RULES = {
    "n_components": integer(1) | FRACTION | NONE,
    "route": one_of(ROUTES),
    "svd_method": one_of(SVD_METHODS),
    "whiten": TRUTH,
    "random_state": SEED | instance_of(np.random.Generator),
}
ROUNDING = 1e-12  # relative rounding error of a sum of explained variance ratios


class PCA(LinearReduction):
    """Principal component analysis, with the residual of each eigenpair of the covariance matrix.

    Parameters
    ----------
    n_components : int, float or None, default=None
        Number of components. A fraction in (0, 1) keeps the smallest number of components that
        explain that fraction of the variance. None keeps min(n, d).
    route : {"svd", "covariance"}, default="svd"
        How the axes are computed. Both routes give the same axes; "covariance" computes them from
        the d × d covariance matrix.
    svd_method : {"full", "truncated", "randomized"}, default="full"
        Method of the singular value decomposition, for ``route="svd"`` only: see `kpca.svd`.
    whiten : bool, default=False
        Whether to scale the scores to variance 1.
    random_state : int, Generator or None, default=0
        Seed of the truncated and randomized SVD.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        Orthonormal axes; the entry of largest modulus in each is positive.
    explained_variance_ : ndarray of shape (k,)
        Variances of the scores, with n − 1 in the denominator.
    explained_variance_ratio_ : ndarray of shape (k,)
        Variances as fractions of the total variance. The total is exact for every route.
    singular_values_ : ndarray of shape (k,)
        Norms of the scores.
    residuals_ : ndarray of shape (k,)
        ‖Cv − λv‖/λ₁ of each eigenpair (λ, v) of the covariance matrix C.
    mean_ : ndarray of shape (d,)
        Mean of the training samples.
    n_components_ : int
        Number of components k.
    n_samples_ : int
        Number of training samples n.

    Notes
    -----
    The axes v_j are the eigenvectors of C = X̄ᵀX̄/(n − 1), X̄ = X − mean. They are also the right
    singular vectors of X̄ = UΣVᵀ, with λ_j = σ_j²/(n − 1). `fit` raises a ``ValueError`` if a
    parameter is out of its range.

    References
    ----------
    Jolliffe (2002), Principal Component Analysis, Springer.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0], [2.0, 2.1], [3.0, 2.9]])
    >>> PCA(1).fit(X).explained_variance_ratio_.round(3)
    array([0.998])
    """

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        route: str = "svd",
        svd_method: str = "full",
        whiten: bool = False,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_components = n_components
        self.route = route
        self.svd_method = svd_method
        self.whiten = whiten
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit the principal axes of X.

        Parameters
        ----------
        X : array-like of shape (n, d)
            At least two samples.
        y : None, default=None
            Ignored, present for compatibility with scikit-learn.

        Returns
        -------
        PCA
            The estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of its range, or X has NaN or infinity.
        """
        validation.check_parameters(self, RULES)
        rows = validation.checked(X, owner=self, dtype=np.float64, ensure_min_samples=2)
        self.mean_ = rows.mean(axis=0)
        centred = rows - self.mean_
        most = min(rows.shape)
        wanted: Any = self.n_components
        is_share = FRACTION.holds(wanted)
        k = most if is_share else int(wanted or most)
        validation.check_argument("n_components", k, integer(1, most))
        options: dict[str, Any] = {"method": self.svd_method, "random_state": self.random_state}
        principal = certified(centred, ROUTES[self.route](centred, k, **options))
        ratio = principal.eigenvalues / (np.sum(centred**2) or 1.0)
        if is_share:
            reached = np.cumsum(ratio) * (1 + ROUNDING)
            k = min(int(np.searchsorted(reached, wanted)) + 1, k)
        # Copy the axes, because a view would keep all of them in memory.
        self.components_ = np.ascontiguousarray(principal.axes[:k])
        self.explained_variance_ = principal.eigenvalues[:k] / (len(rows) - 1)
        self.explained_variance_ratio_ = ratio[:k]
        self.singular_values_ = np.sqrt(principal.eigenvalues[:k])
        self.residuals_ = principal.residuals[:k]
        self.n_components_ = k
        self.n_samples_ = len(rows)
        return self

    def _scale(self) -> Floats | float:
        if not self.whiten:
            return 1.0
        # Scores along a direction without variance are rounding errors of the samples and of the
        # scores. Do not scale them up. The route "covariance" rounds variances, not deviations.
        deviation = np.sqrt(self.explained_variance_)
        relative = EPS * max(self.n_samples_, len(self.mean_))
        rounding = relative * np.maximum(abs(self.components_) @ abs(self.mean_), deviation[0])
        if self.route == "covariance":
            rounding = np.maximum(rounding, np.sqrt(EPS * len(self.mean_)) * deviation[0])
        return np.where(deviation > rounding, deviation, 1.0)
