"""Save and load models as NPZ files of arrays and a versioned JSON description, without pickle."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kpca.persistence import archive, classes
from kpca.persistence.codec import Reader, Writer
from kpca.types import Array

__all__ = ["from_arrays", "load", "read_notes", "save", "to_arrays"]

FORMAT = "kpca-model"
VERSION = 4
DESCRIPTION = "description"
REMEDY = "Save the model again."
NOTES = "notes"


def to_arrays(model: Any, notes: Mapping[str, str] | None = None) -> dict[str, Array]:
    """Return a fitted model as a dictionary of arrays.

    Parameters
    ----------
    model : estimator
        Fitted model of a class that `save` accepts.
    notes : mapping of str to str, or None, default=None
        Further information about the model, as for `save`.

    Returns
    -------
    dict of str to ndarray
        The entry ``description`` is a JSON text with format, version, class, constructor arguments
        and attributes. This text refers to the other entries by name. The arrays of a `KernelPCA`
        are named after its attributes.

    Raises
    ------
    ValueError
        If the model is not fitted, if a class in it is not accepted, if it has a value that a file
        cannot store, such as a callable kernel, or if `notes` does not map strings to strings.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> arrays = to_arrays(KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]])))
    >>> arrays["eigenvalues_"].round(3)
    array([12.5])
    """
    from sklearn import __version__

    writer = Writer()
    written = writer.estimator(model)
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "scikit-learn": __version__}
    if notes is not None:
        head[NOTES] = _checked(notes)
    text = json.dumps(head | written, sort_keys=True)
    arrays = {DESCRIPTION: np.array(text), **writer.arrays}
    _model(arrays)  # Refuse now what `from_arrays` would refuse later.
    return arrays


def from_arrays(arrays: Mapping[str, Array]) -> Any:
    """Rebuild a model from the arrays of `to_arrays`.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Arrays that `to_arrays` returned.

    Returns
    -------
    estimator
        The model.

    Raises
    ------
    ValueError
        If the arrays are not a model of this package, or if the model is of another version,
        incomplete or inconsistent; the message says which.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> from_arrays(to_arrays(model)).eigenvalues_.round(3)
    array([12.5])
    """
    with _remedied():
        return _model(arrays)


def save(model: Any, path: str | Path, *, notes: Mapping[str, str] | None = None) -> None:
    """Write a fitted model to an NPZ file, exactly at ``path``: no suffix is added.

    Parameters
    ----------
    model : estimator
        Fitted model. `KernelPCA`, `LandmarkKernelPCA`, `KernelPCANovelty`, `PCA` and `SparsePCA` of
        this package can be saved, and the steps of scikit-learn that are listed below. The file of
        a `KernelPCA` contains its training samples, and that of a `LandmarkKernelPCA` its
        landmarks.
    path : str or Path
        Path of the file. An existing file is replaced.
    notes : mapping of str to str, or None, default=None
        Further information about the model, such as ``{"dataset": "my", "id": "patient"}``, which
        `read_notes` returns. The command ``kpca`` copies to its output the columns that the notes
        "id", "label", "group" and "target" name.

    Raises
    ------
    ValueError
        In the same cases as `to_arrays`.

    Notes
    -----
    Steps of scikit-learn that can be saved:

    - ``Pipeline`` and ``ColumnTransformer``, nested to any depth, with columns by name, position or
      ``make_column_selector``;
    - ``SimpleImputer``, ``OneHotEncoder``, ``OrdinalEncoder``, ``StandardScaler``,
      ``MinMaxScaler``, ``RobustScaler``, "passthrough" and "drop";
    - ``SVC``, ``SVR``, ``LogisticRegression``, ``LinearRegression``, ``RidgeCV``, decision trees,
      random forests, ``HistGradientBoosting…`` without categorical features, and
      ``TransformedTargetRegressor``, which predict from scores or columns;
    - `kpca.calibration.CalibratedPipeline`, which adds probabilities or prediction intervals;
    - ``kpca.reading.columns.ColumnReader``, which reads the cells of a file or frame.

    Functions cannot be saved, among them callable kernels. The file is written next to ``path`` and
    then moved there, so a failure leaves an existing file as it was.

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
    """Return the model that `save` wrote to a file; it transforms rows as before, bit for bit.

    Parameters
    ----------
    path : str or Path
        Path of the file.

    Returns
    -------
    estimator
        The fitted model.

    Raises
    ------
    ValueError
        If the file is not a model of this package, is damaged, inconsistent or of another version;
        the message names the file and says what to do.
    OSError
        If the file cannot be read.

    Notes
    -----
    Nothing in the file is executed, and only classes that `save` accepts are built. A model with
    estimators of scikit-learn is read only by the minor version of scikit-learn that wrote it,
    because such estimators are restored from private attributes, whose meaning may change between
    versions. A model without such estimators is read with any version of scikit-learn.

    Examples
    --------
    >>> import tempfile
    >>> from kpca import KernelPCA
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]])), f"{folder}/model.npz")
    ...     load(f"{folder}/model.npz").eigenvalues_.round(3)
    array([12.5])
    """
    with _remedied(path):
        return _model(archive.read(path))


def read_notes(path: str | Path) -> dict[str, str]:
    """Return the notes that `save` wrote to a model file.

    Parameters
    ----------
    path : str or Path
        Path of the file.

    Returns
    -------
    dict of str to str
        The notes; empty if there are none.

    Raises
    ------
    ValueError
        If the file is not a model of this package, or is damaged.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from kpca import KernelPCA
    >>> model = KernelPCA(1).fit(np.array([[0.0, 0.0], [3.0, 4.0]]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/model.npz", notes={"dataset": "my"})
    ...     read_notes(f"{folder}/model.npz")
    {'dataset': 'my'}
    """
    with _remedied(path):
        return _checked(description_of(archive.read(path)).get(NOTES, {}))


@contextmanager
def _remedied(path: str | Path = "") -> Iterator[None]:
    """Add path and remedy to the message of an error, and escape unprintable characters in it.

    Such characters can come from names in a file.
    """
    try:
        yield
    except ValueError as error:
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))
        raise ValueError(f"{path}{': ' if path else ''}{text}. {REMEDY}") from error


def _checked(notes: Any) -> dict[str, str]:
    texts = [*notes, *notes.values()] if isinstance(notes, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"Notes must be texts by names, and are {notes!r}")
    return dict(notes)


def _model(arrays: Mapping[str, Array]) -> Any:
    description = description_of(arrays)
    try:
        model = Reader(arrays, description["scikit-learn"]).estimator(description)
    except (AttributeError, LookupError, OverflowError, RecursionError, TypeError) as error:
        raise ValueError(f"The description is not one of this package: {error!r}") from error
    if not classes.is_fitted(model):
        raise ValueError(f"The {type(model).__name__} is not fitted: call fit before saving it")
    return model


def description_of(arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Return the description in arrays of `to_arrays`, after a check of its format and version.

    Raises
    ------
    ValueError
        If there is no description, or if its format or version is not that of this package.
    """
    if DESCRIPTION not in arrays:
        raise ValueError(f"Not a model of this package: there is no {DESCRIPTION!r}")
    try:
        description = json.loads(str(arrays[DESCRIPTION]))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"Not a model of this package: {DESCRIPTION!r} is not JSON") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise ValueError(f"Not a model of this package: its format is not {FORMAT!r}")
    version = description.get("version")
    if version != VERSION:
        raise ValueError(
            f"The model file has version {version}, and this package reads version {VERSION}: "
            "fit the model again"
        )
    return description
