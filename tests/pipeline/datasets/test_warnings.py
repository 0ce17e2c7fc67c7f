"""What is said of rows that can be used: what, which column, what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.make import check_dataset, make_dataset
from tests.pipeline.datasets.conftest import Refusal, read, write


def lines(column: Callable[[int], object], rows: int = 40) -> list[str]:
    """Lines of a file with a feature, a column to be judged and a label."""
    rng = np.random.default_rng(0)
    return ["x,c,s", *(f"{rng.normal()},{column(i)},{'ab'[i % 2]}" for i in range(rows))]


CLASSES = ["setosa", "virginica", "Setosa "]


@pytest.mark.parametrize(
    ("column", "spec", "sentence", "features"),
    [
        (lambda i: i * 7 % 40, {}, "column 'c' looks like a row index, and", "x"),
        (lambda i: i * i, {}, "integers that ascend from row to row, and is left out", "x"),
        (lambda i: f"row {i}", {}, "text in every row ('row 0', 'row 1' and 38 more)", "x"),
        (lambda i: 7, {}, "column 'c' is constant: it has no effect", "xc"),
        (*(lambda i: "", {"missing": "median"}), *("column 'c' is constant", "xc")),
        (
            *(lambda i: ["Blue", "blue", "red"][i % 3], {"categorical": ["c"]}),
            *("column 'c' holds values that differ only by case or space, 'Blue' and 'blue'", "xc"),
        ),
        (
            *(lambda i: i // 2, {"id": "c"}),
            *("id column 'c' names several rows alike: '0' (line 2, line 3), '1' (", "x"),
        ),
        (
            *(lambda i: CLASSES[i % 3], {"label": "c", "drop": ["s"]}),
            *("label column 'c' holds values that differ only by case or space, 'Setosa' and", "x"),
        ),
    ],
)
def test_what_is_odd_about_a_column_is_said(
    folder: Path, column: Callable[[int], object], spec: dict, sentence: str, features: str
) -> None:
    write("my.csv", lines(column))
    dataset = read(**{"label": "s"} | spec)
    (warning,) = dataset.warnings
    assert sentence in warning
    assert dataset.feature_names == tuple(features)


def test_a_label_of_many_numbers_is_said_to_be_a_target_perhaps(folder: Path) -> None:
    write("my.csv", lines(lambda i: i % 15, rows=300))
    (warning,) = read(label="c", drop=["s"]).warnings
    assert "label column 'c' holds 15 distinct numbers, each a class of its own" in warning


@pytest.mark.parametrize(
    ("column", "spec"),
    [
        (lambda i: i + 1, {"features": ["x", "c"]}),
        (lambda i: i + 1, {"id": "c"}),
        (lambda i: i // 4, {"id": "c", "group": "c", "label": None, "drop": ["s"]}),
        (lambda i: i + 0.5, {}),
        (lambda i: i // 2, {}),
        (lambda i: 40 - 2 * i, {}),
        (lambda i: f"row {i % 9}", {"categorical": ["c"]}),
    ],
)
def test_nothing_is_said_of_what_is_sound(folder: Path, column: Any, spec: dict) -> None:
    write("my.csv", lines(column))
    assert read(**{"label": "s"} | spec).warnings == ()


def test_a_column_of_an_array_that_counts_the_rows_stays_and_is_named(folder: Path) -> None:
    X = np.column_stack([np.random.default_rng(0).normal(size=40), np.arange(40)])
    np.savez("my.npz", X=X)
    dataset = read("my.npz")
    (warning,) = dataset.warnings
    assert "column 'x2' looks like a row index, and is a feature" in warning
    assert dataset.X.shape == (40, 2)


def test_copies_on_both_sides_of_a_split_are_counted(folder: Path) -> None:
    header, *rows = lines(lambda i: f"{i % 9}.5")
    rows = [f"{row},{i}" for i, row in enumerate(rows)]
    write("my.csv", [f"{header},of", *rows, *rows[:20]])
    spec = {"path": "my.csv", "label": "s", "features": ["x", "c"]}
    dataset = make_dataset("mine", spec, seed=0, replicates=3)

    copies = [
        sum((dataset.X[train] == row).all(axis=1).any() for row in dataset.X[test])
        for train, test in dataset.splits
    ]
    assert dataset.warnings[0].startswith(
        "40 of 60 rows equal another one in every feature and in the label; of the 18 test rows of "
        f"a replicate, {np.mean(copies):.3g} on average are among its training rows too. Copies "
    )
    # The check before any job says the same, and copies of a group are on one side.
    assert check_dataset("mine", spec, replicates=3).warnings == dataset.warnings
    assert check_dataset("mine", spec | {"group": "of"}, replicates=3).warnings == ()


@pytest.mark.parametrize("answer", ["label", "target"])
def test_equal_rows_with_another_answer_are_no_copies(folder: Path, answer: str) -> None:
    write("my.csv", ["x,c,s", *(f"{i // 2}.5,{i * 7 % 20 // 2},{i % 2}" for i in range(40))])
    assert read(features=["x"], **{answer: "s"}).warnings == ()
    (said,) = read(features=["x"]).warnings
    assert said.startswith("40 of 40 rows equal another one in every feature; of the")


def test_a_first_column_without_a_name_is_left_out(folder: Path) -> None:
    write("my.csv", [",x,s", *(f"car {i},{i * 7 % 11},{'ab'[i % 2]}" for i in range(40))])
    dataset = read(label="s")
    assert dataset.feature_names == ("x",)
    assert "column 1 has no name, as the index that pandas writes" in dataset.warnings[0]


def test_text_with_few_values_becomes_categories(folder: Path) -> None:
    write("my.csv", lines(lambda i: f"kind {i % 20}"))
    dataset, named = read(label="s"), read(label="s", categorical=["c"])
    (said,) = dataset.warnings
    assert "column 'c' holds text with at most 20 values, each of which becomes a column" in said
    assert "`categorical: c`" in said
    np.testing.assert_array_equal(dataset.split(0).X_train, named.split(0).X_train)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (lambda i: f"kind {i % 21}", "column 'c' holds text (line 2 'kind 0'"),
        (lambda i: i if i % 9 else "old", "column 'c' holds text (line 2 'old'"),
        (lambda i: f"2024-{i % 12 + 1:02d}-01", "these are dates: put numbers in their place"),
    ],
)
def test_other_text_is_refused(
    refusal: Refusal, column: Callable[[int], object], words: str
) -> None:
    write("my.csv", lines(column))
    assert words in refusal(path="my.csv", label="s")


def test_small_classes_are_left_out_on_request(refusal: Refusal) -> None:
    names = ["a"] * 20 + ["b"] * 17 + ["rare"] * 2 + ["single"]
    write("my.csv", lines(names.__getitem__))
    spec = {"path": "my.csv", "label": "c", "drop": ["s"], "min_class_size": 4}
    dataset = make_dataset("mine", spec, seed=0, replicates=2)

    assert dataset.class_names == ("a", "b")
    assert dataset.file_rows.tolist() == [*range(1, 38)]
    assert dataset.warnings == (
        "3 of 40 rows are of classes with fewer than 4 rows, 'rare' (2), 'single' (1), and are "
        "left out",
    )
    for changes, words in [
        ({"min_class_size": 18}, "`min_class_size: 18` leaves 1 of 4 classes; lower it"),
        ({"label": None}, "`min_class_size: 4` needs classes"),
    ]:
        assert words in refusal(**spec | changes)
