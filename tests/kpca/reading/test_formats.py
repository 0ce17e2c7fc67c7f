"""Files of every format: what is read, and where a message says that something is wrong."""

import gzip
import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca.reading.errors import InputError
from kpca.reading.formats import read_table
from kpca.reading.text import Text
from tests.kpca.reading.conftest import read, says, table, write

ROLES = {"label": "species", "group": "patient", "target": "dose"}


@pytest.mark.parametrize("names", [("9", "10"), ("a", "b"), ("1.5", "1.50")])
def test_labels_are_in_numerical_or_alphabetical_order(folder, names):
    write("my.csv", ["x,2020", *(f"{i / 2},{names[i % 2 - 1]}" for i in range(20))])
    assert read(label=2020).class_names == names  # YAML reads 2020 as a number


@pytest.mark.parametrize(
    ("line", "cells", "expected"),
    [
        (3, ",1,a,p0,0", "line 3, column 'age' (missing)"),
        (4, "1,-inf,a,p0,0", "line 4, column 'height' (infinite, or too large)"),
        (4, "1,1e200,a,p0,0", "line 4, column 'height' (infinite, or too large)"),
        (5, "1,1,a,p0,NA", "target column 'dose' is empty in 1 of 24 rows (line 5). A target"),
        (3, "old,1,a,p0,0", "column 'age' holds text (line 3 'old'); a feature must be numeric"),
        (3, "1,1,a,p0,much", "column 'dose' holds text (line 3 'much'); a target must be numeric"),
        (3, "1,1,,p0,0", "label column 'species' is empty in 1 of 24 rows (line 3). A label"),
        (3, "1,1,a,p0", "line 3: not the 5 cells of the header"),
        (3, '"1.5,1,a,p0', "check the quotes around this line"),
        (3, '"1,5",1,a,p0,0', "(line 3 '1,5'); other numbers of this column have the other"),
        (1, "dose,age,species,patient,dose", "'dose' stands 2 times; give each a name of its own"),
        (1, "age,,species,patient,dose", "column to the right of 'age' has no name; name it, or"),
    ],
)
def test_a_bad_line_is_named(refusal, line, cells, expected):
    lines = table()
    lines[line - 1] = cells
    write("my.csv", lines)
    message = refusal(path="my.csv", **ROLES)
    assert message.startswith("dataset 'mine', file my.csv: 1 problem\n")
    assert expected in message


def header_of(path):
    """Return the separator and the names of a text file."""
    text = Text(path, "utf-8-sig")
    _, names = next(iter(text))
    return text.separator, names


@pytest.mark.parametrize("name", ["Auto.data", "my.table.gz"])
def test_blanks_separate_cells_if_nothing_else_does(folder, name):
    rows = [f' {i}.5   {i * i % 7}.\t"car {i % 3}"' for i in range(20)]
    text = "\n".join(["mpg  weight   make", *rows, ""]).encode()
    Path(name).write_bytes(gzip.compress(text) if name[-1] == "z" else text)
    dataset = read(path=name, label="make")
    assert dataset.feature_names == ("mpg", "weight")
    assert dataset.class_names == ("car 0", "car 1", "car 2")
    assert dataset.X[2].tolist() == [2.5, 4.0]
    Path("one.txt").write_text("sepal length\n5.1\n4.9\n")
    assert header_of("one.txt") == (",", ["sepal length"])


def test_lines_are_counted_over_quoted_line_breaks_and_blank_lines(refusal):
    lines = table()
    lines[1] = '1,1,"two\nlines",p0,0'
    lines[2] = "\nold,1,a,p0,0"
    write("my.csv", lines)
    assert "(line 5 'old')" in refusal(path="my.csv", features=["age"])


def test_all_problems_come_at_once(refusal):
    rows = [f"{i % 9},x{i % 30},1,2" for i in range(60)]
    write("my.csv", ["age,height,,day", "old,,1,2", "1,1,2", *rows])
    roles = {"id": "a", "log": ["age"], "drop": ["c"], "features": ["b", "age"], "label": "e"}
    message = refusal(path="my.csv", **roles)
    parts = ["line 3: not", "right of 'height' has", *(f"no column {name!r}" for name in "abce")]
    assert all(part in message for part in [*parts, "'age' holds numbers"])


def test_many_bad_cells_and_text_columns_are_counted(refusal):
    header, *rows = table()
    write("my.csv", [header, *("," + row.split(",", 1)[1] for row in rows)])
    message = refusal(path="my.csv", **ROLES)
    assert "24 cells hold no finite number: line 2, column 'age' (missing), line 3" in message
    assert "and 19 more; fill them in" in message
    header = ",".join(f"c{i}" for i in range(14))
    write("my.csv", [header, *[",".join([f"red {i % 21}"] * 14) for i in range(42)]])
    message = refusal(path="my.csv")
    assert message.count("holds text (line 2 'red 0', line 3 'red 1', line 4 'red 2' and") == 10
    assert "`categorical: c9` makes a column of 0 and 1 of each" in message
    assert "4 more columns hold text; `categorical: all`" in message
    assert len(read(categorical=["all"]).categories) == 14


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_an_encoding_can_be_named(refusal, ending):
    text = "\n".join(["größe;länge", *(f"{i * 7 % 5},5;{i},25" for i in range(12))])
    data = text.encode("latin-1")
    path = f"my.{ending}"
    Path(path).write_bytes(gzip.compress(data) if ending == "csv.gz" else data)
    assert "not text in UTF-8: name its encoding, such as `encoding: cp1252`" in refusal(path=path)
    assert "unknown encoding: utf-9" in refusal(path=path, encoding="utf-9")
    dataset = read(path, encoding="latin-1")
    assert dataset.feature_names == ("größe", "länge")
    np.testing.assert_array_equal(dataset.X[3], [1.5, 3.25])
    Path(path).write_bytes(gzip.compress(data)[:-9])
    assert "Compressed file ended before" in refusal(path=path, encoding="latin-1")


ROW = np.arange(24)
FRAME = pd.DataFrame(
    {"width": ROW % 7 / 4, "size": ROW % 5, "colour": [*"rgb"] * 8, "species": [*"ab"] * 12}
).assign(patient=ROW // 2, dose=ROW / 10)
CSV = partial(pd.DataFrame.to_csv, index=False)
WRITE = {
    **dict.fromkeys(("csv", "csv.gz"), CSV),
    **dict.fromkeys(("tsv", "txt", "TSV", "tsv.gz"), partial(CSV, sep="\t")),
    "xlsx": partial(pd.DataFrame.to_excel, index=False),
    **dict.fromkeys(("arrow", "feather"), pd.DataFrame.to_feather),
    "parquet": pd.DataFrame.to_parquet,
}


@pytest.mark.parametrize("ending", WRITE)
def test_a_table_is_the_same_in_every_format(folder, ending):
    WRITE[ending](FRAME, f"my.{ending}")
    dataset = read(f"my.{ending}", **ROLES, categorical=["colour"])
    np.testing.assert_array_equal(dataset.X, np.column_stack([ROW % 7 / 4, ROW % 5, 2 - ROW % 3]))
    np.testing.assert_array_equal(dataset.y, ROW % 2)
    np.testing.assert_array_equal(dataset.groups, ROW // 2)
    np.testing.assert_array_equal(dataset.target, ROW / 10)
    assert dataset.categories == {"colour": [*"bgr"]}
    assert (dataset.feature_names[1:], dataset.class_names) == (("size", "colour"), ("a", "b"))
    assert dataset.source.startswith("sha256:")
    for train, test in dataset.splits:
        assert not {*dataset.groups[train]} & {*dataset.groups[test]}


def test_a_row_of_a_sheet_is_named_by_its_number(refusal):
    FRAME.assign(width=["x", None, *ROW[2:] / 2]).to_excel("my.xlsx", index=False, startrow=2)
    message = refusal(path="my.xlsx", features=["width"])
    assert "column 'width' holds text (line 4 'x')" in message
    assert "line 5, column 'width' (missing)" in message


@pytest.mark.parametrize("cells", [["1.234,5", "2.5"], ["1,234,567", "1,5"]])
def test_two_decimal_marks_in_one_column_are_refused(refusal, cells):
    write("my.csv", ["x;y", *(f"{cell};2" for cell in cells * 12)])
    assert "column 'x' holds text" in refusal(path="my.csv")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ('"a,b,c";d\n', (";", ["a,b,c", "d"])),
        ("a|b\n0|1|2\n1|1|2\n", ("|", ["", "a", "b"])),
        ("a\tb\n0\t1\t2\n1\t1\t2\n", ("\t", ["", "a", "b"])),
        ('\ufeff\nage;\'a;b";"dose, daily"\n', (";", ["age", "'a", 'b"', "dose, daily"])),
    ],
)
def test_the_separator_parts_most_cells(folder, text, header):
    Path("my.txt").write_text(text)
    Path("my.txt.gz").write_bytes(gzip.compress(text.encode()))
    assert header_of("my.txt") == header_of("my.txt.gz") == header


@pytest.mark.parametrize("ending", ["", " "])
def test_separators_at_the_end_of_rows_alone_are_ignored(folder, ending):
    Path("my.csv").write_text(f"a,b,c\n1,2,3,{ending}\n4,5,6,{ending}\n7,8,9,\n10,11,12\n")
    assert read_table("my.csv").to_dict("list") == {
        "a": ["1", "4", "7", "10"],
        "b": ["2", "5", "8", "11"],
        "c": ["3", "6", "9", "12"],
    }
    Path("my.csv").write_text("a,b\nr1,2,\nr2,4,\nr3,5,6\n")
    with pytest.raises(InputError, match="line 4: not the 2 cells of the header"):
        read_table("my.csv")


@pytest.mark.parametrize(
    "lines",
    [
        ["# made by x", "a,b", "0.1,0.2", "0.3,0.4"],
        ["# made by x, y", "a,b,c", "0.1,0.2,1", "0.3,0.4,1"],
    ],
)
def test_a_title_with_one_cell_less_than_the_table_is_no_header(folder, lines):
    write("my.csv", lines)
    with pytest.raises(InputError, match="line 2 looks like the header: add `header: 2`"):
        read_table("my.csv")


def test_two_cells_below_one_name_have_a_remedy_for_either_reading(refusal):
    cells = [f"{i},{i * 7 % 10}" for i in range(20)]
    write("my.csv", ["x", *cells])
    assert says(refusal(path="my.csv"), "quote numbers with decimal commas…a comma before the name")
    write("my.csv", ["x", *(f'"{cell}"' for cell in cells)])
    assert read("my.csv").X[3].tolist() == [3.1]
    write("my.csv", [",x", *cells])
    assert read("my.csv").X[3].tolist() == [1.0]


@pytest.mark.parametrize("below", [["r1,1,", "r2,3,", "r3,5,7"], ["r1,x,y", "r2,z,w", "r3,1,2"]])
def test_names_of_rows_that_are_not_recognized_have_a_remedy(below, refusal):
    write("my.csv", ["a,b", *below])
    assert "write a comma before the name of line 1 if the first cells name" in (
        refusal(path="my.csv")
    )


X = np.column_stack([ROW, ROW**2])
K = np.exp(-(((ROW[:, None] - ROW) / 8) ** 2))


def test_every_array_is_read_by_its_name_or_role(refusal):
    y = (ROW % 2).astype("S")
    np.savez("my.npz", X=X.astype(np.float32), y=y, group=ROW // 2, target=ROW / 2)
    assert "say which: `label: y` or `target: target`" in refusal(path="my.npz")
    assert read("my.npz", label="y").class_names == ("0", "1")
    dataset = read("my.npz", target="target", id="y")
    assert dataset.task == "regression"
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.X.dtype == np.float64
    np.testing.assert_array_equal(dataset.ids, y.astype(str))
    np.testing.assert_array_equal(dataset.groups, ROW // 2)
    np.testing.assert_array_equal(dataset.target, ROW / 2)


def _bumped(amount, dtype):
    rough = K.astype(dtype)
    rough[3, 5] += amount
    return rough


@pytest.mark.parametrize(("amount", "dtype"), [(1e-10, np.float64), (1e-6, np.float32)])
def test_a_kernel_matrix_is_cut_by_splits_and_its_rounding_averaged_away(folder, amount, dtype):
    rough = _bumped(amount, dtype)
    np.savez("k.npz", K=rough)
    exact = rough.astype(np.float64)
    np.testing.assert_array_equal(read("k.npz", kernel_matrix=True).X, (exact + exact.T) / 2)
    dataset = read("k.npz", kernel_matrix=True, max_rows=20)
    split = dataset.split(0)
    assert dataset.precomputed
    assert (dataset.X.shape, split.X_test.shape) == ((20, 20), (6, 14))
    assert split.X_train.shape == (14, 14)
    train, test = (dataset.file_rows[rows] - 1 for rows in dataset.splits[0])
    np.testing.assert_array_equal(split.X_test, ((exact + exact.T) / 2)[np.ix_(test, train)])


@pytest.mark.parametrize(
    ("arrays", "expected"),
    [
        ({"K": K[:, :9]}, "the kernel matrix has shape (24, 9) and must be square"),
        ({"K": _bumped(1e-6, np.float64)}, "is not symmetric: K[3, 5] = 0.939414"),
        ({"K": _bumped(1e-2, np.float32)}, "average it with its transpose if only rounding"),
        ({"K": _bumped(np.nan, np.float64)}, "row 4, column 'x6' (missing)"),
        ({"K": K, "y": ROW[:9]}, "array 'K' has 24 rows, but 'y' has shape (9,)"),
        ({"x": X}, "there is no array 'X'; did you mean 'x'?"),
        ({"x": X, "K": K}, "no array 'X'; if 'K' is a kernel matrix, add"),
        ({"X": X, "y": X}, "array 'X' has 24 rows, but 'y' has shape (24, 2)"),
        ({"X": X.astype(str)}, "array 'X' holds <U21 and not numbers"),
        ({"X": np.float64(3), "y": ROW}, "array 'X' has shape ()"),
        ({"X": X, "y": np.where(ROW == 4, np.nan, ROW % 2)}, "is empty in 1 of 24 rows (row 5)"),
        ({"X": X, "y": np.array([*"ab"] * 12, dtype=object)}, "array 'y' holds Python objects"),
        ({"X": X, "spec": {"features": ["a"]}}, "`features` names columns, which an NPZ does not"),
        ({"X": X, "x2": ROW, "spec": {"target": "x2"}}, "column 'x2' stands 2 times; give each"),
    ],
)
def test_bad_arrays_are_refused(refusal, arrays, expected):
    spec = arrays.pop("spec", {"kernel_matrix": "K" in arrays and "x" not in arrays})
    np.savez("my.npz", **arrays)
    assert expected in refusal(path="my.npz", **spec)


@pytest.mark.parametrize("array", [ROW, np.float64(3), X[:, :0]])
def test_new_rows_are_a_matrix(folder, array):
    np.savez("new.npz", X=array)
    expected = re.escape(f"array 'X' has shape {array.shape}; reshape it to (rows, columns)")
    with pytest.raises(InputError, match=f"file new.npz: 1 problem\n.*{expected}"):
        read_table("new.npz")


def test_new_rows_have_the_cells_of_the_header(folder):
    write("new.csv", ["a,b,c", "1,2,3", "4,5", "6,7,8,9", "-1,0,1"])
    with pytest.raises(InputError, match="line 3, line 4: not the 3 cells of the header"):
        read_table("new.csv")


@pytest.mark.parametrize("header", [0, "0", -1, "first"])
def test_a_header_is_a_line_counted_from_1(folder, header):
    Path("new.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=f"`header: {header}` is no line: `header: 1` is the fir"):
        read_table("new.csv", header=header)
    assert read_table("new.csv", header="1").to_numpy().tolist() == [["1", "2"]]


def test_an_array_alone_has_no_name(refusal):
    np.save("my.npy", X)
    Path("my.npy").rename("my.npz")
    assert "holds one unnamed array; write it with numpy.savez" in refusal(path="my.npz")


TYPED = pd.DataFrame(
    {
        "dense": pd.array(ROW * 0.5, dtype="Float32"),
        "tall": ROW % 3 == 0,
        "code": (ROW % 5).astype(str),
        "species": pd.Categorical(np.array(["a", "b"])[ROW % 2]),
    }
)


def test_types_of_parquet_are_read(folder):
    TYPED.to_parquet("my.parquet")
    dataset = read("my.parquet", label="species")
    np.testing.assert_array_equal(dataset.X, np.column_stack([ROW / 2, ROW % 3 == 0, ROW % 5]))
    np.testing.assert_array_equal(dataset.y, ROW % 2)
    # One missing value elsewhere is enough for pandas to write 1.0 for 1.
    for dtype in ("float32", "float64", "int8"):
        TYPED.assign(species=(ROW % 2).astype(dtype)).to_parquet("my.parquet")
        assert read("my.parquet", label="species").class_names == ("0", "1")


def test_dates_are_no_numbers_and_a_bad_cell_has_its_row(refusal):
    TYPED.assign(dense=pd.Timestamp("2020-01-01")).to_parquet("my.parquet")
    warnings = read(path="my.parquet").warnings
    assert any("column 'dense' holds dates (such as '2020-01-01" in warning for warning in warnings)
    cells = ["red", None, *TYPED["code"][2:]]
    TYPED.assign(code=cells, dense=pd.Timestamp("2020-01-01")).to_parquet("my.parquet")
    listed = refusal(path="my.parquet", features=["dense", "code"])
    assert "row 2, column 'code' (missing)" in listed
    assert "column 'code' holds text (row 1 'red')" in listed
    assert "holds text (row 1 '2020-01-01" in listed
    assert "these are dates: `dates: month,weekday` makes features" in listed
