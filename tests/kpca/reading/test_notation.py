"""Numbers and dates in the notation of any country: read as what they are, or refused."""

import numpy as np
import pandas as pd
import pytest

from kpca.reading.columns import ColumnReader
from kpca.reading.errors import InputError
from kpca.reading.notation import COMMA, date_features, day_is_first, evidence, number, read_dates
from tests.kpca.reading.conftest import read

ROWS = 60
RNG = np.random.default_rng(0)
SIZES = RNG.integers(100, 250_000, ROWS).astype(float)
WIDTHS = RNG.normal(size=ROWS).round(2)
LABELS = ["ab"[row % 2] for row in range(ROWS)]
DAYS = pd.Series(pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(ROWS), unit="D"))


def grouped(values, mark):
    """Write integers with a mark between thousands."""
    return [f"{int(value):,}".replace(",", mark) for value in values]


def with_comma(values):
    return [str(value).replace(".", ",") for value in values]


def write(path, separator, **columns):
    table = pd.DataFrame({name: [*map(str, cells)] for name, cells in columns.items()})
    if path.endswith("xlsx"):
        table.to_excel(path, index=False)
    else:
        table.to_csv(path, sep=separator, index=False)


FILES = [("my.csv", ","), ("my.tsv", "\t"), ("my.csv", ";"), ("my.xlsx", "")]
# Cells of whole numbers, and of numbers with a fraction that show the decimal mark.
NOTATIONS = {
    "points": (grouped(SIZES, ","), WIDTHS),
    "commas": (grouped(SIZES, "."), with_comma(WIDTHS)),
    "blanks": (grouped(SIZES, "\u202f"), with_comma(WIDTHS)),
    "apostrophes": (grouped(SIZES, "\u2019"), WIDTHS),
    "money": ([f"${cell}" for cell in grouped(SIZES, ",")], WIDTHS),
    "euros": ([f"{cell},00 €" for cell in grouped(SIZES, ".")], with_comma(WIDTHS)),
    "minus": (SIZES, [str(value).replace("-", "\u2212") for value in WIDTHS]),
}


@pytest.mark.parametrize("role", ["feature", "target"])
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(("path", "separator"), FILES)
def test_other_cells_of_the_file_settle_a_notation(folder, path, separator, notation, role):
    sizes, widths = NOTATIONS[notation]
    write(path, separator, size=sizes, width=widths, s=LABELS)
    if role == "target":
        rows = read(path, target="size", drop=["s"])
        np.testing.assert_array_equal(rows.target, SIZES)
    else:
        rows = read(path, label="s")
        np.testing.assert_array_equal(rows.X[:, 0], SIZES)
    np.testing.assert_array_equal(rows.X[:, -1], WIDTHS)
    assert any("is read as plain numbers" in warning for warning in rows.warnings)


@pytest.mark.parametrize("mark", [",", "."])
@pytest.mark.parametrize(("path", "separator"), FILES[1:])
def test_an_open_notation_is_refused_with_options_that_work(folder, path, separator, mark):
    sizes = SIZES[SIZES > 1000]
    cells = grouped(sizes, mark)
    write(path, separator, size=cells, nr=np.arange(len(cells)) % 7, s=LABELS[: len(cells)])
    with pytest.raises(InputError) as caught:
        read(path, label="s")
    message = str(caught.value)
    assert f"'{cells[0]}', which can be {sizes[0] / 1000:.15g} or {sizes[0]:.15g}" in message
    assert f"`decimal: {mark}` or `thousands: {mark}` says which" in message
    np.testing.assert_array_equal(read(path, label="s", thousands=mark).X[:, 0], sizes)
    np.testing.assert_array_equal(read(path, label="s", decimal=mark).X[:, 0], sizes / 1000)


def test_points_are_decimal_where_commas_separate_cells(folder):
    write("my.csv", ",", size=grouped(SIZES, "."), s=LABELS)
    expected = [float(cell) for cell in grouped(SIZES, ".")]
    np.testing.assert_array_equal(read(label="s").X[:, 0], expected)


def test_a_point_before_three_zeros_separates_thousands(folder):
    write("my.csv", ";", size=["1.000", "2.500,5"] * 30, s=LABELS)
    assert read(label="s").X[:2, 0].tolist() == [1000.0, 2500.5]
    write("my.csv", ";", size=["1.000", "$5"] * 30, s=LABELS)
    with pytest.raises(InputError, match=r"'1\.000', which can be 1 or 1000"):
        read(label="s")


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["1.5", "1.50", "2.0"], ["1.5", "2"]),
        (["1,5", "1,50", "2,0"], ["1.5", "2"]),
        (["1.000", "1,5", "1,50"], ["1.5", "1000"]),
        (["1.000", "0.500", "a10"], ["0.5", "1", "a10"]),
    ],
)
def test_a_number_is_one_category_however_it_is_written(folder, cells, names):
    write("my.csv", ";", size=cells * 20, width=WIDTHS.astype(int), s=LABELS)
    assert read(label="s", categorical=["size"]).categories == {"size": names}


@pytest.mark.parametrize("mark", [".", ","])
def test_an_order_of_numbers_is_that_of_their_values(folder, mark):
    words = [word.replace(".", mark) for word in ("2.50", "1.0", "1.50")]
    write("my.csv", ";", size=words * 20, width=WIDTHS.astype(int), s=LABELS)
    rows = read(label="s", ordered=["/".join(["size", *words])])
    assert rows.X[:3, 0].tolist() == [0, 1, 2]
    new = pd.DataFrame({"size": ["1.5", 1.0, 2.5, "2.50"]})
    assert ColumnReader(rows.columns[:1]).transform(new)["size"].tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize("cell", ["1,5", "0,123", "1234,567", "1.234,567", "1 234,5", "-,5"])
def test_cells_that_show_a_decimal_comma(cell):
    assert evidence([cell]).marks == COMMA
    assert evidence([cell.translate(str.maketrans(".,", ",."))]).marks == "."


def test_notation_of_any_country():
    cells = ["1,10,456", "\u22121.25", "1'234.5", "-$5", "5 %", "1_5", "inf", "1.2.3", "1,23"]
    expected = [110456.0, -1.25, 1234.5, -5.0, 5.0, None, None, None, None]
    assert [*map(number, cells)] == expected


FORMS = ["%Y-%m-%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%y"]


def dated(cells, **spec):
    write("my.csv", ";", width=WIDTHS, at=[*cells], s=LABELS)
    return read(label="s", **spec)


@pytest.mark.parametrize("form", FORMS)
def test_dates_of_any_country(folder, form):
    cells = DAYS.dt.strftime(form)
    if form == FORMS[0]:  # a date in another form does not turn the others
        cells[43] = "13.04.2024"
    rows = dated(cells, dates=["month", "day"])
    months = rows.X[:, rows.feature_names.index("at_month")]
    np.testing.assert_array_equal(months, DAYS.dt.month)
    assert dated(cells[::-1], time="at").file_rows.tolist() == [*range(ROWS, 0, -1)]


@pytest.mark.parametrize("zone", ["", "Z", " UTC", "+09", "-03", "+0900", " +09:00"])
def test_a_zone_of_any_form_is_ignored(zone):
    features = date_features("d", [f"2024-05-01 08:30:00{zone}"], ["hour", "day"], day_first=False)
    assert [values[0] for values in features.values()] == [8, 1]


def test_the_clock_of_a_cell_is_kept_and_zones_order_the_rows(folder):
    rows = dated(
        DAYS.dt.strftime("%Y-%m-%dT08:30+09:00"),
        dates=["hour", "weekday"],
        features=["at", "width"],
    )
    assert rows.X[0, :2].tolist() == [8.0, 4.0]  # a Friday
    zones = ["2024-03-01T08:30+09:00", "2024-03-01T01:00+00:00"]
    first, second = read_dates(zones, day_first=False, zones=True)
    assert first < second


def test_what_is_no_date_or_can_be_two_is_refused(refusal, folder):
    cells = DAYS.dt.strftime("%Y-%m-%d").where(DAYS.index != 7, "2024-02-30")
    with pytest.raises(InputError, match=r"cells that are no date \(line 9 '2024-02-30'\)"):
        dated(cells, dates=["month"], missing="median")
    few = [f"{row % 12 + 1}/{row % 11 + 1}/2024" for row in range(ROWS)]
    with pytest.raises(InputError, match="`dayfirst: true` or `dayfirst: false` says which"):
        dated(few, dates=["day"])
    days = {first: dated(few, dates=["day"], dayfirst=first) for first in (True, False)}
    column = days[True].feature_names.index("at_day")
    assert days[True].X[:, column].tolist() == [row % 12 + 1 for row in range(ROWS)]
    assert days[False].X[:, column].tolist() == [row % 11 + 1 for row in range(ROWS)]
    with pytest.raises(InputError, match=r"dates in two forms, '1\.5\.2024' and '5/1/2024'"):
        dated(["1.5.2024", "5/1/2024"] * (ROWS // 2), time="at")
    with pytest.raises(InputError, match="holds '2024-04' in every row, so that no row is later"):
        dated(["2024-04"] * ROWS, time="at")
    with pytest.raises(InputError, match="holds '2024-04' in every row, so that no row is later"):
        dated(["", "", *["2024-04"] * (ROWS - 2)], time="at", missing="median")


def test_the_day_is_first_by_points_or_by_numbers():
    assert day_is_first(["2024-04-01", "1.5.2024"])
    assert day_is_first(["1/31/2024", "1/2/2024"]) is False
    with pytest.raises(ValueError, match="some begin with the day, and some with the month"):
        day_is_first(["31/1/2024", "1/31/2024"])
