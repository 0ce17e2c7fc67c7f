"""A dataset with its train/test splits: as it lies on disk, and as a kernel takes it."""

import hashlib
import json
from collections.abc import Iterator
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
WHOLE = "all"  # replicate in which all rows train, and none is held out
Task = Literal["classification", "regression", "none"]
_ARRAYS = ("X", "y", "target", "groups", "ids", "file_rows", "time")
_SIDES = ("train", "test")
_ROUNDING = 1e-12  # rounding of a squared distance, relative to the largest kernel value


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """Training and test rows of one replicate, ready to be fitted."""

    # Standardised if the dataset asks for it; of a kernel matrix K[train, train], K[test, train].
    X_train: FloatArray
    X_test: FloatArray
    y_train: IntArray | None  # indices into `Dataset.class_names`
    y_test: IntArray | None
    target_train: FloatArray | None
    target_test: FloatArray | None
    groups_train: IntArray | None  # groups, which inner folds must not split either
    precomputed: bool  # whether X holds kernel values
    time_train: FloatArray | None = None  # ascending; inner folds then test on later rows too
    gap: int = 0  # rows left out between those that train and those that are tested then

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every field: equal digests mean equal results."""
        state = hashlib.sha256()
        for name, value in vars(self).items():
            head = f"{value.dtype.str}{value.shape}" if isinstance(value, np.ndarray) else value
            state.update(f"|{name}:{head}|".encode())
            if isinstance(value, np.ndarray):
                state.update(np.ascontiguousarray(value).data)
        return state.hexdigest()


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """Rows, what is known about them, and one train/test split per replicate; draws are stacked."""

    X: FloatArray  # rows as drawn or read, not standardised; NaN if a cell is missing
    splits: tuple[tuple[IntArray, IntArray], ...] = ()  # ascending; none if rows were only read
    name: str = ""  # the key in the configuration
    y: IntArray | None = None  # labels, indices into `class_names`
    target: FloatArray | None = None
    groups: IntArray | None = None  # rows of one group are on one side of every split
    ids: NDArray[np.str_] | None = None  # names of the rows for outputs
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    # Feature → names of its categories, of which the column of X holds the indices.
    categories: dict[str, list[str]] = field(default_factory=dict)
    log: tuple[str, ...] = ()  # features of which splits hold the natural logarithm
    columns: tuple[Column, ...] = ()  # how a table's columns are read
    missing_words: tuple[str, ...] = ()  # words for missing cells in the table
    fill_missing: bool = False  # whether splits have the median of training rows for missing cells
    precomputed: bool = False  # whether X is a kernel matrix
    independent: bool = False  # whether replicates are draws, not splits of the same rows
    standardize: bool = False  # whether splits have mean 0 and variance 1, by their training rows
    image_shape: tuple[int, int] | None = None  # height and width if a row is an image
    source: str = ""  # such as "sha256:…" of the user's file
    warnings: tuple[str, ...] = ()  # sentences for a person: the issue, the column, the remedy
    rows_of_file: int = 0  # number of rows in the file; 0 if the rows were drawn
    file_rows: IntArray | None = None  # number of each row there, from 1
    time: FloatArray | None = None  # rows are sorted by it, and splits are expanding windows
    time_is_date: bool = False  # whether the time is in seconds since 1970, else it is a number
    gap: int = 0  # rows left out between training and test rows of such a split

    @property
    def row_numbers(self) -> IntArray:
        """Number of each row in the file of the user, else in this dataset, from 1."""
        return np.arange(1, len(self.X) + 1) if self.file_rows is None else self.file_rows

    @property
    def task(self) -> Task:
        """What can be scored: labels come before a numeric target."""
        if self.y is not None:
            return "classification"
        return "regression" if self.target is not None else "none"

    @property
    def replicates(self) -> int:
        """Number of splits."""
        return len(self.splits)

    @property
    def seed_axis(self) -> str:
        """Text that identifies the dataset in its seeds; real data share one under any name."""
        return self.name if self.independent else "rows"

    def split(self, replicate: int) -> Split:
        """Cut out the replicate of a number, from 0 to ``replicates - 1``.

        Numbers are filled in and standardised, and categories encoded, by the training rows alone.
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
        """Return the rows that the last choice is made on: all, or of draws those of the first."""
        return self.split(0) if self.independent else self.whole()

    def parts(self) -> Iterator[tuple[int | str, Split]]:
        """Yield every replicate with its split, and all rows of real data as `WHOLE`.

        Independent draws, stacked on each other, are no dataset that anyone has.
        """
        yield from ((number, self.split(number)) for number in range(self.replicates))
        if not self.independent:
            yield WHOLE, self.whole()

    def take(self, index: IntArray) -> Self:
        """Return some of the rows, without splits; groups are renumbered."""
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
            # Transformers refuse no rows at all.
            X_test = steps.transform(rows.iloc[test]) if len(test) else X_train[:0]
            # One row after the other in memory, as in every split.
            return np.ascontiguousarray(X_train), np.ascontiguousarray(X_test)
        X_train = self.X[train]
        X_test = self.X[test]
        if not self.standardize:
            return X_train, X_test
        # Rounding gives a constant column a tiny positive deviation; its range is exactly 0.
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
    """Return fields with tuples in place of lists, which JSON has instead."""
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    return fields | lists


def alike(X: FloatArray, *, precomputed: bool = False) -> bool:
    """Return whether all rows are the same point, which has no component in any feature space.

    Numbers are finite. Of a kernel matrix, of shape (n, n), the points are one where k(x_i, x_i) +
    k(x_1, x_1) − 2 k(x_1, x_i), their squared distance from the first, is zero for all i.
    """
    if not precomputed:
        return not np.ptp(X, axis=0).any()
    squared = X.diagonal() + X[0, 0] - 2 * X[0]
    return bool((squared <= _ROUNDING * np.abs(X).max()).all())


def _rows(array: NDArray[Any] | None, index: IntArray) -> NDArray[Any] | None:
    return None if array is None else array[index]


def preparation(dataset: Dataset) -> list["TransformerMixin"]:
    """Return the unfitted steps that turn rows of `raw_rows` into what a kernel takes.

    Medians in place of missing numbers, logarithms, a column of 0 and 1 for each category, mean 0
    and variance 1: each where the dataset asks for it, and all fitted to training rows. A missing
    category is one of its own; one that no training row has gives zeros.
    """
    # They take a second to import, and the check of a file does without.
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

    # A column without any number in the training rows becomes zeros, and stays a column.
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
    """Return the step that reads rows of the dataset's table, if it has one."""
    if not dataset.columns:
        return []
    return [ColumnReader([*dataset.columns], [*dataset.missing_words]).fit(None)]


def raw_rows(dataset: Dataset) -> "pd.DataFrame":
    """Return the rows as they were read, one named column per feature, categories as text."""
    import pandas as pd

    rows = pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
    for name, categories in dataset.categories.items():
        # NaN, whose code no category has, stays NaN.
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
    # Behind the name of the transformer: numbers__width.
    return [name.partition("__")[2] for name in steps.get_feature_names_out()]


def feature_places(dataset: Dataset, train: IntArray) -> IntArray:
    """Return, of each column that `Dataset.split` gives, the place of its feature."""
    names = [*dataset.feature_names]
    if not dataset.categories and not dataset.log:
        return np.arange(dataset.X.shape[1])
    places: list[int] = []
    for kind, step, columns in _steps(dataset).fit(raw_rows(dataset).iloc[train])[0].transformers_:
        repeats = 1 if kind != "categories" else [len(values) for values in step.categories_]
        places += np.repeat([names.index(name) for name in columns], repeats).tolist()
    return np.array(places)
