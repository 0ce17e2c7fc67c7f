"""Models as files: arrays in NPZ and one JSON description, versioned, without pickle."""

import json
import math
import zipfile
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kpca.certificates.completeness import Completeness
from kpca.certificates.definiteness import Definiteness
from kpca.eigensolvers.auto import Choice
from kpca.kernel_pca import KernelPCA
from kpca.nystrom.fit import LANDMARK_ATTRIBUTES
from kpca.types import Array

FORMAT = "kpca-model"
VERSION = 1
DESCRIPTION = "description"
CLASS = KernelPCA.__name__  # nothing else is ever made on a file's word
# Of a fitted model; what else there is follows from the constructor arguments.
VALUES = (
    "completeness_",
    "definiteness_",
    "gamma_",
    "lambda_min_",
    "n_features_in_",
    "solver_",
    "variance_denominator_",
)
NEEDED = (
    "eigenvalues_",
    "eigenvectors_",
    "residuals_",
    "explained_variance_ratio_",
    "kernel_means_",
)
OPTIONAL = (
    "X_fit_",
    *LANDMARK_ATTRIBUTES,
    "sample_weight_",
    "dual_coef_",
    "X_transformed_fit_",
    "feature_names_in_",
)
_SPARSE = ("data", "indices", "indptr", "shape")


def to_arrays(model: Any) -> dict[str, Array]:
    """Give a fitted model as arrays by name.

    The entry ``description`` is a JSON text with format, version, class, constructor
    arguments and fitted values; the others are the model's arrays.

    Raises
    ------
    ValueError
        If the model is not fitted, is of another class, or holds what a file cannot, such as
        a callable kernel.
    """
    if type(model).__name__ != CLASS:
        raise ValueError(f"{type(model).__name__} cannot be saved: it must be a {CLASS}.")
    if not all(hasattr(model, value) for value in VALUES):
        raise ValueError(f"This {CLASS} is not fitted: call fit before saving it.")
    description = {
        "format": FORMAT,
        "version": VERSION,
        "class": CLASS,
        "parameters": {k: _plain(k, v) for k, v in model.get_params(deep=False).items()},
        "values": {k: _plain(k, getattr(model, k)) for k in VALUES},
    }
    arrays: dict[str, Array] = {DESCRIPTION: np.array(json.dumps(description, sort_keys=True))}
    for key in (*NEEDED, *OPTIONAL):
        if getattr(model, key, None) is not None:
            arrays.update(_dense_parts(key, getattr(model, key)))
    return arrays


def from_arrays(arrays: dict[str, Array]) -> Any:
    """Rebuild a model from what `to_arrays` gave.

    Raises
    ------
    ValueError
        If the content is foreign, of another version, or incomplete; the message says which.
    """
    description = _description(arrays)
    values = description.get("values", {})
    if "lambda_min_" in values:  # files of earlier versions say no more, and did not bound it
        lowest = values["lambda_min_"]
        known = Definiteness("open", lowest, math.inf, lowest, math.nan)
        values.setdefault("definiteness_", asdict(known if lowest else Definiteness.exact(0.0)))
    lacking = [key for key in VALUES if key not in values]
    lacking += [key for key in NEEDED if key not in arrays]
    if lacking:
        raise ValueError(f"The model lacks {', '.join(lacking)}: it was not written whole.")
    try:
        model = KernelPCA(**description["parameters"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"The model has foreign parameters: {error}.") from error
    for key in set(VALUES) - {"solver_", "completeness_", "definiteness_"}:
        setattr(model, key, values[key])
    for key in (*NEEDED, *OPTIONAL):
        if (value := _array(arrays, key)) is not None:
            setattr(model, key, value)
    model.solver_ = Choice(**values["solver_"])
    model.completeness_ = Completeness(**values["completeness_"])
    model.definiteness_ = Definiteness(**values["definiteness_"])
    model.sample_weight_ = getattr(model, "sample_weight_", None)
    model._n_features_out = len(model.eigenvalues_)
    if hasattr(model, "feature_names_in_"):
        model.feature_names_in_ = model.feature_names_in_.astype(object)
    return model


def save(model: Any, path: str | Path) -> None:
    """Write a fitted model to an NPZ file, exactly at ``path``: no suffix is added.

    Raises
    ------
    ValueError
        As `to_arrays`.
    """
    arrays = to_arrays(model)
    with Path(path).open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def load(path: str | Path) -> Any:
    """Read a model that `save` wrote. Nothing in the file is ever executed.

    Raises
    ------
    ValueError
        If the file is not one of ours, as `from_arrays`.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
    except (zipfile.BadZipFile, ValueError, EOFError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a model file of this package: {error}") from error
    return from_arrays(arrays)


def _plain(name: str, value: Any) -> Any:
    """Give a value as JSON holds it."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, np.generic):
        value = value.item()
    if name == "random_state" and not isinstance(value, int):
        return None  # it drew the start of a fit that is over
    try:
        return json.loads(json.dumps(value))
    except TypeError as error:
        raise ValueError(
            f"{name}={value!r} cannot be saved: a model file holds numbers, text and arrays. "
            "For a callable kernel, save the kernel matrix and use kernel='precomputed'."
        ) from error


def _description(arrays: dict[str, Array]) -> dict[str, Any]:
    if DESCRIPTION not in arrays or np.asarray(arrays[DESCRIPTION]).dtype.kind != "U":
        raise ValueError(f"Not a model of this package: there is no {DESCRIPTION!r}.")
    try:
        description = json.loads(str(arrays[DESCRIPTION]))
    except json.JSONDecodeError as error:
        raise ValueError(f"Not a model of this package: {DESCRIPTION!r} is not JSON.") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise ValueError(f"Not a model of this package: its format is not {FORMAT!r}.")
    if description.get("version") != VERSION:
        raise ValueError(
            f"The model file has version {description.get('version')}, this package reads "
            f"{VERSION}: save the model again with this version."
        )
    if description.get("class") != CLASS:
        raise ValueError(
            f"The model file names a class {description.get('class')!r} not known here."
        )
    return description


def _dense_parts(name: str, value: Any) -> dict[str, Array]:
    if not hasattr(value, "tocsr"):
        value = np.asarray(value)
        return {name: value.astype(str) if value.dtype == object else value}
    return {f"{name}.{part}": np.asarray(getattr(value, part)) for part in _SPARSE}


def _array(arrays: dict[str, Array], name: str) -> Any:
    if f"{name}.data" in arrays:
        from scipy.sparse import csr_matrix

        data, indices, indptr, shape = (arrays[f"{name}.{part}"] for part in _SPARSE)
        return csr_matrix((data, indices, indptr), shape=tuple(shape))
    return arrays.get(name)
