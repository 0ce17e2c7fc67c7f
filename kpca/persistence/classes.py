"""The classes that a model file may hold, and what a fitted one has: nothing else is ever built."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

# The lengths of an attribute, a letter each: d features, k components, n training points, m points
# of the expansion, c classes, o all classes but one, t pairs of classes, s support vectors; a digit
# is itself, "" a single value, None anything.
Lengths = Mapping[str, str | None]
EVERYWHERE: Lengths = MappingProxyType(
    {"n_features_in_": "", "feature_names_in_": "d", "_sklearn_output_config": None}
)
_COUNTED: Lengths = {"_infrequent_indices": "d", "_default_to_infrequent_mappings": "d"}


@dataclass(frozen=True)
class Known:
    """A class, and the attributes of a fitted estimator that no parameter tells."""

    module: str  # where users import it from
    needed: Lengths = field(default_factory=dict)
    optional: Lengths = field(default_factory=dict)  # may be missing, or None

    @property
    def attributes(self) -> dict[str, str | None]:
        """All that one may have, with their lengths."""
        return {**EVERYWHERE, **self.needed, **self.optional}

    @property
    def foreign(self) -> bool:
        """Whether the attributes are another package's, private to a version of it."""
        return self.module.startswith("sklearn")


KNOWN = {
    "KernelPCA": Known(
        "kpca",
        {
            "eigenvalues_": "k",
            "eigenvectors_": "nk",
            "residuals_": "k",
            "explained_variance_ratio_": "k",
            "X_fit_": "md",
            "kernel_means_": "m",
            "gamma_": "",
            "lambda_min_": "",
            "variance_denominator_": "",
            "definiteness_": None,
            "solver_": None,
            "_completeness": None,
            "_undecided": "",
            "_n_features_out": "",
            "n_features_in_": "",
        },
        {
            "sample_weight_": "n",
            "X_transformed_fit_": "mk",
            "dual_coef_": "mp",
            "landmark_axes_": "mk",
            "landmark_mean_": "m",
            "trace_error_": "",
            "residual_estimates_": "k",
            "residual_estimate_errors_": "k",
            "explained_variance_bounds_": "2k",
        },
    ),
    "KernelPCANovelty": Known(
        "kpca", {"estimator_": None, "calibration_": "n", "limit_": "", "offset_": ""}
    ),
    "PCA": Known(
        "kpca",
        {
            "components_": "kd",
            "mean_": "d",
            "explained_variance_": "k",
            "explained_variance_ratio_": "k",
            "singular_values_": "k",
            "residuals_": "k",
            "n_components_": "",
            "n_samples_": "",
        },
    ),
    "SparsePCA": Known(
        "kpca",
        {
            "components_": "kd",
            "mean_": "d",
            "n_nonzero_": "k",
            "explained_variance_": "k",
            "explained_variance_ratio_": "k",
            "adjusted_variance_": "k",
            "adjusted_variance_ratio_": "k",
            "reconstruction_error_": "",
            "n_iter_": "",
            "converged_": "",
        },
    ),
    "Pipeline": Known("sklearn.pipeline"),
    "ColumnTransformer": Known(
        "sklearn.compose",
        {
            "transformers_": None,
            "output_indices_": None,
            "sparse_output_": "",
            "_columns": None,
            "_remainder": None,
            "_transformer_to_input_indices": None,
        },
        {"_transformers_feature_names_out": None},
    ),
    "FunctionTransformer": Known("sklearn.preprocessing"),  # of "passthrough", or log
    "SimpleImputer": Known(
        "sklearn.impute",
        {"statistics_": "d", "_fit_dtype": None, "_fill_dtype": None},
        {"indicator_": None},
    ),
    "MissingIndicator": Known(
        "sklearn.impute", {"features_": None, "_n_features": "", "_precomputed": ""}
    ),
    "OneHotEncoder": Known(
        "sklearn.preprocessing",
        {"categories_": "d", "_n_features_outs": "d", "_infrequent_enabled": ""},
        {"drop_idx_": "d", "_drop_idx_after_grouping": "d", **_COUNTED},
    ),
    "OrdinalEncoder": Known(
        "sklearn.preprocessing",
        {"categories_": "d", "_missing_indices": None, "_infrequent_enabled": ""},
        _COUNTED,
    ),
    "StandardScaler": Known(
        "sklearn.preprocessing",
        {"n_samples_seen_": None},
        {"mean_": "d", "var_": "d", "scale_": "d"},
    ),
    "MinMaxScaler": Known(
        "sklearn.preprocessing",
        {
            "scale_": "d",
            "min_": "d",
            "data_min_": "d",
            "data_max_": "d",
            "data_range_": "d",
            "n_samples_seen_": "",
        },
    ),
    "RobustScaler": Known(
        "sklearn.preprocessing", {"n_features_in_": ""}, {"center_": "d", "scale_": "d"}
    ),
    "SVC": Known(
        "sklearn.svm",
        {
            "classes_": "c",
            "class_weight_": "c",
            "support_": "s",
            "support_vectors_": "sd",
            "dual_coef_": "os",
            "_dual_coef_": "os",
            "intercept_": "t",
            "_intercept_": "t",
            "_n_support": "c",
            "_gamma": "",
            "_sparse": "",
            "_effective_probability": "",
            "_probA": None,
            "_probB": None,
            "fit_status_": "",
            "n_iter_": "t",
            "_num_iter": "t",
            "shape_fit_": None,
        },
    ),
    "LinearRegression": Known(
        "sklearn.linear_model",
        {"coef_": "d", "intercept_": ""},
        {"rank_": "", "singular_": None},
    ),
}
# Values of a few fields, made from what `vars` gives of them.
RECORDS = {
    "SolverChoice": Known("kpca.eigensolvers.decomposition"),
    "Completeness": Known("kpca.certificates.completeness"),
    "Definiteness": Known("kpca.certificates.definiteness"),
    "make_column_selector": Known("sklearn.compose"),
}


def class_of(name: str, table: Mapping[str, Known] = KNOWN) -> Any:
    """Give a class of a table by name.

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
    if type(model).__name__ == "Pipeline":
        return all(is_fitted(step) for _, step in model.steps if is_one_of(KNOWN, step))
    return set(KNOWN[type(model).__name__].needed) <= {*vars(model), *left_out}


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
        if letters is None or name not in vars(model) or (value is None and name in known.optional):
            continue
        shape = _shape(value)
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
    counts = getattr(model, "_n_support", None)  # libsvm reads as many vectors as they say
    if counts is not None and (counts.min() < 0 or counts.sum() != len(model.support_)):
        raise ValueError(f"_n_support = {counts} does not go with {len(model.support_)} vectors")


def _shape(value: Any) -> tuple[int, ...]:
    if isinstance(value, list):
        return (len(value),)
    return tuple(getattr(value, "shape", ()))
