"""The artefact: bytes, splits, standardisation, digests."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset, describe, load_dataset


def _dataset(**changes: object) -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(loc=5, scale=3, size=(12, 3))
    X[:, 2] = 0.1
    fields: dict[str, object] = {
        "name": "toy",
        "X": X,
        "y": np.arange(12) % 2,
        "target": rng.normal(size=12),
        "groups": np.arange(12) // 2,
        "ids": np.array([*"abcdefghijkl"]),
        "splits": ((np.arange(8), np.arange(8, 12)), (np.arange(2, 12), np.arange(2))),
        "feature_names": ("a", "b", "c"),
        "class_names": ("no", "yes"),
        "standardize": True,
        "image_shape": (1, 3),
        "source": "generator toy",
        "warnings": ("a", "b"),
    }
    return Dataset(**{**fields, **changes})


@pytest.mark.parametrize("absent", [(), ("y", "target", "groups", "ids", "image_shape")])
def test_what_was_saved_is_loaded_and_saved_alike(tmp_path: Path, absent: tuple[str, ...]) -> None:
    dataset, path = _dataset(**dict.fromkeys(absent)), tmp_path / "deep" / "toy.npz"
    dataset.save(path)
    loaded = load_dataset(path)
    loaded.save(tmp_path / "again.npz")

    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    for name, value in vars(dataset).items():
        assert type(vars(loaded)[name]) is type(value)
        np.testing.assert_equal(vars(loaded)[name], value)


def test_standardisation_uses_training_rows_only() -> None:
    dataset = _dataset()
    changed = dataset.X.copy()
    changed[8:] *= 100
    split, other = dataset.split(0), _dataset(X=changed).split(0)

    np.testing.assert_array_equal(split.X_train, other.X_train)
    np.testing.assert_allclose(split.X_train[:, :2].mean(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose(split.X_train[:, :2].std(axis=0), 1)
    train = dataset.X[:8, :2]
    expected = (dataset.X[8:, :2] - train.mean(axis=0)) / train.std(axis=0)
    np.testing.assert_allclose(split.X_test[:, :2], expected)


def test_a_constant_column_keeps_its_scale() -> None:
    X = _dataset().X.copy()
    X[11, 2] = 2.1  # a test row: constant in training only
    split = _dataset(X=X).split(0)

    np.testing.assert_allclose(split.X_train[:, 2], 0, atol=1e-15)
    np.testing.assert_allclose(split.X_test[3, 2], 2.0)


def test_labels_targets_and_groups_follow_their_rows() -> None:
    dataset = _dataset(standardize=False)
    split = dataset.split(1)

    np.testing.assert_array_equal(split.X_train, dataset.X[2:])
    np.testing.assert_array_equal(split.y_test, dataset.y[:2])
    np.testing.assert_array_equal(split.target_train, dataset.target[2:])
    np.testing.assert_array_equal(split.groups_train, dataset.groups[2:])


def test_a_kernel_matrix_is_cut_in_both_directions() -> None:
    K = np.arange(144.0).reshape(12, 12)
    split = _dataset(X=K, precomputed=True, standardize=False).split(0)

    np.testing.assert_array_equal(split.X_train, K[:8, :8])
    np.testing.assert_array_equal(split.X_test, K[8:, :8])
    assert split.precomputed


@pytest.mark.parametrize("field", ["X", "y", "target", "groups"])
def test_the_digest_sees_every_value(field: str) -> None:
    dataset = _dataset()
    array = getattr(dataset, field).copy()
    array[0] += 1

    assert _dataset(**{field: array}).split(0).digest != dataset.split(0).digest
    assert _dataset(name="other").split(0).digest == dataset.split(0).digest


def test_the_digest_sees_the_split_and_what_the_rows_mean() -> None:
    square = _dataset(X=np.eye(12), standardize=False)

    assert square.split(0).digest != square.split(1).digest
    kernel = _dataset(X=np.eye(12), standardize=False, precomputed=True)
    assert kernel.split(0).digest != square.split(0).digest


@pytest.mark.parametrize(
    ("absent", "task"), [((), "classification"), (("y",), "regression"), (("y", "target"), "none")]
)
def test_the_task_follows_from_what_is_known(absent: tuple[str, ...], task: str) -> None:
    assert _dataset(**dict.fromkeys(absent)).task == task


@pytest.mark.parametrize("replicate", [-1, 2])
def test_an_unknown_replicate_is_named(replicate: int) -> None:
    with pytest.raises(IndexError, match=f"'toy' has replicates 0 to 1, not {replicate}"):
        _dataset().split(replicate)


def test_the_description_fits_a_table() -> None:
    words = {"dataset": "toy", "task": "classification"}
    words |= {"draws": "random splits", "held_out": "3 3"}
    words |= {"source": "generator toy", "warnings": "a | b"}
    counts = {
        "rows": 12,
        "rows_of_file": 12,
        "train": 8,
        "test": 4,
        "columns": 3,
        "classes": 2,
        "replicates": 2,
        "test_over_train": 0.35,
        "groups": 6,
        "smallest_class": 6,
    }
    assert describe(_dataset()) == words | counts
