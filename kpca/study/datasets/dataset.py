"""`Dataset`: rows with train/test splits, their file, and their preprocessing before a kernel."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from kpca.reading.columns import Column, ColumnReader
from kpca.study.store import read_arrays, write_arrays

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.base import TransformerMixin

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
WHOLE = "all"  # name of the replicate in which all rows are training rows
Task = Literal["classification", "regression", "none"]
_ARRAYS = ("X", "y", "target", "groups", "ids", "file_rows", "time")
_SIDES = ("train", "test")
_ROUNDING = 1e-12  # rounding error of a squared distance, relative to the largest kernel value


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """Training and test rows of one replicate, preprocessed for a kernel."""

    # Rows, standardised if the dataset says so. Kernel matrix: K[train, train], K[test, train].
    X_train: FloatArray
    X_test: FloatArray
    y_train: IntArray | None  # indices into `Dataset.class_names`
    y_test: IntArray | None
    target_train: FloatArray | None
    target_test: FloatArray | None
    groups_train: IntArray | None  # group numbers; no inner fold splits a group
    precomputed: bool  # whether X holds kernel values
    # Times in ascending order. If they are given, inner folds test later rows than they train on.
    time_train: FloatArray | None = None
    gap: int = 0  # if times are given: rows left out between training and test rows of inner folds

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every field. Splits with equal digests have equal results."""
        state = hashlib.sha256()
        for name, value in vars(self).items():
            head = f"{value.dtype.str}{value.shape}" if isinstance(value, np.ndarray) else value
            state.update(f"|{name}:{head}|".encode())
            if isinstance(value, np.ndarray):
                state.update(np.ascontiguousarray(value).data)
        return state.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """Rows with labels and other facts about them, and one train/test split per replicate.

    If the replicates are independent draws, their rows are stacked.
    """

    X: FloatArray  # rows as drawn or read, not standardised; NaN if a cell is missing
    # Ascending indices of training and test rows; no splits if the rows were only read.
    splits: tuple[tuple[IntArray, IntArray], ...] = ()
    name: str = ""  # the key in the configuration
    y: IntArray | None = None  # labels, indices into `class_names`
    target: FloatArray | None = None
    groups: IntArray | None = None  # rows of one group are on the same side of every split
    ids: NDArray[np.str_] | None = None  # names of the rows for outputs
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    # Feature → names of its categories. The feature's column of X holds indices into the names.
    categories: dict[str, list[str]] = field(default_factory=dict)
    log: tuple[str, ...] = ()  # features that splits hold as natural logarithms
    columns: tuple[Column, ...] = ()  # how a table's columns are read
    missing_words: tuple[str, ...] = ()  # words that mark missing cells in the table
    fill_missing: bool = False  # whether splits fill missing cells with medians of training rows
    precomputed: bool = False  # whether X is a kernel matrix
    independent: bool = False  # whether replicates are separate draws, not splits of the same rows
    standardize: bool = False  # whether splits scale training rows to mean 0 and variance 1
    image_shape: tuple[int, int] | None = None  # height and width if a row is an image
    source: str = ""  # origin of the rows, such as "sha256:…" of the user's file
    warnings: tuple[str, ...] = ()  # sentences for the user that name issue, column and remedy
    rows_of_file: int = 0  # number of rows in the file; 0 if the rows were drawn
    file_rows: IntArray | None = None  # number of each row in the file, from 1
    time: FloatArray | None = None  # times, ascending; if given, splits are expanding windows
    time_is_date: bool = False  # whether times are dates (seconds since 1970), not plain numbers
    gap: int = 0  # number of rows left out between training and test rows of expanding windows

    @property
    def row_numbers(self) -> IntArray:
        """Number of each row, from 1, in the user's file, or in this dataset if there is none."""
        return np.arange(1, len(self.X) + 1) if self.file_rows is None else self.file_rows

    @property
    def task(self) -> Task:
        """Task that the labels or the target allow; classification if there are both."""
        if self.y is not None:
            return "classification"
        return "regression" if self.target is not None else "none"

    @property
    def replicates(self) -> int:
        """Number of splits."""
        return len(self.splits)

    @property
    def seed_axis(self) -> str:
        """Text that stands for the dataset in its seeds: its name for draws, else a constant."""
        return self.name if self.independent else "rows"

    def split(self, replicate: int) -> Split:
        """Return the rows of a replicate, numbered from 0 to ``replicates - 1``.

        Medians, categories, means and variances are computed from the training rows for both sides.
        """
        train, test = self.splits[replicate]
        X_train, X_test = self._blocks(train, test)
        return Split(
            X_train=X_train,
            X_test=X_test,
            y_train=_rows(self.y, train),
            y_test=_rows(self.y, test),
            target_train=_rows(self.target, train),
            target_test=_rows(self.target, test),
            groups_train=_rows(self.groups, train),
            precomputed=self.precomputed,
            time_train=_rows(self.time, train),
            gap=self.gap,
        )

    def whole(self) -> Split:
        """Return all rows as the training rows of a split without test rows."""
        everything = (np.arange(len(self.X)), np.arange(0))
        return replace(self, splits=(everything,)).split(0)

    def chosen_on(self) -> Split:
        """Return the split whose training rows choose the final setting: all rows or first draw."""
        return self.split(0) if self.independent else self.whole()

    def take(self, index: IntArray) -> Self:
        """Return the dataset with the rows ``index`` only, without splits; renumber the groups."""
        others = [name for name in _ARRAYS if name != "X"]
        arrays: dict[str, Any] = {name: _rows(getattr(self, name), index) for name in others}
        if self.groups is not None:
            arrays["groups"] = np.unique(self.groups[index], return_inverse=True)[1]
        X = self.X[np.ix_(index, index)] if self.precomputed else self.X[index]
        return replace(self, X=X, splits=(), **arrays)

    def _blocks(self, train: IntArray, test: IntArray) -> tuple[FloatArray, FloatArray]:
        if self.precomputed:
            return self.X[np.ix_(train, train)], self.X[np.ix_(test, train)]
        if self.categories or self.log or self.fill_missing:
            rows = raw_rows(self)
            steps = _steps(self)
            X_train = steps.fit_transform(rows.iloc[train])
            # Transformers raise an error if there are no rows.
            X_test = steps.transform(rows.iloc[test]) if len(test) else X_train[:0]
            # Splits without these steps are in C order, too.
            return np.ascontiguousarray(X_train), np.ascontiguousarray(X_test)
        X_train = self.X[train]
        X_test = self.X[test]
        if not self.standardize:
            return X_train, X_test
        # Rounding can give a constant column a tiny deviation, but its range is exactly 0.
        scale = np.where(np.ptp(X_train, axis=0) > 0, X_train.std(axis=0), 1.0)
        mean = X_train.mean(axis=0)
        return (X_train - mean) / scale, (X_test - mean) / scale

    def save(self, path: str | Path) -> None:
        """Write a file that `load_dataset` reads; equal datasets give equal bytes."""
        arrays = {name: getattr(self, name) for name in _ARRAYS if getattr(self, name) is not None}
        for side, indices in zip(_SIDES, zip(*self.splits, strict=True), strict=True):
            arrays[side] = np.concatenate(indices)
            arrays[f"{side}_sizes"] = np.array([len(index) for index in indices])
        others = {name: vars(self)[name] for name in vars(self).keys() - {*_ARRAYS, "splits"}}
        arrays["meta"] = np.array(json.dumps(others, sort_keys=True, default=asdict))
        write_arrays(path, arrays.items())


def load_dataset(path: str | Path) -> Dataset:
    """Read a dataset that `Dataset.save` wrote; errors are those of `read_arrays`."""
    arrays = read_arrays(path)
    meta: dict[str, Any] = json.loads(str(arrays["meta"]))
    fields = _with_tuples(meta)
    fields["columns"] = tuple(Column(**_with_tuples(column)) for column in meta["columns"])
    fields |= {name: arrays.get(name) for name in _ARRAYS}
    sides = (np.split(arrays[side], np.cumsum(arrays[f"{side}_sizes"])[:-1]) for side in _SIDES)
    return Dataset(splits=tuple(zip(*sides, strict=True)), **fields)


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with lists turned into tuples, because JSON stores tuples as lists."""
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    return fields | lists


def alike(X: FloatArray, *, precomputed: bool = False) -> bool:
    """Return whether all rows are equal, so that kernel PCA has no component under any kernel.

    X is finite. If X is a kernel matrix, of shape (n, n), the rows are equal if the squared
    distance of each from the first, k(x_i, x_i) + k(x_1, x_1) − 2 k(x_1, x_i), is zero.
    """
    if not precomputed:
        return not np.ptp(X, axis=0).any()
    squared = X.diagonal() + X[0, 0] - 2 * X[0]
    return bool((squared <= _ROUNDING * np.abs(X).max()).all())


def _rows(array: NDArray[Any] | None, index: IntArray) -> NDArray[Any] | None:
    return None if array is None else array[index]


def preparation(dataset: Dataset) -> list["TransformerMixin"]:
    """Return the unfitted steps that turn rows of `raw_rows` into the numbers that a kernel takes.

    The fields of the dataset determine the steps. They can replace missing numbers by medians, take
    logarithms, encode each category as a column of 0 and 1, and scale to mean 0 and variance 1. The
    steps are to be fitted to training rows. A missing category counts as a category. A category
    that no training row has is encoded as zeros.
    """
    # Imported here, because the imports take a second and a check of a file does not need them.
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

    # A column without any number in the training rows is kept, filled with zeros.
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    steps: list[TransformerMixin] = []
    if dataset.categories or dataset.log:
        names = dataset.feature_names
        numbers = [name for name in names if name not in {*dataset.categories, *dataset.log}]
        log = FunctionTransformer(np.log, np.exp, feature_names_out="one-to-one")
        dummies = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        columns = [
            ("numbers", fill if dataset.fill_missing else "passthrough", numbers),
            ("log", make_pipeline(fill, log) if dataset.fill_missing else log, dataset.log),
            ("categories", dummies, [name for name in names if name in dataset.categories]),
        ]
        steps.append(ColumnTransformer([(n, step, [*of]) for n, step, of in columns if of]))
    elif dataset.fill_missing:
        steps.append(fill)
    return [*steps, StandardScaler()] if dataset.standardize else steps


def reading(dataset: Dataset) -> list[ColumnReader]:
    """Return a list with the step that reads rows of the table; empty if rows are no table."""
    if not dataset.columns:
        return []
    return [ColumnReader([*dataset.columns], [*dataset.missing_words]).fit(None)]


def raw_rows(dataset: Dataset) -> "pd.DataFrame":
    """Return the rows as they were read, one named column per feature, categories as text."""
    import pandas as pd

    rows = pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
    for name, categories in dataset.categories.items():
        # A missing category is NaN in X too, and stays NaN.
        rows[name] = rows[name].astype(object).map(dict(enumerate(categories)))
    return rows


def _steps(dataset: Dataset) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*preparation(dataset))


def prepared_names(dataset: Dataset, train: IntArray) -> list[str]:
    """Return the names of the columns that `Dataset.split` gives, such as ``colour_red``."""
    if not dataset.categories and not dataset.log:
        return list(dataset.feature_names)
    steps = _steps(dataset).fit(raw_rows(dataset).iloc[train])
    # scikit-learn puts the name of the transformer first, as in numbers__width.
    return [name.partition("__")[2] for name in steps.get_feature_names_out()]


def feature_places(dataset: Dataset, train: IntArray) -> IntArray:
    """Return the index of the feature from which each column of `Dataset.split` is computed."""
    names = [*dataset.feature_names]
    if not dataset.categories and not dataset.log:
        return np.arange(dataset.X.shape[1])
    places: list[int] = []
    for kind, step, columns in _steps(dataset).fit(raw_rows(dataset).iloc[train])[0].transformers_:
        repeats = 1 if kind != "categories" else [len(values) for values in step.categories_]
        places += np.repeat([names.index(name) for name in columns], repeats).tolist()
    return np.array(places)
