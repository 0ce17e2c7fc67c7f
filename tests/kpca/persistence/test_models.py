"""Models, notes, values and pipelines come back from a file as they were, or are refused."""

import json
from collections import UserList

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn import compose, decomposition, preprocessing
from sklearn.base import clone
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR

from kpca import (
    PCA,
    KernelPCA,
    KernelPCANovelty,
    LandmarkKernelPCA,
    SparsePCA,
    from_arrays,
    load,
    save,
    to_arrays,
)
from kpca.base import BaseKernelPCA
from kpca.eigensolvers.solve import SOLVERS
from kpca.linear.routes import ROUTES
from kpca.linear.sparse_pca import SPARSE_METHODS as SPARSE
from kpca.persistence import read_notes
from kpca.persistence.archive import write
from kpca.persistence.codec import Reader, Writer
from kpca.preimage import METHODS
from tests.kpca.naive import SEMIDEFINITE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
MODEL = KernelPCA(2, kernel="rbf").fit(X)
WIDE = RNG.normal(size=(60, 20))
WEIGHTS = np.arange(60.0)


def described(model, **entries):
    """Return the arrays of a model, with other entries of its description."""
    arrays = to_arrays(model)
    description = json.loads(str(arrays["description"])) | entries
    return {**arrays, "description": np.array(json.dumps(description))}


@pytest.mark.parametrize(
    ("model", "points"),
    [
        *((PCA(k, route=route), WIDE) for route in ROUTES for k in (1, 5, 0.5)),
        *((SparsePCA(5, method=method, max_iter=20), WIDE) for method in SPARSE),
        (make_pipeline(PCA(2, whiten=True)), WIDE),
        (make_pipeline(RobustScaler(), SparsePCA(2, l1_penalty=np.array([0.1, 0.2]))), WIDE),
        *((KernelPCA(5, eigen_solver=solver), WIDE) for solver in SOLVERS),
        (LandmarkKernelPCA(5), WIDE),
        *(
            (KernelPCA(3, kernel="rbf", preimage=method, fit_inverse_transform=True), points)
            for method in sorted(METHODS)
            for points in (X, X.astype(np.float32))
        ),
        *((KernelPCA(3, kernel=kernel), sparse.csr_matrix(X)) for kernel in SEMIDEFINITE),
        (LandmarkKernelPCA(3, kernel="rbf", n_landmarks=20), X),
    ],
)
@pytest.mark.filterwarnings("ignore")  # twenty iterations are few
def test_a_loaded_model_is_the_same_bit_by_bit(model, points, tmp_path):
    """For one row and for many, since products of matrices take different paths."""
    of_kernel = isinstance(model, BaseKernelPCA)
    model.fit(points, **({"sample_weight": WEIGHTS} if of_kernel else {}))
    for name in ("m", "again"):
        save(model, tmp_path / name)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()
    for read in (load(tmp_path / "m"), from_arrays(to_arrays(model))):
        assert str(read.get_params()) == str(model.get_params())
        assert list(read.get_feature_names_out()) == list(model.get_feature_names_out())
        assert not of_kernel or read.solver_ == model.solver_
        assert not of_kernel or read.completeness_ == model.completeness_
        for name, value in vars(model).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(getattr(read, name), value)
        methods = ["transform"] + ["reconstruction_error"] * hasattr(model, "reconstruction_error")
        methods += ["denoise"] * getattr(model, "fit_inverse_transform", False)
        for rows in (points[:1], points[:7], points):
            for method in methods:
                computed, expected = (getattr(fitted, method)(rows) for fitted in (read, model))
                np.testing.assert_array_equal(computed, expected)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.zeros(3)}, "there is no 'description'"),
        ({"description": np.array("{")}, "not JSON"),
        ({"description": np.array("{}")}, "format is not 'kpca-model'"),
        ({k: v for k, v in to_arrays(MODEL).items() if k != "eigenvectors_"}, "lacks .*eigenvec"),
        (described(MODEL, version=3), "version 3, and .*version 4: fit the model again"),
        (described(MODEL, **{"class": "os.system"}), "class 'os.system' not known"),
        (described(MODEL, **{"class": "PCA"}), "foreign parameters: PCA knows no .*kernel"),
        (described(MODEL, attributes={"transform": 3}), "KernelPCA knows no transform"),
        (described(MODEL, attributes={"gamma_": 1.0}), "lacks .*eigenvalues_"),
        (described(MODEL, attributes={}), "not fitted"),
        *(
            (described(MODEL, parameters=parameters), message)
            for parameters, message in (
                ({"shade": 1}, "KernelPCA knows no shade here.*fit the model again"),
                (3, "description is not one of this package"),
                ({"kernel": {"eval": "1"}}, "not one of this package: .*eval"),
                ({"kernel": {"estimator": {"class": "NuSVR"}}}, "class 'NuSVR' not known"),
                ({"kernel": {"record": ["Path", {"dict": []}]}}, "class 'Path' not known"),
            )
        ),
    ],
)
def test_foreign_or_missing_content_is_refused(arrays, message):
    with pytest.raises(ValueError, match=message):
        from_arrays(arrays)


def test_foreign_files_are_refused(tmp_path):
    np.save(tmp_path / "pickled.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "half.npz").write_bytes(b"PK half of a file")
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("pickled.npy", "half.npz", "array.npy"):
        for read in (load, read_notes):
            with pytest.raises(ValueError, match=f"{name}: not a model file .* Save the model ag"):
                read(tmp_path / name)


def test_notes_come_back_as_texts_and_change_no_score(tmp_path):
    written = {"id": "patient", "label": "Art", "dataset": "größe"}
    save(MODEL, tmp_path / "m", notes=written)
    assert read_notes(tmp_path / "m") == written
    np.testing.assert_array_equal(load(tmp_path / "m").transform(X), MODEL.transform(X))
    save(MODEL, tmp_path / "m")
    assert read_notes(tmp_path / "m") == {}
    assert "notes" not in json.loads(str(to_arrays(MODEL)["description"]))
    for notes in ({"id": 3}, {3: 4}, ["id"], "id"):
        with pytest.raises(ValueError, match="Notes must be texts by names"):
            save(MODEL, tmp_path / "bad.npz", notes=notes)
        assert not (tmp_path / "bad.npz").exists()
    np.savez(tmp_path / "bad.npz", **described(MODEL, notes={"id": 3}))
    with pytest.raises(ValueError, match=r"bad.npz: Notes must be .* Save the model again"):
        read_notes(tmp_path / "bad.npz")


def again(value):
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
        *((1, "a", (None,)), {"a": [1, {"b": (2,)}]}, slice(1, None, 2), np.float32(0.1)),
    ],
)
def test_values_keep_their_type_shape_and_order(value):
    read = again(value)
    assert type(read) is type(value)
    if not isinstance(value, np.ndarray):
        assert read == value
        return
    assert (read.shape, read.dtype) == (value.shape, value.dtype)
    np.testing.assert_array_equal(read, value)
    assert read.flags.f_contiguous == value.flags.f_contiguous or not value.flags.forc


def test_the_other_columns_of_scikit_learn_1_6_are_a_list():
    assert again(UserList([0, 2])) == [0, 2]


def test_a_sparse_matrix_keeps_its_empty_columns_and_is_looked_through():
    points = sparse.csr_matrix(np.c_[X * (X > 0), np.zeros(60)])
    model = KernelPCA(2, kernel="rbf").fit(points)
    arrays = to_arrays(model)
    assert from_arrays(arrays).X_fit_.shape == (60, 5)
    indices = next(k for k, v in arrays.items() if k.startswith("X_fit_") and v.dtype == np.int32)
    arrays[indices] = np.full_like(arrays[indices], 99)
    with pytest.raises(ValueError, match=r"must be < 5\. Save the model again"):
        from_arrays(arrays)


def test_a_message_with_names_of_the_file_is_on_one_line(tmp_path):
    arrays = to_arrays(KernelPCA(2).fit(X))
    text = str(arrays["description"]).replace('["kernel_means_"', '["a\\nb\\u001bé"')
    write(tmp_path / "m", {**arrays, "description": np.array(text)})
    with pytest.raises(ValueError, match="lacks") as error:
        load(tmp_path / "m")
    assert str(error.value) == f"{tmp_path}/m: The model lacks a\\nb\\x1bé. Save the model again."


NUMBERS = ["height", "weight", "count"]
WORDS = ["colour", "städte"]


def table(seed, n=40):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "height": rng.normal(size=n),
            "weight": rng.normal(size=n).astype(np.float32),
            "count": rng.integers(0, 4, n),
            "colour": rng.choice(["red", "green", "blau"], n),
            "städte": rng.choice(np.array(["Köln", "Bern", np.nan], object), n),
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.05)


ROWS = table(0)
NEW = table(1)
NUMERIC = compose.make_column_selector(dtype_include=np.number)


def kernel_pca():
    return KernelPCA(3, kernel="rbf", gamma="median")


def prepared(encoder, imputer, scaler, numbers, words):
    """Numeric columns imputed and scaled, the others imputed and encoded."""
    return compose.ColumnTransformer(
        [
            ("numbers", make_pipeline(imputer, scaler), numbers),
            ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), encoder), words),
        ]
    )


def same_after_loading(model, rows, new, path, answer=None):
    save(model.fit(rows, answer), path)
    read = load(path)
    for method in ("transform", "predict", "decision_function"):
        if hasattr(model, method):
            computed, expected = (getattr(fitted, method)(new) for fitted in (read, model))
            assert type(computed) is type(expected)
            np.testing.assert_array_equal(computed, expected)
            assert np.asarray(computed).dtype == np.asarray(expected).dtype
    if hasattr(model, "transform"):
        assert list(read.get_feature_names_out()) == list(model.get_feature_names_out())
    clone(read).fit(rows, answer)
    return read


IMPUTERS_AND_SCALERS = [
    (SimpleImputer(), StandardScaler()),
    (SimpleImputer(strategy="median", add_indicator=True), MinMaxScaler((-1, 1), clip=True)),
    (SimpleImputer(strategy="most_frequent"), RobustScaler(quantile_range=(10.0, 90.0))),
    (SimpleImputer(strategy="constant", fill_value=-1), StandardScaler(with_mean=False)),
]


@pytest.mark.parametrize(
    ("encoder", "numeric"),
    zip(
        [
            OneHotEncoder(handle_unknown="ignore"),
            OneHotEncoder(drop="first", handle_unknown="ignore", dtype=np.float32),
            OneHotEncoder(drop="if_binary", dtype=float),
            OneHotEncoder(drop=["red", "Köln"]),
            OneHotEncoder(min_frequency=0.3, handle_unknown="infrequent_if_exist"),
            OneHotEncoder(categories=[["blau", "green", "red"], ["Bern", "Köln"]]),
            preprocessing.OrdinalEncoder(),
            preprocessing.OrdinalEncoder(
                handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=2
            ),
        ],
        IMPUTERS_AND_SCALERS * 2,
        strict=True,
    ),
)
def test_imputers_scalers_and_encoders(encoder, numeric, tmp_path):
    rows = prepared(encoder, *numeric, NUMBERS, WORDS)
    model = Pipeline([("rows", rows), ("kernel", kernel_pca())])
    read = same_after_loading(model, ROWS, NEW, tmp_path / "m")
    assert list(read.feature_names_in_) == [*NUMBERS, *WORDS]
    word_encoder = read["rows"].named_transformers_["words"][-1]
    assert [c.dtype for c in word_encoder.categories_] == [object, object]
    if encoder.handle_unknown == "ignore":  # Words that were never seen are ignored, too.
        same_after_loading(model, ROWS, NEW.assign(colour="violet"), tmp_path / "m")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (ROWS.columns[:3], ROWS.columns[3:]),
        ([0, 1, 2], slice(3, 5)),
        (np.array([0, 2]), [False, False, False, True, True]),
        (NUMERIC, compose.make_column_selector("col|stä")),
    ],
)
@pytest.mark.filterwarnings("ignore:X has feature names")  # it came as an array in `fit`
def test_columns_by_labels_masks_and_selectors(numbers, words, tmp_path):
    encoder = OneHotEncoder(sparse_output=False)
    rows = prepared(encoder, *IMPUTERS_AND_SCALERS[0], numbers, words)
    model = make_pipeline(rows, kernel_pca())
    read = same_after_loading(model, ROWS, NEW, tmp_path / "m")
    for fitted in (model, read):
        fitted.set_output(transform="pandas")
    pd.testing.assert_frame_equal(read.transform(NEW), model.transform(NEW))
    save(model, tmp_path / "m")  # Its output is set to pandas.
    pd.testing.assert_frame_equal(load(tmp_path / "m").transform(NEW), model.transform(NEW))


def test_passing_through_dropping_and_what_remains(tmp_path):
    rows = compose.make_column_transformer(
        (SimpleImputer(), ["height"]),
        ("passthrough", ["count"]),
        ("drop", ["städte"]),
        ("drop", []),
        remainder=make_pipeline(SimpleImputer(strategy="constant", fill_value=""), OneHotEncoder()),
        verbose_feature_names_out=False,
    )
    rows.set_params(transformer_weights={"simpleimputer": 2.0})
    complete = ROWS.drop(columns="weight").dropna(subset="count")
    model = make_pipeline(rows, "passthrough", make_pipeline(StandardScaler(), kernel_pca()))
    same_after_loading(model, complete, complete[::-1], tmp_path / "m")


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (SVC(kernel="linear", C=3.0, class_weight="balanced"), np.array(list("bca" * 14)[:40])),
        (SVC(kernel="linear"), np.array(["no", "yes"] * 20, dtype=object)),
        (SVC(gamma=0.5), np.arange(40) % 2),
        (LinearRegression(), np.arange(40.0)),
        (RidgeCV(), np.arange(40.0)),
        (SVR(gamma=0.5), np.arange(40.0)),
        (compose.TransformedTargetRegressor(SVR(), transformer=StandardScaler()), np.arange(40.0)),
        (LogisticRegression(), np.arange(40) % 2),
        (LogisticRegression(C=0.1, class_weight="balanced"), np.array(list("bca" * 14)[:40])),
        (RandomForestClassifier(4, class_weight="balanced"), np.array(["no", "yes"] * 20)),
        (RandomForestRegressor(4), np.arange(40.0)),
        (HistGradientBoostingClassifier(max_iter=4), np.array(list("bca" * 14)[:40])),
        (HistGradientBoostingClassifier(max_iter=4), np.array(["no", "yes"] * 20)),
        (HistGradientBoostingRegressor(max_iter=4), np.arange(40.0)),
        (KernelPCANovelty(KernelPCA(2, kernel="rbf"), random_state=1), None),
    ],
)
def test_predictors_at_the_end(last, answer, tmp_path):
    model = make_pipeline(SimpleImputer(), kernel_pca(), StandardScaler(), last)
    rows, new = (frame[NUMBERS].to_numpy(float) for frame in (ROWS, NEW))
    same_after_loading(model, rows, new, tmp_path / "m", answer)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            decomposition.PCA(2),
            r"steps.1.1: sklearn.*PCA cannot be saved: a model file holds KernelPCA",
        ),
        (preprocessing.FunctionTransformer(np.abs), r"steps.1.1.func=.* cannot be saved"),
        (KernelPCA(2, kernel=lambda x, y: float(x @ y)), r"kernel=.* cannot be saved.*precomputed"),
    ],
)
def test_a_step_that_a_file_cannot_hold_is_named(step, message):
    model = make_pipeline(StandardScaler(), step).fit(ROWS[NUMBERS].fillna(0))
    with pytest.raises(ValueError, match=message):
        to_arrays(model)


def test_boosting_with_categories_is_refused():
    rows = np.arange(80) % 4
    model = HistGradientBoostingRegressor(max_iter=2, categorical_features=[0], min_samples_leaf=2)
    with pytest.raises(ValueError, match=r"_preprocessor.*cannot be saved"):
        to_arrays(model.fit(rows[:, None], rows == 2))


@pytest.mark.parametrize(
    "model", [make_pipeline(StandardScaler(), PCA()), RobustScaler(), KernelPCA()]
)
def test_what_was_not_fitted_or_is_not_known_is_refused(model):
    with pytest.raises(ValueError, match=f"{type(model).__name__} is not fitted: call fit"):
        to_arrays(model)
    with pytest.raises(ValueError, match="list cannot be saved"):
        to_arrays([model])
    scaler = StandardScaler().fit(ROWS[NUMBERS])
    scaler.note = "a user's own is no part of the model"
    scaler.offsets_ = scaler.mean_  # The name ends like that of a learned attribute.
    read = from_arrays(to_arrays(scaler))
    np.testing.assert_array_equal(read.offsets_, scaler.mean_)
    assert not hasattr(read, "note")


def test_private_attributes_are_those_of_the_lowest_and_the_locked_scikit_learn():
    """No public state gives back a fitted estimator: `get_params` leaves out what was learned."""
    assert sklearn.__version__.startswith(("1.6.", "1.9.")), (
        "Run tests/kpca/persistence. If libsvm or trees read other attributes, change KNOWN in "
        "kpca/persistence/classes.py, and write the new minor version here."
    )


def test_what_belongs_to_a_machine_or_a_version_is_left_out_or_refused(tmp_path):
    rows = ROWS[NUMBERS].fillna(0)
    new = NEW[NUMBERS].fillna(0)
    model = make_pipeline(StandardScaler(), PCA(2), memory=str(tmp_path / "cache"))
    assert same_after_loading(model, rows, new, tmp_path / "m").memory is None
    old = {"scikit-learn": "1.5.2"}
    minor = ".".join(sklearn.__version__.split(".")[:2])
    with pytest.raises(ValueError, match="private") as error:
        from_arrays(described(model, **old))
    assert str(error.value) == (
        f"The model holds a Pipeline of scikit-learn 1.5.2, and this is {sklearn.__version__}: "
        "what fitted estimators hold is private to a minor version. Load it with scikit-learn 1.5,"
        f" or fit it with {minor}. Save the model again."
    )
    from_arrays(described(kernel_pca().fit(rows), **old))
