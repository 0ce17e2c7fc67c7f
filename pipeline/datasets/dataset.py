"""A dataset with its train/test splits, as it lies on disk and as a fit sees it."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from pipeline.store import read_arrays, write_arrays

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Task = Literal["classification", "regression", "none"]
_ARRAYS = ("X", "y", "target", "groups", "ids", "file_rows", "time")
_SIDES = ("train", "test")
_ROUNDING = 1e-12  # of a squared distance, relative to the largest kernel value


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """Training and test rows of one replicate, ready to be fitted.

    Parameters
    ----------
    X_train, X_test : array of shape (n_train, d), (n_test, d)
        Standardised where the dataset asks for it. Of a precomputed kernel matrix the blocks
        K[train, train] and K[test, train].
    y_train, y_test : int array or None
        Labels, indices into `Dataset.class_names`.
    target_train, target_test : float array or None
        Numeric target.
    groups_train : int array or None
        Groups that inner folds must not split either.
    precomputed : bool
        Whether X holds kernel values.
    time_train : float array or None
        Time of the training rows, ascending; inner folds then test on later rows too.
    gap : int
        Rows left out between those that train and those that are tested then.
    """

    X_train: FloatArray
    X_test: FloatArray
    y_train: IntArray | None
    y_test: IntArray | None
    target_train: FloatArray | None
    target_test: FloatArray | None
    groups_train: IntArray | None
    precomputed: bool
    time_train: FloatArray | None = None
    gap: int = 0

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
    """Rows, what is known about them, and one train/test split per replicate.

    Parameters
    ----------
    name : str
        The key in the configuration.
    X : array of shape (n, d), or (n, n) when `precomputed`
        Rows as they were drawn or read, not standardised. Independent draws are stacked, and
        the splits index their blocks. NaN if a cell is missing.
    splits : tuple of (train_index, test_index)
        One pair of ascending row indices a replicate; none where rows were only read.
    y : int array of shape (n,) or None
        Labels, indices into `class_names`.
    target : float array of shape (n,) or None
        Numeric target, such as the unrolled coordinate of the Swiss roll.
    groups : int array of shape (n,) or None
        Rows of one group are on one side of every split.
    ids : str array of shape (n,) or None
        Names of the rows for outputs: a column of the user's file.
    feature_names, class_names : tuple of str
        Names of columns and labels.
    categories : dict of str to list of str
        Feature → names of its categories, of which the column of X holds the indices.
    log : tuple of str
        Features of which splits hold the natural logarithm.
    amounts : tuple of str
        Columns of the file whose cells have signs of money or per cent.
    dates : dict of str to bool
        Columns of dates that order the rows, or that features are made of → whether the day is
        first.
    fill_missing : bool
        In splits the median of the training rows stands in place of a missing number.
    precomputed : bool
        X is a kernel matrix.
    independent : bool
        Replicates are independent draws; otherwise random splits of the same rows, whose scores
        are correlated.
    standardize : bool
        Splits are standardised with the mean and standard deviation of their training rows.
    image_shape : tuple of int or None
        Height and width where a row is an image.
    source : str
        Where the rows came from, such as ``"sha256:…"`` of the user's file.
    warnings : tuple of str
        What a person should know of the rows: what, which column, what to do.
    rows_of_file : int
        How many rows there were to take these from; 0 where they were drawn.
    file_rows : int array of shape (n,) or None
        Number of each row there, from 1.
    time : float array of shape (n,) or None
        Time of the rows, which they are sorted by; splits are then expanding windows.
    gap : int
        Rows left out between training and test rows of such a split.
    """

    X: FloatArray
    splits: tuple[tuple[IntArray, IntArray], ...] = ()
    name: str = ""
    y: IntArray | None = None
    target: FloatArray | None = None
    groups: IntArray | None = None
    ids: NDArray[np.str_] | None = None
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    categories: dict[str, list[str]] = field(default_factory=dict)
    log: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    dates: dict[str, bool] = field(default_factory=dict)
    fill_missing: bool = False
    precomputed: bool = False
    independent: bool = False
    standardize: bool = False
    image_shape: tuple[int, int] | None = None
    source: str = ""
    warnings: tuple[str, ...] = ()
    rows_of_file: int = 0
    file_rows: IntArray | None = None
    time: FloatArray | None = None
    gap: int = 0

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
        """Text that identifies the dataset in its seeds: its name if it is drawn by a generator.

        Real data share one axis, so that the same rows give the same answer under any file name.
        """
        return self.name if self.independent else "rows"

    @property
    def sampled_from(self) -> int:
        """Number of the rows of which these are a sample; 0 where they are all."""
        return self.rows_of_file if self.rows_of_file > len(self.X) else 0

    def split(self, replicate: int) -> Split:
        """Cut out the replicate of a number, from 0 to ``replicates - 1``.

        Its rows are copies: missing numbers filled in, a column of 0 and 1 for each category, and
        standardised, where the dataset asks for it, all by the training rows alone.
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
            # scikit-learn takes a second to import, and the check of a file does without.
            from pipeline.datasets.preparation import prepared

            return prepared(self, train, test)
        X_train, X_test = self.X[train], self.X[test]
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
        arrays["meta"] = np.array(json.dumps(others, sort_keys=True))
        write_arrays(path, arrays.items())


def load_dataset(path: str | Path) -> Dataset:
    """Read a dataset that `Dataset.save` wrote; errors are those of `read_arrays`."""
    arrays = read_arrays(path)
    meta: dict[str, Any] = json.loads(str(arrays["meta"]))
    # JSON has lists where a dataset has tuples.
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in meta.items()
    }
    fields |= {name: arrays.get(name) for name in _ARRAYS}
    sides = (np.split(arrays[side], np.cumsum(arrays[f"{side}_sizes"])[:-1]) for side in _SIDES)
    return Dataset(splits=tuple(zip(*sides, strict=True)), **fields)


def alike(X: FloatArray, *, precomputed: bool = False) -> bool:
    """Return whether all rows are the same point, which has no component in any feature space.

    Numbers are finite. Of a kernel matrix, of shape (n, n), the points are one where k(x_i, x_i) +
    k(x_1, x_1) − 2 k(x_1, x_i), their squared distance from the first, is zero for all i.

    Examples
    --------
    >>> alike(np.array([[1.0, 2.0], [1.0, 2.0]])), alike(np.eye(2), precomputed=True)
    (True, False)
    """
    if not precomputed:
        return not np.ptp(X, axis=0).any()
    squared = X.diagonal() + X[0, 0] - 2 * X[0]
    return bool((squared <= _ROUNDING * np.abs(X).max()).all())


def describe(dataset: Dataset) -> dict[str, str | int | float]:
    """Summarise a dataset in one row of a table."""
    train, test = dataset.splits[0]
    held_out = np.unique(np.concatenate([side for _, side in dataset.splits]))
    classes = np.zeros(len(dataset.X), np.int64) if dataset.y is None else dataset.y
    groups = 0 if dataset.groups is None else len(np.unique(dataset.groups))
    ratio = float(np.mean([len(test) / len(train) for train, test in dataset.splits]))
    return {
        "dataset": dataset.name,
        "rows": len(dataset.X),
        "rows_of_file": dataset.rows_of_file or len(dataset.X),
        "train": len(train),
        "test": len(test),
        "columns": dataset.X.shape[1],
        "classes": len(dataset.class_names),
        "task": dataset.task,
        "replicates": dataset.replicates,
        "draws": _draws(dataset),
        "test_over_train": ratio,
        "groups": groups,
        "smallest_class": 0 if dataset.y is None else int(np.bincount(dataset.y).min()),
        "held_out": " ".join(map(str, np.bincount(classes[held_out]))),
        "source": dataset.source,
        "warnings": " | ".join(dataset.warnings),
    }


def _draws(dataset: Dataset) -> str:
    splits = "random splits" if dataset.time is None else "expanding windows"
    return "independent" if dataset.independent else splits


def _rows(array: NDArray[Any] | None, index: IntArray) -> NDArray[Any] | None:
    return None if array is None else array[index]
