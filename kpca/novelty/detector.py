"""Kernel PCA as a novelty detector by scikit-learn's conventions."""

from typing import Any, Self

import numpy as np
from scipy.stats import false_discovery_control
from sklearn.base import BaseEstimator, OutlierMixin, clone

from kpca import validation
from kpca.folds import Folds, equal_rows, group_numbers, held_out
from kpca.inspection.contributions import STATISTICS, attributed
from kpca.kernel_pca import KernelPCA
from kpca.novelty import order, statistics
from kpca.novelty.explanation import explained
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats, Matrix
from kpca.validation import FRACTION, NONE, instance_of, integer, one_of, warn

DEFAULT = KernelPCA(0.9, kernel="rbf", gamma="median")
RULES = {
    "estimator": instance_of(KernelPCA) | NONE,
    "statistic": one_of(STATISTICS),
    "false_alarm": FRACTION,
    "folds": integer(2) | instance_of(list),
    "random_state": integer(0) | NONE,
}


class KernelPCANovelty(OutlierMixin, BaseEstimator):
    """Novelty detector: find samples that the components of the training samples do not explain.

    The rate of false alarms is the requested one if training and new samples are *exchangeable*,
    that is, equally probable in any order. Rows of one person, device or batch are alike, so pass
    ``fit(X, groups=…)``; the rate then holds for samples of new groups. Rows of a time series
    resemble their neighbours, so pass blocks of consecutive rows as groups. Each block has to be
    much longer than the memory of the series, which is the number of rows over which neighbours are
    alike. `fit` tests whether neighbouring samples are alike, and suggests such blocks.

    Parameters
    ----------
    estimator : KernelPCA or None, default=None
        Model to fit. None means the Gaussian kernel at the median distance, with as many components
        as keep 90 % of the variance. ``set_params(estimator__gamma=…)`` changes a copy of this
        default.
    statistic : {"residual", "hotelling"}, default="residual"
        "residual" is the reconstruction error (distance from the subspace), "hotelling" is T²
        (distance within it). T² suits linear and polynomial kernels. With other kernels, samples
        far from all training samples have the scores of the mean, so that T² does not find them.
    false_alarm : float, default=0.05
        Fraction of ordinary new samples that may be called novel, in (0, 1).
    folds : int or list of pairs of arrays, default=5
        Number of folds, at least 2; or for each fold the indices of the samples that a model is
        fitted to, and of the samples that are left out. Every sample is left out once. A list
        alone decides on which side equal samples are, but has to leave whole `groups` out.
    random_state : int or None, default=None
        Seed of the folds. None means 0.

    Attributes
    ----------
    estimator_ : KernelPCA
        Model fitted to all training samples.
    calibration_ : ndarray of shape (n,)
        Sorted statistics of the training samples under models fitted without them.
    limit_ : float
        Statistic above which the p-value is at most `false_alarm`.
    memory_ : float
        Number of samples over which neighbours are alike. It is 1 if no such number is shown, or if
        the groups are long enough. If it is larger, `fit` warns that there may be more false
        alarms.
    offset_ : float
        The negative of `limit_`, as in scikit-learn.
    n_features_in_ : int
        Number of features d.
    feature_names_in_ : ndarray of shape (d,)
        Names of the features, if X was a table.

    Notes
    -----
    The p-value of a sample with statistic s is (1 + #{i : s_i ≥ s}) / (n + 1). The s_i are the
    statistics of the n training samples under models fitted without them and without the other
    samples of their groups. These models are fitted to fewer samples than the final one. Therefore
    levels hold only approximately:

    - For "residual", they are in practice on the safe side if there are five folds or more. With
      two folds, one component and 50 samples, 5 % of them 1 000 times larger than the others, 28 %
      of ordinary samples were called novel instead of 10 %.
    - For "hotelling", they need many more samples than variables or components. With 5 components,
      50 samples and 200 variables, 16 % were called novel instead of 10 %. If models of folds have
      fewer components than the final one, most samples may be called novel, so `fit` warns.

    References
    ----------
    Hoffmann (2007), Kernel PCA for novelty detection, Pattern Recognition 40.
    Vovk (2015), Cross-conformal predictors, Annals of Mathematics and Artificial Intelligence 74.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 2 * np.pi, 100)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> detector = KernelPCANovelty().fit(ring)
    >>> detector.predict([[1.0, 0.0], [0.0, 0.0]])
    array([ 1, -1])
    >>> float(detector.pvalues([[0.0, 0.0]])[0]) == 1 / 101
    True
    """

    def __init__(
        self,
        estimator: KernelPCA | None = None,
        *,
        statistic: str = "residual",
        false_alarm: float = 0.05,
        folds: int | Folds = 5,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.statistic = statistic
        self.false_alarm = false_alarm
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Matrix, y: Any = None, groups: Array | None = None) -> Self:
        """Fit the components and the limit to ordinary samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
            At least two ordinary samples.
        y : None, default=None
            Ignored, present for compatibility with scikit-learn.
        groups : array of shape (n,) or None, default=None
            Group of each sample, such as a person. A model that leaves a sample out leaves out its
            whole group. None means that equal samples form a group, unless `folds` is a list.

        Returns
        -------
        KernelPCANovelty
            The estimator itself.

        Raises
        ------
        ValueError
            If parameters and data do not fit together; the message says what to change.

        Warns
        -----
        UserWarning
            If there are too few samples or groups for a p-value as small as `false_alarm`, if the
            components keep all of the variance, if T² has fewer terms in models of folds than in
            the final one, or if neighbouring samples are alike.
        """
        validation.check_parameters(self, RULES)
        X = validation.checked(X, owner=self, ensure_min_samples=2, **validation.SAMPLES)
        unfitted = clone(self.estimator or DEFAULT)
        statistics.check_statistic(self.statistic, unfitted.kernel)
        self.estimator_ = unfitted.fit(X)
        if self.statistic == "hotelling" and not (self.estimator_.eigenvalues_ > 0).any():
            raise ValueError(
                "X has no component with a variance, which T² needs: take statistic='residual'."
            )
        numbers = None if groups is None else group_numbers(groups, X.shape[0])
        self._calibrate(numbers)
        order.warn_of_memory(self.memory_, X.shape[0], self.false_alarm)
        self._warn_of_few(self.false_alarm, "false_alarm", numbers)
        if self.statistic == "residual" and statistics.is_rounding(self.limit_, self.estimator_):
            warn(
                "The components keep all of the variance of ordinary samples, so that any residual "
                "is novel. Take fewer, such as n_components=0.9, or statistic='hotelling'."
            )
        return self

    def _calibrate(self, groups: Array | None = None) -> None:
        """Set the limit by statistics of the training samples under models fitted without them.

        Parameters
        ----------
        groups : integer array of shape (n,) or None, default=None
            Group of each training sample, numbered from 0. None means that equal samples form a
            group, unless all samples are equal, or `folds` is a list.
        """
        model = self.estimator_
        units = equal_rows(model.X_fit_) if groups is None else groups
        fold_terms: list[int] = []

        def statistic(fitted: KernelPCA, X: Matrix, diagonal: Array | None) -> Floats:
            fold_terms.append(int(np.count_nonzero(fitted.eigenvalues_)))
            return statistics.novelty_scores(fitted, X, diagonal, statistic=self.statistic)

        scores = held_out(
            model,
            statistic,
            folds=self.folds,
            seed=self.random_state or 0,
            groups=groups if isinstance(self.folds, list) or not units.any() else units,
        )
        terms = np.count_nonzero(model.eigenvalues_)
        if self.statistic == "hotelling" and min(fold_terms) < terms:
            warn(
                f"T² of new samples has {terms} terms, and T² of samples that a fold leaves out "
                f"only {min(fold_terms)}, so that more may be called novel than false_alarm="
                f"{self.false_alarm:g} says: take statistic='residual', or fewer components."
            )
        self.memory_ = order.memory(scores, model.expansion().point_scores, units)
        self.calibration_ = np.sort(scores)
        self.limit_ = statistics.conformal_limit(self.calibration_, self.false_alarm)
        self.offset_ = -self.limit_

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the detector, or of its model with the prefix ``estimator__``.

        Parameters
        ----------
        **params : dict
            Parameters and values. If `estimator` is None, ``estimator__`` parameters change a copy
            of the default model.

        Returns
        -------
        KernelPCANovelty
            The estimator itself.
        """
        if self.estimator is None and any(name.startswith("estimator__") for name in params):
            params = {"estimator": clone(DEFAULT)} | params
        return super().set_params(**params)

    def score_samples(self, X: Matrix) -> Floats:
        """Return the negative statistic, which is higher for more ordinary samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        ndarray of shape (m,)
            Negative statistics.
        """
        X = validation.checked_samples(self, X)
        return -statistics.novelty_scores(self.estimator_, X, statistic=self.statistic)

    def decision_function(self, X: Matrix) -> Floats:
        """Return the limit minus the statistic: negative for novel samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        ndarray of shape (m,)
            Distances from the limit.
        """
        return self.score_samples(X) - self.offset_

    def pvalues(self, X: Matrix) -> Floats:
        """Return the conformal p-value of each sample.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        ndarray of shape (m,)
            p-values, at least 1/(n + 1).
        """
        return statistics.conformal_pvalues(-self.score_samples(X), self.calibration_)

    def explain(self, X: Matrix) -> dict[str, Array]:
        """Return the statistics of each sample, and the variables that make it novel.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        dict of str to ndarray of shape (m,)
            Columns, for example of a pandas DataFrame: the statistic as ``novelty``, the limit as
            ``threshold``, ``novel``, ``p_value``, Hotelling's T² as ``hotelling``, the variables
            ``variable_1`` to ``variable_3`` with the largest `contributions`, and their fractions
            of all positive contributions, ``part_1`` to ``part_3``. ``error`` is the error of a
            contribution, in the unit of the statistic: the largest difference between two estimates
            of a contribution, plus the error of the sum of contributions. If a sample is not novel,
            or the kernel is a matrix or a callable, variables are empty, and parts and ``error``
            are NaN.
        """
        X = validation.checked_samples(self, X)
        model = self.estimator_
        values = statistics.novelty_scores(model, X, statistic=self.statistic)
        novel = values > self.limit_
        shares = np.zeros(X.shape)
        errors = np.full_like(values, np.nan)
        if novel.any() and isinstance(model.expansion().source, KernelSource):
            shares[novel], errors[novel] = attributed(model, X[novel], self.statistic)
        limits = np.full_like(values, self.limit_)
        pvalues = statistics.conformal_pvalues(values, self.calibration_)
        measured = [values, limits, novel, pvalues, statistics.hotelling(model, X)]
        numbered = [f"x{number + 1}" for number in range(X.shape[1])]
        names = getattr(self, "feature_names_in_", numbered)
        return explained(measured, shares, names) | {"error": errors}

    def predict(self, X: Matrix, alpha: float | None = None, *, fdr: float | None = None) -> Array:
        """Return −1 for novel samples and 1 for ordinary ones.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.
        alpha : float or None, default=None
            Largest p-value of a novel sample. None means `false_alarm`.
        fdr : float or None, default=None
            False discovery rate: largest average fraction of ordinary samples among those called
            novel. If given, it replaces `alpha`, and the procedure of Benjamini and Hochberg
            decides for all samples of X together.

        Returns
        -------
        int ndarray of shape (m,)
            −1 or 1 for each sample.

        Raises
        ------
        ValueError
            If both `alpha` and `fdr` are given, or the level is not in (0, 1).

        Warns
        -----
        UserWarning
            If the detector was fitted to too few samples for the level.
        """
        level, name = (alpha, "alpha") if fdr is None else (fdr, "fdr")
        if fdr is not None and alpha is not None:
            raise ValueError("alpha and fdr exclude each other: pass one of them.")
        if level is None:
            return np.where(self.decision_function(X) < 0, -1, 1)
        validation.check_argument(name, level, FRACTION)
        pvalues = self.pvalues(X)
        self._warn_of_few(level, name)
        if fdr is not None:
            pvalues = false_discovery_control(pvalues)
        return np.where(pvalues <= level, -1, 1)

    def _warn_of_few(self, level: float, name: str, groups: Array | None = None) -> None:
        n = len(self.calibration_)
        units = "samples"
        unsafe = "none is novel"
        if groups is not None:
            n = int(groups.max()) + 1
            units = "groups"
            unsafe = "more may be called novel than said"
        if n < (needed := order.fewest(level)):
            warn(
                f"{n} {units} give p-values of at least {1 / (n + 1):.2g}, so that {unsafe} "
                f"at {name}={level:g}: fit at least {needed} {units}, or raise {name}."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = getattr(self.estimator, "kernel", None) == "precomputed"
        return tags
