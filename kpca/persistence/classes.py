"""The classes that a model file may contain, and the attributes of their fitted instances.

No other class is ever built from a file.
"""

import itertools
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

Table = Mapping[str, str]  # name of a class → module that users import it from

KNOWN = {
    "KernelPCA": "kpca",
    "LandmarkKernelPCA": "kpca",
    "KernelPCANovelty": "kpca",
    "PCA": "kpca",
    "SparsePCA": "kpca",
    "CalibratedPipeline": "kpca.calibration",
    "ColumnReader": "kpca.reading.columns",
    "ColumnTransformer": "sklearn.compose",
    "TransformedTargetRegressor": "sklearn.compose",
    "HistGradientBoostingClassifier": "sklearn.ensemble",
    "HistGradientBoostingRegressor": "sklearn.ensemble",
    "RandomForestClassifier": "sklearn.ensemble",
    "RandomForestRegressor": "sklearn.ensemble",
    "_BinMapper": "sklearn.ensemble._hist_gradient_boosting.binning",
    "MissingIndicator": "sklearn.impute",
    "SimpleImputer": "sklearn.impute",
    "LinearRegression": "sklearn.linear_model",
    "LogisticRegression": "sklearn.linear_model",
    "RidgeCV": "sklearn.linear_model",
    "Pipeline": "sklearn.pipeline",
    "FunctionTransformer": "sklearn.preprocessing",
    "LabelEncoder": "sklearn.preprocessing",
    "MinMaxScaler": "sklearn.preprocessing",
    "OneHotEncoder": "sklearn.preprocessing",
    "OrdinalEncoder": "sklearn.preprocessing",
    "RobustScaler": "sklearn.preprocessing",
    "StandardScaler": "sklearn.preprocessing",
    "SVC": "sklearn.svm",
    "SVR": "sklearn.svm",
    "DecisionTreeClassifier": "sklearn.tree",
    "DecisionTreeRegressor": "sklearn.tree",
}
# Classes whose attributes have the names of the constructor's arguments.
RECORDS = {
    "Column": "kpca.reading.columns",
    "SolverChoice": "kpca.certificates.decomposition",
    "Completeness": "kpca.certificates.completeness",
    "Definiteness": "kpca.certificates.definiteness",
    "FeatureSums": "kpca.nystrom.scatter",
    "make_column_selector": "sklearn.compose",
    "HalfBinomialLoss": "sklearn._loss.loss",
    "HalfMultinomialLoss": "sklearn._loss.loss",
    "HalfSquaredError": "sklearn._loss.loss",
}

# Shapes of fitted attributes of this package's classes. Each word names what a dimension counts.
_SHAPES = {
    "feature_names_in_": "features",
    "mean_": "features",
    "eigenvalues_": "components",
    "explained_variance_": "components",
    "explained_variance_ratio_": "components",
    "residual_bounds_": "components",
    "residuals_": "components",  # A `CalibratedPipeline` has no other attribute of this length.
    "explained_variance_bounds_": "2 components",
    "components_": "components features",
    "kernel_means_": "points",
    "landmark_indices_": "points",
    "landmark_mean_": "points",
    "X_fit_": "points features",
    "landmark_axes_": "points components",
    "X_transformed_fit_": "points components",
    "dual_coef_": "points outputs",
    "calibration_": "samples",
    "sample_weight_": "samples",
    "eigenvectors_": "samples components",
    "sigmoids_": "sigmoids 2",
}
_OF_KERNEL_PCA = (
    "X_fit_",
    "gamma_",
    "kernel_means_",
    "eigenvalues_",
    "explained_variance_ratio_",
    "residuals_",
    "variance_denominator_",
    "solver_",
    "_completeness_",
    "_definiteness_",
)
_OF_LANDMARKS = (
    "explained_variance_bounds_",
    "landmark_axes_",
    "landmark_mean_",
    "n_samples_seen_",
    "residual_bounds_",
    "trace_error_",
)
_OF_PCA = ("components_", "explained_variance_", "mean_")
# Attributes that every fitted estimator of a class has.
NEEDED = {
    "KernelPCA": (*_OF_KERNEL_PCA, "eigenvectors_", "_undecided_"),
    "LandmarkKernelPCA": (*_OF_KERNEL_PCA, *_OF_LANDMARKS),
    "KernelPCANovelty": ("calibration_", "estimator_", "limit_", "memory_"),
    "PCA": (*_OF_PCA, "n_samples_"),
    "SparsePCA": _OF_PCA,
}


def class_of(name: str, table: Table = KNOWN) -> Any:
    """Return a class of a table by name.

    Raises
    ------
    ValueError
        If the table has no class of this name.
    """
    if name not in table:
        raise ValueError(f"The file names a class {name!r} not known here, only {', '.join(table)}")
    return getattr(import_module(table[name]), name)


def is_one_of(table: Table, value: Any) -> bool:
    """Return whether a table has the class of a value, and not only a class of the same name."""
    name = type(value).__name__
    return name in table and type(value) is class_of(name, table)


def is_fitted(model: Any) -> bool:
    """Return whether an estimator, or every step of a pipeline, is fitted."""
    if hasattr(model, "steps"):
        return all(is_fitted(step) for _, step in model.steps if hasattr(step, "fit"))
    with suppress(NotFittedError):
        check_is_fitted(model)
        return True
    return False


def check_shapes(model: Any) -> None:
    """Check that the shapes of an estimator's attributes match, and that its eigenvalues are valid.

    Raises
    ------
    ValueError
        If shapes do not match, or eigenvalues are invalid; the message names the first such
        attribute.
    """
    if KNOWN[type(model).__name__].startswith("kpca"):
        _compare_lengths(model)
    values = getattr(model, "eigenvalues_", None)
    if values is not None and not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("eigenvalues_ has NaN, infinite or negative values")
    _check_support_vectors(model)
    _check_columns_of_trees(model)


def _compare_lengths(model: Any) -> None:
    name = type(model).__name__
    # Word in `_SHAPES` → the length that it stands for, and which attribute this length is from.
    lengths = {"2": (2, "its definition")}
    features = getattr(model, "n_features_in_", None)
    if features is not None:
        lengths["features"] = (features, f"n_features_in_ = {features}")
    same = dict[str, str]()
    if name == "KernelPCA":
        same["samples"] = "points"
    # The outputs are pre-images, so that they have the features of the samples. Only a model of a
    # precomputed matrix is an exception, because it is not fitted to samples.
    if getattr(model, "kernel", None) != "precomputed":
        same["outputs"] = "features"
    for attribute, value in vars(model).items():
        if attribute not in _SHAPES or (value is None and attribute not in NEEDED.get(name, ())):
            continue
        dimensions = _SHAPES[attribute].split()
        shape = tuple(getattr(value, "shape", ()))
        says = f"{attribute} has shape {shape}"
        if len(shape) != len(dimensions):
            raise ValueError(f"{says}, which must have {len(dimensions)} lengths")
        for length, dimension in zip(shape, dimensions, strict=True):
            dimension = same.get(dimension, dimension)
            expected, witness = lengths.setdefault(dimension, (length, says))
            if length != expected:
                raise ValueError(f"{says}, which does not go with {witness}")


def _check_support_vectors(model: Any) -> None:
    """Check the shapes of the attributes that libsvm reads without a check."""
    counts = getattr(model, "_n_support", None)
    if counts is None:
        return
    classes = len(counts)
    vectors = len(model.support_)  # not from `_n_support`, which has two numbers in a regression
    shapes = {
        "support_vectors_": (vectors, model.n_features_in_),
        "_dual_coef_": (classes - 1, vectors),
        "_intercept_": (classes * (classes - 1) // 2,),
    }
    for name, shape in shapes.items():
        of_model = getattr(model, name).shape
        if of_model != shape:
            raise ValueError(f"{name} has shape {of_model}, which does not go with {shape}")
    if not hasattr(model, "classes_"):
        counts = counts[:1]
    if counts.min() < 0 or counts.sum() != vectors:
        raise ValueError(f"_n_support = {counts} does not go with {vectors} vectors")


def _check_columns_of_trees(model: Any) -> None:
    """Check that trees split by columns of the model, because scikit-learn does not check this."""
    columns = [tree.n_features_in_ for tree in getattr(model, "estimators_", ())]
    if hasattr(model, "tree_"):
        columns.append(model.tree_.n_features)
    if any(number != model.n_features_in_ for number in columns):
        raise ValueError(f"{columns} columns of trees do not go with {model.n_features_in_}")
    for tree in itertools.chain(*getattr(model, "_predictors", ())):
        if tree.nodes["feature_idx"].max(initial=0) >= model.n_features_in_:
            raise ValueError(f"A tree splits by more than {model.n_features_in_} columns")
