"""What a person should know of rows that can be used: what, which column, what to do."""

from collections.abc import Iterable, Iterator

import numpy as np

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.table import Table, all_numbers
from pipeline.errors import shortlist

_FEW_CLASSES = 10  # as many as digits


def table_warnings(table: Table) -> Iterator[str]:
    """Yield what is odd about a table without problems, a sentence each."""
    yield from table.warnings
    label, names = table.roles.get("label"), table.names
    X = table.numeric[[*table.features]]
    # A missing cell is none of the others, and a column of such alone becomes zeros.
    constant = X.columns[(X.min() == X.max()) | X.isna().all()]
    if len(constant) and not table.precomputed:
        yield (
            f"column {shortlist([*map(repr, constant)])} is constant: it has no effect, and is "
            "kept; `drop` leaves it out"
        )
    if "id" in names and table.roles["id"] != table.roles.get("group"):
        listed = [
            f"{name!r} ({shortlist([table.place(row) for row in same.index], limit=3)})"
            for name, same in names["id"].groupby(names["id"], sort=False)
            if len(same) > 1
        ]
        if listed:
            yield (
                f"id column {table.roles['id']!r} names several rows alike: "
                f"{shortlist(listed, limit=3)}; rows of one subject belong together: name the "
                "column as `group` too"
            )
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


def split_warnings(dataset: Dataset) -> list[str]:
    """Return what is odd about a dataset with splits: copies of training rows among the tests.

    Copies are equal in every feature and in the label or target.
    """
    if dataset.precomputed:
        return []
    answer = next((each for each in (dataset.y, dataset.target) if each is not None), None)
    columns = dataset.X if answer is None else np.column_stack([dataset.X, answer])
    # Adding zero makes one zero of two.
    rows = np.array([row.tobytes() for row in columns + 0.0], dtype=object)
    _, code, times = np.unique(rows, return_inverse=True, return_counts=True)
    leaks = [int(np.isin(code[test], code[train]).sum()) for train, test in dataset.splits]
    if not any(leaks):
        return []
    repeated, tests = int((times[code] > 1).sum()), len(dataset.splits[0][1])
    also = {"classification": " and in the label", "regression": " and in the target"}
    return [
        f"{repeated} of {len(rows)} rows equal another one in every feature"
        f"{also.get(dataset.task, '')}; of the {tests} test rows of a replicate, "
        f"{np.mean(leaks):.3g} on average are among its training rows too. Copies make every score "
        "too good: remove them, or name the column that copies share as `group`. Rounded "
        "measurements that coincide can stay"
    ]
