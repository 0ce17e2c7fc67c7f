"""The classes that a model file may hold, and what a fitted one has: nothing else is ever built."""

from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

# The lengths of an attribute, a letter each: d features, p features of the samples behind a kernel
# matrix, k components, n training points, m landmarks, c classes, o all classes but one, t pairs of
# classes, s support vectors, q sigmoids, h held-out rows; a digit is itself, "" a single value, "*"
# anything. After "?" it may be missing, or None.
EVERYWHERE = {"?": "n_features_in_", "?d": "feature_names_in_", "?*": "_sklearn_output_config"}


class Known:
    """A class, where users import it from, and attributes of a fitted estimator by their lengths.

    Attributes of a class of scikit-learn are private to a version. Only those are listed that
    compiled code reads without a check.
    """

    def __init__(self, module: str, attributes: Mapping[str, str] | None = None) -> None:
        self.module, self.is_foreign = module, module.startswith("sklearn")
        self.lengths, self.needed = dict[str, str](), set[str]()
        for letters, names in [*EVERYWHERE.items(), *(attributes or {}).items()]:
            self.lengths |= dict.fromkeys(names.split(), letters.removeprefix("?"))
            self.needed |= set() if letters.startswith("?") else {*names.split()}


_KERNEL_PCA = {
    "k": "eigenvalues_ residuals_ explained_variance_ratio_",
    "nk": "eigenvectors_",
    "nd": "X_fit_",
    "n": "kernel_means_",
    "": "gamma_ variance_denominator_ n_features_in_ _undecided_",
    "*": "solver_ _completeness_ _definiteness_",
    "?*": "definiteness_ _prefix_",
    "?n": "sample_weight_",
    "?nk": "X_transformed_fit_",
    "?np": "dual_coef_",
    "?k": "residual_bounds_",
}
_LANDMARK_KERNEL_PCA = {
    "k": "eigenvalues_ residuals_ residual_bounds_ explained_variance_ratio_",
    "md": "X_fit_",
    "mk": "landmark_axes_",
    "m": "kernel_means_ landmark_mean_",
    "2k": "explained_variance_bounds_",
    "": "gamma_ variance_denominator_ n_features_in_ n_samples_seen_ trace_error_",
    "*": "solver_ _completeness_ _definiteness_",
    "?*": "_prefix_",
    "?nk": "eigenvectors_",
    "?n": "sample_weight_",
    "?mk": "X_transformed_fit_",
    "?mp": "dual_coef_",
    "?m": "landmark_indices_",
    "?k": "residual_estimates_ residual_estimate_errors_",
}
_SVM = {
    "c": "_n_support",  # of a regression there are two numbers, of which one counts
    "s": "support_",
    "sd": "support_vectors_",
    "os": "_dual_coef_",
    "t": "_intercept_",
    "?c": "classes_",
}
_UNCHECKED = {
    "compose": "ColumnTransformer TransformedTargetRegressor",
    "ensemble": "RandomForestClassifier RandomForestRegressor",
    "impute": "MissingIndicator SimpleImputer",
    "linear_model": "LinearRegression LogisticRegression RidgeCV",
    "pipeline": "Pipeline",
    "preprocessing": "FunctionTransformer MinMaxScaler OneHotEncoder OrdinalEncoder RobustScaler "
    "StandardScaler",
    "tree": "DecisionTreeClassifier DecisionTreeRegressor",  # `check_lengths` looks at these
}
KNOWN = {
    "KernelPCA": Known("kpca", _KERNEL_PCA),
    "LandmarkKernelPCA": Known("kpca", _LANDMARK_KERNEL_PCA),
    "KernelPCANovelty": Known("kpca", {"*": "estimator_", "n": "calibration_", "": "limit_"}),
    "PCA": Known("kpca", {"kd": "components_", "d": "mean_", "k": "explained_variance_"}),
    "SparsePCA": Known("kpca", {"kd": "components_", "d": "mean_", "k": "explained_variance_"}),
    "CalibratedPipeline": Known("kpca.calibration", {"?q2": "sigmoids_", "?h": "residuals_"}),
    **dict.fromkeys(("SVC", "SVR"), Known("sklearn.svm", _SVM)),
    **{name: Known(f"sklearn.{m}") for m, names in _UNCHECKED.items() for name in names.split()},
}
# Values of a few fields, made from what `vars` gives of them.
RECORDS = {
    "SolverChoice": Known("kpca.eigensolvers.decomposition"),
    "Completeness": Known("kpca.certificates.completeness"),
    "Definiteness": Known("kpca.certificates.definiteness"),
    "FeatureSums": Known("kpca.nystrom.scatter"),
    "make_column_selector": Known("sklearn.compose"),
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


def check_lengths(model: Any) -> None:
    """Compare the shapes of an estimator's attributes with one another.

    Raises
    ------
    ValueError
        Naming the first that does not go with the others.
    """
    # A ridge pre-image gives samples, whose features are not those of a precomputed kernel.
    same = {} if getattr(model, "kernel", None) == "precomputed" else {"p": "d"}
    known, seen = KNOWN[type(model).__name__], {}
    if (features := getattr(model, "n_features_in_", None)) is not None:
        seen["d"] = (features, f"n_features_in_ = {features}")
    for name, letters in known.lengths.items():
        value = vars(model).get(name)
        if letters == "*" or (value is None and name not in known.needed & {*vars(model)}):
            continue
        shape = tuple(getattr(value, "shape", ()))
        says = f"{name} has shape {shape}"
        if len(shape) != len(letters):
            raise ValueError(f"{says}, which must have {len(letters)} lengths")
        for length, letter in zip(shape, letters, strict=True):
            letter = same.get(letter, letter)
            fixed = (int(letter), "its definition") if letter.isdigit() else (length, says)
            expected, witness = seen.setdefault(letter, fixed)
            if length != expected:
                raise ValueError(f"{says}, which does not go with {witness}")
            if letter == "c":
                seen |= {"o": (length - 1, says), "t": (length * (length - 1) // 2, says)}
    values = getattr(model, "eigenvalues_", None)
    if values is not None and not (np.isfinite(values) & (values >= 0)).all():
        raise ValueError("eigenvalues_ has NaN, infinite or negative values")
    counts = getattr(model, "_n_support", None)  # libsvm reads as many vectors as they say
    counts = counts if hasattr(model, "classes_") or counts is None else counts[:1]
    if counts is not None and (counts.min() < 0 or counts.sum() != len(model.support_)):
        raise ValueError(f"_n_support = {counts} does not go with {len(model.support_)} vectors")
    trees = [model.tree_.n_features] if hasattr(model, "tree_") else []
    trees += [tree.n_features_in_ for tree in getattr(model, "estimators_", ())]
    if any(columns != model.n_features_in_ for columns in trees):  # which nothing checks later
        raise ValueError(f"{trees} columns of trees do not go with {model.n_features_in_}")
