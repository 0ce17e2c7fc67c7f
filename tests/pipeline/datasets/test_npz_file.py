"""NPZ files and kernel matrices."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal

ROW = np.arange(24)
X = np.column_stack([ROW, ROW**2])
K = np.exp(-(((ROW[:, None] - ROW) / 8) ** 2))


def test_every_array_is_read(folder: Path) -> None:
    np.savez("my.npz", X=X.astype(np.float32), species=ROW % 2 == 0, group=ROW // 2, target=ROW / 2)
    spec = {"path": "my.npz", "target": "target", "id": "species"}
    dataset = make_dataset("mine", spec, seed=0, replicates=2)

    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.X.dtype == np.float64
    np.testing.assert_array_equal(dataset.ids, np.where(ROW % 2 == 0, "True", "False"))
    np.testing.assert_array_equal(dataset.groups, ROW // 2)
    np.testing.assert_array_equal(dataset.target, ROW / 2)


@pytest.mark.parametrize(
    ("spec", "task"), [({"label": "y"}, "classification"), ({"target": "target"}, "regression")]
)
def test_of_labels_and_a_target_one_has_to_be_named(
    refusal: Refusal, spec: dict[str, str], task: str
) -> None:
    np.savez("my.npz", X=X, y=ROW % 2, target=ROW / 2)
    message = refusal(path="my.npz")

    assert "say which: `label: y` or `target: target`" in message
    assert make_dataset("mine", {"path": "my.npz"} | spec, seed=0, replicates=1).task == task


@pytest.mark.parametrize("kind", ["U", "S", "i", "f"])
def test_labels_of_every_kind_are_read_where_they_are_named(folder: Path, kind: str) -> None:
    np.savez("my.npz", X=X, species=(ROW % 2).astype(kind))

    dataset = make_dataset("mine", {"path": "my.npz", "label": "species"}, seed=0, replicates=1)
    assert dataset.class_names == ("0", "1")


def test_a_kernel_matrix_is_cut_by_splits_and_subsample(folder: Path) -> None:
    np.savez("k.npz", K=K, y=ROW % 2)
    spec = {"path": "k.npz", "kernel_matrix": True, "max_rows": 20}
    dataset = make_dataset("mine", spec, seed=0, replicates=2)
    split = dataset.split(0)

    assert dataset.precomputed
    assert dataset.X.shape == (20, 20)
    assert split.X_train.shape == (14, 14)
    assert split.X_test.shape == (6, 14)
    np.testing.assert_array_equal(split.X_train, split.X_train.T)
    assert np.isin(split.X_test, K).all()


def _bumped(amount: float, dtype: type) -> Any:
    rough = K.astype(dtype)
    rough[3, 5] += amount
    return rough


def test_a_kernel_matrix_that_is_not_called_one_is_recognised(refusal: Refusal) -> None:
    np.savez("k.npz", K=K)

    assert "no array 'X'; if 'K' is a kernel matrix, add" in refusal(path="k.npz")


@pytest.mark.parametrize(("amount", "dtype"), [(1e-10, np.float64), (1e-6, np.float32)])
def test_rounding_in_a_matrix_is_averaged_away(folder: Path, amount: float, dtype: type) -> None:
    rough = _bumped(amount, dtype)
    np.savez("k.npz", K=rough)
    dataset = make_dataset("k", {"path": "k.npz", "kernel_matrix": True}, seed=0, replicates=1)

    exact = rough.astype(np.float64)
    np.testing.assert_array_equal(dataset.X, (exact + exact.T) / 2)


@pytest.mark.parametrize(
    ("arrays", "expected"),
    [
        ({"K": K[:, :9]}, "the kernel matrix has shape (24, 9) and must be square"),
        ({"K": _bumped(1e-6, np.float64)}, "is not symmetric: K[3, 5] = 0.939414"),
        ({"K": _bumped(1e-2, np.float32)}, "average it with its transpose if only rounding"),
        ({"K": _bumped(np.nan, np.float64)}, "row 4, column 'x6' (missing)"),
        ({"K": np.full((12, 12), 0.3)}, "kernel matrix says that all 12 rows are one point"),
        ({"K": K, "y": ROW[:9]}, "array 'K' has 24 rows, but 'y' has shape (9,)"),
        ({"x": X}, "there is no array 'X'; did you mean 'x'?"),
        ({"X": X, "y": ROW[:5], "group": ROW[:7]}, "'y' has shape (5,), 'group' has shape (7,)"),
        ({"X": X, "y": X}, "array 'X' has 24 rows, but 'y' has shape (24, 2)"),
        ({"X": X.astype(str)}, "array 'X' holds <U21 and not numbers"),
        ({"X": ROW}, "array 'X' has shape (24,); reshape it to (rows, columns)"),
        ({"X": np.float64(3), "y": ROW}, "array 'X' has shape ()"),
        ({"X": X, "target": ROW.astype(str)}, "a target must be numeric"),
        ({"X": X, "y": np.where(ROW == 4, np.nan, ROW % 2)}, "column 'y' is empty in row 5"),
        ({"X": X, "y": np.array([*"ab"] * 12, dtype=object)}, "array 'y' holds Python objects"),
        ({"X": np.where(X == 4, np.inf, X)}, "row 3, column 'x2' (infinite)"),
    ],
)
def test_bad_arrays_are_refused(refusal: Refusal, arrays: dict[str, Any], expected: str) -> None:
    np.savez("my.npz", **arrays)

    assert expected in refusal(path="my.npz", kernel_matrix="K" in arrays)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"kernel_matrix": True}, "there is no array 'K'; there are 'X'"),
        ({"features": ["a"]}, "`features` names columns, which an NPZ does not have"),
        ({"categorical": ["a"]}, "`categorical` names columns, which an NPZ does not have"),
        ({"id": "names"}, "no array 'names', which `id` names; there are 'X'"),
        ({"label": "species"}, "no array 'species', which `label` names; there are 'X'"),
    ],
)
def test_a_spec_that_does_not_fit_is_refused(refusal: Refusal, spec: dict, expected: str) -> None:
    np.savez("my.npz", X=X)

    assert expected in refusal(path="my.npz", **spec)


def test_an_array_without_a_name_is_refused(refusal: Refusal) -> None:
    with Path("my.npz").open("wb") as stream:
        np.save(stream, X)

    assert "holds one unnamed array; write it with numpy.savez" in refusal(path="my.npz")
