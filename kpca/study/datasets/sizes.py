"""Check whether rows suffice for folds, classes, groups and components, or what they allow."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kpca.reading.errors import shortlist
from kpca.reading.table import Table, encode
from kpca.study.datasets.dataset import WHOLE, Dataset, IntArray, Split
from kpca.study.datasets.splits import (
    TEST_SHARE,
    draw_folds,
    held_out_counts,
    one_class,
    sample_counts,
    sizes_within,
)
from kpca.study.seeds import seed_for

LEAST_FOLDS = 2
# Smallest number of rows without labels. Each of two folds and the test set then has three rows,
# which a comparison of neighbours needs.
LEAST_ROWS = 10
# A class with more than this many groups per fold has groups outside of every fold.
MANY_GROUPS = 3
GROUPS_OF_CLASS = 3  # smallest number of groups of a class: to test, to train and to validate


def size_problems(table: Table, folds: int = LEAST_FOLDS, n_components: int = 1) -> list[str]:
    """List problems that keep the rows of a table from being split, fitted and validated."""
    spec = table.spec
    if not len(table.numeric):
        return ["there are no rows, only names of columns; add rows"]
    names: tuple[str, ...] = ()
    counts = np.array([len(table.numeric)])
    if "label" in table.names:
        codes, classes = encode(name for name in table.names["label"] if name)
        counts = np.bincount(codes, minlength=1)
        names = classes or ("",)
    problems = class_problems(counts, names, spec, folds)
    problems += _group_problems(table, folds, spec.get("test_share", TEST_SHARE))
    return problems or component_problems(train_rows(counts, spec), folds, n_components)


def _group_problems(table: Table, folds: int, share: float) -> Iterator[str]:
    """Yield a problem if there are too few groups, or too few groups with rows of some class."""
    if "group" not in table.names:
        return
    column = table.roles["group"]
    named = table.names["group"]
    named = named[named != ""]
    groups = named.nunique()
    if groups < (fewest := _needed(folds, share)):
        yield (
            f"group column {column!r} holds {groups} groups, which are never split; a test share "
            f"of {share} and {folds} folds need at least {fewest}"
        )
    elif "label" in table.names:
        spread = named.groupby(table.names["label"]).nunique().drop("", errors="ignore")
        few = spread[spread < GROUPS_OF_CLASS]
        if confined := [f"{name!r} ({count})" for name, count in few.items()]:
            yield (
                f"class {shortlist(confined)} lies in fewer than {GROUPS_OF_CLASS} groups of "
                f"column {column!r}; one each is needed for testing, training and validation; "
                "merge classes, or leave small ones out by `min_class_size`"
            )


def class_problems(
    counts: IntArray, names: tuple[str, ...], spec: Mapping[str, Any], folds: int
) -> list[str]:
    """List a problem if a class has too few rows for both sides of every inner fold.

    Without labels, ``counts`` holds only the number of all rows, and ``names`` is empty.
    """
    fewest = _needed(folds, spec.get("test_share", TEST_SHARE), 2)
    sampled = _kept(counts, spec)
    if not names:
        total = int(sampled.sum())
        need = f"{folds} folds need at least {fewest}"
        if fewest < LEAST_ROWS:
            fewest = LEAST_ROWS
            need = f"folds and tests need at least {LEAST_ROWS}"
        return [f"there are {total} rows, and {need}; add rows"] if total < fewest else []
    small = [
        f"{name!r} ({have})" if have == had else f"{name!r} ({have} of {had} under `max_rows`)"
        for name, had, have in zip(names, counts.tolist(), sampled.tolist(), strict=True)
        if have < fewest
    ]
    lower = ", or lower evaluation.folds" if folds > LEAST_FOLDS else ""
    few = f"class {shortlist(small)} has fewer than the {fewest} rows that {folds} folds need"
    remedy = f"add rows, leave such classes out by `min_class_size: {fewest}`, or merge them{lower}"
    if counts.min() >= fewest:  # The rows suffice, but the sample of them does not.
        remedy = f"raise `max_rows` to {len(counts) * fewest} or more{lower}"
    return [f"{few}; {remedy}"] if small else []


def component_problems(train: int, folds: int, n_components: int) -> list[str]:
    """List a problem if the smallest inner training fold allows too few components.

    Centring removes one dimension, so r rows have at most r - 1 components.
    """
    smallest = train - math.ceil(train / folds)
    if n_components < smallest:
        return []
    return [
        f"evaluation.n_components asks for {n_components}, but {folds} folds leave {smallest} of "
        f"{train} training rows to fit, which have at most {smallest - 1} components; lower "
        "n_components or use more rows"
    ]


def fold_problems(dataset: Dataset, folds: int, seed: int) -> list[str]:
    """List why the inner folds of rows with groups or times cannot train or validate."""
    if dataset.groups is None and dataset.time is None:
        return []
    lower = "lower evaluation.folds, " if folds > LEAST_FOLDS else ""
    for replicate in [*range(dataset.replicates), WHOLE]:
        split = _bare(dataset, replicate)
        training = "all rows" if replicate == WHOLE else f"replicate {replicate} (from 0)"
        role = "group" if split.time_train is None else "time"
        groups = len(np.unique(split.groups_train if split.groups_train is not None else ()))
        if role == "group" and groups < folds:
            return [
                f"the training rows of {training} are of {groups} groups, too few for {folds} "
                f"folds; {lower}add groups, or leave out `group`"
            ]
        if split.groups_train is not None and split.y_train is not None and role == "group":
            # With many groups of each class, no fold can hold all groups of a class. Drawing folds
            # of many groups takes long.
            pairs = np.unique(np.column_stack([split.groups_train, split.y_train]), axis=0)
            if np.bincount(pairs[:, 1]).min() > MANY_GROUPS * folds:
                continue
        remedy = f"{lower}add rows, or leave out `{role}`"
        drawn = draw_folds(split, folds, seed_for(seed, dataset.seed_axis, replicate, "folds"))
        for train, test in drawn:
            if not len(train) or not len(test):
                return [f"{folds} folds of {training} leave one without rows; {remedy}"]
            if split.y_train is not None and one_class(split.y_train[train]):
                name = dataset.class_names[split.y_train[train[0]]]
                return [
                    f"one of {folds} folds of {training} trains on class {name!r} only; {remedy}"
                ]
    return []


def _bare(dataset: Dataset, replicate: int | str) -> Split:
    """Return the rows of a replicate, or all rows, without features, which take long to prepare."""
    bare = replace(
        dataset,
        X=np.zeros((len(dataset.X), 1)),
        categories={},
        log=(),
        fill_missing=False,
        precomputed=False,
    )
    return bare.whole() if replicate == WHOLE else bare.split(int(replicate))


def train_rows(counts: IntArray, spec: Mapping[str, Any]) -> int:
    """Count the training rows that `max_rows` and `test_share` leave."""
    sampled = _kept(counts, spec)
    return int((sampled - held_out_counts(sampled, spec.get("test_share", TEST_SHARE))).sum())


def within_rows(
    dataset: Dataset,
    spec: Mapping[str, Any],
    evaluation: Mapping[str, Any],
    *,
    quick: bool,
    seed: int,
) -> tuple[dict[str, Any], list[str]]:
    """Return ``evaluation`` with folds and components that the rows allow, and notes on the rest.

    If every number of components is too large, the largest possible one replaces them. The notes
    say what is left out. The folds are drawn with the root ``seed``.
    """
    counts = np.array([len(dataset.X)]) if dataset.y is None else np.bincount(dataset.y)
    grouped = np.zeros(0, dtype=int) if dataset.groups is None else np.bincount(dataset.groups)
    share = spec.get("test_share", TEST_SHARE)
    smallest = counts.min()
    groups = len(grouped)
    fitting = [
        folds
        for folds in range(LEAST_FOLDS, evaluation["folds"] + 1)
        if smallest >= _needed(folds, share, 2) and (not groups or groups >= _needed(folds, share))
    ]
    possible = (n for n in reversed(fitting) if not fold_problems(dataset, n, seed))
    folds = next(possible, LEAST_FOLDS)
    train = train_rows(counts, spec)
    fitted_rows = train - math.ceil(train / folds)
    if groups:  # The largest group may be a validation fold.
        fitted_rows = min(fitted_rows, max(train - grouped.max(), LEAST_FOLDS))
    most = max(int(fitted_rows) - 1, 1)
    wanted = sorted(evaluation["n_components"])
    possible_sizes = sizes_within(wanted, [(range(int(fitted_rows)), ())])
    sizes = [m for m in wanted if m <= most] or possible_sizes
    allowed = {**evaluation, "folds": folds, "n_components": sizes}

    rows = len(dataset.X)
    left_out = []
    if rows < dataset.rows_of_file:
        sample = f"{rows} stratified by class" if smallest < rows else f"{rows}"
        more = f"max_rows={dataset.rows_of_file} takes all"
        left_out.append(
            f"{spec.get('path', 'the table')} has {dataset.rows_of_file} rows, of which a sample "
            f"of {sample} is swept: {'leave out quick=true for more' if quick else more}"
        )
    sizes = possible_sizes  # as the sweep leaves them out
    if folds == evaluation["folds"] and {*sizes} <= {*wanted}:
        return allowed, left_out
    sentence = f"{rows} rows"
    in_folds = f"{folds} folds"
    if folds != evaluation["folds"]:
        in_folds += f" in place of {evaluation['folds']}"
        sentence += f" in {groups} groups" if groups else ""
        sentence += f", {smallest} in the smallest class," if smallest < rows else ""
    sentence += f" allow {', '.join(map(str, sizes))} component{'s' * (sizes != [1])}"
    if too_many := [str(m) for m in wanted if m not in sizes]:
        sentence += f" ({', '.join(too_many)} left out)"
    return allowed, [*left_out, f"{sentence} and {in_folds}"]


def _kept(counts: IntArray, spec: Mapping[str, Any]) -> IntArray:
    most = spec.get("max_rows", counts.sum())
    return sample_counts(counts, most) if most < counts.sum() else counts


def _needed(folds: int, test_share: float, per_fold: int = 1) -> int:
    """Return how many groups, or rows of a class if ``per_fold`` is 2, folds and test set need."""
    return max(per_fold * folds, math.ceil(folds / (1 - test_share)))
