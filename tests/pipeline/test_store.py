"""A store keeps what is valid, computes the rest, and shows no trace of how it came about."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pipeline.store import Arrays, key_of, read_store, update_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep/store.npz"


def entry(name: str) -> Arrays:
    return {"b": np.arange(3) + len(name), "a": np.array(name)}


def test_what_is_stored_comes_back(path: Path) -> None:
    assert update_store(path, {"x/0": "1", "x/1": "1"}, entry) == (2, 0)

    stored = read_store(path)

    assert set(stored) == {"x/0", "x/1"}
    np.testing.assert_array_equal(stored["x/0"]["b"], [3, 4, 5])
    assert str(stored["x/1"]["a"]) == "x/1"


@pytest.mark.parametrize(
    ("wanted", "computed"),
    [({"x": "1", "y": "1"}, set()), ({"x": "1", "y": "2"}, {"y"}), ({"y": "1"}, set())],
    ids=["valid", "another key", "one less"],
)
def test_only_what_is_new_is_computed_and_what_is_not_wanted_dropped(
    path: Path, wanted: dict[str, str], computed: set[str]
) -> None:
    update_store(path, {"x": "1", "y": "1"}, entry)

    counts = update_store(path, wanted, lambda name: {"a": np.array(f"new {name}")})

    assert counts == (len(computed), len(wanted) - len(computed))
    found = {name: str(arrays["a"]) for name, arrays in read_store(path).items()}
    assert found == {name: f"new {name}" if name in computed else name for name in wanted}


def test_the_bytes_do_not_tell_the_way(path: Path, tmp_path: Path) -> None:
    direct = tmp_path / "direct.npz"
    update_store(direct, {"x": "1", "y": "1", "z": "1"}, entry)

    update_store(path, {"z": "1", "w": "1"}, entry)
    update_store(path, {"z": "1", "y": "0", "x": "1"}, entry)
    update_store(path, {"z": "1", "y": "1", "x": "1"}, entry)

    assert path.read_bytes() == direct.read_bytes()


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"not a store"),
        lambda path: path.write_bytes(path.read_bytes()[:100]),
        lambda path: path.write_bytes(path.read_bytes()[:-30]),
        lambda path: np.savez(path, other=np.arange(3)),
        lambda path: path.unlink(),
        flip_a_bit,
    ],
    ids=["empty", "text", "beginning", "most", "foreign", "missing", "a bit"],
)
def test_what_cannot_be_read_counts_as_empty(path: Path, spoil: Callable[[Path], None]) -> None:
    update_store(path, {"x": "1"}, lambda _: {"a": np.zeros(5000)})
    spoil(path)

    assert update_store(path, {"x": "1"}, entry) == (1, 0)
    assert set(read_store(path)) == {"x"}


def test_a_failure_leaves_the_store_as_it_was(path: Path) -> None:
    update_store(path, {"x": "1"}, entry)
    before = path.read_bytes()

    with pytest.raises(ZeroDivisionError):
        update_store(path, {"x": "1", "y": "1"}, lambda _: {"a": np.array(1 / 0)})

    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("other", [("a", 1), ("a", 1.5), ("b", 2), ("a", 2, None)])
def test_keys_differ_where_anything_does(other: tuple[object, ...]) -> None:
    assert key_of("a", 2) != key_of(*other)


def test_a_key_cannot_hold_what_compares_to_nothing() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        key_of(float("nan"))
