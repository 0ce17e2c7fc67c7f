"""CSV: what is read, and where a message says that something is wrong."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.frames import read_header
from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal, table, write

ROLES = {"label": "species", "group": "patient", "target": "dose"}


def _read(**spec: object) -> Dataset:
    return make_dataset("mine", {"path": "my.csv", **spec}, seed=0, replicates=3)


def test_every_role_is_read(folder: Path) -> None:
    write("my.csv", table())
    dataset = _read(**ROLES)

    np.testing.assert_array_equal(dataset.X, [[i + 0.5, i * 0.5] for i in range(24)])
    np.testing.assert_array_equal(dataset.y, np.arange(24) % 2)
    np.testing.assert_allclose(dataset.target, np.arange(24) / 10)
    assert len(set(dataset.groups)) == 12
    assert (dataset.feature_names, dataset.class_names) == (("age", "height"), ("a", "b"))
    assert dataset.source.startswith("sha256:")
    assert not dataset.independent
    for train, test in dataset.splits:
        assert not set(dataset.groups[train]) & set(dataset.groups[test])


def test_features_are_chosen_and_ordered(folder: Path) -> None:
    write("my.csv", table())

    assert _read(features=["dose", "age"]).feature_names == ("dose", "age")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_and_a_byte_order_mark(folder: Path, separator: str) -> None:
    text = "\n".join(table()).replace(",", separator)
    Path("my.csv").write_text(text, encoding="utf-8-sig")

    assert _read(**ROLES).feature_names == ("age", "height")


@pytest.mark.parametrize(
    ("values", "names"),
    [([10, 9], ("9", "10")), (["b", "a"], ("a", "b")), (["1.0", 1], ("1", "1.0"))],
)
def test_labels_are_in_numerical_or_alphabetical_order(
    folder: Path, values: list[object], names: tuple[str, ...]
) -> None:
    write("my.csv", ["x,2020", *(f"{i / 2},{values[i % 2]}" for i in range(20))])

    assert _read(label=2020).class_names == names  # YAML reads 2020 as a number


@pytest.mark.parametrize(
    ("line", "cells", "expected"),
    [
        (3, ",1,a,p0,0", "line 3, column 'age' (missing)"),
        (3, "NA,1,a,p0,0", "line 3, column 'age' (missing)"),
        (4, "1,-inf,a,p0,0", "line 4, column 'height' (infinite)"),
        (5, "1,1,a,p0,nan", "line 5, column 'dose' (missing)"),
        (3, "old,1,a,p0,0", "column 'age' holds text (line 3 'old'); a feature must be numeric"),
        (3, "1_0,1,a,p0,0", "column 'age' holds text (line 3 '1_0')"),
        (3, "1,1,a,p0,much", "column 'dose' holds text (line 3 'much'); a target must be numeric"),
        (3, "1,1,,p0,0", "label column 'species' is empty in line 3; fill it in or remove"),
        (3, "1,1,a,,0", "group column 'patient' is empty in line 3"),
        (3, "1,1,a,p0", "line 3: not the 5 cells of the header"),
        (3, '"1.5,1,a,p0', "check the quotes around this line"),
        (3, '"1,5",1,a,p0,0', "(line 3 '1,5'); write the decimal comma as a point"),
    ],
)
def test_a_bad_cell_has_its_line(refusal: Refusal, line: int, cells: str, expected: str) -> None:
    lines = table()
    lines[line - 1] = cells
    write("my.csv", lines)
    message = refusal(path="my.csv", **ROLES)

    assert message.startswith("dataset 'mine', file my.csv: 1 problem\n")
    assert expected in message


def test_lines_are_counted_over_quoted_line_breaks_and_blank_lines(refusal: Refusal) -> None:
    lines = table()
    lines[1] = '1,1,"two\nlines",p0,0'
    lines[2] = "\nold,1,a,p0,0"
    write("my.csv", lines)

    assert "(line 5 'old')" in refusal(path="my.csv", features=["age"])


def test_all_problems_come_at_once(refusal: Refusal) -> None:
    lines = table()
    lines[2], lines[3], lines[4] = "old,,a,p0,0", "1,1,,p0,0", "1,1,a,p0"
    write("my.csv", lines)
    message = refusal(path="my.csv", **ROLES)

    assert "4 problems" in message
    for part in ("line 5: not", "(line 3 'old')", "line 3, column 'height' (m", "in line 4"):
        assert part in message


def test_many_bad_cells_are_counted(refusal: Refusal) -> None:
    header, *rows = table()
    write("my.csv", [header, *("," + row.split(",", 1)[1] for row in rows)])
    message = refusal(path="my.csv", **ROLES)

    assert "24 cells hold no finite number: line 2, column 'age' (missing), line 3" in message
    assert "and 19 more; fill them in" in message


def test_many_text_columns_are_counted(refusal: Refusal) -> None:
    header = ",".join(f"c{i}" for i in range(14))
    write("my.csv", [header, *[",".join([f"red {i % 21}"] * 14) for i in range(42)]])
    message = refusal(path="my.csv")

    assert message.count("holds text (line 2 'red 0', line 3 'red 1', line 4 'red 2' and") == 10
    assert "or name the column under `categorical` (a column of 0 and 1 for each" in message
    assert "4 more columns hold text" in message


HEADER = table()[0]


@pytest.mark.parametrize(
    ("header", "spec", "expected"),
    [
        (HEADER, {"label": "specis"}, "'specis', which `label` names; did you mean 'species'?"),
        (HEADER, {"group": "zzz"}, "'zzz', which `group` names; there are 'age', 'dose'"),
        (HEADER, {"target": "Dose"}, "'Dose', which `target` names; did you mean 'dose'?"),
        (HEADER, {"features": ["agee"]}, "'agee', which `features` names; did you mean 'age'?"),
        (
            *(HEADER, {"label": "species", "features": ["age", "species"]}),
            "column 'species' is named by `label`, `features`; give it one role",
        ),
        ("age,age,species,p,d", {}, "column 'age' stands 2 times; give each a name of its own"),
        ("age,,species,p,d", {}, "the column to the right of 'age' has no name; name it, or"),
        ("1,2,3,4,5", {}, "line 1 holds numbers only; a first line with the names"),
    ],
)
def test_bad_headers_are_refused(refusal: Refusal, header: str, spec: dict, expected: str) -> None:
    write("my.csv", [header, *table()[1:]])

    assert expected in refusal(path="my.csv", **spec)


def test_other_encodings_are_refused(refusal: Refusal) -> None:
    Path("my.csv").write_bytes("größe\n1\n".encode("latin-1"))

    assert "byte 2 is not text in UTF-8; name the encoding, such as" in refusal(path="my.csv")
    assert "unknown encoding: utf-9" in refusal(path="my.csv", encoding="utf-9")


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_an_encoding_can_be_named(folder: Path, ending: str) -> None:
    text = "\n".join(["größe;länge", *(f"{i * 7 % 5},5;{i},25" for i in range(12))])
    data = text.encode("latin-1")
    Path(f"my.{ending}").write_bytes(gzip.compress(data) if ending == "csv.gz" else data)
    spec = {"path": f"my.{ending}", "encoding": "latin-1"}

    dataset = make_dataset("mine", spec, seed=0, replicates=2)
    assert dataset.feature_names == ("größe", "länge")
    np.testing.assert_array_equal(dataset.X[3], [1.5, 3.25])


def test_problems_of_header_roles_and_cells_are_listed_at_once(refusal: Refusal) -> None:
    write("my.csv", ["age,height,,day", *(f"{i % 9},x{i % 30},1,2" for i in range(60))])
    message = refusal(path="my.csv", id="nmae", log=["day", "age"])

    assert "3 problems" in message.splitlines()[0]
    for words in ["right of 'height' has no name", "no column 'nmae'", "'age' holds numbers that"]:
        assert words in message


def test_the_header_is_read_as_the_table_is(folder: Path) -> None:
    Path("my.csv").write_text('\nage;\'a;b";"dose, daily"\n', encoding="utf-8-sig")

    assert read_header("my.csv") == (";", ["age", "'a", 'b"', "dose, daily"])
