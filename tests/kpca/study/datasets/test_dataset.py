"""The artefact: bytes, splits, preparation, digests."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

import kpca
from kpca.command import main
from kpca.study.datasets.dataset import Dataset, load_dataset, preparation, prepared_names, raw_rows
from kpca.study.evidence.described import describe


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
    # The last column is constant in training, and keeps its scale.
    np.testing.assert_allclose(split.X_train[:, 2], 0, atol=1e-15)
    np.testing.assert_allclose(other.X_test[:, 2], 9.9)


def test_labels_targets_and_groups_follow_their_rows() -> None:
    dataset = _dataset(standardize=False)
    split = dataset.split(1)
    np.testing.assert_array_equal(split.y_test, dataset.y[:2])
    for name in ("X", "target", "groups"):
        found, expected = getattr(split, f"{name}_train"), getattr(dataset, name)[2:]
        np.testing.assert_array_equal(found, expected)


def test_the_digest_sees_every_value_the_split_and_what_the_rows_mean() -> None:
    dataset = _dataset()
    others = []
    for field in ("X", "y", "target", "groups"):
        changed = getattr(dataset, field).copy()
        changed[0] += 1
        others.append(_dataset(**{field: changed}))
    square = {"X": np.eye(12), "standardize": False}
    others += [_dataset(**square), _dataset(**square, precomputed=True)]
    digests = [each.split(0).digest for each in (dataset, *others)] + [dataset.split(1).digest]
    assert len({*digests}) == len(digests)
    assert _dataset(name="other").split(0).digest == dataset.split(0).digest


def test_the_description_fits_a_table() -> None:
    words = {"dataset": "toy", "task": "classification", "draws": "random splits"}
    words |= {"held_out": "3 3", "source": "generator toy", "warnings": "a | b"}
    counts = {"rows": 12, "rows_of_file": 12, "train": 8, "test": 4, "test_over_train": 0.35}
    counts |= {"columns": 3, "classes": 2, "replicates": 2, "groups": 6, "smallest_class": 6}
    assert describe(_dataset()) == words | counts
    assert _dataset(y=None).task == "regression"
    assert _dataset(y=None, target=None).task == "none"


def _mixed(*, categories: bool, missing: bool, standardize: bool, log: bool = False) -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    X[:, 1], X[:, 3] = rng.integers(3, size=40), rng.integers(2, size=40)
    X[30:, 3] = 2  # which no training row has
    if missing:
        X[[1, 35], [0, 2]] = X[2, 1] = np.nan
    if log:
        X[:, [0, 2]] = np.exp(X[:, [0, 2]])
    return Dataset(
        log=("a", "b") if log else (),
        name="mine",
        X=X,
        splits=((np.arange(30), np.arange(30, 40)),),
        feature_names=("a", "colour", "b", "day"),
        categories={"day": ["mo", "tu", "we"], "colour": [*"rgb"]} if categories else {},
        fill_missing=missing,
        standardize=standardize,
    )


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("categories", [False, True])
def test_a_split_is_what_the_steps_make(categories: bool, missing: bool, standardize: bool) -> None:
    dataset = _mixed(categories=categories, missing=missing, standardize=standardize)
    rows, split = raw_rows(dataset), dataset.split(0)
    steps = make_pipeline(*preparation(dataset), "passthrough").fit(rows[:30])
    for raw, X in ((rows[:30], split.X_train), (rows[30:], split.X_test)):
        np.testing.assert_allclose(np.asarray(steps.transform(raw)), X, rtol=1e-12, atol=1e-12)
        assert X.flags.c_contiguous
    if standardize and not (categories or missing):  # digests of old entries are of these bytes
        train = dataset.X[:30]
        expected = (train - train.mean(axis=0)) / train.std(axis=0)
        assert split.X_train.tobytes() == expected.tobytes()


def test_logarithms_are_those_of_the_rows_themselves() -> None:
    options = {"categories": True, "missing": False, "standardize": True}
    logs = _mixed(**options, log=True)
    found, plain = (np.sort(rows.split(0).X_test, axis=1) for rows in (logs, _mixed(**options)))
    np.testing.assert_allclose(found, plain, atol=1e-9)
    assert prepared_names(logs, np.arange(30))[:2] == ["a", "b"]


def test_a_model_with_logarithms_is_saved_and_goes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = _mixed(categories=True, missing=True, standardize=True, log=True)
    rows = raw_rows(dataset)
    model = make_pipeline(*preparation(dataset), kpca.KernelPCA()).fit(rows)
    kpca.save(model, tmp_path / "m.npz")
    rows.dropna().to_csv(tmp_path / "new.csv", index=False)
    files = [str(tmp_path / name) for name in ("m.npz", "new.csv")]
    np.testing.assert_array_equal(kpca.load(files[0]).transform(rows), model.transform(rows))
    assert main(["denoise", *files, "-o", str(tmp_path / "out.csv")]) == 0
    found = pd.read_csv(tmp_path / "out.csv")[["a", "b"]]
    np.testing.assert_allclose(found, rows.dropna()[["a", "b"]])
    rows.dropna().assign(b=-1.0).to_csv(tmp_path / "new.csv", index=False)
    assert main(["transform", *files]) == 1
    said = capsys.readouterr().err
    assert "line 2, column 'b': '-1.0' is not positive, and the model takes its logarithm" in said
    rows.dropna().assign(b=np.inf).to_csv(tmp_path / "new.csv", index=False)
    assert main(["transform", *files]) == 1
    assert "column 'b': 'inf' is not a finite number" in capsys.readouterr().err


def test_unknown_categories_are_zero_and_missing_ones_are_one_of_their_own() -> None:
    split = _mixed(categories=True, missing=False, standardize=False).split(0)
    # a, b, then three colours, then the two days of the training rows
    assert split.X_train.shape[1] == 7
    np.testing.assert_array_equal(split.X_train[:, 5:].sum(axis=1), np.ones(30))
    np.testing.assert_array_equal(split.X_test[:, 5:], np.zeros((10, 2)))
    split = _mixed(categories=True, missing=True, standardize=False).split(0)
    np.testing.assert_array_equal(np.flatnonzero(split.X_train[:, 5]), [2])
