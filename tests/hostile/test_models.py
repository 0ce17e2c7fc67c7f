"""A damaged model, or rows that are: the documented error, and of the command one line and 1."""

import gzip
import io
import json
import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kpca import KernelPCA, load, save, to_arrays
from kpca.command import main
from kpca.command.tables import LONGEST_LINE
from kpca.persistence import read_notes
from tests.hostile import NAMES, as_many, damaged
from tests.kpca.command.models import FULL, FULL_NEW

WORDS = (
    *(b"nan", b"inf", b"\0", b"\xff", b'"', b",", b"\n", b"1e999", b"|O", b"<U9", b"PK\x01\x02"),
    *(b"(9999999999, 2)", b'{"class": "os.system"}', b"KernelPCA", b"[" * 3000, b"-1", b"null"),
)
NOTES = {"dataset": "my", "id": "patient"}
MODELS = {
    "bare": KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(FULL),
    "pipeline": make_pipeline(StandardScaler(), KernelPCA(2, kernel="poly")).fit(FULL),
    "landmarks": KernelPCA(2, kernel="rbf", eigen_solver="nystrom", n_landmarks=9).fit(FULL),
}
ROWS = FULL_NEW[:20].to_csv(index=False).encode()


def content(model: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **to_arrays(model, NOTES))
    return file.getvalue()


def error_of(read: Callable[[Path], Any], path: Path) -> str | None:
    """Return the one error that is documented, None where the file was read."""
    try:
        with warnings.catch_warnings(action="error"):
            read(path)
    except ValueError as error:
        said = str(error)
    else:
        return None
    assert re.fullmatch(f"{re.escape(str(path))}: .*[^.]. Save the model again.", said)
    return said


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> bool:
    """Run the command, which must work, or end with 1 after one line beside warnings."""
    code = main(arguments)
    said = [line for line in capsys.readouterr().err.splitlines() if "kpca: warning:" not in line]
    if code == 0:
        return False
    assert code == 1
    assert len(said) == 1
    assert said[0].startswith("kpca: ")
    return True


@pytest.mark.parametrize("kind", MODELS)
def test_bytes_of_a_model(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, whole = tmp_path / "m", content(MODELS[kind])
    (tmp_path / "new.csv").write_bytes(ROWS)

    @as_many(6)
    @given(data=damaged(whole, WORDS))
    def each(data: bytes) -> None:
        path.write_bytes(data)
        said = error_of(load, path)
        error_of(read_notes, path)
        for action in (["info", str(path)], ["transform", str(path), str(tmp_path / "new.csv")]):
            assert said is None or refused(action, capsys)

    each()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(NAMES),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inside),
    max_leaves=8,
)


@pytest.mark.parametrize("kind", MODELS)
def test_the_description_of_a_model(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anything may stand in the place of anything else, in a file that is whole."""
    path, arrays = tmp_path / "m", to_arrays(MODELS[kind], NOTES)
    description = json.loads(str(arrays["description"]))

    @st.composite
    def altered(draw: st.DrawFn) -> dict[str, Any]:
        whole = json.loads(json.dumps(description))
        inside, key = whole, draw(st.sampled_from(sorted(whole)))
        while isinstance(inside[key], dict | list) and inside[key] and draw(st.booleans()):
            inside = inside[key]
            keys = sorted(inside) if isinstance(inside, dict) else [*range(len(inside))]
            key = draw(st.sampled_from(keys))
        inside[key] = draw(JSON)
        return whole

    @as_many(6)
    @given(changed=altered())
    def each(changed: dict[str, Any]) -> None:
        with path.open("wb") as file:
            np.savez(file, **{**arrays, "description": np.array(json.dumps(changed))})
        said = error_of(load, path)
        assert refused(["info", str(path)], capsys) or said is None
        error_of(read_notes, path)

    each()


@pytest.mark.parametrize("notes", [{"id": 3}, ["id"], {"id": {"a": "b"}}, "id", {"id": None}])
def test_notes_that_are_no_texts(
    notes: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = to_arrays(MODELS["bare"])
    description = json.loads(str(arrays["description"])) | {"notes": notes}
    np.savez(tmp_path / "m.npz", **{**arrays, "description": np.array(json.dumps(description))})

    assert "Notes must be texts by names" in str(error_of(read_notes, tmp_path / "m.npz"))
    assert refused(["info", str(tmp_path / "m.npz")], capsys)


@pytest.mark.parametrize("note", NAMES)
def test_notes_of_any_text_are_kept(
    note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(MODELS["bare"], tmp_path / "m", notes={note: note, "id": note})

    assert read_notes(tmp_path / "m") == {note: note, "id": note}
    assert main(["info", str(tmp_path / "m")]) == 0
    assert capsys.readouterr().out.replace("\n", "").isprintable()


@pytest.mark.parametrize("name", ["new.csv", "new.csv.gz"])
def test_bytes_of_rows(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(MODELS["pipeline"], tmp_path / "m")
    whole = ROWS if name == "new.csv" else gzip.compress(ROWS, mtime=0)

    @as_many(6)
    @given(data=damaged(whole, WORDS), action=st.sampled_from(["transform", "novelty"]))
    def each(data: bytes, action: str) -> None:
        (tmp_path / name).write_bytes(data)
        out = tmp_path / "out.csv"
        if refused([action, str(tmp_path / "m"), str(tmp_path / name), "-o", str(out)], capsys):
            assert not out.exists()
        out.unlink(missing_ok=True)

    each()


def test_a_pipe_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in (tmp_path / "pipe", Path("/dev/zero")):
        assert "a pipe or a device" in str(error_of(load, path))
        assert refused(["info", str(path)], capsys)


def test_a_line_without_an_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(MODELS["pipeline"], tmp_path / "m")
    packed = gzip.compress(b"a," * 2**19) * (LONGEST_LINE >> 19)
    (tmp_path / "new.csv.gz").write_bytes(packed)

    assert main(["transform", str(tmp_path / "m"), str(tmp_path / "new.csv.gz")]) == 1
    assert f"a line of more than {LONGEST_LINE} characters" in capsys.readouterr().err
