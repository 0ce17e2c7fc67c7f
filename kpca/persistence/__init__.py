"""Models as files: arrays in NPZ and one JSON description, versioned, without pickle."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kpca.persistence import archive, classes
from kpca.persistence.codec import Reader, Writer
from kpca.types import Array

__all__ = ["from_arrays", "load", "read_notes", "save", "to_arrays"]

FORMAT = "kpca-model"
VERSION = 3
DESCRIPTION = "description"
REMEDY = "Save the model again."
NOTES = "notes"
POINTS = "X_fit_"  # may be left out of arrays, where they are kept elsewhere


def to_arrays(model: Any, notes: Mapping[str, str] | None = None) -> dict[str, Array]:
    """Give a fitted model, of the kinds that `save` takes, as arrays by name.

    The entry ``description`` is a JSON text with format, version, class, constructor arguments and
    attributes, which names the other entries. Arrays of a `KernelPCA` have its attributes' names.
    Notes are what `save` takes.

    Raises
    ------
    ValueError
        If the model is not fitted, or it or a step of it is of another class, or holds what a file
        cannot, such as a callable kernel; for notes that are no text by names.
    """
    from sklearn import __version__

    writer = Writer()
    written = writer.estimator(model)
    if not classes.is_fitted(model):
        raise ValueError(f"This {type(model).__name__} is not fitted: call fit before saving it.")
    head = {"format": FORMAT, "version": VERSION, "scikit-learn": __version__}
    text = json.dumps(head | written | _checked(notes), sort_keys=True)
    arrays = {DESCRIPTION: np.array(text), **writer.arrays}
    _model(arrays, [])  # refuse now what `from_arrays` would refuse later
    return arrays


def from_arrays(arrays: Mapping[str, Array]) -> Any:
    """Rebuild a model from what `to_arrays` gave, of a `KernelPCA` perhaps without ``X_fit_``.

    Raises
    ------
    ValueError
        If the content is foreign, of another version, incomplete, or does not go together; the
        message says which.
    """
    try:
        whole = any(name.startswith(POINTS) for name in arrays)
        return _model(arrays, [] if whole else [POINTS])
    except ValueError as error:
        raise ValueError(f"{error}. {REMEDY}") from error


def save(model: Any, path: str | Path, *, notes: Mapping[str, str] | None = None) -> None:
    """Write a fitted model to an NPZ file, exactly at ``path``: no suffix is added.

    Saved can be `KernelPCA`, `KernelPCANovelty`, `PCA` and `SparsePCA` of this package, and what
    prepares rows for them in scikit-learn: a ``Pipeline`` or ``ColumnTransformer``, nested as one
    likes, of ``SimpleImputer``, ``OneHotEncoder``, ``OrdinalEncoder``, ``StandardScaler``,
    ``MinMaxScaler``, ``RobustScaler``, "passthrough" and "drop", with columns by name, position or
    ``make_column_selector``; and what predicts from their scores, ``SVC`` or ``LinearRegression``.
    Functions cannot be saved, among them callable kernels.

    The file is written next to ``path`` and then moved there, so that a failure leaves what was
    there before.

    Parameters
    ----------
    model : estimator
        Fitted. Its rows are kept where it keeps them: a `KernelPCA` holds its training points.
    path : path
        What stands there is replaced.
    notes : mapping of str to str, optional
        What else belongs to the model, such as ``{"dataset": "my", "id": "patient"}``, for
        `read_notes`. The command ``kpca`` carries the columns along that "id", "label", "group"
        and "target" name.

    Raises
    ------
    ValueError
        As `to_arrays`.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from kpca import KernelPCA
    >>> X = np.array([[0.0, 10.0], [1.0, 0.0], [0.0, 20.0], [3.0, 10.0]])
    >>> model = make_pipeline(StandardScaler(), KernelPCA(2, kernel="rbf")).fit(X)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/model.npz")
    ...     read = load(f"{folder}/model.npz")
    >>> bool((read.transform(X) == model.transform(X)).all())
    True
    """
    archive.write(path, to_arrays(model, notes))


def load(path: str | Path) -> Any:
    """Read a model that `save` wrote: it transforms rows as before, bit for bit.

    Nothing in the file is ever executed, and only classes that `save` takes are built. A model with
    estimators of scikit-learn is read by the minor version of scikit-learn that wrote it, and
    refused by others: fitted estimators are put together from private attributes, whose meaning
    may change from one to the next, and numbers that nobody has checked would come out of it. A
    model of this package alone is read with any version.

    Raises
    ------
    ValueError
        If the file is not one of ours, is damaged, does not go together or is of another version;
        the message names it and says what to do.
    """
    try:
        return _model(archive.read(path), [])
    except ValueError as error:
        raise ValueError(f"{path}: {_on_one_line(error)}. {REMEDY}") from error


def read_notes(path: str | Path) -> dict[str, str]:
    """Read the notes that `save` was given, none from a file without.

    Raises
    ------
    ValueError
        If the file is not one of ours, or damaged.
    """
    try:
        return dict(_checked(description_of(archive.read(path)).get(NOTES)).get(NOTES, {}))
    except ValueError as error:
        raise ValueError(f"{path}: {_on_one_line(error)}. {REMEDY}") from error


def _on_one_line(error: ValueError) -> str:
    """Give a message in which names of the file, which may be anything, are text on one line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))


def _checked(notes: Any) -> dict[str, Mapping[str, str]]:
    if notes is None:
        return {}
    texts = [*notes, *notes.values()] if isinstance(notes, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"Notes must be texts by names, and are {notes!r}")
    return {NOTES: dict(notes)}


def _model(arrays: Mapping[str, Array], left_out: Collection[str]) -> Any:
    description = description_of(arrays)
    try:
        reader = Reader(arrays, description["scikit-learn"])
        model = reader.estimator(description, left_out)
    except (AttributeError, LookupError, OverflowError, RecursionError, TypeError) as error:
        raise ValueError(f"The description is not one of this package: {error!r}") from error
    if not classes.is_fitted(model, left_out):
        raise ValueError(f"The {type(model).__name__} in it is not fitted")
    return model


def description_of(arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Give the description among arrays as `to_arrays` gives them, checked so far as to be ours.

    Raises
    ------
    ValueError
        If there is none, or it is foreign or of another version.
    """
    if DESCRIPTION not in arrays or np.asarray(arrays[DESCRIPTION]).dtype.kind != "U":
        raise ValueError(f"Not a model of this package: there is no {DESCRIPTION!r}")
    try:
        description = json.loads(str(arrays[DESCRIPTION]))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"Not a model of this package: {DESCRIPTION!r} is not JSON") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise ValueError(f"Not a model of this package: its format is not {FORMAT!r}")
    if description.get("version") != VERSION:
        raise ValueError(
            f"The model file has version {description.get('version')}, this package reads "
            f"{VERSION}: load it with the version of the package that wrote it"
        )
    return description
