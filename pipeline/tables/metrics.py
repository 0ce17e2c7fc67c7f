"""The metrics of the evaluation: how each is named, and what difference in it matters.

They stand apart from the functions that compute them, so that another word or margin leaves the
scores as they are.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """What tables and figures say of a metric: its name on an axis, and next to a number.

    The margin is the smallest difference that matters, stated before any run; ``least`` is a
    number that none is below, as none is above 1.
    """

    words: str
    symbol: str
    margin: float
    least: float = 0.0


METRICS = {
    "balanced_accuracy": Metric("balanced accuracy", "acc", 0.01),
    "ami": Metric("adjusted mutual information", "AMI", 0.02, -1.0),
    "ari": Metric("adjusted Rand index", "ARI", 0.02, -1.0),
    "correlation": Metric("correlation", "r", 0.02, -1.0),
    "trustworthiness": Metric("trustworthiness", "T", 0.02),
}

_METHODS = {
    "balanced_accuracy": "linear_svm linear_svm_whitened rbf_svm logistic_regression random_forest "
    "most_frequent",
    "ami": "kmeans spectral",
    "correlation": "least_squares ridge svr random_forest_regressor mean",
    "trustworthiness": "embedding",
}
MAIN_METRIC = {method: metric for metric, names in _METHODS.items() for method in names.split()}
"""The metric by which each downstream method is selected and compared."""

LINEAR = ("linear_svm", "linear_svm_whitened", "least_squares")
"""The linear methods that score an embedding; figures show the first that a dataset has."""
