"""The downstream methods: one record each, which scores, tables, figures and sentences read.

Imported while the Snakefile is parsed, hence functions import what is heavy.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pipeline.evaluation.metrics import measures_of

# libsvm takes hours on rows that nearly coincide. It stops after this many steps; the sweep counts
# scikit-learn's ConvergenceWarning.
SVM_STEPS = 200_000
TREES = 50


class Options(NamedTuple):
    """Settings of one fit; each estimator reads those that it needs.

    Attributes
    ----------
    C : float
        Inverse strength of the regularization.
    class_weight : str or None
        "balanced" weights each class by the inverse of its size; None weights rows equally.
    gamma : float
        Parameter of the Gaussian kernel.
    seed : int
        Seed of the random forest.
    """

    C: float = math.nan
    class_weight: str | None = None
    gamma: float = math.nan
    seed: int = 0


@dataclass(frozen=True)
class Method:
    """What follows a representation, what it competes with, and what is said of it.

    Attributes
    ----------
    gives : {"classes", "target", "clusters", "neighbours"}
        What it gives, which `METRICS` of that kind measure.
    follows : {"scores", "raw", "gaussian"}
        Every representation, raw features alone, or those at each bandwidth of the grid.
    estimator : callable or None
        (training features, `Options`) → unfitted estimator of scikit-learn. None is no predictor.
    tuned : bool
        Whether it is fitted at every C of the configuration.
    words, label : str
        A predictor in a sentence, and its name in a forest plot. Empty for a chance level, and
        what the plot does not show.
    line : str
        Line of the forest plot, if it shares that of another method.
    marker, color : str
        Mark on that line. Grey marks stand for raw features.
    scaling : str
        The value of `scaling` in the configuration that asks for it.
    """

    gives: str
    follows: str
    estimator: Callable[[Any, Options], Any] | None = None
    tuned: bool = False
    words: str = ""
    label: str = ""
    line: str = ""
    marker: str = "p"
    color: str = "#7F7F7F"
    scaling: str = ""

    @property
    def metric(self) -> str:
        """The metric by which it is selected and compared."""
        return next(iter(measures_of(self.gives)))

    @property
    def tasks(self) -> tuple[str, ...]:
        """The kinds of datasets that it scores."""
        kinds = {"target": ("regression",), "neighbours": ("regression", "none")}
        return kinds.get(self.gives, ("classification",))


def _linear_svm(Z: Any, options: Options) -> Any:
    unit = float(feature_scale(Z, "unit"))  # in C, since it is one factor of all features
    return _svc(options, C=float(options.C * unit**2), kernel="linear")


def _svc(options: Options, **changes: Any) -> Any:
    from sklearn.svm import SVC

    given = {"C": options.C, "class_weight": options.class_weight, "max_iter": SVM_STEPS}
    return SVC(**(given | changes))


def _svr(Z: Any, options: Options) -> Any:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    model = SVR(gamma=options.gamma, C=options.C, max_iter=SVM_STEPS)
    return TransformedTargetRegressor(model, transformer=StandardScaler())


def _logistic(Z: Any, options: Options) -> Any:
    from sklearn.linear_model import LogisticRegression

    C = options.C / _varying(Z)
    return _standardized(LogisticRegression(C=C, max_iter=1000, class_weight=options.class_weight))


def _ridge(Z: Any, options: Options) -> Any:
    """Return the regression that chooses its penalty by leave-one-out error."""
    import numpy as np
    from sklearn.linear_model import RidgeCV

    penalties = [float(f"{_varying(Z) * each:.6g}") for each in np.logspace(-3, 4, 15)]
    return _standardized(RidgeCV(penalties))


def _least_squares(Z: Any, options: Options) -> Any:
    from sklearn.linear_model import LinearRegression

    return LinearRegression()


def _forest(Z: Any, options: Options) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    weights = options.class_weight
    return RandomForestClassifier(TREES, class_weight=weights, random_state=options.seed)


def _forest_regressor(Z: Any, options: Options) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(TREES, random_state=options.seed)


def _most_frequent(Z: Any, options: Options) -> Any:
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(strategy="most_frequent")


def _mean(Z: Any, options: Options) -> Any:
    from sklearn.dummy import DummyRegressor

    return DummyRegressor()


def _standardized(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)


def _varying(Z: Any) -> int:
    """Return the mean squared norm of standardized features: the number of those that vary."""
    import numpy as np

    return max(int((np.ptp(Z, axis=0) > 0).sum()), 1)


def feature_scale(Z: Any, scaling: str) -> Any:
    """Return one factor of all features for mean squared norm 1, or one of each for variance 1.

    The first is the scaling "unit", the second "whiten".
    """
    import numpy as np

    squares = np.einsum("ij,ij->j", Z, Z) / len(Z) if scaling == "unit" else Z.var(axis=0)
    total = squares.sum()
    if total == 0:
        return 1.0
    if scaling == "unit":
        return 1 / math.sqrt(total)
    # A component without variance stays as it is.
    return 1 / np.sqrt(np.where(squares > 1e-12 * total, squares, 1.0))


METHODS = {
    "linear_svm": Method(
        gives="classes",
        follows="scores",
        estimator=_linear_svm,
        tuned=True,
        words="a linear SVM",
        label="linear SVM",
        line="raw",
        marker="x",
        scaling="unit",
    ),
    "linear_svm_whitened": Method(
        gives="classes",
        follows="scores",
        estimator=lambda Z, options: _standardized(_svc(options, kernel="linear")),
        tuned=True,
        words="a linear SVM",
        label="linear SVM",
        line="raw",
        marker="x",
        scaling="whiten",
    ),
    "logistic_regression": Method(
        gives="classes",
        follows="raw",
        estimator=_logistic,
        tuned=True,
        words="logistic regression",
        label="logistic",
        marker="*",
    ),
    "least_squares": Method(
        gives="target",
        follows="scores",
        estimator=_least_squares,
        words="least squares",
        label="least squares",
        line="raw",
        marker="x",
    ),
    "ridge": Method(
        gives="target",
        follows="raw",
        estimator=_ridge,
        words="ridge regression",
        label="ridge",
        line="logistic_regression",
        marker="*",
    ),
    "rbf_svm": Method(
        gives="classes",
        follows="gaussian",
        estimator=lambda Z, options: _svc(options, gamma=options.gamma),
        tuned=True,
        words="a Gaussian SVM",
        label="Gaussian SVM",
        marker="+",
    ),
    "svr": Method(
        gives="target",
        follows="gaussian",
        estimator=_svr,
        tuned=True,
        words="a Gaussian support vector regression",
        label="SVR",
        line="rbf_svm",
        marker="+",
    ),
    "random_forest": Method(
        gives="classes",
        follows="raw",
        estimator=_forest,
        words="a random forest",
        label="random forest",
        marker="^",
    ),
    "random_forest_regressor": Method(
        gives="target",
        follows="raw",
        estimator=_forest_regressor,
        words="a random forest",
        label="random forest",
        line="random_forest",
        marker="^",
    ),
    "most_frequent": Method("classes", "raw", _most_frequent),
    "mean": Method("target", "raw", _mean),
    "kmeans": Method("clusters", "scores", label="k-means", line="raw", marker="x"),
    "spectral": Method("clusters", "gaussian", label="spectral clustering", marker="d"),
    "embedding": Method("neighbours", "scores", line="raw", marker="x"),
}
"""The simpler of two predictors stands first, and is chosen if both score the same."""


def unfitted(name: str, Z: Any, options: Options) -> Any:
    """Return the estimator of a method that predicts, for these training features."""
    estimator = METHODS[name].estimator
    if estimator is None:
        raise ValueError(f"{name} predicts nothing.")
    return estimator(Z, options)


PREDICTORS = {name: method for name, method in METHODS.items() if method.words}
"""The methods that compete: what predicts, without the chance levels."""

ON_SCORES = tuple(name for name, method in PREDICTORS.items() if method.follows == "scores")
"""The predictors that score an embedding; figures show the first that a dataset has."""

CHANCE = {m.metric: n for n, m in METHODS.items() if m.estimator and n not in PREDICTORS}
"""Metric → the method that does not look at the features."""
