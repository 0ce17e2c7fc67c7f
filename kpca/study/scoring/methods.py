"""The downstream methods: one record each, which scores, tables, figures and sentences read.

Imported while the Snakefile is parsed, hence functions import what is heavy.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import Any, NamedTuple

from kpca.study.scoring.metrics import measures_of

# libsvm takes hours on rows that nearly coincide. It stops after this many steps; the sweep counts
# scikit-learn's ConvergenceWarning.
SVM_STEPS = 200_000
TREES = 50
KEPT_VARIANCE = 0.9  # fraction that PCA keeps before a Gaussian predictor
# One setting, for a few hundred rows: quantiles of more bins take longer than all trees.
BOOSTING: dict[str, Any] = {
    "max_iter": 20,
    "learning_rate": 0.3,
    "max_bins": 31,
    "early_stopping": False,
}


class Options(NamedTuple):
    """Settings of one fit; each estimator reads those that it needs."""

    C: float = math.nan  # inverse strength of the regularization
    class_weight: str | None = None  # "balanced" weights a class by the inverse of its size
    gamma: float | str = math.nan  # γ of the Gaussian kernel; "scale" is 1/(d Var X)
    seed: int = 0  # seed of the random forest and of gradient boosting


@dataclass(frozen=True)
class Method:
    """What follows a representation, what it competes with, and what is said of it."""

    gives: str  # "classes", "target", "clusters" or "neighbours", the kind of `METRICS`
    # "scores" follow every representation, "raw" raw features alone, and "gaussian" those at each
    # bandwidth of the grid.
    follows: str
    # (training features, `Options`) → unfitted estimator of scikit-learn. None is no predictor.
    estimator: Callable[[Any, Options], Any] | None = None
    tuned: bool = False  # whether it is fitted at every C of the configuration
    words: str = ""  # a predictor in a sentence; empty for a chance level
    label: str = ""  # its name in a forest plot, if its words do not serve
    # marker in a forest plot, on the line that methods with the same marker share
    marker: str = "p"
    scaling: str = ""  # the value of `scaling` in the configuration that asks for it

    @property
    def metric(self) -> str:
        """The metric by which it is selected and compared."""
        return next(iter(measures_of(self.gives)))

    @property
    def short(self) -> str:
        """Its name in a forest plot; empty if the plot does not show it."""
        return self.label or self.words.removeprefix("a ")

    @property
    def line(self) -> str:
        """Name of its line in a forest plot."""
        first = next(name for name, method in METHODS.items() if method.marker == self.marker)
        return "raw" if self.marker == "x" else first

    @property
    def tasks(self) -> tuple[str, ...]:
        """The kinds of datasets that it scores."""
        kinds = {"target": ("regression",), "neighbours": ("regression", "none")}
        return kinds.get(self.gives, ("classification",))


def _sklearn(name: str, **options: Any) -> Any:
    """Return an estimator of scikit-learn, of its module and class."""
    return resolve_name(f"sklearn.{name}")(**options)


def _standardized(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(_sklearn("preprocessing:StandardScaler"), model)


def _svc(options: Options, **changes: Any) -> Any:
    settings = {"C": options.C, "class_weight": options.class_weight, "max_iter": SVM_STEPS}
    return _sklearn("svm:SVC", **(settings | changes))


def linear_svc(options: Options) -> Any:
    """Return the unfitted linear SVM of scaled features."""
    return _svc(options, kernel="linear")


def _linear_svm(Z: Any, options: Options) -> Any:
    unit = float(feature_scale(Z, "unit"))  # One factor of all features acts as another C.
    return _svc(options, C=float(options.C * unit**2), kernel="linear")


def _whitened_svm(Z: Any, options: Options) -> Any:
    return _standardized(linear_svc(options))


def _svr(Z: Any, options: Options) -> Any:
    model = _sklearn("svm:SVR", gamma=options.gamma, C=options.C, max_iter=SVM_STEPS)
    scaler = _sklearn("preprocessing:StandardScaler")
    return _sklearn("compose:TransformedTargetRegressor", regressor=model, transformer=scaler)


def _pca(model: Any) -> Any:
    """Return a pipeline that keeps most of the variance by PCA before a model."""
    from sklearn.pipeline import make_pipeline

    from kpca.linear.pca import PCA

    return make_pipeline(PCA(KEPT_VARIANCE), model)


def _logistic(Z: Any, options: Options) -> Any:
    penalty = {"C": options.C / _varying(Z), "class_weight": options.class_weight}
    return _standardized(_sklearn("linear_model:LogisticRegression", max_iter=1000, **penalty))


def _ridge(Z: Any, options: Options) -> Any:
    """Return the regression that chooses its penalty by leave-one-out error."""
    import numpy as np

    penalties = [float(f"{_varying(Z) * factor:.6g}") for factor in np.logspace(-3, 4, 15)]
    return _standardized(_sklearn("linear_model:RidgeCV", alphas=penalties))


def _ensemble(name: str, **settings: Any) -> Callable[[Any, Options], Any]:
    """Return the function of an ensemble, of which classifiers take weights of classes."""

    def estimator(Z: Any, options: Options) -> Any:
        model = _sklearn(f"ensemble:{name}", random_state=options.seed, **settings)
        if name.endswith("Classifier"):
            model.set_params(class_weight=options.class_weight)
        return model

    return estimator


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


_linear_record = partial(Method, "classes", "scores", tuned=True, words="a linear SVM", marker="x")
# The simpler of two predictors stands first, and is chosen if both score the same.
METHODS: dict[str, Method] = {
    "linear_svm": _linear_record(_linear_svm, scaling="unit"),
    "linear_svm_whitened": _linear_record(_whitened_svm, scaling="whiten"),
    "logistic_regression": Method(
        "classes",
        "raw",
        _logistic,
        tuned=True,
        words="logistic regression",
        label="logistic",
        marker="*",
    ),
    "least_squares": Method(
        "target",
        "scores",
        lambda Z, options: _sklearn("linear_model:LinearRegression"),
        words="least squares",
        marker="x",
    ),
    "ridge": Method("target", "raw", _ridge, words="ridge regression", label="ridge", marker="*"),
    "rbf_svm": Method(
        "classes",
        "gaussian",
        lambda Z, options: _svc(options, gamma=options.gamma),
        tuned=True,
        words="a Gaussian SVM",
        marker="+",
    ),
    "svr": Method(
        "target",
        "gaussian",
        _svr,
        tuned=True,
        words="a Gaussian support vector regression",
        label="SVR",
        marker="+",
    ),
    "pca_rbf_svm": Method(
        "classes",
        "raw",
        lambda Z, options: _pca(_svc(options, gamma="scale")),
        tuned=True,
        words="PCA and a Gaussian SVM",
        label="PCA, SVM",
        marker="+",
    ),
    "pca_svr": Method(
        "target",
        "raw",
        lambda Z, options: _pca(_svr(Z, options._replace(gamma="scale"))),
        tuned=True,
        words="PCA and a Gaussian support vector regression",
        label="PCA, SVR",
        marker="+",
    ),
    "random_forest": Method(
        "classes",
        "raw",
        _ensemble("RandomForestClassifier", n_estimators=TREES),
        words="a random forest",
        marker="^",
    ),
    "random_forest_regressor": Method(
        "target",
        "raw",
        _ensemble("RandomForestRegressor", n_estimators=TREES),
        words="a random forest",
        marker="^",
    ),
    "gradient_boosting": Method(
        "classes",
        "raw",
        _ensemble("HistGradientBoostingClassifier", **BOOSTING),
        words="gradient boosting",
        label="boosting",
        marker="v",
    ),
    "gradient_boosting_regressor": Method(
        "target",
        "raw",
        _ensemble("HistGradientBoostingRegressor", **BOOSTING),
        words="gradient boosting",
        label="boosting",
        marker="v",
    ),
    "most_frequent": Method(
        "classes", "raw", lambda Z, _: _sklearn("dummy:DummyClassifier", strategy="most_frequent")
    ),
    "mean": Method("target", "raw", lambda Z, _: _sklearn("dummy:DummyRegressor")),
    "kmeans": Method("clusters", "scores", label="k-means", marker="x"),
    "spectral": Method("clusters", "gaussian", label="spectral clustering", marker="d"),
    "embedding": Method("neighbours", "scores", marker="x"),
}


def unfitted(name: str, Z: Any, options: Options) -> Any:
    """Return the estimator of a method that predicts, for these training features."""
    estimator = METHODS[name].estimator
    if estimator is None:
        raise ValueError(f"{name} predicts nothing.")
    return estimator(Z, options)


# The methods that compete: what predicts, without the chance levels.
PREDICTORS = {name: method for name, method in METHODS.items() if method.words}
# The predictors that score an embedding; figures show the first that a dataset has.
ON_SCORES = tuple(name for name, method in PREDICTORS.items() if method.follows == "scores")
# Metric → the method that does not look at the features.
CHANCE = {m.metric: n for n, m in METHODS.items() if m.estimator and n not in PREDICTORS}
