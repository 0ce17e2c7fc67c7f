"""The artefact: bytes, splits, preparation, digests."""

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kpca
from kpca.command import main
from kpca.study.datasets.dataset import Dataset, load_dataset, preparation, prepared_names, raw_rows
from kpca.study.evidence.described import describe


def _dataset(**changes):
    rng = np.random.default_rng(0)
    fields = {
        "name": "toy",
        "X": np.column_stack([rng.normal(loc=5, scale=3, size=(12, 2)), np.full(12, 0.1)]),
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
def test_what_was_saved_is_loaded_and_saved_alike(tmp_path, absent):
    dataset = _dataset(**dict.fromkeys(absent))
    path = tmp_path / "deep" / "toy.npz"
    dataset.save(path)
    loaded = load_dataset(path)
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    for name, value in vars(dataset).items():
        assert type(vars(loaded)[name]) is type(value)
        np.testing.assert_equal(vars(loaded)[name], value)


def test_standardisation_uses_training_rows_only():
    """A column that is constant in training keeps its scale."""
    X = _dataset().X
    X[8:, 2] = 10
    split = _dataset(X=X).split(0)
    scaler = StandardScaler().fit(X[:8])
    np.testing.assert_allclose(split.X_train, scaler.transform(X[:8]), atol=1e-15)
    np.testing.assert_allclose(split.X_test, scaler.transform(X[8:]))


def test_labels_targets_and_groups_follow_their_rows():
    dataset = _dataset(standardize=False)
    split = dataset.split(1)
    np.testing.assert_array_equal(split.y_test, dataset.y[:2])
    for name in ("X", "target", "groups"):
        training = getattr(split, f"{name}_train")
        np.testing.assert_array_equal(training, getattr(dataset, name)[2:])


def test_the_digest_sees_every_value_the_split_and_what_the_rows_mean():
    dataset = _dataset()
    fields = ("X", "y", "target", "groups")
    changed = [_dataset(**{field: getattr(dataset, field)[::-1]}) for field in fields]
    square = {"X": np.eye(12), "standardize": False}
    matrices = [_dataset(**square), _dataset(**square, precomputed=True)]
    digests = {one.split(0).digest for one in (dataset, *changed, *matrices)}
    assert len(digests | {dataset.split(1).digest}) == 8
    assert _dataset(name="other").split(0).digest == dataset.split(0).digest


DESCRIPTION = """
dataset: toy
task: classification
draws: random splits
held_out: 3 3
source: generator toy
warnings: a | b
rows: 12
rows_of_file: 12
train: 8
test: 4
test_over_train: 0.35
columns: 3
classes: 2
replicates: 2
groups: 6
smallest_class: 6
"""


def test_the_description_fits_a_table():
    assert describe(_dataset()) == yaml.safe_load(DESCRIPTION)
    assert _dataset(y=None).task == "regression"
    assert _dataset(y=None, target=None).task == "none"


def _mixed(*, categories=True, missing=False, standardize=True, log=False):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(40, 2)), rng.integers(3, size=40), np.arange(40) % 2])
    X[30:, 3] = 2  # No training row has this value.
    if missing:
        X[[1, 35, 2], [0, 1, 2]] = np.nan
    if log:
        X[:, :2] = np.exp(X[:, :2])
    return Dataset(
        log=("a", "b") if log else (),
        X=X,
        splits=((np.arange(30), np.arange(30, 40)),),
        feature_names=("a", "b", "colour", "day"),
        categories={"day": ["mo", "tu", "we"], "colour": [*"rgb"]} if categories else {},
        fill_missing=missing,
        standardize=standardize,
    )


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("categories", [False, True])
def test_a_split_is_what_the_steps_make(categories, missing, standardize):
    dataset = _mixed(categories=categories, missing=missing, standardize=standardize)
    rows = raw_rows(dataset)
    split = dataset.split(0)
    steps = make_pipeline(*preparation(dataset), "passthrough").fit(rows[:30])
    for raw, X in ((rows[:30], split.X_train), (rows[30:], split.X_test)):
        np.testing.assert_allclose(np.asarray(steps.transform(raw)), X, rtol=1e-12, atol=1e-12)
        assert X.flags.c_contiguous


def test_bytes_of_standardized_rows_stay():
    """The digests of cached results are of these bytes."""
    dataset = _mixed(categories=False)
    train = dataset.X[:30]
    expected = (train - train.mean(axis=0)) / train.std(axis=0)
    assert dataset.split(0).X_train.tobytes() == expected.tobytes()


def test_logarithms_are_those_of_the_rows_themselves():
    logs = _mixed(log=True)
    plain = _mixed().split(0)
    np.testing.assert_allclose(logs.split(0).X_test, plain.X_test, atol=1e-9)
    assert prepared_names(logs, np.arange(30))[:2] == ["a", "b"]


def test_a_model_with_logarithms_is_saved_and_goes_back(tmp_path, capsys):
    dataset = _mixed(missing=True, log=True)
    rows = raw_rows(dataset)
    model = make_pipeline(*preparation(dataset), kpca.KernelPCA()).fit(rows)
    kpca.save(model, tmp_path / "m.npz")
    complete = rows.dropna()
    complete.to_csv(tmp_path / "new.csv", index=False)
    files = [str(tmp_path / name) for name in ("m.npz", "new.csv")]
    np.testing.assert_array_equal(kpca.load(files[0]).transform(rows), model.transform(rows))
    assert main(["denoise", *files, "-o", str(tmp_path / "out.csv")]) == 0
    denoised = pd.read_csv(tmp_path / "out.csv")
    np.testing.assert_allclose(denoised[["a", "b"]], complete[["a", "b"]])
    for number, problem in (
        (-1.0, "line 2, column 'b': '-1.0' is not positive, and the model takes its logarithm"),
        (np.inf, "column 'b': 'inf' is not a finite number"),
    ):
        complete.assign(b=number).to_csv(tmp_path / "new.csv", index=False)
        assert main(["transform", *files]) == 1
        assert problem in capsys.readouterr().err


def test_unknown_categories_are_zero_and_missing_ones_are_one_of_their_own():
    split = _mixed(standardize=False).split(0)
    # a, b, then three colours, then the two days of the training rows
    assert split.X_train.shape[1] == 7
    np.testing.assert_array_equal(split.X_train[:, 5:].sum(axis=1), np.ones(30))
    np.testing.assert_array_equal(split.X_test[:, 5:], np.zeros((10, 2)))
    split = _mixed(missing=True, standardize=False).split(0)
    np.testing.assert_array_equal(np.flatnonzero(split.X_train[:, 5]), [2])
