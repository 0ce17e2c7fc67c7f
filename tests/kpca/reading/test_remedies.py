"""Each message proposes what works: its remedy is obeyed on the input that raised it."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.reading.errors import InputError
from kpca.reading.formats import read_table
from kpca.study.options import LIST_OPTIONS, TABLE_OPTIONS, listed
from tests.kpca.reading.conftest import read

N = 60
RNG = np.random.default_rng(0)
A, B = (RNG.normal(size=N).round(2) for _ in range(2))
Y = np.where(A + B > 0, "yes", "no")
REMEDY = re.compile(rf"`({'|'.join(TABLE_OPTIONS)}): ([^`]+)`")
LABEL = {"label": "class"}


def lines(header, *columns):
    """Return the text of a file."""
    rows = [",".join(map(str, cells)) for cells in zip(*columns, strict=True)]
    return "\n".join([header, *rows]) + "\n"


BAD = [["Bad", "Scan, late"][row % 2] if row % 13 == 5 else a for row, a in enumerate(A)]
BAD = [cell.replace(",", "") if isinstance(cell, str) else cell for cell in BAD]
MARKS = RNG.choice([*"+-0"], N)
LAND = [f"land {row % 25}" for row in range(N)]
Q1 = RNG.integers(1, 6, N)
CODED = np.where(np.arange(N) % 9 == 0, -99, Q1)
# Text of a file, options, what the message says, and what the rows are after its remedy.
CASES = {
    "no header": (
        lines(f"{A[0]},{B[0]},0.5,no", A[1:], B[1:], abs(A[1:]), Y[1:]),
        {},
        "line 1 holds numbers",
        lambda rows: rows.X[0, 0] == A[0] and rows.feature_names[0] == "x1",
    ),
    "wavelengths": (
        lines(",".join(f"{900 + 0.5 * j}" for j in range(8)), *RNG.normal(size=(8, N))),
        {},
        "line 1 holds numbers",
        lambda rows: rows.feature_names[1] == "900.5" and len(rows.X) == N,
    ),
    "units": (
        lines("time,temp,press,class\n-,degC,bar,-", A, B, A * B, Y),
        LABEL,
        "line 2 holds text",
        lambda rows: rows.class_names == ("no", "yes") and rows.X[0, 1] == B[0],
    ),
    "a country called NA": (
        lines("code,b,class", np.array(["NA", "ZA", "BW"])[np.arange(N) % 3], B, Y),
        LABEL,
        "`missing: median` keeps a text",
        lambda rows: np.isnan(rows.whole().X_train).sum() == 0 < np.isnan(rows.X[:, 0]).sum(),
    ),
    "counts without a logarithm": (
        lines("s1,s2,class", RNG.poisson(0.3, N), 1 + RNG.poisson(9, N), Y),
        LABEL | {"log": ["s1", "s2"]},
        "have no logarithm",
        lambda rows: rows.log == ("s2",),
    ),
    "status words": (
        lines("t,u,class", BAD, B, Y),
        LABEL | {"missing": "median"},
        "column 't' holds text",
        lambda rows: np.isnan(rows.X[5, 0]) and rows.X[0, 0] == A[0],
    ),
    "words with a comma": (
        lines("t,u,class", ['"lost, found"' if row == 5 else a for row, a in enumerate(A)], B, Y),
        LABEL | {"missing": "median"},
        "column 't' holds text",
        lambda rows: np.isnan(rows.X[5, 0]) and rows.X[0, 0] == A[0],
    ),
    "infinite cells": (
        lines("a,b,class", [*A[:-2], "inf", "-inf"], B, Y),
        LABEL | {"missing": "median"},
        "no finite number",
        lambda rows: np.isnan(rows.X[-2:, 0]).all() and rows.X[0, 0] == A[0],
    ),
    "many words": (
        lines("land,u,y", LAND, A, B),
        {"target": "y"},
        "column 'land' holds text",
        lambda rows: rows.groups.max() == 24 and rows.feature_names == ("u",),
    ),
    "units behind numbers": (
        lines("far,u,class", [f"{abs(a)} km" for a in A + np.arange(N)], B, Y),
        LABEL,
        "numbers with 'km' behind them",
        lambda rows: rows.X[3, 0] == pytest.approx(abs(A[3] + 3)),
    ),
    "two units": (
        lines("share,b,class", ["12%", "0.12"] * (N // 2), B, Y),
        LABEL,
        "column 'share' holds numbers in two units ('12%', '0.12')",
        lambda rows: rows.feature_names == ("b",),
    ),
    "two currencies": (
        lines("price,b,class", ["$12", "€11"] * (N // 2), B, Y),
        LABEL,
        "column 'price' holds numbers in two units ('$12', '€11')",
        lambda rows: rows.feature_names == ("b",),
    ),
    "a title": (
        "Wine of 1991\n\n" + lines("a,b,class", A, B, Y),
        LABEL,
        "looks like the header",
        lambda rows: rows.feature_names == ("a", "b"),
    ),
    "missing cells": (
        lines("a,b,class", np.where(A > 1, "", A.astype(str)), B, Y),
        LABEL,
        "no finite number",
        lambda rows: len(rows.X) == (A <= 1).sum(),
    ),
    "a measurement": (
        lines("a,b,class", A, B, RNG.normal(size=N).round(3)),
        LABEL,
        "reads as a measurement",
        lambda rows: rows.task == "regression",
    ),
    "an order that lacks a word": (
        lines("size,b,class", RNG.choice(["s", "m", "l"], N), B, Y),
        LABEL | {"ordered": ["size/s/m"]},
        "which `ordered` does not have",
        lambda rows: {*rows.X[:, 0]} == {0, 1, 2},
    ),
    # What is read, with a warning.
    "codes": (
        lines("q,b,class", CODED, B, Y),
        LABEL | {"missing": "median"},
        "far from the others (1 to 5)",
        lambda rows: np.isnan(rows.X[0, 0]) and np.nanmax(rows.X[:, 0]) == 5,
    ),
    "ordered words": (
        lines("size,b,class", RNG.choice(["s", "m", "l"], N), B, Y),
        LABEL,
        "words in an order",
        lambda rows: {*rows.X[:, 0]} == {0, 1, 2} and not rows.categories,
    ),
    "a mark as a label": (
        lines("a,b,class", A, B, np.where(np.arange(N) % 9 == 0, "-", Y)),
        LABEL | {"missing": "drop"},
        "counts as a class",
        lambda rows: rows.class_names == ("no", "yes"),
    ),
    "variables in rows": (
        lines(
            "gene," + ",".join(f"s{j}" for j in range(12)),
            [f"G{row}" for row in range(300)],
            *RNG.normal(size=(12, 300)).round(2),
        ),
        {},
        "names variables",
        lambda rows: rows.X.shape == (12, 300),
    ),
}


def obeyed(message, about):
    """Return the first remedy of the sentence that is about something, as options."""
    sentence = message[message.index(about) :]
    key, text = next(match.groups() for match in REMEDY.finditer(sentence))
    if key in LIST_OPTIONS:
        return {key: yaml.safe_load(text) if text.startswith("[") else listed(text)}
    return {key: text if key in ("decimal", "thousands") else yaml.safe_load(text)}


def message_of(options):
    """Return why rows are refused, or the warnings about them."""
    try:
        return " ".join(read(**options).warnings)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("case", CASES)
def test_the_first_remedy_of_a_message_works(folder, case):
    text, options, phrase, holds = CASES[case]
    Path("my.csv").write_text(text, encoding="utf-8")
    remedy = obeyed(message_of(options), phrase)
    if "target" in remedy:  # The target replaces the label.
        options = {}
    assert holds(read(**options | remedy))


def test_marks_and_numbers_are_categories_if_most_are_marks(folder):
    Path("my.csv").write_text(lines("son,b,class", MARKS, B, Y))
    assert read(**LABEL).categories == {"son": [*"+-0"]}


@pytest.mark.parametrize("names", [["Weight", "kg"], ["Weight, kg"]])
def test_names_are_found_as_the_file_spells_them(folder, names):
    header = '"Weight, kg",gro\u0308\u00dfe,1_2'
    Path("my.csv").write_text(lines(header, A, B, Y), encoding="utf-8")
    rows = read(label=12, drop=names)
    assert (rows.feature_names, rows.class_names) == (("gr\u00f6\u00dfe",), ("no", "yes"))


@pytest.mark.parametrize(("names", "left"), [(["x", "y"], ("x,y",)), (["x,y"], ("x", "y"))])
def test_names_of_columns_are_not_joined_to_that_of_another(folder, names, left):
    Path("my.csv").write_text(lines('x,y,"x,y",class', A, B, A * B, Y))
    assert read(**LABEL, drop=names).feature_names == left


@pytest.mark.parametrize("units", [["m", "km"], ["km", "m"]])
def test_a_unit_can_end_like_another(folder, units):
    cells = [[f"{value} {unit}" for value in abs(A)] for unit in ("km", "m")]
    Path("my.csv").write_text(lines("far,near,class", *cells, Y))
    np.testing.assert_array_equal(read(**LABEL, units=units).X, np.column_stack([abs(A)] * 2))


def test_a_sheet_without_numbers_names_the_next_one(folder):
    with pd.ExcelWriter("my.xlsx") as book:
        pd.DataFrame({"Read me": ["of the lab"]}).to_excel(book, sheet_name="About", index=False)
        pd.DataFrame({"a": A, "class": Y}).to_excel(book, sheet_name="Data", index=False)
    words = "sheet 'About' holds no number; `sheet: Data` reads another one, and `sheet: About`"
    with pytest.raises(InputError, match=words):
        read("my.xlsx", **LABEL)
    assert read_table("my.xlsx", sheet="About")["Read me"].tolist() == ["of the lab"]
    assert read("my.xlsx", sheet="Data", **LABEL).feature_names == ("a",)
