"""Folds and components that rows allow are those that the check of a dataset accepts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.configuration.reduced import within
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import check_dataset, check_own_file, make_dataset
from pipeline.datasets.needs import Sizes
from pipeline.errors import InputError
from pipeline.evaluation.evaluate import make_problem

EVALUATION: dict[str, Any] = {"n_components": [2, 5, 12, 32], "folds": 3}
CLASSES = {"label": "y"}
GROUPS = CLASSES | {"group": "g"}


def written(folder: Path, rows: int, small: int) -> str:
    """Write a file whose class b has so many rows, and whose rows are in seven groups."""
    lines = [
        f"{i},{i * i % 7},{'b' if i % (rows // small) == 0 else 'a'},{i % 7}"
        for i in range(small * (rows // small))
    ]
    lines += [f"{i},1,a,{i % 7}" for i in range(rows - len(lines))]
    path = folder / "my.csv"
    path.write_text("\n".join(["u,v,y,g", *lines]))
    return str(path)


def sizes(spec: dict) -> Sizes:
    return check_own_file("mine", spec, seed=0, replicates=3)[0]


@pytest.mark.parametrize("spec", [{"features": ["u", "v"]}, CLASSES, GROUPS])
@pytest.mark.parametrize(
    ("rows", "small", "kept", "folds"),
    [(20, 5, [2, 5], 2), (20, 10, [2, 5], 3), (25, 6, [2, 5], 3), (60, 20, [2, 5, 12], 3)],
)
def test_what_rows_allow_is_accepted_and_no_more(
    tmp_path: Path, spec: dict, rows: int, small: int, kept: list[int], folds: int
) -> None:
    spec = spec | {"path": written(tmp_path, rows, small)}
    folds = folds if "label" in spec else 3
    allowed = within(EVALUATION, sizes(spec))

    assert (allowed["n_components"], allowed["folds"]) == (kept, folds)
    check_dataset("mine", spec, n_components=max(kept), folds=folds)
    with pytest.raises(InputError, match="n_components asks for 32"):
        check_dataset("mine", spec, n_components=32, folds=folds)
    if folds < EVALUATION["folds"]:
        with pytest.raises(InputError, match="rows that 3 folds need"):
            check_dataset("mine", spec, n_components=1, folds=3)
    dataset = make_dataset("mine", spec, seed=0, replicates=3)
    for replicate in range(3):
        problem = make_problem(dataset.split(replicate), folds, seed=0)
        assert all(len(train) > max(kept) or "group" in spec for train, _ in problem.folds)


def test_where_every_number_is_too_large_the_largest_possible_stands_in(tmp_path: Path) -> None:
    few = sizes({"path": written(tmp_path, 20, 10)} | CLASSES)

    assert within({"n_components": [32], "folds": 3}, few)["n_components"] == [8]


def test_a_tiny_class_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        sizes({"path": written(tmp_path, 30, 3)} | CLASSES)
    assert "class 'b' (3) has fewer than the 4 rows that 2 folds need; add" in str(raised.value)
    assert "leave such classes out by `min_class_size: 4`, or merge them" in str(raised.value)
    assert "evaluation.folds" not in str(raised.value)


def test_a_sample_knows_where_its_rows_stand_in_the_file(tmp_path: Path) -> None:
    spec = {"path": written(tmp_path, 60, 20), "max_rows": 24, "features": ["u"], **CLASSES}
    found = sizes(spec)
    dataset = make_dataset("mine", spec, seed=0, replicates=2)

    assert (found.rows_of_file, found.rows, len(dataset.X)) == (60, 24, 24)
    assert dataset.rows_of_file == 60
    assert dataset.file_rows is not None
    np.testing.assert_array_equal(dataset.X[:, 0], dataset.file_rows - 1)
    again = replace(Dataset(X=dataset.X), file_rows=dataset.file_rows).take(np.array([3]))
    np.testing.assert_array_equal(again.file_rows, dataset.file_rows[[3]])
