"""The classes that a model file may hold, and what a fitted one has: nothing else is ever built."""

from collections.abc import Collection, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

# The lengths of an attribute, a letter each: d features, k components, n training points, m points
# of the expansion, c classes, o all classes but one, t pairs of classes, w weight vectors, of two
# classes one, s support vectors, q sigmoids, h held-out rows; a digit is itself, "" a single value,
# ANY anything.
Lengths = Mapping[str, str | None]
Listed = Mapping[str | None, str]
NOTHING: Listed = MappingProxyType({})
ANY = None
EVERYWHERE: Lengths = MappingProxyType(
    {"n_features_in_": "", "feature_names_in_": "d", "_sklearn_output_config": ANY}
)


class Known:
    """A class, and the attributes of a fitted estimator that no parameter tells.

    They are listed by their lengths; optional ones may be missing, or None. `module` is where users
    import the class from.
    """

    def __init__(self, module: str, needed: Listed = NOTHING, optional: Listed = NOTHING) -> None:
        self.module = module
        self.needed, self.optional = (
            {name: letters for letters, names in each.items() for name in names.split()}
            for each in (needed, optional)
        )
        self.attributes: Lengths = {**EVERYWHERE, **self.needed, **self.optional}
        # Whether the attributes are another package's, private to a version of it.
        self.foreign = module.startswith("sklearn")


_SVM: Listed = {
    "c": "_n_support",  # of a regression there are two numbers, of which one counts
    "s": "support_",
    "sd": "support_vectors_",
    "os": "dual_coef_ _dual_coef_",
    "t": "intercept_ _intercept_ _num_iter",
    "": "_gamma _sparse _effective_probability fit_status_",
    ANY: "n_iter_ _probA _probB shape_fit_",
}
_TREE = "tree_ n_features_in_ n_outputs_ max_features_"
_FOREST = "estimators_ estimator_ n_features_in_ n_outputs_"
_DRAWN = "_n_samples _n_samples_bootstrap _sample_weight"

KNOWN = {
    "KernelPCA": Known(
        "kpca",
        {
            "k": "eigenvalues_ residuals_ explained_variance_ratio_",
            "nk": "eigenvectors_",
            "md": "X_fit_",
            "m": "kernel_means_",
            "": "gamma_ lambda_min_ variance_denominator_ _undecided _n_features_out "
            "n_features_in_",
            ANY: "definiteness_ solver_ _completeness",
        },
        {
            "n": "sample_weight_",
            "mk": "X_transformed_fit_ landmark_axes_",
            "mp": "dual_coef_",
            "m": "landmark_mean_ landmark_indices_",
            "": "trace_error_ _checksum n_samples_seen_",
            "k": "residual_estimates_ residual_estimate_errors_ residual_bounds_",
            "2k": "explained_variance_bounds_",
            ANY: "_sums",
        },
    ),
    "KernelPCANovelty": Known(
        "kpca", {ANY: "estimator_", "n": "calibration_", "": "limit_ offset_"}
    ),
    "PCA": Known(
        "kpca",
        {
            "kd": "components_",
            "d": "mean_",
            "k": "explained_variance_ explained_variance_ratio_ singular_values_ residuals_",
            "": "n_components_ n_samples_",
        },
    ),
    "SparsePCA": Known(
        "kpca",
        {
            "kd": "components_",
            "d": "mean_",
            "k": "n_nonzero_ explained_variance_ explained_variance_ratio_ adjusted_variance_ "
            "adjusted_variance_ratio_",
            "": "reconstruction_error_ n_iter_ converged_",
        },
    ),
    "Pipeline": Known("sklearn.pipeline"),
    "CalibratedPipeline": Known("kpca.calibration", {}, {"q2": "sigmoids_", "h": "residuals_"}),
    "ColumnTransformer": Known(
        "sklearn.compose",
        {
            ANY: "transformers_ output_indices_ _columns _remainder _transformer_to_input_indices",
            "": "sparse_output_",
        },
        {ANY: "_transformers_feature_names_out"},
    ),
    "FunctionTransformer": Known("sklearn.preprocessing"),  # of "passthrough", or log
    "SimpleImputer": Known(
        "sklearn.impute", {"d": "statistics_", ANY: "_fit_dtype _fill_dtype"}, {ANY: "indicator_"}
    ),
    "MissingIndicator": Known("sklearn.impute", {ANY: "features_", "": "_n_features _precomputed"}),
    "OneHotEncoder": Known(
        "sklearn.preprocessing",
        {"d": "categories_ _n_features_outs", "": "_infrequent_enabled"},
        {
            "d": "drop_idx_ _drop_idx_after_grouping _infrequent_indices "
            "_default_to_infrequent_mappings"
        },
    ),
    "OrdinalEncoder": Known(
        "sklearn.preprocessing",
        {"d": "categories_", ANY: "_missing_indices", "": "_infrequent_enabled"},
        {"d": "_infrequent_indices _default_to_infrequent_mappings"},
    ),
    "StandardScaler": Known(
        "sklearn.preprocessing", {ANY: "n_samples_seen_"}, {"d": "mean_ var_ scale_"}
    ),
    "MinMaxScaler": Known(
        "sklearn.preprocessing",
        {"d": "scale_ min_ data_min_ data_max_ data_range_", "": "n_samples_seen_"},
    ),
    "RobustScaler": Known("sklearn.preprocessing", {"": "n_features_in_"}, {"d": "center_ scale_"}),
    "SVC": Known("sklearn.svm", {**_SVM, "c": "classes_ class_weight_ _n_support"}),
    "SVR": Known("sklearn.svm", _SVM),
    "LinearRegression": Known(
        "sklearn.linear_model", {"d": "coef_", "": "intercept_"}, {"": "rank_", ANY: "singular_"}
    ),
    "RidgeCV": Known("sklearn.linear_model", {"d": "coef_", "": "intercept_ alpha_ best_score_"}),
    "LogisticRegression": Known(
        "sklearn.linear_model", {"c": "classes_", "wd": "coef_", "w": "intercept_", ANY: "n_iter_"}
    ),
    "TransformedTargetRegressor": Known(
        "sklearn.compose", {ANY: "regressor_ transformer_ _training_dim"}
    ),
    "DecisionTreeRegressor": Known("sklearn.tree", {ANY: _TREE}),
    "DecisionTreeClassifier": Known("sklearn.tree", {"c": "classes_", ANY: f"{_TREE} n_classes_"}),
    "RandomForestRegressor": Known("sklearn.ensemble", {ANY: _FOREST}, {ANY: _DRAWN}),
    "RandomForestClassifier": Known(
        "sklearn.ensemble", {"c": "classes_", ANY: f"{_FOREST} n_classes_"}, {ANY: _DRAWN}
    ),
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
        raise ValueError(
            f"The model file names a class {name!r} not known here, only {', '.join(table)}"
        )
    return getattr(import_module(table[name].module), name)


def is_one_of(table: Mapping[str, Known], value: Any) -> bool:
    """Whether a table has exactly the class of a value, and not one of the same name."""
    name = type(value).__name__
    return name in table and type(value) is class_of(name, table)


def is_fitted(model: Any, left_out: Collection[str] = ()) -> bool:
    """Whether an estimator of the table, and every step of a pipeline, has what it needs."""
    if hasattr(model, "steps"):
        return all(is_fitted(step) for _, step in model.steps if is_one_of(KNOWN, step))
    return not lacking(type(model).__name__, {*vars(model), *left_out})


def lacking(name: str, attributes: Collection[str]) -> list[str]:
    """Return what a fitted estimator of a class of the table needs beyond these attributes.

    A `KernelPCA` that was fitted batch by batch has no eigenvectors.
    """
    fitted_by_batches = name == "KernelPCA" and "n_samples_seen_" in attributes
    return sorted(set(KNOWN[name].needed) - {*attributes, *["eigenvectors_"] * fitted_by_batches})


def check_lengths(model: Any) -> None:
    """Compare the shapes of an estimator's attributes with one another.

    Raises
    ------
    ValueError
        Naming the first that does not go with the others.
    """
    # Points of the expansion are the training points, but for landmarks; a ridge pre-image gives
    # points of the input space, which only a precomputed kernel does not tell.
    same = {"m": "m" if hasattr(model, "landmark_axes_") else "n"}
    same["p"] = "p" if getattr(model, "kernel", None) == "precomputed" else "d"
    known, seen = KNOWN[type(model).__name__], {}
    if (features := getattr(model, "n_features_in_", None)) is not None:
        seen["d"] = (features, f"n_features_in_ = {features}")
    for name, letters in known.attributes.items():
        value = getattr(model, name, None)
        if letters is ANY or name not in vars(model) or (value is None and name in known.optional):
            continue
        # The shape of a list of arrays, as scikit-learn has some, is their number.
        shape = (len(value),) if isinstance(value, list) else tuple(getattr(value, "shape", ()))
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
                seen |= {"w": (length if length > 2 else 1, says)}
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
