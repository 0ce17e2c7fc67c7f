"""The classes that a model file may hold, and what a fitted one has: nothing else is ever built."""

import itertools
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

Shape = tuple[str | int, ...]  # lengths by name or number
VALUE: Shape = ()
ANYTHING: Shape = ("anything",)  # a record, an estimator, or a list of these


class Known:
    """A class, where users import it from, and the attributes of a fitted estimator by their shape.

    Attributes of a class of scikit-learn are private to a version. Only those are listed that
    compiled code reads without a check.
    """

    def __init__(
        self,
        module: str,
        needed: Mapping[Shape, Iterable[str]] | None = None,
        optional: Mapping[Shape, Iterable[str]] | None = None,
    ) -> None:
        self.module, self.is_foreign = module, module.startswith("sklearn")
        self.needed = _shapes(needed or {})
        self.shapes = self.needed | _shapes(optional or {}) | _shapes(_OF_ANY_ESTIMATOR)


def _shapes(attributes: Mapping[Shape, Iterable[str]]) -> dict[str, Shape]:
    return {name: shape for shape, names in attributes.items() for name in names}


_OF_ANY_ESTIMATOR: dict[Shape, list[str]] = {
    VALUE: ["n_features_in_"],
    ("features",): ["feature_names_in_"],
    ANYTHING: ["_sklearn_output_config"],
}
_KERNEL_PCA = Known(
    "kpca",
    needed={
        VALUE: ["gamma_", "n_features_in_", "variance_denominator_", "_undecided_"],
        ANYTHING: ["solver_", "_completeness_", "_definiteness_"],
        ("components",): ["eigenvalues_", "explained_variance_ratio_", "residuals_"],
        ("samples",): ["kernel_means_"],
        ("samples", "components"): ["eigenvectors_"],
        ("samples", "features"): ["X_fit_"],
    },
    optional={
        ANYTHING: ["definiteness_", "_prefix_"],
        ("components",): ["residual_bounds_"],
        ("samples",): ["sample_weight_"],
        ("samples", "components"): ["X_transformed_fit_"],
        ("samples", "features of pre-images"): ["dual_coef_"],
    },
)
_LANDMARK_KERNEL_PCA = Known(
    "kpca",
    needed={
        VALUE: [
            *("gamma_", "n_features_in_", "n_samples_seen_", "trace_error_"),
            "variance_denominator_",
        ],
        ANYTHING: ["solver_", "_completeness_", "_definiteness_"],
        ("components",): [
            *("eigenvalues_", "explained_variance_ratio_", "residual_bounds_", "residuals_")
        ],
        (2, "components"): ["explained_variance_bounds_"],
        ("landmarks",): ["kernel_means_", "landmark_mean_"],
        ("landmarks", "components"): ["landmark_axes_"],
        ("landmarks", "features"): ["X_fit_"],
    },
    optional={
        ANYTHING: ["_prefix_"],
        ("landmarks",): ["landmark_indices_"],
        ("landmarks", "components"): ["X_transformed_fit_"],
        ("landmarks", "features of pre-images"): ["dual_coef_"],
        ("samples",): ["sample_weight_"],
        ("samples", "components"): ["eigenvectors_"],
    },
)
_PCA = Known(
    "kpca",
    needed={
        ("components",): ["explained_variance_"],
        ("components", "features"): ["components_"],
        ("features",): ["mean_"],
    },
)
_NOVELTY = Known(
    "kpca", needed={VALUE: ["limit_"], ANYTHING: ["estimator_"], ("samples",): ["calibration_"]}
)
_CALIBRATED = Known(
    "kpca.calibration",
    optional={("sigmoids", 2): ["sigmoids_"], ("held-out samples",): ["residuals_"]},
)
_SVM = Known(
    "sklearn.svm",
    needed={
        ("classes",): ["_n_support"],  # of a regression there are two numbers, of which one counts
        ("support vectors",): ["support_"],
        ("support vectors", "features"): ["support_vectors_"],
        ("classes - 1", "support vectors"): ["_dual_coef_"],
        ("pairs of classes",): ["_intercept_"],
    },
    optional={("classes",): ["classes_"]},
)
_UNCHECKED = {
    "compose": ["ColumnTransformer", "TransformedTargetRegressor"],
    # `check_shapes` looks at the trees of these, and of decision trees.
    "ensemble": [
        *("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"),
        *("RandomForestClassifier", "RandomForestRegressor"),
    ],
    "ensemble._hist_gradient_boosting.binning": ["_BinMapper"],
    "impute": ["MissingIndicator", "SimpleImputer"],
    "linear_model": ["LinearRegression", "LogisticRegression", "RidgeCV"],
    "pipeline": ["Pipeline"],
    "preprocessing": [
        *("FunctionTransformer", "LabelEncoder", "MinMaxScaler", "OneHotEncoder"),
        *("OrdinalEncoder", "RobustScaler", "StandardScaler"),
    ],
    "tree": ["DecisionTreeClassifier", "DecisionTreeRegressor"],
}
KNOWN = {
    "KernelPCA": _KERNEL_PCA,
    "LandmarkKernelPCA": _LANDMARK_KERNEL_PCA,
    "KernelPCANovelty": _NOVELTY,
    "PCA": _PCA,
    "SparsePCA": _PCA,
    "CalibratedPipeline": _CALIBRATED,
    "ColumnReader": Known("kpca.reading.columns"),
    "SVC": _SVM,
    "SVR": _SVM,
    **{name: Known(f"sklearn.{m}") for m, names in _UNCHECKED.items() for name in names},
}
# Values of a few fields, made from what `vars` gives of them.
RECORDS = {
    "Column": Known("kpca.reading.columns"),
    "SolverChoice": Known("kpca.certificates.decomposition"),
    "Completeness": Known("kpca.certificates.completeness"),
    "Definiteness": Known("kpca.certificates.definiteness"),
    "FeatureSums": Known("kpca.nystrom.scatter"),
    "make_column_selector": Known("sklearn.compose"),
}
LOSSES = {  # of gradient boosting
    name: Known("sklearn._loss.loss")
    for name in ("HalfBinomialLoss", "HalfMultinomialLoss", "HalfSquaredError")
}


def class_of(name: str, table: Mapping[str, Known] = KNOWN) -> Any:
    """Return a class of a table by name.

    Raises
    ------
    ValueError
        For any other.
    """
    if name not in table:
        raise ValueError(f"The file names a class {name!r} not known here, only {', '.join(table)}")
    return getattr(import_module(table[name].module), name)


def is_one_of(table: Mapping[str, Known], value: Any) -> bool:
    """Whether a table has exactly the class of a value, and not one of the same name."""
    name = type(value).__name__
    return name in table and type(value) is class_of(name, table)


def is_fitted(model: Any) -> bool:
    """Whether an estimator, and every step of a pipeline, is fitted."""
    if hasattr(model, "steps"):
        return all(is_fitted(step) for _, step in model.steps if hasattr(step, "fit"))
    with suppress(NotFittedError):
        check_is_fitted(model)
        return True
    return False


def check_shapes(model: Any) -> None:
    """Compare the shapes of an estimator's attributes with one another.

    Raises
    ------
    ValueError
        Naming the first that does not go with the others.
    """
    known = KNOWN[type(model).__name__]
    # Length by name, and what says so.
    lengths: dict[str | int, tuple[int, str]] = {}
    if (features := getattr(model, "n_features_in_", None)) is not None:
        lengths["features"] = (features, f"n_features_in_ = {features}")
        if getattr(model, "kernel", None) != "precomputed":  # which is not fitted to samples
            lengths["features of pre-images"] = lengths["features"]
    for name, dimensions in known.shapes.items():
        value = vars(model).get(name)
        is_missing = value is None and name not in known.needed.keys() & vars(model).keys()
        if dimensions == ANYTHING or is_missing:
            continue
        shape = tuple(getattr(value, "shape", ()))
        says = f"{name} has shape {shape}"
        if len(shape) != len(dimensions):
            raise ValueError(f"{says}, which must have {len(dimensions)} lengths")
        for length, dimension in zip(shape, dimensions, strict=True):
            if isinstance(dimension, int):
                lengths[dimension] = (dimension, "its definition")
            expected, witness = lengths.setdefault(dimension, (length, says))
            if length != expected:
                raise ValueError(f"{says}, which does not go with {witness}")
            if dimension == "classes":
                lengths["classes - 1"] = (length - 1, says)
                lengths["pairs of classes"] = (length * (length - 1) // 2, says)
    values = getattr(model, "eigenvalues_", None)
    if values is not None and not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("eigenvalues_ has NaN, infinite or negative values")
    _check_support_vectors(model)
    _check_columns_of_trees(model)


def _check_support_vectors(model: Any) -> None:
    """Compare the number of support vectors with what libsvm will read."""
    counts = getattr(model, "_n_support", None)
    if counts is None:
        return
    if not hasattr(model, "classes_"):
        counts = counts[:1]
    if counts.min() < 0 or counts.sum() != len(model.support_):
        raise ValueError(f"_n_support = {counts} does not go with {len(model.support_)} vectors")


def _check_columns_of_trees(model: Any) -> None:
    """Compare the columns that trees split by with those of the model, which nothing else does."""
    columns = [tree.n_features_in_ for tree in getattr(model, "estimators_", ())]
    if hasattr(model, "tree_"):
        columns.append(model.tree_.n_features)
    if any(number != model.n_features_in_ for number in columns):
        raise ValueError(f"{columns} columns of trees do not go with {model.n_features_in_}")
    for tree in itertools.chain(*getattr(model, "_predictors", ())):
        if tree.nodes["feature_idx"].max(initial=0) >= model.n_features_in_:
            raise ValueError(f"A tree splits by more than {model.n_features_in_} columns")
