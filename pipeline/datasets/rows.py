"""Rows read from anywhere, and the re-drawn splits that make a dataset of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.datasets.alike import alike
from pipeline.datasets.dataset import Dataset, FloatArray, IntArray
from pipeline.datasets.splits import split_rows, subsample
from pipeline.errors import input_error
from pipeline.seeds import rng_for

TEST_SHARE = 0.3


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """Rows and what is known about them; fields as in `Dataset`."""

    X: FloatArray
    y: IntArray | None = None
    target: FloatArray | None = None
    groups: IntArray | None = None
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    precomputed: bool = False
    image_shape: tuple[int, int] | None = None
    source: str = ""

    @property
    def strata(self) -> IntArray:
        """Labels, or one class for all rows where there are none."""
        return np.zeros(len(self.X), dtype=np.int64) if self.y is None else self.y

    def take(self, index: IntArray) -> dict[str, Any]:
        """Every field, with only the rows of `index`; groups are numbered anew."""
        fields = dict(vars(self))
        fields["X"] = self.X[np.ix_(index, index)] if self.precomputed else self.X[index]
        for name in ("y", "target"):
            fields[name] = None if fields[name] is None else fields[name][index]
        if self.groups is not None:
            fields["groups"] = np.unique(self.groups[index], return_inverse=True)[1]
        return fields


def redrawn(
    name: str, rows: Rows, spec: Mapping[str, Any], *, seed: int, replicates: int
) -> Dataset:
    """Make a dataset whose replicates are re-drawn stratified splits of the same rows.

    Parameters
    ----------
    name : str
        The key in the configuration; seeds derive from it.
    rows : Rows
        Everything that was read.
    spec : mapping
        `max_rows` (a stratified subsample, the same for all replicates), `test_share`
        (default 0.3), `standardize`.
    seed, replicates : int
        Root seed and number of splits.

    Raises
    ------
    InputError
        Where a split trains on rows that are all the same: few rows differ, and those are
        among its test rows.
    """
    kept = np.arange(len(rows.X))
    if spec.get("max_rows") and spec["max_rows"] < len(kept):
        kept = subsample(rng_for(seed, name, "subsample"), rows.strata, spec["max_rows"])
    fields, strata = rows.take(kept), rows.strata[kept]
    share = spec.get("test_share", TEST_SHARE)
    splits = tuple(
        split_rows(rng_for(seed, name, replicate, "split"), strata, share, fields["groups"])
        for replicate in range(replicates)
    )
    standardize = bool(spec.get("standardize", False))
    dataset = Dataset(name=name, splits=splits, standardize=standardize, **fields)
    if problems := list(_alike_problems(dataset)):
        raise input_error(f"dataset {name!r}", problems)
    return dataset


def _alike_problems(dataset: Dataset) -> Iterator[str]:
    for replicate, (train, _) in enumerate(dataset.splits):
        columns = train if dataset.precomputed else np.arange(dataset.X.shape[1])
        if alike(dataset.X[np.ix_(train, columns)], precomputed=dataset.precomputed):
            yield (
                f"replicate {replicate} (from 0) trains on {len(train)} rows that are all the "
                "same, and has no component; add rows that differ, or leave out repeated ones"
            )
