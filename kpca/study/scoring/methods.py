"""The downstream methods, one record each: predictors, clusterings, and the check of neighbours.

A method follows a representation if it is trained on it or scores it. The Snakefile imports this
module, and therefore heavy packages are imported inside functions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import Any, NamedTuple

from kpca.study.scoring.metrics import measures_of

# Largest number of iterations of libsvm. Without a limit, rows that nearly coincide would take
# hours. The sweep counts the ConvergenceWarning that scikit-learn issues at the limit.
SVM_STEPS = 200_000
TREES = 50
KEPT_VARIANCE = 0.9  # fraction of the variance that PCA keeps before a Gaussian predictor
# Settings for a few hundred rows. With more bins, the quantiles take longer than all trees.
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
    """One downstream method: what it gives, what it follows, and its names in texts and figures."""

    gives: str  # "classes", "target", "clusters" or "neighbours": what `METRICS` measure
    # "scores": it follows every representation. "raw": it follows raw features only. "gaussian": it
    # follows raw features, once per bandwidth of the grid.
    follows: str
    # (training features, `Options`) → unfitted scikit-learn estimator; None if it does not predict.
    estimator: Callable[[Any, Options], Any] | None = None
    tuned: bool = False  # whether it is fitted at every C of the configuration
    words: str = ""  # name in a sentence; only `PREDICTORS` have one
    label: str = ""  # name in a forest plot, if it differs from `words`
    # Marker in a forest plot. Methods with the same marker share one line of the plot.
    marker: str = "p"
    scaling: str = ""  # the value of `scaling` in the configuration that selects this method

    @property
    def metric(self) -> str:
        """Name of the metric by which the method is selected and compared."""
        return next(iter(measures_of(self.gives)))

    @property
    def short(self) -> str:
        """Name of the method in a forest plot; empty if the plot does not show the method."""
        return self.label or self.words.removeprefix("a ")

    @property
    def line(self) -> str:
        """Name of the line in a forest plot that shows the method."""
        first = next(name for name, method in METHODS.items() if method.marker == self.marker)
        return "raw" if self.marker == "x" else first

    @property
    def tasks(self) -> tuple[str, ...]:
        """Tasks of the datasets on which the method is scored."""
        kinds = {"target": ("regression",), "neighbours": ("regression", "none")}
        return kinds.get(self.gives, ("classification",))


def _sklearn(name: str, **options: Any) -> Any:
    """Return the estimator of scikit-learn that is named ``module:Class``, with these options."""
    return resolve_name(f"sklearn.{name}")(**options)


def _standardized(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(_sklearn("preprocessing:StandardScaler"), model)


def _svc(options: Options, **changes: Any) -> Any:
    settings = {"C": options.C, "class_weight": options.class_weight, "max_iter": SVM_STEPS}
    return _sklearn("svm:SVC", **(settings | changes))


def linear_svc(options: Options) -> Any:
    """Return an unfitted linear SVM for features that are already scaled."""
    return _svc(options, kernel="linear")


def _linear_svm(Z: Any, options: Options) -> Any:
    unit = float(feature_scale(Z, "unit"))  # Scaling by one factor acts like another C.
    return _svc(options, C=float(options.C * unit**2), kernel="linear")


def _svr(Z: Any, options: Options) -> Any:
    model = _sklearn("svm:SVR", gamma=options.gamma, C=options.C, max_iter=SVM_STEPS)
    scaler = _sklearn("preprocessing:StandardScaler")
    return _sklearn("compose:TransformedTargetRegressor", regressor=model, transformer=scaler)


def _pca(model: Any) -> Any:
    """Return a pipeline of PCA, which keeps `KEPT_VARIANCE` of the variance, and a model."""
    from sklearn.pipeline import make_pipeline

    from kpca.linear.pca import PCA

    return make_pipeline(PCA(KEPT_VARIANCE), model)


def _logistic(Z: Any, options: Options) -> Any:
    penalty = {"C": options.C / _varying(Z), "class_weight": options.class_weight}
    return _standardized(_sklearn("linear_model:LogisticRegression", max_iter=1000, **penalty))


def _ridge(Z: Any, options: Options) -> Any:
    """Return a ridge regression that chooses its penalty by leave-one-out error."""
    import numpy as np

    penalties = [float(f"{_varying(Z) * factor:.6g}") for factor in np.logspace(-3, 4, 15)]
    return _standardized(_sklearn("linear_model:RidgeCV", alphas=penalties))


def _ensemble(name: str, **settings: Any) -> Callable[[Any, Options], Any]:
    """Return a function that makes the ensemble; only classifiers take class weights."""

    def estimator(Z: Any, options: Options) -> Any:
        model = _sklearn(f"ensemble:{name}", random_state=options.seed, **settings)
        if name.endswith("Classifier"):
            model.set_params(class_weight=options.class_weight)
        return model

    return estimator


def _varying(Z: Any) -> int:
    """Return how many features vary, which is the mean squared norm of standardized rows."""
    import numpy as np

    return max(int((np.ptp(Z, axis=0) > 0).sum()), 1)


def feature_scale(Z: Any, scaling: str) -> Any:
    """Return the factor by which the scaling "unit" or "whiten" multiplies features.

    "unit" has one factor for all features, so that the mean squared norm of rows is 1. "whiten" has
    one factor per feature, so that its variance is 1.
    """
    import numpy as np

    squares = np.einsum("ij,ij->j", Z, Z) / len(Z) if scaling == "unit" else Z.var(axis=0)
    total = squares.sum()
    if total == 0:
        return 1.0
    if scaling == "unit":
        return 1 / math.sqrt(total)
    # A component without variance is not scaled.
    return 1 / np.sqrt(np.where(squares > 1e-12 * total, squares, 1.0))


_linear_record = partial(Method, "classes", "scores", tuned=True, words="a linear SVM", marker="x")
# Simpler predictors come first, because the first of several with equal scores is chosen.
METHODS: dict[str, Method] = {
    "linear_svm": _linear_record(_linear_svm, scaling="unit"),
    "linear_svm_whitened": _linear_record(
        lambda Z, options: _standardized(linear_svc(options)), scaling="whiten"
    ),
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
    """Return the unfitted estimator of the method ``name`` for the training features Z."""
    estimator = METHODS[name].estimator
    if estimator is None:
        raise ValueError(f"{name} predicts nothing.")
    return estimator(Z, options)


# Methods that predict and are compared with each other, which excludes the chance levels.
PREDICTORS = {name: method for name, method in METHODS.items() if method.words}
# Predictors that follow every representation. Figures show the first one that suits a dataset.
ON_SCORES = tuple(name for name, method in PREDICTORS.items() if method.follows == "scores")
# Metric → the method that ignores the features, so that its score is the chance level.
CHANCE = {m.metric: n for n, m in METHODS.items() if m.estimator and n not in PREDICTORS}
