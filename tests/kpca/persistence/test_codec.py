"""Values one by one: as they were, or refused by a message on one line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA, from_arrays, load, to_arrays
from kpca.persistence.archive import write
from kpca.persistence.codec import Reader, Writer

X = np.random.default_rng(0).normal(size=(30, 4))


def again(value: Any) -> Any:
    writer = Writer()
    written = json.loads(json.dumps(writer.value(value, "value")))
    return Reader(writer.arrays).value(written)


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1, None, "a"], [2.5, "", True]], dtype=object),
        np.array(["a", "b\x00"], dtype=object),
        np.array([["a", "bc"]], dtype=object),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(12).reshape(3, 4)[:, ::2],
        np.array(2.5, dtype=np.float32),
    ],
)
def test_arrays_keep_their_shape_kind_and_order(value: np.ndarray) -> None:
    read = again(value)
    assert (read.shape, read.dtype) == (value.shape, value.dtype)
    np.testing.assert_array_equal(read, value)
    assert read.flags.f_contiguous == value.flags.f_contiguous or not value.flags.forc


@pytest.mark.parametrize(
    "value", [(1, "a", (None,)), {"a": [1, {"b": (2,)}]}, slice(1, None, 2), np.float32(0.1)]
)
def test_values_keep_their_type(value: Any) -> None:
    assert again(value) == value
    assert type(again(value)) is type(value)


def test_a_sparse_matrix_keeps_its_empty_columns_and_is_looked_through() -> None:
    points = sparse.csr_matrix(np.c_[X * (X > 0), np.zeros(30)])
    model = KernelPCA(2, kernel="rbf").fit(points)
    arrays = to_arrays(model)
    assert from_arrays(arrays).X_fit_.shape == (30, 5)
    indices = next(k for k, v in arrays.items() if k.startswith("X_fit_") and v.dtype == np.int32)
    arrays[indices] = np.full_like(arrays[indices], 99)
    with pytest.raises(ValueError, match=r"indices must be < 5\. Save the model again"):
        from_arrays(arrays)


def test_a_message_with_names_of_the_file_is_on_one_line(tmp_path: Path) -> None:
    arrays = to_arrays(KernelPCA(2).fit(X))
    text = str(arrays["description"]).replace('["kernel_means_"', '["a\\nb\\u001bé"')
    write(tmp_path / "m", {**arrays, "description": np.array(text)})
    with pytest.raises(ValueError, match="lacks") as error:
        load(tmp_path / "m")
    assert str(error.value) == f"{tmp_path}/m: The model lacks a\\nb\\x1bé. Save the model again."
