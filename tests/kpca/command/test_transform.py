"""What the command writes is what the model says, bit for bit."""

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kpca import KernelPCA, save
from kpca.command import main
from tests.kpca.command.models import FULL_NEW, MIXED, NAMED, NEW, UNNAMED, rbf


def read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str)  # whose numbers no reader rounds


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., pd.DataFrame]:
    """Save a model, apply it to a file and give the output."""

    def applied(model: Any, rows: Path | str, *options: str, **notes: str) -> pd.DataFrame:
        save(model, tmp_path / "m.npz", notes=notes)
        out = str(tmp_path / "out.csv")
        assert main(["transform", str(tmp_path / "m.npz"), str(rows), "-o", out, *options]) == 0
        return read(tmp_path / "out.csv")

    return applied


def check(found: pd.DataFrame, expected: Any) -> None:
    expected = np.asarray(expected, dtype=np.float64)
    names = [f"component_{j + 1}" for j in range(expected.shape[1])]
    assert list(found.columns[-len(names) :]) == names
    np.testing.assert_array_equal(found[names].to_numpy(dtype=float), expected)


@pytest.mark.parametrize("kind", NAMED)
def test_named_columns_in_any_order_among_others(kind: str, run: Any, tmp_path: Path) -> None:
    model, new = NAMED[kind]
    names = [f"Zoë, {i}" for i in range(len(new))]
    mixed_up = new[new.columns[::-1]].assign(name=names, note="x")
    mixed_up.to_csv(tmp_path / "new.csv", index_label="id")
    found = run(model, tmp_path / "new.csv", "--keep", "name", "--ignore", "note", id="id")
    check(found, model.transform(new))
    assert list(found.columns[:2]) == ["id", "name"]
    assert list(found["id"]) == [str(number) for number in new.index]
    assert list(found["name"]) == names


@pytest.mark.parametrize("written", [{}, {"header": ["a", "b"]}, {"sep": ";", "decimal": ","}])
@pytest.mark.parametrize("kind", ["double", "single"])
def test_unnamed_columns_in_their_order(kind: str, written: Any, run: Any, tmp_path: Path) -> None:
    new = FULL_NEW.to_numpy() / (1 if kind == "double" else 8)
    pd.DataFrame(new).to_csv(tmp_path / "new.csv", **{"index": False, "header": False} | written)
    check(run(UNNAMED[kind], tmp_path / "new.csv"), UNNAMED[kind].transform(new))


def test_batches_of_a_long_file_are_the_whole(run: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for width in (3, 5000):  # batches of 4096 rows, and of 256
        X = rng.normal(size=(9000 if width == 3 else 300, width))
        model = KernelPCA(3, kernel="rbf").fit(X[:50])
        np.savetxt(tmp_path / "new.csv", X, delimiter=",", fmt="%.17g")
        check(run(model, tmp_path / "new.csv"), model.transform(X))


def gzipped(path: Path) -> None:
    path.write_bytes(gzip.compress(NEW.to_csv(index=False).encode()))


WRITERS: dict[str, Callable[[Path], Any]] = {
    "semicolon.csv": lambda path: NEW.to_csv(path, index=False, sep=";"),
    "comma.csv": lambda path: NEW.to_csv(path, index=False, sep=";", decimal=","),
    "tab.tsv": lambda path: NEW.to_csv(path, index=False, sep="\t"),
    "bom.csv": lambda path: NEW.to_csv(path, index=False, encoding="utf-8-sig"),
    "windows.csv": lambda path: NEW.to_csv(path, index=False, lineterminator="\r\n"),
    "words.csv": lambda path: NEW.to_csv(path, index=False, na_rep="NA"),
    "latin-1.csv": lambda path: NEW.to_csv(path, index=False, encoding="latin-1"),
    "new.csv.gz": gzipped,
    "new.parquet": NEW.to_parquet,
    "new.feather": NEW.to_feather,
    "new.arrow": NEW.to_feather,
    "new.xlsx": lambda path: NEW.to_excel(path, index=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_every_kind(name: str, run: Any, tmp_path: Path) -> None:
    WRITERS[name](tmp_path / name)
    new = pd.read_excel(tmp_path / name) if name == "new.xlsx" else NEW  # it has 16 digits
    options = ["--encoding", "latin-1"] if name == "latin-1.csv" else []
    check(run(MIXED, tmp_path / name, *options), MIXED.transform(new))


def test_a_sheet_by_name_and_by_number(run: Any, tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "new.xlsx") as book:
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="2")
        FULL_NEW.round(3).to_excel(book, sheet_name="Rows", index=False)
        FULL_NEW[:5].to_excel(book, sheet_name="More", index=False)
    expected = NAMED["linear"][0].transform(FULL_NEW.round(3))
    check(run(NAMED["linear"][0], tmp_path / "new.xlsx", "--sheet", "Rows"), expected)
    assert len(run(NAMED["linear"][0], tmp_path / "new.xlsx", "--sheet", "3")) == 5


def test_arrays_of_an_npz(run: Any, tmp_path: Path) -> None:
    X = FULL_NEW.to_numpy()
    np.savez(tmp_path / "new.npz", X=X, y=np.arange(len(X)))
    check(run(UNNAMED["double"], tmp_path / "new.npz"), UNNAMED["double"].transform(X))
    named = rbf().fit(pd.DataFrame(X, columns=["x1", "x2"]))
    frame = pd.DataFrame(X, columns=["x1", "x2"])
    check(run(named, tmp_path / "new.npz"), named.transform(frame))


def test_a_column_with_decimal_commas_next_to_one_with_points(run: Any, tmp_path: Path) -> None:
    text = FULL_NEW.assign(height=[str(x).replace(".", ",") for x in FULL_NEW["height"]])
    text.to_csv(tmp_path / "new.csv", index=False, sep=";")
    check(run(NAMED["linear"][0], tmp_path / "new.csv"), NAMED["linear"][0].transform(FULL_NEW))


@pytest.mark.parametrize("compressed", [False, True])
def test_standard_input(
    compressed: bool, run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = NEW.to_csv(index=False).encode()
    raw = io.BufferedReader(io.BytesIO(gzip.compress(data) if compressed else data))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    check(run(MIXED, "-"), MIXED.transform(NEW))


def test_a_name_in_gz_is_compressed(run: Any, tmp_path: Path) -> None:
    NEW.to_csv(tmp_path / "new.csv", index=False)
    out = str(tmp_path / "scores.csv.gz")
    run(MIXED, tmp_path / "new.csv")
    assert main(["transform", str(tmp_path / "m.npz"), str(tmp_path / "new.csv"), "-o", out]) == 0
    assert gzip.decompress(Path(out).read_bytes()) == (tmp_path / "out.csv").read_bytes()


def test_a_column_that_numbers_rows_and_names_with_blanks(run: Any, tmp_path: Path) -> None:
    new = FULL_NEW.rename(columns={"height": " height"})
    model = rbf().fit(new)
    new.rename(columns={"weight": " weight "}).to_csv(tmp_path / "new.csv")
    check(run(model, tmp_path / "new.csv", "--ignore", ""), model.transform(new))


def test_no_rows_have_no_scores(run: Any, tmp_path: Path) -> None:
    NEW[:0].to_csv(tmp_path / "new.csv", index=False)
    assert run(MIXED, tmp_path / "new.csv").shape == (0, 3)
