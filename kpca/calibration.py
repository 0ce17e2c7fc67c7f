"""Probabilities and prediction intervals of a pipeline, from held-out rows."""

import warnings
from typing import Any, Self

import numpy as np
from scipy.special import expit
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import available_if

from kpca.types import Array, Floats
from kpca.validation import FRACTION, check_argument


class CalibratedPipeline(Pipeline):
    """Pipeline of scikit-learn with calibrated probabilities, or with prediction intervals.

    `fit` and `predict` are those of ``sklearn.pipeline.Pipeline``. `calibrate` fits the whole
    pipeline to folds of the training set, and learns from its predictions of held-out samples.

    Parameters
    ----------
    steps : list of (str, estimator)
        As for ``Pipeline``. The last step is a classifier or a regressor.
    transform_input : list of str or None, default=None
        As for ``Pipeline``.
    memory : str or None, default=None
        As for ``Pipeline``.
    verbose : bool, default=False
        As for ``Pipeline``.

    Attributes
    ----------
    sigmoids_ : ndarray of shape (c, 2), or (1, 2) for two classes
        Set by `calibrate` for a classifier: coefficients a and b of each class. The probability of
        a class with decision value f is 1/(1 + exp(a f + b)).
    residuals_ : ndarray of shape (n,)
        Set by `calibrate` for a regressor: sorted absolute errors of held-out predictions.

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines, Advances in Large Margin
    Classifiers.
    Barber, Candès, Ramdas, Tibshirani (2021), Predictive inference with the jackknife+, Annals of
    Statistics 49.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.linspace(0, 1, 40)[:, None]
    >>> y = X[:, 0] + 0.1 * np.cos(40 * X[:, 0])
    >>> model = CalibratedPipeline([("line", LinearRegression())]).fit(X, y).calibrate(X, y)
    >>> model.predict_interval([[0.5]], 0.9).round(1)
    array([[0.4, 0.6]])
    """

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit the steps, as ``Pipeline`` does, and drop an earlier calibration.

        Parameters
        ----------
        X : array or data frame of shape (n, d)
            Samples.
        y : array of shape (n,), default=None
            Classes or numbers.
        **params : dict
            As for ``Pipeline``.

        Returns
        -------
        CalibratedPipeline
            The estimator itself.
        """
        super().fit(X, y, **params)
        for name in {"sigmoids_", "residuals_"} & {*vars(self)}:
            delattr(self, name)
        return self

    def calibrate(self, X: Any, y: Array, *, cv: Any = 5, groups: Array | None = None) -> Self:
        """Learn probabilities or the width of intervals from folds of the training set.

        The fitted steps and their predictions do not change. The sigmoids are those of
        scikit-learn's ``CalibratedClassifierCV``.

        Parameters
        ----------
        X : array or data frame of shape (n, d)
            The training set.
        y : array of shape (n,)
            Classes or numbers of the training set.
        cv : int, splitter or iterable, default=5
            Folds, as for scikit-learn's ``cross_val_predict``, but some samples may be in no test
            set. Expanding windows of time, for example, never hold out the first samples.
        groups : array of shape (n,) or None, default=None
            Groups for a splitter that keeps groups together.

        Returns
        -------
        CalibratedPipeline
            The estimator itself.

        Raises
        ------
        ValueError
            If a fold leaves out all samples of a class.
        """
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.model_selection import check_cv, cross_val_predict

        plain = Pipeline(clone(self).steps)
        y = np.asarray(y)
        folds = [*check_cv(cv, y, classifier=is_classifier(self)).split(X, y, groups)]
        weights = np.zeros(len(y))
        weights[np.concatenate([out for _, out in folds])] = 1
        if len(never := np.flatnonzero(weights == 0)):
            # Scikit-learn must predict each sample once. Therefore samples that are never held out
            # get a fold of their own, and the weight 0.
            folds.append((folds[0][0], never))
        if not is_classifier(self):
            errors = np.abs(y - cross_val_predict(plain, X, y, cv=folds))
            self.residuals_ = np.sort(errors[weights > 0])
            return self
        if any(len(np.unique(y[rows])) < len(self.classes_) for rows, _ in folds):
            raise ValueError("A fold leaves out all samples of a class: take other folds.")
        calibrated = CalibratedClassifierCV(plain, cv=folds, ensemble=False)
        # Only the sigmoids use the weights. Scikit-learn warns that the steps do not use them.
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            calibrated.fit(X, y, sample_weight=weights if len(never) else None)
        sigmoids = calibrated.calibrated_classifiers_[0].calibrators
        self.sigmoids_ = np.array([[one.a_, one.b_] for one in sigmoids])
        return self

    @available_if(lambda self: hasattr(self, "sigmoids_"))
    def predict_proba(self, X: Any) -> Floats:
        """Return calibrated probabilities.

        The class that `predict` returns need not be the most probable one, since a classifier may
        weight classes.

        Parameters
        ----------
        X : array or data frame of shape (m, d)
            Samples.

        Returns
        -------
        ndarray of shape (m, c)
            A probability for each of ``classes_``. The probabilities of a sample sum to 1.
        """
        plain, (a, b) = Pipeline(self.steps), self.sigmoids_.T
        decides = hasattr(plain, "decision_function")
        values = np.asarray(plain.decision_function(X) if decides else plain.predict_proba(X))
        probabilities = expit(-(a * values.reshape(len(values), -1)[:, -len(a) :] + b))
        if len(a) == 1:
            return np.column_stack([1 - probabilities, probabilities])
        total = probabilities.sum(axis=1, keepdims=True)
        uniform = np.full_like(probabilities, 1 / len(a))
        return np.divide(probabilities, total, out=uniform, where=total > 0)

    @available_if(lambda self: hasattr(self, "residuals_"))
    def predict_interval(self, X: Any, level: float) -> Floats:
        """Return an interval around each prediction.

        Parameters
        ----------
        X : array or data frame of shape (m, d)
            Samples.
        level : float
            Fraction of new samples, in (0, 1), whose true number is in the interval.

        Returns
        -------
        ndarray of shape (m, 2)
            Lower and upper ends, at equal distances from the prediction.

        Raises
        ------
        ValueError
            If the level needs more held-out samples.

        Notes
        -----
        The half-width is the ⌈level (n + 1)⌉-th smallest of n absolute errors of held-out
        predictions. New samples must be exchangeable with the training set. If that has groups,
        new groups must be exchangeable with its groups. With expanding windows of time, the errors
        are those of later samples, under models fitted to fewer samples.
        """
        check_argument("level", level, FRACTION)
        n = len(self.residuals_)
        rank = max(1, int(np.ceil(level * (n + 1) - 1e-9)))
        if rank > n:
            raise ValueError(f"{n} held-out rows give levels up to {n / (n + 1):.3g}, not {level}.")
        center = np.asarray(self.predict(X))
        half = self.residuals_[rank - 1]
        return np.column_stack([center - half, center + half])
