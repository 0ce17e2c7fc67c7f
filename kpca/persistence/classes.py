"""The classes that a model file may hold, and what a fitted one has: nothing else is ever built."""

import itertools
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

Table = Mapping[str, str]  # name of a class → module that users import it from
Shape = tuple[str | int, ...]  # lengths by name or number


def _by_name(modules: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: module for module, names in modules.items() for name in names}


KNOWN = _by_name(
    {
        "kpca": ("KernelPCA", "LandmarkKernelPCA", "KernelPCANovelty", "PCA", "SparsePCA"),
        "kpca.calibration": ("CalibratedPipeline",),
        "kpca.reading.columns": ("ColumnReader",),
        "sklearn.compose": ("ColumnTransformer", "TransformedTargetRegressor"),
        "sklearn.ensemble": (
            *("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"),
            *("RandomForestClassifier", "RandomForestRegressor"),
        ),
        "sklearn.ensemble._hist_gradient_boosting.binning": ("_BinMapper",),
        "sklearn.impute": ("MissingIndicator", "SimpleImputer"),
        "sklearn.linear_model": ("LinearRegression", "LogisticRegression", "RidgeCV"),
        "sklearn.pipeline": ("Pipeline",),
        "sklearn.preprocessing": (
            *("FunctionTransformer", "LabelEncoder", "MinMaxScaler", "OneHotEncoder"),
            *("OrdinalEncoder", "RobustScaler", "StandardScaler"),
        ),
        "sklearn.svm": ("SVC", "SVR"),
        "sklearn.tree": ("DecisionTreeClassifier", "DecisionTreeRegressor"),
    }
)
# Values of a few fields, made from what `vars` gives of them.
RECORDS = _by_name(
    {
        "kpca.reading.columns": ("Column",),
        "kpca.certificates.decomposition": ("SolverChoice",),
        "kpca.certificates.completeness": ("Completeness",),
        "kpca.certificates.definiteness": ("Definiteness",),
        "kpca.nystrom.scatter": ("FeatureSums",),
        "sklearn.compose": ("make_column_selector",),
    }
)
LOSSES = _by_name(  # of gradient boosting
    {"sklearn._loss.loss": ("HalfBinomialLoss", "HalfMultinomialLoss", "HalfSquaredError")}
)

# Shapes of fitted attributes, by the module of the class.
_SHAPES: dict[str, dict[Shape, tuple[str, ...]]] = {
    "kpca": {
        ("features",): ("feature_names_in_", "mean_"),
        ("components",): (
            *("eigenvalues_", "explained_variance_", "explained_variance_ratio_"),
            *("residual_bounds_", "residuals_"),
        ),
        (2, "components"): ("explained_variance_bounds_",),
        ("components", "features"): ("components_",),
        ("points",): ("kernel_means_", "landmark_indices_", "landmark_mean_"),
        ("points", "features"): ("X_fit_",),
        ("points", "components"): ("landmark_axes_", "X_transformed_fit_"),
        ("points", "features of pre-images"): ("dual_coef_",),
        ("samples",): ("calibration_", "sample_weight_"),
        ("samples", "components"): ("eigenvectors_",),
    },
    "kpca.calibration": {
        ("sigmoids", 2): ("sigmoids_",),
        ("held-out samples",): ("residuals_",),
    },
}
_OF_KERNEL_PCA = (
    *("X_fit_", "gamma_", "kernel_means_", "eigenvalues_", "explained_variance_ratio_"),
    *("residuals_", "variance_denominator_", "solver_", "_completeness_", "_definiteness_"),
)
_OF_PCA = ("components_", "explained_variance_", "mean_")
# Attributes without which a fitted estimator is none.
NEEDED = {
    "KernelPCA": (*_OF_KERNEL_PCA, "eigenvectors_", "_undecided_"),
    "LandmarkKernelPCA": (
        *_OF_KERNEL_PCA,
        *("explained_variance_bounds_", "landmark_axes_", "landmark_mean_", "n_samples_seen_"),
        *("residual_bounds_", "trace_error_"),
    ),
    "KernelPCANovelty": ("calibration_", "estimator_", "limit_", "memory_"),
    "PCA": _OF_PCA,
    "SparsePCA": _OF_PCA,
}


def class_of(name: str, table: Table = KNOWN) -> Any:
    """Return a class of a table by name.

    Raises
    ------
    ValueError
        For any other.
    """
    if name not in table:
        raise ValueError(f"The file names a class {name!r} not known here, only {', '.join(table)}")
    return getattr(import_module(table[name]), name)


def is_one_of(table: Table, value: Any) -> bool:
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
    name = type(model).__name__
    lengths: dict[str | int, tuple[int, str]] = {2: (2, "its definition")}  # with what says so
    if (features := getattr(model, "n_features_in_", None)) is not None:
        lengths["features"] = (features, f"n_features_in_ = {features}")
    same = dict[str | int, str]()
    if name == "KernelPCA":
        same["samples"] = "points"
    if getattr(model, "kernel", None) != "precomputed":  # which is not fitted to samples
        same["features of pre-images"] = "features"
    for dimensions, attributes in _SHAPES.get(KNOWN[name], {}).items():
        for attribute in vars(model).keys() & {*attributes}:
            value = vars(model)[attribute]
            if value is None and attribute not in NEEDED.get(name, ()):
                continue
            shape = tuple(getattr(value, "shape", ()))
            says = f"{attribute} has shape {shape}"
            if len(shape) != len(dimensions):
                raise ValueError(f"{says}, which must have {len(dimensions)} lengths")
            for length, dimension in zip(shape, dimensions, strict=True):
                dimension = same.get(dimension, dimension)
                expected, witness = lengths.setdefault(dimension, (length, says))
                if length != expected:
                    raise ValueError(f"{says}, which does not go with {witness}")
    values = getattr(model, "eigenvalues_", None)
    if values is not None and not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("eigenvalues_ has NaN, infinite or negative values")
    _check_support_vectors(model)
    _check_columns_of_trees(model)


def _check_support_vectors(model: Any) -> None:
    """Compare the attributes that libsvm will read without a check."""
    counts = getattr(model, "_n_support", None)
    if counts is None:
        return
    classes, vectors = len(counts), len(model.support_)  # of a regression there are two numbers
    shapes = {
        "support_vectors_": (vectors, model.n_features_in_),
        "_dual_coef_": (classes - 1, vectors),
        "_intercept_": (classes * (classes - 1) // 2,),
    }
    for name, shape in shapes.items():
        if (of_model := getattr(model, name).shape) != shape:
            raise ValueError(f"{name} has shape {of_model}, which does not go with {shape}")
    if not hasattr(model, "classes_"):
        counts = counts[:1]
    if counts.min() < 0 or counts.sum() != vectors:
        raise ValueError(f"_n_support = {counts} does not go with {vectors} vectors")


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
