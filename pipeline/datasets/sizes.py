"""Whether there are rows enough to test, train and validate on."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.datasets.dataset import IntArray
from pipeline.datasets.rows import TEST_SHARE
from pipeline.datasets.splits import allocate, held_out_counts
from pipeline.datasets.table import Table, encode
from pipeline.errors import shortlist


def size_problems(
    table: Table, spec: Mapping[str, Any], *, folds: int = 1, n_components: int | None = None
) -> list[str]:
    """List what the rows do not suffice for.

    Parameters
    ----------
    table : Table
        A file as it was read.
    spec : mapping
        `max_rows` and `test_share` decide how many rows are left to train on.
    folds : int
        Folds of the inner cross-validation.
    n_components : int, optional
        The largest number of components that will be asked for.
    """
    counts, names = _class_counts(table)
    problems = class_problems(counts, names, spec, folds)
    problems += _group_problems(table, folds, spec.get("test_share", TEST_SHARE))
    if n_components and not problems:
        problems += component_problems(train_rows(counts, spec), folds, n_components)
    return problems


def class_problems(
    counts: IntArray, names: tuple[str, ...], spec: Mapping[str, Any], folds: int
) -> list[str]:
    """Whether each class has rows enough for every fold to train and to validate on it.

    Parameters
    ----------
    counts : int array of shape (c,)
        Rows of each class, or of the whole when there are no labels.
    names : tuple of str
        Names of the classes, empty when there are no labels.
    spec : mapping
        `max_rows` and `test_share`.
    folds : int
        Folds of the inner cross-validation.
    """
    fewest = max(2 * folds, math.ceil(folds / (1 - spec.get("test_share", TEST_SHARE))))
    kept = _kept(counts, spec.get("max_rows"))
    if not names:
        total = int(kept.sum())
        few = f"there are {total} rows, and {folds} folds need at least {fewest}; add rows"
        return [few] if total < fewest else []
    small = [
        f"{name!r} ({have})" if have == had else f"{name!r} ({have} of {had} under `max_rows`)"
        for name, had, have in zip(names, counts.tolist(), kept.tolist(), strict=True)
        if have < fewest
    ]
    few = (
        f"class {shortlist(small)} has fewer than the {fewest} rows that {folds} folds need; add "
        "rows, merge classes, or lower evaluation.folds"
    )
    return [few] if small else []


def component_problems(train: int, folds: int, n_components: int) -> list[str]:
    """Whether the smallest inner training fold of `train` rows has that many components.

    Centring takes one dimension, so r rows have at most r - 1.
    """
    smallest = train - math.ceil(train / folds)
    if n_components < smallest:
        return []
    return [
        f"evaluation.n_components asks for {n_components}, but {folds} folds leave {smallest} of "
        f"{train} training rows to fit, which have at most {smallest - 1} components; lower "
        "n_components or use more rows"
    ]


def train_rows(counts: IntArray, spec: Mapping[str, Any]) -> int:
    """Count the training rows that `max_rows` and `test_share` leave."""
    kept = _kept(counts, spec.get("max_rows"))
    return int((kept - held_out_counts(kept, spec.get("test_share", TEST_SHARE))).sum())


def _class_counts(table: Table) -> tuple[IntArray, tuple[str, ...]]:
    if table.label is None:
        return np.array([len(table.numeric)]), ()
    codes, names = encode([value for value in table.label if value])
    return np.bincount(codes, minlength=1), names or ("",)


def _kept(counts: IntArray, max_rows: int | None) -> IntArray:
    return allocate(counts, max_rows) if max_rows and max_rows < counts.sum() else counts


def _group_problems(table: Table, folds: int, share: float) -> list[str]:
    """Whether there is a group for testing and one a fold, and three of each class.

    Three, so that a class can be tested, trained and validated on.
    """
    if table.group is None:
        return []
    groups, column = len({group for group in table.group if group}), table.roles.group
    fewest = max(2, math.ceil(folds / (1 - share)))
    if groups < fewest:
        return [
            f"group column {column!r} holds {groups} groups, which are never split; a test share "
            f"of {share} and {folds} folds need at least {fewest}"
        ]
    confined = [f"{name!r} ({held})" for name, held in _groups_of_classes(table) if held < 3]
    if not confined:
        return []
    return [
        f"class {shortlist(confined)} lies in fewer than 3 groups of column {column!r}; one each "
        "is needed for testing, training and validation"
    ]


def _groups_of_classes(table: Table) -> list[tuple[str, int]]:
    members: dict[str, set[str]] = {}
    for label, group in zip(table.label or (), table.group or (), strict=False):
        if label and group:
            members.setdefault(label, set()).add(group)
    return [(label, len(groups)) for label, groups in sorted(members.items())]
