"""Which column serves as what, cells that are missing, and what is said of columns and rows."""

from functools import partial

import numpy as np
import pytest

from kpca.study.datasets.dataset import load_dataset
from kpca.study.datasets.make import check_dataset, make_dataset
from tests.kpca.reading.conftest import read, says, write

HEADER = "name,width,colour,day,length,species"
ROWS = [
    f"row {i},{i * 5 % 7},{['red', 'blue', ''][i % 3]},{i // 4},{i / 8},{'ab'[i % 2]}"
    for i in range(24)
]
SPEC = {"path": "my.csv", "label": "species"}
_read = partial(read, **SPEC)


@pytest.mark.parametrize(
    ("spec", "features"),
    [
        ({"drop": ["colour", "day"]}, ("width", "length")),
        ({"features": ["length"], "drop": ["width"]}, ("length",)),
        ({"id": "name", "drop": ["colour"]}, ("width", "day", "length")),
        ({"id": "day", "group": "day", "features": ["width"]}, ("width",)),
        ({"categorical": ["colour", "day"]}, ("width", "colour", "day", "length")),
        ({"features": ["colour", "day"], "categorical": ["colour"]}, ("colour", "day")),
    ],
)
def test_features_are_what_is_left(folder, spec, features):
    write("my.csv", [HEADER, *ROWS])
    assert _read(missing="median", **spec).feature_names == features


def test_categories_are_codes_with_names_and_nan_where_there_is_none(folder):
    write("my.csv", [HEADER, *ROWS])
    _read(features=["day", "colour"], categorical=["day", "colour"], missing="median").save("d.npz")
    dataset = load_dataset("d.npz")
    assert dataset.categories == {"day": [*"012345"], "colour": ["blue", "red"]}
    np.testing.assert_array_equal(dataset.X[:3], [[0, 1], [0, 0], [0, np.nan]])


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [
        ({"drop": ["colour"]}, range(1, 25)),
        ({"missing": "drop", "categorical": ["colour"]}, [1, 2, 4, 5]),
        ({"drop": ["colour"], "max_rows": 12}, []),
    ],
)
def test_rows_keep_their_numbers_and_names(folder, spec, numbers):
    write("my.csv", [HEADER, *ROWS])
    dataset = _read(id="name", **spec)
    assert dataset.file_rows[: len(numbers)].tolist() == [*numbers]
    assert dataset.ids.tolist() == [f"row {number - 1}" for number in dataset.file_rows]
    np.testing.assert_array_equal(dataset.file_rows - 1, np.rint(8 * dataset.X[:, -1]))
    assert _read(**spec).ids is None


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"drop": ["colr"]}, "'colr', which `drop` names; did you mean 'colour'?"),
        ({"drop": ["species"]}, "column 'species' is named by `label`, `drop`; give it one role"),
        ({"id": "name", "features": ["name"]}, "named by `id`, `features`; give it one role"),
        ({"features": ["day"], "categorical": ["colour"]}, "l` alone; add it to `features`"),
        ({"drop": [*HEADER.split(",")[1:-1]]}, "no column is left…one; column 'name' holds a di"),
        ({"log": ["colour"]}, "column 'colour' is named by `log`, but is no number"),
        ({"log": ["width"]}, "'width' holds numbers that are not positive (line 2, line 9, line "),
        ({"categorical": ["colour"]}, "or say `missing: drop` (leave out rows with missing cells)"),
    ],
)
def test_columns_that_do_not_fit_are_refused(refusal, spec, expected):
    write("my.csv", [HEADER, *ROWS])
    assert says(refusal(**SPEC, **spec), expected)


HOLED = [f"{i % 7},{i * i % 11},{'ab'[i % 2]},g{i // 2},{i % 5}" for i in range(40)]
HOLED[3], HOLED[8], HOLED[9] = ",1,b,g1,1", "1,NA,a,g4,", "5,6,,g4,6"
ROLES = {"label": "species", "group": "patient"}


def _read_holed(missing, **spec):
    write("my.csv", ["width,length,species,patient,dose", *HOLED])
    return read(missing=missing, **spec)


@pytest.mark.parametrize(
    ("missing", "spec", "gone", "sentence"),
    [
        ("drop", ROLES, [3, 8, 9], "3 of 40 rows have missing cells, in column 'width' (1), 'leng"),
        ("drop", ROLES | {"drop": ["width"]}, [8, 9], "2 of 40 rows have missing cells"),
        ("median", ROLES, [9], "in column 'species' (1), and are left out"),
        (*("median", {"target": "dose", "features": ["width"]}, [8]), "in column 'dose' (1), and"),
    ],
)
def test_rows_that_cannot_be_used_are_left_out_and_counted(folder, missing, spec, gone, sentence):
    dataset = _read_holed(missing, **spec)
    assert dataset.file_rows.tolist() == [i + 1 for i in range(40) if i not in gone]
    assert sentence in dataset.warnings[0]


def test_a_place_stays_that_of_the_file(refusal):
    write("my.csv", ["x,y", *(["1,"] * 3), "1,red", *(["3,2"] * 20)])
    assert "(line 5 'red')" in refusal(path="my.csv", missing="drop")
    np.savez("my.npz", X=np.array([[1, np.nan], [1, np.inf], *[[1, 2], [2, 2]] * 9]))
    assert "row 2, column 'x2' (infinite, or too large)" in refusal(path="my.npz", missing="median")


def lines(column, rows=40):
    """Lines of a file with a feature, a column to be judged and a label."""
    rng = np.random.default_rng(0)
    return ["x,c,s", *(f"{rng.normal()},{column(i)},{'ab'[i % 2]}" for i in range(rows))]


SPELT = ["blue", "red", "Blue "]
CODES = ["250.1", "401", "250.10"]
LABEL = {"label": "c", "drop": ["s"]}


@pytest.mark.parametrize(
    ("column", "spec", "sentence", "features"),
    [
        (lambda i: i * 7 % 300, {}, "column 'c' looks like a row index, and", "x"),
        (lambda i: i * i, {}, "integers that rise from row to row, and is left out", "x"),
        (lambda i: -i * i, {}, "fall from row to row, and…`id: c` says so…`drop: c` says", "x"),
        (lambda i: f"row {i}", {}, "text in every row ('row 0', 'row 1' and 298 more)", "x"),
        (lambda i: 7, {}, "column 'c' is constant: it has no effect", "xc"),
        (lambda i: "", {"missing": "median"}, "column 'c' is constant", "xc"),
        (lambda i: SPELT[i % 3], {"categorical": ["c"]}, "case or space, 'Blue' and 'blue'", "xc"),
        (
            lambda i: CODES[i % 3],
            {"categorical": ["c"]},
            "'250.1' and '250.10', which are one",
            "xc",
        ),
        (lambda i: i // 2, {"id": "c"}, "several rows alike: '0' (line 2, line 3), '1' (", "x"),
        (lambda i: SPELT[i % 3], LABEL, "label column 'c'…by case or space, 'Blue' and", "x"),
        (lambda i: i % 15, LABEL, "'c' holds 15 distinct numbers, each a class of its own", "x"),
        (lambda i: i + 1, {"features": ["x", "c"]}, "", "xc"),
        (lambda i: i // 4, {"id": "c", "group": "c", "label": None, "drop": ["s"]}, "", "x"),
        (lambda i: i + 0.5, {}, "", "xc"),
        (lambda i: i // 2, {}, "", "xc"),
        (lambda i: f"row {i % 9}", {"categorical": ["c"]}, "", "xc"),
    ],
)
def test_only_what_is_odd_about_a_column_is_said(folder, column, spec, sentence, features):
    write("my.csv", lines(column, rows=300))
    dataset = read(**{"label": "s"} | spec)
    assert len(dataset.warnings) == bool(sentence)
    assert says("".join(dataset.warnings), sentence)
    assert dataset.feature_names == tuple(features)


def test_a_column_of_an_array_that_counts_the_rows_stays_and_is_named(folder):
    X = np.column_stack([np.random.default_rng(0).normal(size=40), np.arange(40)])
    np.savez("my.npz", X=X)
    dataset = read("my.npz")
    (warning,) = dataset.warnings
    assert "column 'x2' looks like a row index, and is a feature" in warning
    assert dataset.X.shape == (40, 2)


MEASURED = "remove them{}. Rounded measurements that coincide can stay"


@pytest.mark.parametrize(
    ("spec", "copies", "advice"),
    [
        ({}, 40, MEASURED.format(", or name the column that copies share as `group`")),
        ({"group": "at"}, 40, MEASURED.format(", or give them the same group")),
        ({"time": "at"}, 40, MEASURED.format("")),
        ({"features": ["c"], "categorical": ["c"]}, 60, "Rows of categories alone often coincide"),
        ({"group": "of"}, 0, ""),
    ],
)
def test_copies_on_both_sides_of_a_split_are_counted(folder, spec, copies, advice):
    header, *rows = lines(lambda i: f"{i % 9}.5")
    rows = [f"{row},{i}" for i, row in enumerate(rows)]
    write(
        "my.csv", [f"{header},of,at", *(f"{row},{i % 7}" for i, row in enumerate(rows + rows[:20]))]
    )
    dataset = read(**{"label": "s", "features": ["x", "c"]} | spec)
    shared = [
        sum((dataset.X[train] == row).all(axis=1).any() for row in dataset.X[test])
        for train, test in dataset.splits
    ]
    assert len(dataset.warnings) == bool(copies)
    message = f"{copies} of 60 rows…and in the label; of the…"
    if "categorical" not in spec:
        message += f"{np.mean(shared):.3g} on average…"
    assert says("".join(dataset.warnings), (message + advice) * bool(copies))
    # The check before any job says the same.
    checked = check_dataset(
        "mine", SPEC | {"label": "s", "features": ["x", "c"]} | spec, replicates=2
    )
    assert checked.warnings == dataset.warnings


def test_names_that_repeat_within_a_group_are_not_told(folder):
    header, *rows = lines(lambda i: i % 15, rows=60)
    for groups, told in ((15, False), (7, True)):
        write("my.csv", [f"{header},of", *(f"{row},{i % groups}" for i, row in enumerate(rows))])
        warnings = read(label="s", id="c", group="of").warnings
        assert bool(warnings) == told
        assert all(
            "name the column as `group`" in warning and "too" not in warning for warning in warnings
        )


@pytest.mark.parametrize("answer", ["label", "target"])
def test_equal_rows_with_another_answer_are_no_copies(folder, answer):
    write("my.csv", ["x,s", *(f"{i // 2}.5,{i % 2}" for i in range(40))])
    assert read(**{answer: "s"}).warnings == ()


def test_a_first_column_without_a_name_is_left_out(folder):
    write("my.csv", [",x,s", *(f"car {i},{i * 7 % 11},{'ab'[i % 2]}" for i in range(40))])
    dataset = read(label="s")
    assert dataset.feature_names == ("x",)
    assert "column 1 has no name, as the index that pandas writes" in dataset.warnings[0]


def test_text_with_few_values_becomes_categories(folder):
    write("my.csv", lines(lambda i: f"kind {i % 20}"))
    dataset = read(label="s")
    named = read(label="s", categorical=["c"])
    (warning,) = dataset.warnings
    assert "column 'c' holds text with at most 20 values, each of which becomes a column" in warning
    assert "`categorical: c`" in warning
    np.testing.assert_array_equal(dataset.split(0).X_train, named.split(0).X_train)


def test_small_classes_are_left_out_on_request(refusal):
    names = ["a"] * 20 + ["b"] * 17 + ["rare"] * 2 + ["single"]
    write("my.csv", lines(names.__getitem__))
    spec = {"path": "my.csv", "label": "c", "drop": ["s"], "min_class_size": 4}
    dataset = make_dataset("mine", spec, seed=0, replicates=2)
    assert dataset.class_names == ("a", "b")
    assert dataset.file_rows.tolist() == [*range(1, 38)]
    (warning,) = dataset.warnings
    assert says(warning, "3 of 40 rows are of…fewer than 4 rows, 'rare' (2), 'single' (1), and are")
    lower = refusal(**spec | {"min_class_size": 18})
    assert "`min_class_size: 18` leaves 1 of 4 classes; lower it" in lower
    assert "`min_class_size: 4` needs classes" in refusal(**spec | {"label": None})
