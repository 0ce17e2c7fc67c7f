"""What keeps a table from being used, and what a person should know of one that can be used.

Cells, labels and sizes, one line each: what, which column, what to do.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from kpca.reading.errors import shortlist
from kpca.reading.table import DECIMAL_COMMA, Table, all_numbers, are_dates, encode, number
from kpca.study.datasets.dataset import Dataset, IntArray
from kpca.study.datasets.splits import TEST_SHARE, allocate, held_out_counts

LEAST_FOLDS = 2
# Without labels: as many leave three in every fold and for testing, which neighbours take.
LEAST_ROWS = 10
# Words in the name of a column that rows of one subject share.
_SUBJECTS = frozenset(
    {
        *("id", "subject", "patient", "person", "participant", "individual", "animal", "household"),
        *("family", "site", "batch", "plate", "hospital", "school", "firm", "company", "customer"),
        *("town", "county", "state", "country", "year"),
    }
)
_MOSTLY = 0.9  # fraction of the rows that have a number of their own in a column of identifiers
_LONG_NUMBER = 10_000  # an identifier has five digits at least

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_MOST_COLUMNS = 10
_MOST_NUMERIC_CLASSES = 20
_FEW_CLASSES = 10  # as many as digits


def table_problems(table: Table, folds: int = LEAST_FOLDS, n_components: int = 1) -> list[str]:
    """List what is wrong with the cells, the labels and the number of rows of a table."""
    problems = [
        *table.problems,
        *_name_problems(table),
        *_text_problems(table),
        *_number_problems(table),
        *_log_problems(table),
        *_empty_problems(table),
    ]
    if "sample" in table.spec:  # whose rows tell neither classes nor numbers
        return problems
    # A measurement as label has tiny classes too, which would only distract.
    sizes = _label_problems(table) or _row_count_problems(table, folds, n_components)
    return problems + sizes


def _name_problems(table: Table) -> Iterator[str]:
    """Names go into figures and pages, which hold no control characters but line breaks."""
    named: dict[str, Iterable[str]] = {
        "column": [*table.numeric, *table.roles.values()],
        **{f"{role} column {table.roles[role]!r}": names for role, names in table.names.items()},
        **{f"column {name!r}": names for name, names in table.categories.items()},
    }
    for where, names in named.items():
        if odd := sorted({name for name in names if _CONTROL.search(name)}):
            yield (
                f"{where}: {shortlist(list(map(repr, odd)))} holds a control character or half of "
                "one; spell it with letters and signs only"
            )


def _text_problems(table: Table) -> Iterator[str]:
    for column, cells in list(table.texts.items())[:_MOST_COLUMNS]:
        rows = zip(cells.index.tolist(), cells, strict=True)
        listed = [f"{table.place(row)} {text!r}" for row, text in rows]
        if all(map(DECIMAL_COMMA.fullmatch, cells)):
            remedy = "write the decimal comma as a point"
        elif column == table.roles.get("target"):
            remedy = "a target must be numeric; give classes as `label`"
        elif are_dates(cells):
            remedy = (
                "these are dates: `dates: month,weekday` makes features of them, `time` orders the "
                "rows by them, and `drop` leaves them out"
            )
        else:
            remedy = (
                "a feature must be numeric: correct these cells, or name the column under "
                "`categorical` (a column of 0 and 1 for each of its values), `drop`, `label`, "
                "`group` or `id`"
            )
        yield f"column {column!r} holds text ({shortlist(listed, limit=3)}); {remedy}"
    if len(table.texts) > _MOST_COLUMNS:
        yield f"{len(table.texts) - _MOST_COLUMNS} more columns hold text"


def _number_problems(table: Table) -> Iterator[str]:
    target = table.roles.get("target")
    X = table.numeric.to_numpy()
    if target is not None:
        X = np.where(np.isnan(X) & (table.numeric.columns == target), 0.0, X)
    wrong = np.argwhere(np.isinf(X) if table.spec.get("missing") == "median" else ~np.isfinite(X))
    cells = [""] * len(wrong)
    for place, (row, column) in enumerate(wrong[:6].tolist()):
        what = "missing" if np.isnan(X[row, column]) else "infinite"
        where = f"{table.place(table.numeric.index[row])}, column {table.numeric.columns[column]!r}"
        cells[place] = f"{where} ({what})"
    if cells:
        yield (
            f"{len(cells)} cell{'s hold' if len(cells) > 1 else ' holds'} no finite number: "
            f"{shortlist(cells)}; fill them in, or say `missing: drop` (leave out rows with "
            "missing cells), `missing: median` (medians of the training rows) or `drop` with the "
            "columns"
        )


def _log_problems(table: Table) -> Iterator[str]:
    for column in table.log:
        wrong = table.numeric.index[table.numeric[column] <= 0]
        if column not in table.texts and len(wrong):
            places = [*map(table.place, wrong)]
            yield (
                f"column {column!r} holds numbers that are not positive "
                f"({shortlist(places, limit=3)}) and have no logarithm; take it out of `log`"
            )


def _empty_problems(table: Table) -> Iterator[str]:
    for role, column in table.roles.items():
        gone = table.names[role] == "" if role in table.names else table.numeric[column].isna()
        places = [table.place(row) for row in gone.index[gone]]
        if places and role != "id":
            yield (
                f"{role} column {column!r} is empty in {len(places)} of {len(gone)} rows "
                f"({shortlist(places, limit=3)}). A {role} cannot be filled in: `missing: median` "
                "leaves these rows out and fills in features, `missing: drop` leaves out every row "
                "with a missing cell"
            )


def _label_problems(table: Table) -> list[str]:
    """Whether the label is one class, or a measurement: fractions, or many distinct numbers."""
    distinct, rows = {*table.names.get("label", ())} - {""}, len(table.numeric)
    column = table.roles.get("label")
    if len(distinct) == 1:
        return [
            f"label column {column!r} holds one class only, {distinct.pop()!r}; give rows of at "
            "least two, or leave out `label` to go without a classifier"
        ]
    if len(distinct) <= _MOST_NUMERIC_CLASSES or not all_numbers(distinct):
        return []
    fractional = any(not (number(value) or 0.0).is_integer() for value in distinct)
    if not fractional and len(distinct) <= rows / 10:
        return []
    return [
        f"label column {column!r} holds {len(distinct)} distinct numbers in {rows} rows, which "
        f"reads as a measurement; give it as `target: {column}` in place of `label`"
    ]


def _row_count_problems(table: Table, folds: int, n_components: int) -> list[str]:
    spec = table.spec
    if not len(table.numeric):
        return ["there are no rows, only names of columns; add rows"]
    names: tuple[str, ...] = ()
    counts = np.array([len(table.numeric)])
    if "label" in table.names:
        codes, found = encode(name for name in table.names["label"] if name)
        counts, names = np.bincount(codes, minlength=1), found or ("",)
    problems = class_problems(counts, names, spec, folds)
    problems += _group_problems(table, folds, spec.get("test_share", TEST_SHARE))
    return problems or component_problems(train_rows(counts, spec), folds, n_components)


def _group_problems(table: Table, folds: int, share: float) -> Iterator[str]:
    """Whether there is a group for testing and one a fold, and three of each class."""
    if "group" not in table.names:
        return
    column, named = table.roles["group"], table.names["group"]
    named = named[named != ""]
    if (groups := named.nunique()) < (fewest := _needed(folds, share)):
        yield (
            f"group column {column!r} holds {groups} groups, which are never split; a test share "
            f"of {share} and {folds} folds need at least {fewest}"
        )
    elif "label" in table.names:
        spread = named.groupby(table.names["label"]).nunique().drop("", errors="ignore")
        if confined := [f"{name!r} ({count})" for name, count in spread[spread < 3].items()]:
            yield (
                f"class {shortlist(confined)} lies in fewer than 3 groups of column {column!r}; "
                "one each is needed for testing, training and validation; merge classes, or leave "
                "small ones out by `min_class_size`"
            )


def table_warnings(table: Table) -> Iterator[str]:
    """Yield what is odd about a table without problems, a sentence each."""
    yield from table.warnings
    label, names = table.roles.get("label"), table.names
    X = table.numeric[[*table.features]]
    # A column of missing cells alone becomes zeros.
    constant = X.columns[(X.min() == X.max()) | X.isna().all()]
    if len(constant) and not table.spec.get("kernel_matrix"):
        yield (
            f"column {shortlist([*map(repr, constant)])} is constant: it has no effect, and is "
            "kept; `drop` leaves it out"
        )
    if "id" in names and "time" not in names and table.roles["id"] != table.roles.get("group"):
        again = names["id"][names["id"].duplicated(keep=False)]
        if "group" in names:  # rows of one subject in one group stay together
            groups = names["group"].groupby(names["id"]).transform("nunique")
            again = again[groups[again.index] > 1]
        listed = [
            f"{name!r} ({shortlist([*map(table.place, same.index)], limit=3)})"
            for name, same in again.groupby(again, sort=False)
        ]
        if listed:
            yield (
                f"id column {table.roles['id']!r} names several rows alike: "
                f"{shortlist(listed, limit=3)}; rows of one subject belong together: name the "
                f"column as `group`{'' if 'group' in names else ' too'}"
            )
    yield from _repeated_names(table)
    if label:
        yield from _spellings(f"label column {label!r}", names["label"])
    for column, categories in table.categories.items():
        yield from _spellings(f"column {column!r}", categories)
    distinct = {*names.get("label", ())}
    if len(distinct) > _FEW_CLASSES and all_numbers(distinct):
        yield (
            f"label column {label!r} holds {len(distinct)} distinct numbers, each a class of its "
            f"own; if it is a measurement, give it as `target: {label}` in place of `label`"
        )


def _repeated_names(table: Table) -> Iterator[str]:
    """Tell of features that seem to name subjects: by their name, or long numbers that repeat."""
    for column in () if table.spec.get("features") else table.features:
        values, rows = table.numeric[column].dropna(), len(table.numeric)
        different, whole = values.nunique(), not (values % 1).any()
        words = {*re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", column)} | {column}
        found = {word.casefold().removesuffix("s") for word in words if word}
        found = (found | {word.removesuffix("id") for word in found}) & _SUBJECTS
        long = different > _MOSTLY * rows and (values.abs() >= _LONG_NUMBER).all()
        if not (whole and different > 2 and (found or (different < rows and long))):
            continue
        kind = "different texts" if column in table.categories else "different integers"
        remedies = [f"`drop: {column}` leaves the column out"]
        if not {"group", "time"} & {*table.roles}:
            order = [f"`time: {column}` tests on later rows"] if "year" in found else []
            remedies = [f"`group: {column}` keeps the rows of one together", *order, *remedies]
        yield (
            f"column {column!r} holds {different} {kind} in {rows} rows, and may name subjects. As "
            f"a feature it tells them apart on both sides of a split: {', '.join(remedies)}"
        )


def _spellings(column: str, names: Iterable[str]) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for name in sorted({*names}):
        alike.setdefault(" ".join(name.casefold().split()), []).append(repr(name))
    listed = [" and ".join(spelt) for spelt in alike.values() if spelt[1:]]
    if listed:
        yield (
            f"{column} holds values that differ only by case or space, {shortlist(listed)}, which "
            "count as different; spell them alike if they are one"
        )


def class_problems(
    counts: IntArray, names: tuple[str, ...], spec: Mapping[str, Any], folds: int
) -> list[str]:
    """Whether each class has rows enough for every inner fold to train and to validate on it.

    Without labels, `counts` holds the one number of all rows, and `names` is empty.
    """
    fewest, kept = _needed(folds, spec.get("test_share", TEST_SHARE), 2), _kept(counts, spec)
    if not names:
        total, need = int(kept.sum()), f"{folds} folds need at least {fewest}"
        if fewest < LEAST_ROWS:
            fewest, need = LEAST_ROWS, f"folds and tests need at least {LEAST_ROWS}"
        return [f"there are {total} rows, and {need}; add rows"] if total < fewest else []
    small = [
        f"{name!r} ({have})" if have == had else f"{name!r} ({have} of {had} under `max_rows`)"
        for name, had, have in zip(names, counts.tolist(), kept.tolist(), strict=True)
        if have < fewest
    ]
    lower = ", or lower evaluation.folds" if folds > LEAST_FOLDS else ""
    few = (
        f"class {shortlist(small)} has fewer than the {fewest} rows that {folds} folds need; add "
        f"rows, leave such classes out by `min_class_size: {fewest}`, or merge them{lower}"
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
    kept = _kept(counts, spec)
    return int((kept - held_out_counts(kept, spec.get("test_share", TEST_SHARE))).sum())


def within_rows(
    dataset: Dataset, spec: Mapping[str, Any], evaluation: Mapping[str, Any], *, quick: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return `evaluation` with the folds and components that rows allow, and what is left out.

    Where every number of components is too large, the largest possible stands in for them.
    """
    counts = np.array([len(dataset.X)]) if dataset.y is None else np.bincount(dataset.y)
    grouped = np.zeros(0, dtype=int) if dataset.groups is None else np.bincount(dataset.groups)
    share, smallest, groups = spec.get("test_share", TEST_SHARE), counts.min(), len(grouped)
    fitting = [
        folds
        for folds in range(LEAST_FOLDS, evaluation["folds"] + 1)
        if smallest >= _needed(folds, share, 2) and (not groups or groups >= _needed(folds, share))
    ]
    folds, train = max(fitting, default=LEAST_FOLDS), train_rows(counts, spec)
    left = train - math.ceil(train / folds)
    if groups:  # one group may be a fold of its own
        left = min(left, max(train - grouped.max(), LEAST_FOLDS))
    most = max(int(left) - 1, 1)
    wanted = sorted(evaluation["n_components"])
    kept = [m for m in wanted if m <= most] or [most]
    allowed = {**evaluation, "folds": folds, "n_components": kept}

    rows, words = len(dataset.X), []
    if rows < dataset.rows_of_file:
        sample = f"{rows} stratified by class" if smallest < rows else f"{rows}"
        more = f"max_rows={dataset.rows_of_file} takes all"
        words.append(
            f"{spec['path']} has {dataset.rows_of_file} rows, of which a sample of {sample} is "
            f"swept: {'leave out quick=true for more' if quick else more}"
        )
    if folds == evaluation["folds"] and kept == wanted:
        return allowed, words
    said, in_folds = f"{rows} rows", f"{folds} folds"
    if folds != evaluation["folds"]:
        in_folds += f" in place of {evaluation['folds']}"
        said += f" in {groups} groups" if groups else ""
        said += f", {smallest} in the smallest class," if smallest < rows else ""
    said += f" allow {', '.join(map(str, kept))} component{'s' * (kept != [1])}"
    if too_many := [str(m) for m in wanted if m not in kept]:
        said += f" ({', '.join(too_many)} left out)"
    return allowed, [*words, f"{said} and {in_folds}"]


def _kept(counts: IntArray, spec: Mapping[str, Any]) -> IntArray:
    most = spec.get("max_rows", counts.sum())
    return allocate(counts, most) if most < counts.sum() else counts


def _needed(folds: int, test_share: float, per_fold: int = 1) -> int:
    """Return how many groups, or with two per fold rows of a class, there must be."""
    return max(per_fold * folds, math.ceil(folds / (1 - test_share)))
