"""Models, notes and values one by one come back from a file as they were, or are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler

from kpca import PCA, KernelPCA, SparsePCA, from_arrays, load, save, to_arrays
from kpca.eigensolvers import SOLVERS
from kpca.linear.routes import ROUTES
from kpca.linear.sparse_pca import SPARSE_METHODS as SPARSE
from kpca.persistence import read_notes
from kpca.persistence.archive import write
from kpca.persistence.codec import Reader, Writer
from kpca.preimage import METHODS
from tests.kpca.naive import SEMIDEFINITE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))


def described(model: Any, **entries: object) -> dict[str, np.ndarray]:
    """Return the arrays of a model, with other entries of its description."""
    arrays = to_arrays(model)
    description = json.loads(str(arrays["description"])) | entries
    return {**arrays, "description": np.array(json.dumps(description))}


WIDE, WEIGHTS = RNG.normal(size=(60, 20)), np.arange(60.0)


@pytest.mark.parametrize(
    ("model", "points"),
    [
        *((PCA(k, route=route), WIDE) for route in ROUTES for k in (1, 5, 0.5)),
        *((SparsePCA(5, method=method, max_iter=20), WIDE) for method in SPARSE),
        (make_pipeline(PCA(2, whiten=True)), WIDE),
        (make_pipeline(RobustScaler(), SparsePCA(2, l1_penalty=np.array([0.1, 0.2]))), WIDE),
        *((KernelPCA(5, eigen_solver=solver), WIDE) for solver in [*SOLVERS, "nystrom"]),
        *(
            (KernelPCA(3, kernel="rbf", preimage=method, fit_inverse_transform=True), points)
            for method in sorted(METHODS)
            for points in (X, X.astype(np.float32))
        ),
        *((KernelPCA(3, kernel=kernel), sparse.csr_matrix(X)) for kernel in SEMIDEFINITE),
        (KernelPCA(3, kernel="rbf", eigen_solver="nystrom", n_landmarks=20), X),
    ],
)
@pytest.mark.filterwarnings("ignore")  # twenty iterations are few
def test_a_loaded_model_is_the_same_bit_by_bit(model: Any, points: Any, tmp_path: Path) -> None:
    """For one row and for many, since products of matrices take different paths."""
    exact = isinstance(model, KernelPCA)
    model.fit(points, **({"sample_weight": WEIGHTS} if exact else {}))
    save(model, tmp_path / "m")
    for read in (load(tmp_path / "m"), from_arrays(to_arrays(model))):
        assert str(read.get_params()) == str(model.get_params())
        assert list(read.get_feature_names_out()) == list(model.get_feature_names_out())
        assert not exact or read.solver_ == model.solver_
        assert not exact or read.completeness_ == model.completeness_
        for name, value in vars(model).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(getattr(read, name), value)
        methods = ["transform"] + ["reconstruction_error"] * hasattr(model, "reconstruction_error")
        methods += ["denoise"] * getattr(model, "fit_inverse_transform", False)
        for rows in (points[:1], points[:7], points):
            for method in methods:
                found, expected = (getattr(each, method)(rows) for each in (read, model))
                np.testing.assert_array_equal(found, expected)


def test_files_repeat_byte_by_byte(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(MODEL, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


MODEL = KernelPCA(2, kernel="rbf").fit(X)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.zeros(3)}, "there is no 'description'"),
        ({"description": np.array("{")}, "not JSON"),
        ({"description": np.array("{}")}, "format is not 'kpca-model'"),
        ({k: v for k, v in to_arrays(MODEL).items() if k != "eigenvectors_"}, "lacks .*eigenvec"),
        (described(MODEL, version=99), "version 99.*reads 3"),
        (described(MODEL, **{"class": "os.system"}), "class 'os.system' not known"),
        (described(MODEL, **{"class": "PCA"}), "foreign parameters: PCA knows no .*kernel"),
        (described(MODEL, attributes={"transform": 3}), "KernelPCA knows no transform"),
        (described(MODEL, attributes={"gamma_": 1.0}), "lacks .*eigenvalues_"),
        (described(MODEL, attributes={}), "not fitted"),
        *(
            (described(MODEL, parameters=parameters), message)
            for parameters, message in (
                ({"shade": 1}, "foreign parameters: KernelPCA knows no shade"),
                (3, "description is not one of this package"),
                ({"kernel": {"eval": "1"}}, "not one of this package: .*eval"),
                ({"kernel": {"estimator": {"class": "NuSVR"}}}, "class 'NuSVR' not known"),
                ({"kernel": {"record": ["Path", {"dict": []}]}}, "class 'Path' not known"),
            )
        ),
    ],
)
def test_foreign_or_missing_content_is_refused(arrays: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_arrays(arrays)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "pickled.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "half.npz").write_bytes(b"PK half of a file")
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("pickled.npy", "half.npz", "array.npy"):
        for read in (load, read_notes):
            with pytest.raises(ValueError, match=f"{name}: not a model file .* Save the model ag"):
                read(tmp_path / name)


NOTES = {"id": "patient", "label": "Art", "dataset": "größe"}


def test_notes_come_back_as_texts_and_change_no_score(tmp_path: Path) -> None:
    save(MODEL, tmp_path / "m", notes=NOTES)
    assert read_notes(tmp_path / "m") == NOTES
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
        *((1, "a", (None,)), {"a": [1, {"b": (2,)}]}, slice(1, None, 2), np.float32(0.1)),
    ],
)
def test_values_keep_their_type_shape_and_order(value: Any) -> None:
    read = again(value)
    assert type(read) is type(value)
    if not isinstance(value, np.ndarray):
        assert read == value
        return
    assert (read.shape, read.dtype) == (value.shape, value.dtype)
    np.testing.assert_array_equal(read, value)
    assert read.flags.f_contiguous == value.flags.f_contiguous or not value.flags.forc


def test_a_sparse_matrix_keeps_its_empty_columns_and_is_looked_through() -> None:
    points = sparse.csr_matrix(np.c_[X * (X > 0), np.zeros(60)])
    model = KernelPCA(2, kernel="rbf").fit(points)
    arrays = to_arrays(model)
    assert from_arrays(arrays).X_fit_.shape == (60, 5)
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
