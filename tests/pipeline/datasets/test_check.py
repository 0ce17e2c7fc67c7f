"""Whether rows suffice, and files that cannot be read at all."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.make import check_dataset, make_dataset
from pipeline.datasets.problems import component_problems
from pipeline.errors import InputError
from tests.pipeline.datasets.conftest import Refusal, table, write


@pytest.mark.parametrize(
    ("path", "text", "spec", "expected"),
    [
        ("data/my.csv", None, {}, "there is no folder `"),
        ("brids.csv", None, {}, "did you mean `birds.csv`?"),
        (".", None, {}, "is a folder; give the path of a file"),
        ("my.ods", "x", {}, "ends in '.ods'; convert it to one of .csv, .tsv, .txt, .xlsx, .pa"),
        ("my.npz.gz", "x", {}, "ends in '.gz'; convert it to one of .csv, .tsv, .txt"),
        ("my.xlsx", "x", {}, "cannot be read as an Excel workbook"),
        ("my.feather", "x", {}, "cannot be read as Feather"),
        ("my.csv.gz", "x", {}, "cannot be unpacked (Not a gzipped file"),
        ("my.csv", "", {}, "is empty; write a header and rows into it"),
        ("my.csv", "a,b", {}, "there are no rows, only names of columns; add rows"),
        ("my.csv", "a,b", {"label": "b"}, "1 problem\n  - there are no rows, only names of col"),
        ("my.csv", "a\nx\ny\nx\ny", {"label": "a"}, "no column is left as a feature"),
        ("my.parquet", "age\n1", {}, "cannot be read as Parquet"),
        ("my.npz", "age\n1", {}, "is no NPZ"),
        ("k.csv", "a,b", {"kernel_matrix": True}, "must be an NPZ with the array K"),
        (
            *("k.npz", "K", {"kernel_matrix": True, "standardize": True}),
            "no columns to standardise; leave out `standardize`",
        ),
    ],
)
def test_a_file_that_gives_no_rows_or_features_is_refused(
    refusal: Refusal, path: str, text: str | None, spec: dict[str, Any], expected: str
) -> None:
    write("birds.csv", table())
    if text is not None:
        Path(path).write_text(text)

    assert expected in refusal(path=path, **spec)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [f"{i / 2},{i / 2},a" for i in range(30)],
            "label column 's' holds one class only, 'a'; give rows of at least two, or leave out "
            "`label` to go without a classifier",
        ),
        (
            [f"1.5,2,{'ab'[i % 2]}" for i in range(30)],
            "all 30 rows hold the same values in every feature ('x', 'y'), so that there is no "
            "component to find; give features in which rows differ",
        ),
    ],
)
def test_rows_that_are_alike_are_refused(refusal: Refusal, rows: list[str], expected: str) -> None:
    write("my.csv", ["x,y,s", *rows])

    message = f"dataset 'mine', file my.csv: 1 problem\n  - {expected}"
    assert refusal(path="my.csv", label="s") == message


def test_two_points_are_enough(folder: Path) -> None:
    write("my.csv", ["x,y", *(f"1.5,{i % 2}" for i in range(30))])
    K = np.full((12, 12), 0.3)
    K[3, 3] = 0.4
    np.savez("my.npz", K=K)

    check_dataset("mine", {"path": "my.csv"}, folds=2, n_components=1)
    check_dataset("mine", {"path": "my.npz", "kernel_matrix": True}, folds=2, n_components=1)


def test_a_large_test_share_leaves_each_fold_a_row(refusal: Refusal) -> None:
    write("my.csv", ["x,s", *(f"{i / 2},{'ab'[i % 2]}" for i in range(16))])

    check_dataset("mine", {"path": "my.csv", "label": "s"}, n_components=1, folds=3)
    message = refusal(path="my.csv", label="s", folds=3, test_share=0.7)
    assert "'a' (8), 'b' (8) has fewer than the 10 rows" in message


@pytest.mark.parametrize(
    ("lines", "spec", "expected"),
    [
        (["x", *"12345"], {"folds": 3}, "there are 5 rows, and 3 folds need at least 6"),
        (
            ["x,s", *(f"{i / 2},{'ab'[i < 4]}" for i in range(30))],
            {"label": "s", "folds": 3},
            "class 'b' (4) has fewer than the 6 rows that 3 folds need",
        ),
        (
            ["x,s", *(f"{i / 2},{'ab'[i < 4]}" for i in range(40))],
            {"label": "s", "max_rows": 20},
            "class 'b' (2 of 4 under `max_rows`) has fewer than the 4 rows",
        ),
        (
            ["x,p", *(f"{i / 2},{i % 4}" for i in range(40))],
            {"group": "p", "folds": 3},
            "holds 4 groups, which are never split; a test share of 0.3 and 3 folds need at "
            "least 5",
        ),
        (
            ["x,p,s", *(f"{i / 2},g{i % 10},{'ab'[i % 10 < 2]}" for i in range(100))],
            {"group": "p", "label": "s"},
            "class 'b' (2) lies in fewer than 3 groups of column 'p'",
        ),
    ],
    ids=["rows", "class", "class by max_rows", "groups", "groups of a class"],
)
def test_too_few_are_refused(refusal: Refusal, lines: list[str], spec: dict, expected: str) -> None:
    write("my.csv", lines)

    assert expected in refusal(path="my.csv", **spec)


@pytest.mark.parametrize("value", ["{:.2f}", "{:.0f}"])
def test_a_measurement_as_label_is_a_target(refusal: Refusal, value: str) -> None:
    write("my.csv", ["x,size", *(f"{i / 2},{value.format(i * 1.37)}" for i in range(50))])
    message = refusal(path="my.csv", label="size")

    assert "holds 50 distinct numbers in 50 rows" in message
    assert "give it as `target: size` in place of `label`" in message
    assert "1 problem\n" in message  # and not fifty classes of one row


def test_many_numbered_classes_are_classes(folder: Path) -> None:
    write("my.csv", ["x,person", *(f"{i / 2},{i % 40}" for i in range(400))])

    check_dataset("mine", {"path": "my.csv", "label": "person"}, n_components=1, folds=3)


@pytest.mark.parametrize(
    ("train", "folds", "most"), [(10, 2, 4), (11, 2, 4), (70, 3, 45), (350, 5, 279)]
)
def test_components_stop_one_below_the_smallest_fold(train: int, folds: int, most: int) -> None:
    sizes = [len(fold) for fold in np.array_split(np.arange(train), folds)]

    assert most == train - max(sizes) - 1
    assert component_problems(train, folds, most) == []
    assert f"at most {most} components" in component_problems(train, folds, most + 1)[0]


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ({"path": "my.csv", "label": "species", "group": "patient", "target": "dose"}, 7),
        ({"generator": "rings", "n_train": 40, "n_test": 50}, 19),
        ({"sklearn": "iris", "max_rows": 60}, 20),
    ],
)
def test_more_components_than_rows_are_refused(refusal: Refusal, spec: dict, most: int) -> None:
    write("my.csv", table())
    check_dataset("mine", spec, n_components=most, folds=2)
    message = refusal(**spec, folds=2, n_components=most + 1)

    assert f"evaluation.n_components asks for {most + 1}, but 2 folds leave {most + 1}" in message


def test_classes_of_scikit_learn_s_data_are_checked_too(refusal: Refusal) -> None:
    message = refusal(sklearn="digits", max_rows=30, folds=3)

    assert "has fewer than the 6 rows that 3 folds need" in message


def test_a_job_refuses_what_the_check_refuses(folder: Path) -> None:
    write("my.csv", [*table(), ",,,,"])

    with pytest.raises(InputError, match="line 26, column 'age'"):
        make_dataset("mine", {"path": "my.csv", "features": ["age"]}, seed=0, replicates=1)
