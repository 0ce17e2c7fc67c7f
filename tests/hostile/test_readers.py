"""A file of one's own that is damaged, or made to do harm, is read or refused with a remedy."""

import gzip
import io
import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib import format as npy

from pipeline.datasets.make import check_own_file
from tests.hostile import NAMES, as_many, damaged, survived

ROW = np.arange(30)
FRAME = pd.DataFrame(
    {"age": ROW % 7 + 0.5, "dose": ROW**2 / 4, "kind": np.where(ROW % 2, "a", "b"), "who": ROW // 2}
)
K = np.exp(-((ROW[:, None] - ROW) ** 2 / 50))
WORDS = (
    *(b'"', b",", b";", b"\t", b"\r", b"\n\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"nan", b"1e999"),
    *(
        b"-inf",
        b"1_0",
        b"'",
        b"=1+1",
        b"1,5",
        b"\xe2\x80\xae",
        b"\x1b[31m",
        b"," * 3000,
        b"9" * 400,
    ),
    *(b"\xff\xff\xff\x7f", b"\xff" * 8, b"PK\x05\x06", b"PK\x01\x02", b"PAR1", b"ARROW1"),
    *(b"'|O'", b"'<U9'", b"(9999999999, 2)", b"<!DOCTYPE x>", b'r="XFD1048576"', b"</row>", b"&x;"),
)


def text(kind: str) -> bytes:
    return FRAME.to_csv(index=False, sep="\t" if kind == "tsv" else ",").encode()


def saved(save: Callable[[Any], Any]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "my.csv": text("csv"),
    "my.tsv": text("tsv"),
    "my.csv.gz": gzip.compress(text("csv"), mtime=0),
    "my.xlsx": saved(partial(FRAME.to_excel, index=False)),
    "my.parquet": saved(FRAME.to_parquet),
    "my.feather": saved(FRAME.to_feather),
    "my.npz": saved(
        lambda file: np.savez(file, X=FRAME[["age", "dose"]], kind=ROW % 2, who=FRAME["who"])
    ),
    "packed.npz": saved(lambda file: np.savez_compressed(file, X=FRAME[["age"]], kind=ROW % 2)),
    "k.npz": saved(lambda file: np.savez(file, K=K, kind=ROW % 2, who=FRAME["who"])),
}
SLOW = {"my.xlsx": 10}


def check(path: Path, **spec: Any) -> None:
    """Look at a file as a run does before any job."""
    kernel = {"kernel_matrix": True} if path.name == "k.npz" else {}
    check_own_file("mine", {"path": str(path), **kernel, **spec}, seed=0, replicates=2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert {path.name for path in tmp_path.rglob("*")} <= {*FILES}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_damaged_bytes(name: str, folder: Path) -> None:
    whole = FILES[name]
    (folder / name).write_bytes(whole)
    assert survived(partial(check, folder / name, label="kind")) is None

    @as_many(2 * SLOW.get(name, 1))
    @given(data=damaged(whole, WORDS), labelled=st.booleans())
    def each(data: bytes, labelled: bool) -> None:
        (folder / name).write_bytes(data)
        survived(partial(check, folder / name, **({"label": "kind"} if labelled else {})))

    each()


@pytest.mark.filterwarnings("ignore")
def test_damage_below_the_packing(folder: Path) -> None:
    """Of an Excel file and a compressed one, with sums of checks that are right again."""
    with zipfile.ZipFile(io.BytesIO(FILES["my.xlsx"])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    inside = st.sampled_from(sorted(members)).flatmap(
        lambda name: st.tuples(st.just(name), damaged(members[name], WORDS))
    )

    @as_many(30)
    @given(sheet=inside, plain=damaged(FILES["my.csv"], WORDS))
    def each(sheet: tuple[str, bytes], plain: bytes) -> None:
        with zipfile.ZipFile(folder / "my.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in (members | dict([sheet])).items():
                archive.writestr(name, content)
        (folder / "my.csv.gz").write_bytes(gzip.compress(plain))
        for name in ("my.xlsx", "my.csv.gz"):
            survived(partial(check, folder / name, label="kind"))

    each()


COLUMNS = st.sampled_from((*FRAME, *NAMES)) | st.text(max_size=8)
SPECS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("label", "group", "target", "id"), COLUMNS | st.integers()),
        **dict.fromkeys(("features", "drop", "categorical"), st.lists(COLUMNS, max_size=3)),
        "missing": st.sampled_from(["drop", "median"]),
        "max_rows": st.integers(10, 40),
    },
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "my.npz"])
def test_names_of_columns_and_classes(name: str, folder: Path) -> None:
    """Names of the file are as odd as those that are asked for, and often the same."""

    @as_many(5)
    @given(
        columns=st.lists(COLUMNS, min_size=4, max_size=4, unique=True),
        classes=st.lists(COLUMNS, min_size=2, max_size=2, unique=True),
        spec=SPECS,
        as_label=st.booleans(),
    )
    def each(columns: list[str], classes: list[str], spec: dict[str, Any], as_label: bool) -> None:
        kind = np.array(classes, dtype=object)[ROW % 2]
        frame = FRAME.assign(kind=kind).set_axis(columns, axis=1)
        if name == "my.csv":
            frame.to_csv(folder / name, index=False, encoding="utf-8", errors="surrogatepass")
        elif name == "my.parquet":
            try:
                frame.to_parquet(folder / name)
            except (UnicodeEncodeError, ValueError):
                return
        else:
            np.savez(folder / name, X=FRAME[["age", "dose"]], y=kind.astype(str))
        if as_label:
            spec = spec | {"label": "y" if name == "my.npz" else columns[2]}
            spec.pop("target", None)
        survived(partial(check, folder / name, **spec))

    each()


class Harm:
    """What a pickle runs when it is loaded."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("harm",)


def test_pickles_are_never_loaded(folder: Path) -> None:
    harmful = np.array([Harm()] * 30, dtype=object)
    np.savez(folder / "my.npz", X=FRAME[["age", "dose"]], y=harmful, more=harmful)
    assert "pickles are never loaded" in str(survived(partial(check, folder / "my.npz")))
    for name in ("my.npz", "my.csv", "my.parquet", "my.feather", "my.xlsx"):
        (folder / name).write_bytes(pickle.dumps(Harm()))
        assert survived(partial(check, folder / name))


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    def said(of: str) -> str:
        return str(survived(partial(check, tmp_path / of / name)))

    for kind in ("folder", "pipe", "zero", "lost", "round"):
        (tmp_path / kind).mkdir()
    (tmp_path / "folder" / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / name)
    (tmp_path / "zero" / name).symlink_to("/dev/zero")
    (tmp_path / "lost" / name).symlink_to("nowhere")
    (tmp_path / "round" / name).symlink_to(name)

    assert "is a folder; give the path of a file" in said("folder")
    assert "is a pipe or a device" in said("pipe")
    assert "is a pipe or a device" in said("zero")
    assert "is a link to `nowhere`, which is not there" in said("lost")
    assert "symbolic links" in said("round")


def lies(shape: tuple[int, ...]) -> bytes:
    """An NPZ whose X promises more than it holds."""
    member = io.BytesIO()
    npy.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return saved(lambda file: zipped(file, "X.npy", member.getvalue() + bytes(80)))


def zipped(file: Any, name: str, content: bytes) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)


def corner(cell: str) -> bytes:
    """A sheet with one cell in its last corner."""
    frame = pd.DataFrame({"a": [1.5], "b": [2.5]})
    whole = saved(partial(frame.to_excel, index=False))
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if "sheet1" in name:
                row = "".join(filter(str.isdigit, cell))
                end = f'<row r="{row}"><c r="{cell}"><v>1</v></c></row></sheetData>'
                content = content.replace(b"</sheetData>", end.encode())
            new.writestr(name, content)
    return file.getvalue()


def repeated(rows: int) -> bytes:
    """One number, said to stand in so many rows."""
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({f"x{c}": pa.array(np.ones(rows, dtype=np.int8)) for c in range(20)})
    return saved(partial(parquet.write_table, table, compression="zstd"))


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gz": ("my.csv.gz", lambda: gzip.compress(b"a,b\n" + b"1,2\n" * 250_000) * 8),
    "one line": ("my.csv.gz", lambda: gzip.compress(b"a," * 500_000) * 8),
    "zip": ("my.npz", lambda: saved(lambda f: zipped(f, "X.npy", bytes(60_000_000)))),
    "xlsx": ("my.xlsx", lambda: saved(lambda f: zipped(f, "xl/workbook.xml", bytes(60_000_000)))),
    "promise": ("my.npz", lambda: lies((10**12, 3))),
    "corner": ("my.xlsx", lambda: corner("XFD4000")),
    "repeated": ("my.parquet", lambda: repeated(3_000_000)),
}
MOST_KILOBYTES = 1_000_000


LOOK = """\
import resource, sys
from pathlib import Path
from tests.hostile import survived
from tests.hostile.test_readers import check

for path in map(Path, sys.argv[1:]):
    print(ascii(survived(lambda: check(path))))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_small_files_take_no_large_memory(tmp_path: Path) -> None:
    paths = [tmp_path / kind / name for kind, (name, _) in BOMBS.items()]
    for path, (_, make) in zip(paths, BOMBS.values(), strict=True):
        path.parent.mkdir()
        path.write_bytes(make())
        assert path.stat().st_size < 250_000
    run = [sys.executable, "-c", LOOK, *map(str, paths)]
    said = subprocess.check_output(run, text=True, timeout=300).splitlines()

    for kind, refusal, kilobytes in zip(BOMBS, said[::2], said[1::2], strict=True):
        print(kind, kilobytes)
        assert "become more than" in refusal or kind == "promise", refusal
        assert "problem" in refusal
        assert int(kilobytes) < MOST_KILOBYTES
