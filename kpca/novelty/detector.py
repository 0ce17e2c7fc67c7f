"""Kernel PCA as a novelty detector by scikit-learn's conventions."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin, clone
from sklearn.utils.validation import check_is_fitted

from kpca.arguments import as_points
from kpca.kernel_pca import KernelPCA
from kpca.model_selection.folds import NO_POINTS, held_out
from kpca.novelty.statistics import STATISTICS, hotelling_limit, residual_limit
from kpca.nystrom.streaming import PRECISIONS
from kpca.rules import check, checked, nothing, of, one_of, share, whole
from kpca.types import Array, Floats, Matrix
from kpca.warning import warn

LIMITS = ("held_out", "theory")
LOCAL = ("rbf", "laplacian")  # kernels that vanish far from the training points
_RULES = {
    "estimator": ("a KernelPCA or None", (nothing, of(KernelPCA))),
    "statistic": (f"one of {sorted(STATISTICS)}", (one_of(STATISTICS),)),
    "false_alarm": ("a share in (0, 1)", (share,)),
    "limit": (f"one of {sorted(LIMITS)}", (one_of(LIMITS),)),
    "folds": ("a whole number from 2", (whole(2),)),
    "random_state": ("a whole number or None", (nothing, whole(0))),
}


class KernelPCANovelty(OutlierMixin, BaseEstimator):
    """Points that the components of the training points do not explain.

    A point is novel where its statistic is above a control limit: the reconstruction error
    (distance from the subspace) or Hotelling's T² (distance within it).

    Parameters
    ----------
    estimator : KernelPCA, optional
        By default the Gaussian kernel at the median distance with 90 % of the variance; from there
        ``set_params(estimator__gamma=…)`` starts, too.
    statistic : {"residual", "hotelling"}
        T² is one for linear and polynomial kernels: far points have no scores under the others.
    false_alarm : float
        Share of ordinary new points that may be called novel.
    limit : {"held_out", "theory"}
        Quantile of the statistic of training points under models fitted without them; or the
        formulas of `hotelling_limit` and, on those same errors, `residual_limit`.
    folds : int
        Number of such models.
    random_state : int, optional
        Seed of the folds.

    Attributes
    ----------
    estimator_ : KernelPCA
        Fitted on all points.
    limit_ : float
        The control limit. ``offset_`` is its negative.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 2 * np.pi, 100)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> detector = KernelPCANovelty().fit(ring)
    >>> detector.predict([[1.0, 0.0], [0.0, 0.0]])
    array([ 1, -1])
    """

    def __init__(
        self,
        estimator: KernelPCA | None = None,
        *,
        statistic: str = "residual",
        false_alarm: float = 0.05,
        limit: str = "held_out",
        folds: int = 5,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.statistic = statistic
        self.false_alarm = false_alarm
        self.limit = limit
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Matrix, y: Any = None) -> Self:
        """Fit the components and the control limit to ordinary points, of shape (n, d).

        Raises
        ------
        ValueError
            For parameters or data that do not fit together; the message says what to change.
        """
        check(self, _RULES)
        X = self._checked(X, reset=True)
        asked = _default() if self.estimator is None else clone(self.estimator)
        self._refuse_or_warn(asked)
        self.estimator_ = asked.fit(X)
        self.limit_ = self._control_limit()
        self.offset_ = -self.limit_
        return self

    def set_params(self, **params: Any) -> Self:
        """Set parameters; those of an estimator that is None start from the default one."""
        if self.estimator is None and any(name.startswith("estimator__") for name in params):
            params = {"estimator": _default()} | params
        return super().set_params(**params)

    def score_samples(self, X: Matrix) -> Floats:
        """Give the negative of the statistic: the higher, the more ordinary; of shape (m,)."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return -STATISTICS[self.statistic](self.estimator_, X, None)

    def decision_function(self, X: Matrix) -> Floats:
        """Give limit less statistic: negative for novel points; of shape (m,)."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Matrix) -> Array:
        """Give −1 for novel points and 1 for ordinary ones, of shape (m,)."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def _refuse_or_warn(self, asked: KernelPCA) -> None:
        left_out = self.statistic == "residual" or self.limit == "held_out"
        if left_out and asked.eigen_solver == "nystrom":
            raise ValueError(NO_POINTS)
        if self.statistic == "residual" and asked.kernel == "precomputed":
            raise ValueError(
                "The residual of a new point needs k(x, x), which a precomputed kernel does not "
                "say: give the kernel by name or as a function, or take statistic='hotelling'."
            )
        if self.statistic == "hotelling" and asked.kernel in LOCAL:
            warn(
                f"Hotelling's T² finds no far points with the {asked.kernel} kernel: their kernel "
                "values, and with them their scores, tend to those of the mean. Take "
                "statistic='residual', or a linear or polynomial kernel.",
            )

    def _control_limit(self) -> float:
        n, k = len(self.estimator_.eigenvectors_), int((self.estimator_.eigenvalues_ > 0).sum())
        if self.statistic == "hotelling" and not k:
            raise ValueError(
                "X has no component with a variance, and T² looks at nothing else: take "
                "statistic='residual'."
            )
        if self.limit == "theory" and self.statistic == "hotelling":
            return hotelling_limit(n, k, self.false_alarm)
        statistic, seed = STATISTICS[self.statistic], self.random_state or 0
        values = held_out(self.estimator_, statistic, folds=self.folds, seed=seed)
        if self.limit == "theory":
            return residual_limit(values, self.false_alarm)
        return float(np.quantile(values, 1 - self.false_alarm, method="higher"))

    def _checked(self, X: Matrix, *, reset: bool) -> Matrix:
        as_points(X, rows=2 if reset else 1)
        return checked(X, owner=self, accept_sparse="csr", reset=reset, dtype=PRECISIONS)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = getattr(self.estimator, "kernel", None) == "precomputed"
        return tags


def _default() -> KernelPCA:
    return KernelPCA(0.9, kernel="rbf", gamma="median")
