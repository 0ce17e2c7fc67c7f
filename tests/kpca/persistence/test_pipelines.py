from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import decomposition
from sklearn.base import clone
from sklearn.compose import (
    ColumnTransformer,
    TransformedTargetRegressor,
    make_column_selector,
    make_column_transformer,
)
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, SVR

from kpca import PCA, KernelPCA, KernelPCANovelty, from_arrays, load, save, to_arrays
from tests.kpca.persistence.test_models import described

NUMBERS, WORDS = ["height", "weight", "count"], ["colour", "städte"]


def table(seed: int, n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "height": rng.normal(size=n),
            "weight": rng.normal(size=n).astype(np.float32),
            "count": rng.integers(0, 4, n),
            "colour": rng.choice(["red", "green", "blau"], n),
            "städte": rng.choice(["Köln", "Bern", None], n),
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.05)


ROWS, NEW = table(0), table(1)


def kernel_pca() -> KernelPCA:
    return KernelPCA(3, kernel="rbf", gamma="median")


def prepared(*encoders: Any, numbers: Any = NUMBERS, words: Any = WORDS, **options: Any) -> Any:
    """Numeric columns imputed and scaled, the others imputed and encoded."""
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numbers),
            ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), *encoders), words),
        ],
        **options,
    )


def same_after_loading(model: Any, rows: Any, new: Any, path: Path) -> Any:
    model.fit(rows)
    save(model, path)
    read = load(path)
    expected, found = model.transform(new), read.transform(new)
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    assert list(read.get_feature_names_out()) == list(model.get_feature_names_out())
    clone(read).fit(rows)
    return read


@pytest.mark.parametrize(
    "scaler",
    [
        StandardScaler(),
        StandardScaler(with_mean=False, with_std=False),
        MinMaxScaler((-1, 1), clip=True),
        RobustScaler(quantile_range=(10.0, 90.0)),
    ],
)
@pytest.mark.parametrize(
    "imputer",
    [
        SimpleImputer(),
        SimpleImputer(strategy="median", add_indicator=True),
        SimpleImputer(strategy="most_frequent"),
        SimpleImputer(strategy="constant", fill_value=-1),
    ],
)
def test_imputers_and_scalers_of_numbers(scaler: Any, imputer: Any, tmp_path: Path) -> None:
    rows, new, path = ROWS[NUMBERS], NEW[NUMBERS], tmp_path / "m"
    model = make_pipeline(imputer, scaler, kernel_pca())
    assert list(same_after_loading(model, rows, new, path).feature_names_in_) == NUMBERS
    same_after_loading(model, rows.to_numpy(float), new.to_numpy(float), path)


@pytest.mark.parametrize(
    "encoder",
    [
        OneHotEncoder(handle_unknown="ignore"),
        OneHotEncoder(drop="first", handle_unknown="ignore", dtype=np.float32),
        OneHotEncoder(drop="if_binary", dtype=float),
        OneHotEncoder(drop=["red", "Köln"]),
        OneHotEncoder(min_frequency=0.3, handle_unknown="infrequent_if_exist"),
        OneHotEncoder(categories=[["blau", "green", "red"], ["Bern", "Köln"]]),
        OrdinalEncoder(),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=2),
    ],
)
def test_encoders_of_words(encoder: Any, tmp_path: Path) -> None:
    model = Pipeline([("rows", prepared(encoder)), ("kernel", kernel_pca())])
    read = same_after_loading(model, ROWS, NEW, tmp_path / "m")
    words = read["rows"].named_transformers_["words"][-1]
    assert [c.dtype for c in words.categories_] == [object, object]
    if encoder.handle_unknown == "ignore":  # as are words that were never seen
        same_after_loading(model, ROWS, NEW.assign(colour="violet"), tmp_path / "m")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (ROWS.columns[:3], ROWS.columns[3:]),
        ([0, 1, 2], slice(3, 5)),
        (np.array([0, 2]), [False, False, False, True, True]),
        (make_column_selector(dtype_include=np.number), make_column_selector("col|stä")),
    ],
)
@pytest.mark.filterwarnings("ignore:X has feature names")  # it came as an array in `fit`
def test_columns_by_labels_masks_and_selectors(numbers: Any, words: Any, tmp_path: Path) -> None:
    encoder = OneHotEncoder(sparse_output=False)
    model = make_pipeline(prepared(encoder, numbers=numbers, words=words), kernel_pca())
    read = same_after_loading(model, ROWS, NEW, tmp_path / "m")
    for each in (model, read):
        each.set_output(transform="pandas")
    pd.testing.assert_frame_equal(read.transform(NEW), model.transform(NEW))
    save(model, tmp_path / "m")  # with its output set
    pd.testing.assert_frame_equal(load(tmp_path / "m").transform(NEW), model.transform(NEW))


def test_passing_through_dropping_and_what_remains(tmp_path: Path) -> None:
    rows = make_column_transformer(
        (SimpleImputer(), ["height"]),
        ("passthrough", ["count"]),
        ("drop", ["städte"]),
        ("drop", []),
        remainder=make_pipeline(SimpleImputer(strategy="constant", fill_value=""), OneHotEncoder()),
        verbose_feature_names_out=False,
    )
    rows.set_params(transformer_weights={"simpleimputer": 2.0})
    known = ROWS.drop(columns="weight").dropna(subset="count")
    model = make_pipeline(rows, "passthrough", make_pipeline(StandardScaler(), kernel_pca()))
    same_after_loading(model, known, known[::-1], tmp_path / "m")


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (SVC(kernel="linear", C=3.0, class_weight="balanced"), np.array(list("bca" * 14)[:40])),
        (SVC(kernel="linear"), np.array(["no", "yes"] * 20, dtype=object)),
        (SVC(gamma=0.5), np.arange(40) % 2),
        (LinearRegression(), np.arange(40.0)),
        (RidgeCV(), np.arange(40.0)),
        (SVR(gamma=0.5), np.arange(40.0)),
        (TransformedTargetRegressor(SVR(), transformer=StandardScaler()), np.arange(40.0)),
        (LogisticRegression(), np.arange(40) % 2),
        (LogisticRegression(C=0.1, class_weight="balanced"), np.array(list("bca" * 14)[:40])),
        (RandomForestClassifier(4, class_weight="balanced"), np.array(["no", "yes"] * 20)),
        (RandomForestRegressor(4), np.arange(40.0)),
    ],
)
def test_predictors_at_the_end(last: Any, answer: np.ndarray, tmp_path: Path) -> None:
    rows, new = ROWS[NUMBERS], NEW[NUMBERS]
    model = make_pipeline(SimpleImputer(), kernel_pca(), StandardScaler(), last).fit(rows, answer)
    save(model, tmp_path / "m")
    read = load(tmp_path / "m")
    np.testing.assert_array_equal(read.predict(new), model.predict(new))
    if hasattr(model, "decision_function"):
        np.testing.assert_array_equal(read.decision_function(new), model.decision_function(new))
    assert read.score(rows, answer) == model.score(rows, answer)
    clone(read).fit(rows, answer)


def test_detectors_alone_and_at_the_end(tmp_path: Path) -> None:
    rows, new = ROWS[NUMBERS].fillna(0), NEW[NUMBERS].fillna(1)
    detector = KernelPCANovelty(KernelPCA(3, kernel="rbf"), random_state=1)
    for model in (detector, make_pipeline(StandardScaler(), detector)):
        save(model.fit(rows), tmp_path / "m")
        read = load(tmp_path / "m")
        np.testing.assert_array_equal(read.decision_function(new), model.decision_function(new))
        np.testing.assert_array_equal(read.predict(new), model.predict(new))
        assert str(read.get_params()) == str(model.get_params())


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            decomposition.PCA(2),
            r"steps.1.1: sklearn.*PCA cannot be saved: a model file holds KernelPCA",
        ),
        (FunctionTransformer(np.abs), r"steps.1.1.func=.* cannot be saved"),
        (KernelPCA(2, kernel=lambda x, y: float(x @ y)), r"kernel=.* cannot be saved.*precomputed"),
    ],
)
def test_a_step_that_a_file_cannot_hold_is_named(step: Any, message: str) -> None:
    model = make_pipeline(StandardScaler(), step).fit(ROWS[NUMBERS].fillna(0))
    with pytest.raises(ValueError, match=message):
        to_arrays(model)


@pytest.mark.parametrize(
    "model", [make_pipeline(StandardScaler(), PCA()), RobustScaler(), KernelPCA()]
)
def test_what_was_not_fitted_or_is_not_known_is_refused(model: Any) -> None:
    with pytest.raises(ValueError, match=f"{type(model).__name__} is not fitted: call fit"):
        to_arrays(model)
    with pytest.raises(ValueError, match="list cannot be saved"):
        to_arrays([model])
    scaler = StandardScaler().fit(ROWS[NUMBERS])
    scaler.note = "a user's own is no part of the model"
    scaler.offsets_ = scaler.mean_  # and what looks learned is
    read = from_arrays(to_arrays(scaler))
    np.testing.assert_array_equal(read.offsets_, scaler.mean_)
    assert not hasattr(read, "note")


def test_private_attributes_are_those_of_scikit_learn_1_9() -> None:
    """No public state gives back a fitted estimator: `get_params` leaves out what was learned."""
    assert sklearn.__version__.startswith("1.9."), (
        "Run tests/kpca/persistence. If libsvm or trees read other attributes, change KNOWN in "
        "kpca/persistence/classes.py, and write the new minor version here."
    )


def test_what_belongs_to_a_machine_or_a_version_is_left_out_or_refused(tmp_path: Path) -> None:
    rows, new = ROWS[NUMBERS].fillna(0), NEW[NUMBERS].fillna(0)
    model = make_pipeline(StandardScaler(), PCA(2), memory=str(tmp_path / "cache"))
    assert same_after_loading(model, rows, new, tmp_path / "m").memory is None
    old, minor = {"scikit-learn": "1.5.2"}, ".".join(sklearn.__version__.split(".")[:2])
    with pytest.raises(ValueError, match="private") as error:
        from_arrays(described(model, **old))
    assert str(error.value) == (
        f"The model holds a Pipeline of scikit-learn 1.5.2, and this is {sklearn.__version__}: "
        "what fitted estimators hold is private to a minor version. Load it with scikit-learn 1.5,"
        f" or fit it with {minor}. Save the model again."
    )
    from_arrays(described(kernel_pca().fit(rows), **old))
