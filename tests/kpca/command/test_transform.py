"""The command writes what the model says, bit for bit, or refuses in one line that says where."""

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from kpca import KernelPCA, save
from kpca.command import main
from tests.kpca.command.models import (
    FULL,
    FULL_NEW,
    MIXED,
    NAMED,
    NEW,
    NUMBERS,
    ROWS,
    UNNAMED,
    rbf,
    run,
)

LINEAR, DOUBLE = NAMED["linear"][0], UNNAMED["double"]
SCALED = make_pipeline(StandardScaler(), rbf()).fit(FULL)
CLOSED = make_pipeline(
    ColumnTransformer([("words", OneHotEncoder(), ["colour"]), ("rest", "passthrough", NUMBERS)]),
    rbf(),
).fit(ROWS[[*NUMBERS, "colour"]].dropna())
UNKNOWN = "line 3, column 'colour': 'violet' is none of the categories ' blue', 'größer, than'"


def scores(folder: Path, model: Any, rows: Any, *options: str, **notes: str) -> pd.DataFrame:
    found, said = run(folder, "transform", model, rows, *options, **notes)
    assert found is not None, said
    return pd.read_csv(folder / "out.csv", dtype=str)  # whose numbers no reader rounds


def check(found: pd.DataFrame, expected: Any) -> None:
    names = [f"component_{j + 1}" for j in range(expected.shape[1])]
    assert list(found.columns[-len(names) :]) == names
    np.testing.assert_array_equal(found[names].to_numpy(float), np.asarray(expected, np.float64))


@pytest.mark.parametrize("kind", NAMED)
def test_named_columns_in_any_order_among_others(kind: str, tmp_path: Path) -> None:
    model, new = NAMED[kind]
    names = [f"Zoë, {i}" for i in range(len(new))]
    mixed_up = new[new.columns[::-1]].assign(name=names, note="x").reset_index(names="id")
    found = scores(tmp_path, model, mixed_up, "--keep", "name", "--ignore", "note", id="id")
    check(found, model.transform(new))
    assert list(found.columns[:2]) == ["id", "name"]
    assert list(found["id"]) == [str(number) for number in new.index]
    assert list(found["name"]) == names


@pytest.mark.parametrize("written", [{}, {"header": ["a", "b"]}, {"sep": ";", "decimal": ","}])
@pytest.mark.parametrize("kind", ["double", "single"])
def test_unnamed_columns_in_their_order(kind: str, written: Any, tmp_path: Path) -> None:
    new = FULL_NEW.to_numpy() / (1 if kind == "double" else 8)
    text = pd.DataFrame(new).to_csv(**{"index": False, "header": False} | written).encode()
    check(scores(tmp_path, UNNAMED[kind], text), UNNAMED[kind].transform(new))


def test_batches_of_a_long_file_are_the_whole(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for width in (3, 5000):  # batches of 4096 rows, and of 256
        X = rng.normal(size=(9000 if width == 3 else 300, width))
        model = KernelPCA(3, kernel="rbf").fit(X[:50])
        check(scores(tmp_path, model, pd.DataFrame(X)), model.transform(X))


def compressed(path: Path) -> None:
    path.write_bytes(gzip.compress(NEW.to_csv(index=False).encode()))


WRITERS: dict[str, Callable[[Path], Any]] = {
    "semicolon.csv": lambda path: NEW.to_csv(path, index=False, sep=";"),
    "comma.csv": lambda path: NEW.to_csv(path, index=False, sep=";", decimal=","),
    "tab.tsv": lambda path: NEW.to_csv(path, index=False, sep="\t"),
    "bom.csv": lambda path: NEW.to_csv(path, index=False, encoding="utf-8-sig"),
    "windows.csv": lambda path: NEW.to_csv(path, index=False, lineterminator="\r\n"),
    "words.csv": lambda path: NEW.to_csv(path, index=False, na_rep="NA"),
    "latin-1.csv": lambda path: NEW.to_csv(path, index=False, encoding="latin-1"),
    "new.csv.gz": compressed,
    "new.parquet": NEW.to_parquet,
    "new.feather": NEW.to_feather,
    "new.arrow": NEW.to_feather,
    "new.xlsx": lambda path: NEW.to_excel(path, index=False),
    "no rows.csv": lambda path: NEW[:0].to_csv(path, index=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_every_kind(name: str, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    new = pd.read_excel(tmp_path / name) if name == "new.xlsx" else NEW  # it has 16 digits
    expected = MIXED.transform(new)[: 0 if name == "no rows.csv" else None]
    options = ["--encoding", "latin-1"] if name == "latin-1.csv" else []
    check(scores(tmp_path, MIXED, tmp_path / name, *options), expected)


def test_a_sheet_by_name_and_by_number(tmp_path: Path) -> None:
    path, rounded = tmp_path / "new.xlsx", FULL_NEW.round(3)
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="2")
        rounded.to_excel(book, sheet_name="Rows", index=False)
        FULL_NEW[:5].to_excel(book, sheet_name="More", index=False)
    check(scores(tmp_path, LINEAR, path, "--sheet", "Rows"), LINEAR.transform(rounded))
    assert len(scores(tmp_path, LINEAR, path, "--sheet", "3")) == 5


def test_arrays_of_an_npz(tmp_path: Path) -> None:
    X = FULL_NEW.to_numpy()
    np.savez(tmp_path / "new.npz", X=X, y=np.arange(len(X)))
    check(scores(tmp_path, DOUBLE, tmp_path / "new.npz"), DOUBLE.transform(X))
    frame = pd.DataFrame(X, columns=["x1", "x2"])
    named = rbf().fit(frame)
    check(scores(tmp_path, named, tmp_path / "new.npz"), named.transform(frame))


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(packed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = NEW.to_csv(index=False).encode()
    raw = io.BufferedReader(io.BytesIO(gzip.compress(data) if packed else data))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    check(scores(tmp_path, MIXED, "-"), MIXED.transform(NEW))


def test_a_name_in_gz_is_compressed(tmp_path: Path) -> None:
    scores(tmp_path, MIXED, NEW)
    names = [str(tmp_path / name) for name in ("m", "new.csv", "scores.csv.gz")]
    assert main(["transform", *names[:2], "-o", names[2]]) == 0
    assert gzip.decompress(Path(names[2]).read_bytes()) == (tmp_path / "out.csv").read_bytes()


def test_decimal_commas_in_one_column_and_blanks_around_names(tmp_path: Path) -> None:
    commas = FULL_NEW.assign(height=[str(x).replace(".", ",") for x in FULL_NEW["height"]])
    text = commas.to_csv(index=False, sep=";").encode()
    check(scores(tmp_path, LINEAR, text), LINEAR.transform(FULL_NEW))
    new = FULL_NEW.rename(columns={"height": " height"})
    model = rbf().fit(new)
    text = new.rename(columns={"weight": " weight "}).to_csv().encode()  # and a column of numbers
    check(scores(tmp_path, model, text, "--ignore", ""), model.transform(new))


def refused(folder: Path, model: Any, text: str | bytes, *options: str) -> str:
    """Apply a model to a text in vain, and return the message."""
    data = text.encode() if isinstance(text, str) else text
    found, said = run(folder, "transform", model, data, *options)
    assert found is None
    assert said.count("\n") == 1
    assert {file.name for file in folder.iterdir()} == {"m", "new.csv"}
    return said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("height,wieght\n1,2\n", "the file lacks 'weight' (did you mean 'wieght'?)"),
        ("height\n1\n", "the file lacks 'weight'"),
        ("height,weight,height\n", "'height' stands twice"),
        ("1,2\n3,4\n", "line 1 holds numbers only, and the model finds columns by name"),
        ("height,weight\n1,2\n1,tall\n", "line 3, column 'weight': 'tall' is not a finite number"),
        ("height,weight\n1,inf\n", "'inf' is not a finite number"),
        ("height,weight\n1,1_5\n", "'1_5' is not a finite number"),
        ("height,weight\n\n\n1,\n", "line 4, column 'weight': empty, and the model fills in no"),
        ("height,weight\n1,NA\n", "line 2, column 'weight': empty"),
        ("height,weight\n1\n", "line 2 has 1 cells, and must have 2"),
        ('height,weight\n"1\n', "unexpected end of data"),
        ("height;weight\n1,5;2\n2.5;2\n", "line 3, column 'height': '2.5': numbers of this column"),
        ("height;weight\n1.000,5;2\n", "'1.000,5' is not a finite number"),
        ("", "the file is empty"),
        (b"height,weight\n1,\xff\n", "not text in UTF-8: name its encoding, such as --encoding la"),
        (b"\xff\xfeh\x00", "not text in UTF-8"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc", "line 1 or after it: "),
    ],
)
def test_rows_that_do_not_fit(text: str | bytes, message: str, tmp_path: Path) -> None:
    found = refused(tmp_path, SCALED, text)
    assert message in found
    assert found.startswith("kpca: /")
    assert "new.csv: " in found


@pytest.mark.parametrize(
    ("model", "text", "options", "message"),
    [
        (DOUBLE, "1,2,3\n", "", "3 columns, and the model takes 2"),
        (DOUBLE, "a,b,c\n1,2,3\n", "", "3 columns ('a', 'b', 'c'), and the model takes 2"),
        (DOUBLE, "1,2\n3,x\n", "", "line 2, column 2: 'x' is not"),
        (DOUBLE, "1,2,3\n", "--keep id", "there is no header"),
        (SCALED, "height,weight,component_1\n", "--keep component_1", "'component_1' has the name"),
        (SCALED, "height,weight,Id\n", "--keep id", "no column 'id' (did you mean 'Id'?)"),
        (SCALED, "height,weight,Id\n", "--ignore id", "no column 'id' (did you mean 'Id'?)"),
        (CLOSED, "height,weight,colour\n1,2, blue\n1,2,violet\n", "", UNKNOWN),
    ],
)
def test_columns_refused(model: Any, text: str, options: str, message: str, tmp_path: Path) -> None:
    assert message in refused(tmp_path, model, text, *options.split())


def test_a_failure_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    long = pd.concat([NEW] * 20).to_csv(index=False)  # several batches
    (tmp_path / "out.csv").write_text("of before")
    found, _ = run(tmp_path, "transform", MIXED, f"{long}tall,1,2,red\n".encode())
    assert found is None
    assert (tmp_path / "out.csv").read_text() == "of before"
    assert len(list(tmp_path.iterdir())) == 3


def test_damaged_models_are_refused_in_one_line(tmp_path: Path, capsys: Any) -> None:
    save(MIXED, tmp_path / "damaged")
    (tmp_path / "damaged").write_bytes((tmp_path / "damaged").read_bytes()[:-99])
    assert main(["info", str(tmp_path / "damaged")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    (tmp_path / "damaged").unlink()
    model = KernelPCA(2, kernel="rbf").fit(FULL_NEW)
    model.kernel_means_ = np.array(["a"] * len(FULL_NEW))
    assert "UFuncTypeError: ufunc" in refused(tmp_path, model, "height,weight\n1,2\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["transform"],
        ["transform", "m", "new.csv", "-o", "new.csv"],
        ["transform", "m", "new.csv", "-o", "m"],
        ["transform", "m", "new.csv", "-o", "out.xlsx"],
        ["transform", "m", "new.csv", "-o", "nowhere/out.csv"],
        ["transform", "m", "new.csv", "--keep", "a,b", "--ignore", "b"],
        ["novelty", "m", "new.csv", "--false-alarm", "2"],
        ["denoise", "m", "new.csv", "--preimage", "magic"],
    ],
)
def test_wrong_usage(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(SCALED, "m")
    FULL_NEW.to_csv("new.csv", index=False)
    before = (tmp_path / "new.csv").read_bytes()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert (tmp_path / "new.csv").read_bytes() == before
