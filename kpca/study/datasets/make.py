"""Make a dataset from its entry in the configuration, or raise `InputError` with all problems."""

import inspect
import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kpca.reading.errors import input_error, nearest, shortlist
from kpca.study.datasets import splits
from kpca.study.datasets.dataset import Dataset, IntArray, alike
from kpca.study.datasets.generators import GENERATORS, Draw
from kpca.study.datasets.sizes import (
    LEAST_FOLDS,
    LEAST_ROWS,
    class_problems,
    component_problems,
    fold_problems,
    train_rows,
)
from kpca.study.datasets.sources import CLASS_SIZES, READERS, cached_sum
from kpca.study.datasets.spec import SAMPLE, is_large
from kpca.study.seeds import rng_for

# Smallest number of test rows of an expanding window, and of training rows of its inner folds.
LEAST_WINDOW = 5
_SIZES = ("n_train", "n_test")
_OWN_KEYS = {"generator", "standardize", "replicates", *_SIZES}


def make_dataset(
    name: str, spec: Mapping[str, Any], *, seed: int, replicates: int, **needs: int
) -> Dataset:
    """Draw or read one dataset with its splits; ``spec`` is its entry in the configuration.

    Synthetic data are drawn again for every replicate; for real data the replicates are stratified
    splits of the same rows. Seeds derive from the root seed and the replicate, and for synthetic
    data also from the name, so that adding datasets or replicates does not change existing splits.
    Rows that are read must suffice for the ``folds`` and ``n_components`` in ``needs``.
    """
    if "generator" in spec:
        return _drawn(name, spec, seed, replicates)
    folds = needs.get("folds", LEAST_FOLDS)
    return _redrawn(read_rows(name, spec, **needs), spec, seed, replicates, folds)


def read_rows(name: str, spec: Mapping[str, Any], **needs: int) -> Dataset:
    """Read all rows of a dataset that is not synthetic, without making splits."""
    read = next(reader for source, reader in READERS.items() if source in spec)
    rows = read(name, spec, **needs)
    standardize = bool(spec.get("standardize", False))
    return replace(rows, standardize=standardize, rows_of_file=len(rows.X))


def check_dataset(
    name: str,
    spec: Mapping[str, Any],
    *,
    n_components: int = 1,
    folds: int = LEAST_FOLDS,
    seed: int = 0,
    replicates: int = 1,
) -> Dataset | None:
    """Return a dataset if it was read, or raise one `InputError` with all its problems.

    Of synthetic data and scikit-learn's datasets, only the sizes are checked. OpenML's datasets are
    never downloaded. The rows must suffice for the inner folds and the largest number of
    components. If a file is large, only its first rows are read, and only their cells are checked.
    """
    if is_large(spec):
        rows = read_rows(name, {**spec, "sample": SAMPLE})
        warning = (
            f"the file is large, and only its first {SAMPLE} rows were read; its first job checks "
            "the others, before any fit"
        )
        first = rows.take(np.arange(min(len(rows.X), spec.get("max_rows", SAMPLE))))
        return replace(first, warnings=(*first.warnings, warning))
    if "path" in spec or ("openml" in spec and cached_sum(spec).is_file()):
        rows = read_rows(name, spec, folds=folds, n_components=n_components)
        return _redrawn(rows, spec, seed, replicates, folds)
    problems = []
    if "generator" in spec:
        problems = _parameter_problems(spec)
        problems += component_problems(spec["n_train"], folds, n_components)
    elif "sklearn" in spec:
        counts = np.array(CLASS_SIZES[spec["sklearn"]])
        train = train_rows(counts, spec)
        problems = class_problems(counts, tuple(map(str, range(len(counts)))), spec, folds)
        problems += component_problems(train, folds, n_components)
    _refuse(name, problems, spec)
    return None


def _refuse(name: str, problems: list[str], spec: Mapping[str, Any]) -> None:
    file = f", file {spec['path']}" if "path" in spec else ""
    if problems:
        raise input_error(f"dataset {name!r}{file}", problems)


def _drawn(name: str, spec: Mapping[str, Any], seed: int, replicates: int) -> Dataset:
    """Stack independent training and test draws, one pair per replicate."""
    _refuse(name, _parameter_problems(spec), spec)
    generator = GENERATORS[spec["generator"]]
    parameters = {key: value for key, value in spec.items() if key not in _OWN_KEYS}
    axes = itertools.product(range(replicates), _SIZES)
    draws = [generator(spec[size], rng_for(seed, name, r, size), **parameters) for r, size in axes]
    fields: dict[str, Any] = {
        field: np.concatenate(parts)
        for field, parts in zip(Draw._fields, zip(*draws, strict=True), strict=True)
        if parts[0] is not None
    }
    sizes = np.cumsum([len(draw.X) for draw in draws])
    blocks = np.split(np.arange(sizes[-1]), sizes[:-1])
    return Dataset(
        **fields,
        name=name,
        splits=tuple(zip(blocks[::2], blocks[1::2], strict=True)),
        feature_names=tuple(f"x{column + 1}" for column in range(draws[0].X.shape[1])),
        class_names=tuple(map(str, np.unique(fields.get("y", ())))),
        independent=True,
        standardize=bool(spec.get("standardize", False)),
        source=f"generator {spec['generator']}",
    )


def _parameter_problems(spec: Mapping[str, Any]) -> list[str]:
    """List parameters that the generator lacks; the schema accepts those of any generator."""
    parameters = list(inspect.signature(GENERATORS[spec["generator"]]).parameters)[2:]
    problem = f"generator {spec['generator']!r} has no parameter"
    wrong = [key for key in spec if key not in {*_OWN_KEYS, *parameters}]
    return [f"{problem} {key!r}; {nearest(key, parameters)}" for key in wrong]


def _redrawn(
    rows: Dataset, spec: Mapping[str, Any], seed: int, replicates: int, folds: int
) -> Dataset:
    """Return the rows with one split per replicate, or raise the problems of these splits."""
    axis = rows.seed_axis
    total = len(rows.X)
    strata = np.zeros(total, dtype=np.int64) if rows.y is None else rows.y
    if spec.get("max_rows", total) < total:
        sampled = splits.subsample(rng_for(seed, axis, "subsample"), strata, spec["max_rows"])
        rows = rows.take(sampled)
        strata = strata[sampled]
    time = rows.time
    share = spec.get("test_share", splits.TEST_SHARE if time is None else splits.TIME_SHARE)
    if time is None:
        drawn = [
            splits.split_rows(rng_for(seed, axis, replicate, "split"), strata, share, rows.groups)
            for replicate in range(replicates)
        ]
    else:
        rows = replace(rows, gap=spec.get("gap", -(-len(rows.X) // 100)))
        drawn = splits.expanding_windows(time, replicates, share, rows.gap, rows.groups)
        _refuse(rows.name, _window_problems(rows, drawn), spec)
    dataset = replace(rows, splits=tuple(drawn))
    _refuse(rows.name, fold_problems(dataset, folds, seed), spec)
    for replicate in range(replicates):
        X_train = dataset.split(replicate).X_train
        if alike(X_train, precomputed=dataset.precomputed):
            every = f"in every feature ({shortlist([*map(repr, rows.feature_names)])})"
            same = (
                f"replicate {replicate} (from 0) trains on {len(X_train)} rows that are all the "
                f"same {'(all distances are 0)' if rows.precomputed else every}, and has no "
                "component; give features in which rows differ, or leave out repeated rows"
            )
            _refuse(rows.name, [same], spec)
    if "sklearn" in spec:  # The user cannot remove copies from these datasets.
        return dataset
    return replace(dataset, warnings=(*dataset.warnings, *_copies(dataset)))


def _window_problems(rows: Dataset, windows: list[tuple[IntArray, IntArray]]) -> list[str]:
    """List why expanding windows, or the inner folds of the first one, cannot train or test."""
    assert rows.time is not None
    (first, _), fewest = windows[0], min(len(test) for _, test in windows)
    smallest = min(len(train) for train, _ in windows)
    least = 2 * LEAST_ROWS
    inner = first[:0]
    if len(first):
        before = rows.take(first)
        assert before.time is not None
        within = splits.expanding_windows(
            before.time, LEAST_FOLDS, splits.TIME_SHARE, rows.gap, before.groups
        )
        inner = within[0][0]
        if before.groups is not None:
            fewest = min(fewest, *(len(test) for _, test in within))
    if smallest < least or len(inner) < LEAST_WINDOW or fewest < LEAST_WINDOW:
        return [
            f"{len(rows.X)} rows in {len(windows)} expanding windows leave {smallest} rows to "
            f"train for the smallest window, {len(inner)} for the first fold, {fewest} to test; "
            f"at least {least}, {LEAST_WINDOW} and {LEAST_WINDOW} are needed. Rows of the time that"
            " a window begins with do not train for it. Lower `splits` or `gap`, add rows, or "
            "leave out `time`"
        ]
    if rows.y is None:
        return []
    if splits.one_class(rows.y[inner]):
        return [
            f"the first {len(inner)} rows in the order of time hold one class only: the label "
            "follows the time, so that no earlier rows can train for later ones. Leave out "
            "`label`, and `kpca novelty` tells which later rows are unlike the first ones"
        ]
    for number, (train, _) in enumerate(windows):
        if splits.one_class(rows.y[train]):
            name = rows.class_names[rows.y[train[0]]]
            return [
                f"replicate {number} (from 0) trains on class {name!r} only, because one window "
                "tests all groups of the other classes; leave out `group` or `time`"
            ]
    tested = np.unique(rows.y[np.concatenate([test for _, test in windows])])
    gone = [repr(name) for code, name in enumerate(rows.class_names) if code not in tested]
    why = (
        "is not in the last rows, which are tested: the label follows the time. Leave out `label`, "
        "and `kpca novelty` tells which later rows are unlike the first ones"
    )
    return [f"class {shortlist(gone)} {why}"] if gone else []


def _copies(dataset: Dataset) -> list[str]:
    """Warn of test rows that equal a training row in all features and the label or target."""
    if dataset.precomputed:
        return []
    answers = [answer for answer in (dataset.y, dataset.target) if answer is not None]
    columns = np.column_stack([dataset.X, *answers[:1]]) + 0.0  # + 0.0 turns -0.0 into 0.0
    rows = np.array([row.tobytes() for row in columns], dtype=object)
    _, code, times = np.unique(rows, return_inverse=True, return_counts=True)
    leaks = [int(np.isin(code[test], code[train]).sum()) for train, test in dataset.splits]
    if not any(leaks):
        return []
    copies = int((times[code] > 1).sum())
    tests = len(dataset.splits[0][1])
    shared = ", or name the column that copies share as `group`"
    if dataset.groups is not None:
        shared = ", or give them the same group"
    elif dataset.time is not None:
        shared = ""
    advice = f"Copies make every score too good: remove them{shared}"
    advice += ". Rounded measurements that coincide can stay"
    if len(dataset.categories) == len(dataset.feature_names):
        advice = "Rows of categories alone often coincide, so they can stay"
    also = {"classification": " and in the label", "regression": " and in the target"}
    return [
        f"{copies} of {len(rows)} rows equal another one in every feature"
        f"{also.get(dataset.task, '')}; of the {tests} test rows of a replicate, "
        f"{np.mean(leaks):.3g} on average are among its training rows too. {advice}"
    ]
