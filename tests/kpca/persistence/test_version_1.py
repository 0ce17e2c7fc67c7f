"""Files of models as the first version of the package wrote them, and what those models gave."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca import from_arrays, load, save
from kpca.certificates.definiteness import Definiteness

FOLDER = Path(__file__).parent / "version_1"
EXPECTED = dict(np.load(FOLDER / "expected.npz"))
NAMES = ("ridge", "landmarks", "sparse")


def points(name: str) -> np.ndarray | pd.DataFrame:
    new = EXPECTED["Z"]
    return pd.DataFrame(new, columns=["a", "b", "c"]) if name == "ridge" else new


@pytest.mark.parametrize("name", NAMES)
def test_old_models_give_what_they_gave(name: str, tmp_path: Path) -> None:
    model = load(FOLDER / f"{name}.npz")
    scores = model.transform(points(name))
    np.testing.assert_allclose(scores, EXPECTED[name], rtol=1e-10, atol=1e-12)
    save(model, tmp_path / "again")
    again = load(tmp_path / "again")
    np.testing.assert_array_equal(again.transform(points(name)), scores)
    assert again.completeness_ == model.completeness_


def test_old_pre_images_names_and_bounds_are_kept() -> None:
    model = load(FOLDER / "ridge.npz")
    found = model.inverse_transform(EXPECTED["ridge"])
    np.testing.assert_allclose(found, EXPECTED["inverse"], rtol=1e-8)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert list(model.get_feature_names_out()) == ["kernelpca0", "kernelpca1"]
    assert model.definiteness_ == Definiteness.exact(0.0)
    assert load(FOLDER / "sparse.npz").definiteness_.status == "open"


def test_points_of_old_stores_may_be_put_back() -> None:
    arrays = dict(np.load(FOLDER / "landmarks.npz"))
    points = arrays.pop("X_fit_")
    model = from_arrays(arrays)
    model.X_fit_ = points
    np.testing.assert_allclose(model.transform(EXPECTED["Z"]), EXPECTED["landmarks"], rtol=1e-10)


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("ridge", "dual_coef_"),
        ("ridge", "eigenvalues_"),
        ("ridge", "kernel_means_"),
        ("landmarks", "landmark_axes_"),
        ("sparse", "X_fit_.indptr"),
    ],
)
def test_what_old_files_lack_is_named(name: str, without: str) -> None:
    arrays = dict(np.load(FOLDER / f"{name}.npz"))
    del arrays[without]
    with pytest.raises(ValueError, match=f"{without}.*Save the model again"):
        from_arrays(arrays)


@pytest.mark.parametrize("name", NAMES)
def test_lengths_of_old_arrays_are_compared(name: str) -> None:
    whole = dict(np.load(FOLDER / f"{name}.npz"))
    for key in whole:
        # How many training points there were, only eigenvectors of landmarks say.
        alone = (name, key) == ("landmarks", "eigenvectors_")
        if whole[key].ndim and not alone and not key.startswith("X_fit_."):
            with pytest.raises(ValueError, match="Save the model again"):
                from_arrays({**whole, key: whole[key][:-1]})
