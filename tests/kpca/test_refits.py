"""A fit is assigned once, after it has succeeded."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from kpca import KernelPCA, load, save, to_arrays

RNG = np.random.default_rng(0)
OLD, NEW = RNG.normal(size=(120, 3)), RNG.normal(size=(90, 4)) * 3 + 5


def interrupted(x: Any, y: Any) -> float:
    raise KeyboardInterrupt


FAILURES = {
    "no convergence": (ValueError, {"eigen_solver": "arpack", "max_iter": 1, "tol": 1e-14}),
    "memory": (MemoryError, {"memory_budget": 1000}),
    "interrupt": (KeyboardInterrupt, {"kernel": interrupted, "eigen_solver": "auto"}),
    "too many components": (ValueError, {"eigen_solver": "nystrom", "n_landmarks": 2}),
    "ridge": (ValueError, {"kernel": "linear", "fit_inverse_transform": True, "alpha": 0}),
}


@pytest.mark.parametrize(("error", "changed"), FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("solver", ["auto", "nystrom"])
def test_a_refit_that_fails_leaves_the_model(
    error: type[BaseException], changed: dict[str, Any], solver: str, tmp_path: Path
) -> None:
    options = {"kernel": "rbf", "gamma": 0.3, "fit_inverse_transform": True}
    model = KernelPCA(5, eigen_solver=solver, n_landmarks=40, **options).fit(OLD)
    parameters, before = model.get_params(), dict(vars(model))
    scores, points = model.transform(OLD[:3]), model.denoise(OLD[:3])
    with pytest.raises(error):
        model.set_params(**changed).fit(NEW)
    model.set_params(**parameters)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
    np.testing.assert_array_equal(model.transform(OLD[:3]), scores)
    np.testing.assert_array_equal(model.denoise(OLD[:3]), points)
    save(model, tmp_path / "model.npz")
    np.testing.assert_array_equal(load(tmp_path / "model.npz").transform(OLD[:3]), scores)


@pytest.mark.parametrize(("error", "changed"), FAILURES.values(), ids=FAILURES)
def test_after_a_first_fit_that_fails_there_is_no_model(
    error: type[BaseException], changed: dict[str, Any]
) -> None:
    model = KernelPCA(5, kernel="rbf").set_params(**changed)
    with pytest.raises(error):
        model.fit(NEW)
    with pytest.raises(NotFittedError):
        model.transform(NEW)


def test_a_refit_leaves_nothing_of_the_fit_before(tmp_path: Path) -> None:
    model = KernelPCA(2, kernel="rbf", fit_inverse_transform=True, eigen_solver="nystrom")
    model.fit(OLD)
    model.set_params(fit_inverse_transform=False, eigen_solver="auto").fit(NEW)
    for name in ("X_transformed_fit_", "dual_coef_", "landmark_axes_", "trace_error_"):
        assert not hasattr(model, name)
    save(model, tmp_path / "model.npz")
    np.testing.assert_array_equal(load(tmp_path / "model.npz").transform(NEW), model.transform(NEW))


def test_what_load_refuses_is_not_saved() -> None:
    model = KernelPCA(2, kernel="rbf").fit(OLD)
    model.X_fit_ = NEW
    with pytest.raises(ValueError, match="does not go with"):
        to_arrays(model)
