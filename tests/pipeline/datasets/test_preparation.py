"""A split and scikit-learn's steps make the same of the same rows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

import kpca
from kpca.command import main
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.preparation import preparation, prepared_names, raw_rows


def _dataset(*, categories: bool, missing: bool, standardize: bool, log: bool = False) -> Dataset:
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
def test_a_split_is_what_the_steps_make_of_the_rows(
    categories: bool, missing: bool, standardize: bool
) -> None:
    dataset = _dataset(categories=categories, missing=missing, standardize=standardize)
    rows, split = raw_rows(dataset), dataset.split(0)
    steps = make_pipeline(*preparation(dataset), "passthrough").fit(rows[:30])

    for raw, X in ((rows[:30], split.X_train), (rows[30:], split.X_test)):
        np.testing.assert_allclose(np.asarray(steps.transform(raw)), X, rtol=1e-12, atol=1e-12)
        assert X.flags.c_contiguous
    if standardize and not (categories or missing):  # digests of old entries are of these bytes
        train = dataset.X[:30]
        expected = (train - train.mean(axis=0)) / train.std(axis=0)
        assert split.X_train.tobytes() == expected.tobytes()


@pytest.mark.parametrize("missing", [False, True])
def test_logarithms_are_those_of_the_rows_themselves(missing: bool) -> None:
    options = {"categories": True, "missing": missing, "standardize": True}
    plain, logs = _dataset(**options).split(0), _dataset(**options, log=True)
    if not missing:  # the logarithm of a median of two numbers is not the median of logarithms
        np.testing.assert_allclose(
            np.sort(logs.split(0).X_test, axis=1), np.sort(plain.X_test, axis=1), atol=1e-9
        )
    assert prepared_names(logs, np.arange(30))[:2] == ["a", "b"]


def test_a_model_with_logarithms_is_saved_and_goes_back(tmp_path: Path) -> None:
    dataset = _dataset(categories=True, missing=True, standardize=True, log=True)
    rows = raw_rows(dataset)
    model = make_pipeline(*preparation(dataset), kpca.KernelPCA()).fit(rows)
    kpca.save(model, tmp_path / "m.npz")
    rows.dropna().to_csv(tmp_path / "new.csv", index=False)
    files = [str(tmp_path / name) for name in ("m.npz", "new.csv")]

    np.testing.assert_array_equal(kpca.load(files[0]).transform(rows), model.transform(rows))
    assert main(["denoise", *files, "-o", str(tmp_path / "out.csv")]) == 0
    found = pd.read_csv(tmp_path / "out.csv")[["a", "b"]]
    np.testing.assert_allclose(found, rows.dropna()[["a", "b"]])


def test_the_command_refuses_what_has_no_logarithm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = _dataset(categories=False, missing=False, standardize=True, log=True)
    model = make_pipeline(*preparation(dataset), kpca.KernelPCA(2)).fit(raw_rows(dataset))
    kpca.save(model, tmp_path / "m.npz")
    raw_rows(dataset).assign(b=-1.0).to_csv(tmp_path / "new.csv", index=False)

    assert main(["transform", str(tmp_path / "m.npz"), str(tmp_path / "new.csv")]) == 1
    said = capsys.readouterr().err
    assert "line 2, column 'b': '-1.0' is not positive, and the model takes its logarithm" in said


def test_a_category_that_no_training_row_has_is_zero() -> None:
    split = _dataset(categories=True, missing=False, standardize=False).split(0)

    # a, b, then three colours, then the two days of the training rows
    assert split.X_train.shape[1] == 7
    np.testing.assert_array_equal(split.X_train[:, 5:].sum(axis=1), np.ones(30))
    np.testing.assert_array_equal(split.X_test[:, 5:], np.zeros((10, 2)))


def test_a_missing_category_is_one_of_its_own() -> None:
    split = _dataset(categories=True, missing=True, standardize=False).split(0)

    np.testing.assert_array_equal(np.flatnonzero(split.X_train[:, 5]), [2])


def test_test_rows_do_not_tell_on_training_rows() -> None:
    dataset = _dataset(categories=True, missing=True, standardize=True)
    changed = dataset.X.copy()
    changed[30:] = [[1e3, 0, np.nan, 1]] * 10
    before = dataset.split(0).X_train
    vars(dataset)["X"][:] = changed

    np.testing.assert_array_equal(dataset.split(0).X_train, before)


def test_a_model_with_its_preparation_is_saved(tmp_path: Path) -> None:
    dataset = _dataset(categories=True, missing=True, standardize=True)
    rows = raw_rows(dataset)
    model = make_pipeline(*preparation(dataset), kpca.KernelPCA(2, kernel="rbf")).fit(rows[:30])
    kpca.save(model, tmp_path / "model.npz")

    loaded = kpca.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(rows), model.transform(rows))
