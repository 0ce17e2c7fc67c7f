"""From specs to datasets: replicates, independence, dispatch."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.datasets.published import CLASS_SIZES, read_builtin
from pipeline.errors import InputError

RINGS = {"generator": "rings", "n_train": 20, "n_test": 30, "noise": 0.1}
SPECS = {
    "rings": RINGS,
    "swiss": {"generator": "swiss_roll", "n_train": 20, "n_test": 30, "standardize": True},
    "iris": {"sklearn": "iris", "max_rows": 60},
}


def _digests(dataset: Dataset) -> list[str]:
    return [dataset.split(replicate).digest for replicate in range(dataset.replicates)]


@pytest.mark.parametrize("name", SPECS)
def test_another_replicate_leaves_the_earlier_ones(name: str) -> None:
    three = _digests(make_dataset(name, SPECS[name], seed=1, replicates=3))
    five = _digests(make_dataset(name, SPECS[name], seed=1, replicates=5))

    assert five[:3] == three
    assert len(set(five)) == 5


@pytest.mark.parametrize("name", SPECS)
def test_the_seed_changes_everything_and_the_name_what_is_drawn(name: str) -> None:
    spec = SPECS[name]
    here = _digests(make_dataset(name, spec, seed=1, replicates=2))

    assert not {*here} & {*_digests(make_dataset(name, spec, seed=2, replicates=2))}
    renamed = _digests(make_dataset(f"{name}2", spec, seed=1, replicates=2))
    assert (renamed == here) == ("generator" not in spec)


def test_more_test_rows_leave_the_training_rows() -> None:
    short = make_dataset("rings", RINGS, seed=1, replicates=2).split(1)
    long = make_dataset("rings", {**RINGS, "n_test": 99}, seed=1, replicates=2).split(1)

    np.testing.assert_array_equal(short.X_train, long.X_train)


def test_synthetic_replicates_are_independent_blocks() -> None:
    dataset = make_dataset("rings", RINGS, seed=1, replicates=3)

    assert dataset.independent
    assert dataset.X.shape == (150, 2)
    rows = np.concatenate([index for pair in dataset.splits for index in pair])
    np.testing.assert_array_equal(rows, np.arange(150))
    assert [len(index) for index in dataset.splits[0]] == [20, 30]


@pytest.mark.parametrize("precomputed", [False, True])
def test_a_split_that_trains_on_equal_rows_is_refused(precomputed: bool, tmp_path: Path) -> None:
    x = np.zeros((40, 1))
    x[20] = 1
    path = tmp_path / "my.npz"
    np.savez(path, **({"K": x @ x.T} if precomputed else {"X": x}))
    spec = {"path": path, "kernel_matrix": precomputed}

    with pytest.raises(InputError, match="trains on 28 rows that are all the same") as caught:
        make_dataset("mine", spec, seed=1, replicates=6)

    assert "dataset 'mine'" in str(caught.value)


@pytest.mark.parametrize("name", CLASS_SIZES)
def test_sizes_of_scikit_learn_s_data_are_as_noted(name: str) -> None:
    rows = read_builtin(name, {"sklearn": name})

    assert tuple(np.bincount(rows.y)) == CLASS_SIZES[name]
    assert len(rows.feature_names) == rows.X.shape[1]
    assert len(rows.class_names) == len(CLASS_SIZES[name])
    assert rows.image_shape == ((8, 8) if name == "digits" else None)


def test_test_share_is_followed_in_each_class() -> None:
    spec = {"sklearn": "iris", "test_share": 0.4}
    dataset = make_dataset("iris", spec, seed=1, replicates=2)

    for replicate in range(2):
        np.testing.assert_array_equal(np.bincount(dataset.split(replicate).y_test), [20, 20, 20])


def test_a_parameter_of_another_generator_is_refused() -> None:
    message = "dataset 'mine'(.|\n)*'rings' has no parameter 'noize'; did you mean 'noise'"
    with pytest.raises(InputError, match=message):
        make_dataset("mine", {**RINGS, "noize": 1}, seed=0, replicates=1)
