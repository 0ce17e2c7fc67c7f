"""scikit-learn's checks of estimators, its tests of KernelPCA, and its KernelPCA as an oracle.

The installed ``sklearn/decomposition/tests/test_kernel_pca.py`` is loaded as it is, with the
name ``KernelPCA`` bound to ours. One case is left out: it asserts that their randomized solver
fails on an indefinite matrix, where ours finds the components.
"""

import importlib.util
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.utils.estimator_checks import parametrize_with_checks

from kpca import PCA, KernelPCA, KernelPCANovelty, LandmarkKernelPCA, SparsePCA
from kpca.linear.sparse_pca import SPARSE_METHODS
from tests.kpca.naive import assert_close


def upstream_tests() -> ModuleType:
    """Their test module, with our class in the place of theirs."""
    spec = importlib.util.find_spec("sklearn.decomposition.tests.test_kernel_pca")
    assert isinstance(spec, ModuleSpec), "this scikit-learn was installed without its tests"
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.KernelPCA.__module__.startswith("sklearn.")
    vars(module)["KernelPCA"] = KernelPCA
    return module


UPSTREAM = upstream_tests()
THEIRS = {name: test for name, test in vars(UPSTREAM).items() if name.startswith("test_")}
BESIDE_RANDOMIZED = THEIRS.pop("test_precomputed_kernel_not_psd")
globals().update(THEIRS)


@pytest.fixture(params=[0, 42])
def global_random_seed(request: pytest.FixtureRequest) -> int:
    """The fixture that scikit-learn's own conftest provides."""
    return request.param


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack"])
def test_precomputed_kernel_not_psd(solver: str) -> None:
    BESIDE_RANDOMIZED(solver)


@parametrize_with_checks(
    [
        KernelPCA(),
        KernelPCA(2, kernel="rbf", gamma="median", eigen_solver="davidson"),
        LandmarkKernelPCA(),
        LandmarkKernelPCA(2, kernel="rbf"),
        KernelPCANovelty(folds=2),
        KernelPCANovelty(KernelPCA(2, kernel="rbf"), statistic="hotelling", folds=2),
        PCA(),
        PCA(route="covariance", whiten=True),
        PCA(1, svd_method="truncated"),
        *(SparsePCA(method=method) for method in SPARSE_METHODS),
    ]
)
def test_estimator_contract(estimator: Any, check: Any) -> None:
    check(estimator)


N_COMPONENTS = 3
RNG, SCALES = np.random.default_rng(0), np.array([2.0, 1.4, 1.0, 0.6])
X, Z = RNG.normal(size=(90, 4)) * SCALES, RNG.normal(size=(25, 4)) * SCALES
SHARED: dict[str, dict[str, Any]] = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "gamma": 0.2, "degree": 2, "coef0": 0.5},
    "poly-default": {"kernel": "poly"},
    "rbf": {"kernel": "rbf", "gamma": 0.3},
    "rbf-default": {"kernel": "rbf"},
    "sigmoid": {"kernel": "sigmoid", "gamma": 0.05, "coef0": 0.1},
    "cosine": {"kernel": "cosine"},
    "callable": {
        "kernel": lambda x, y, shift: np.minimum(x, y).sum() + shift,
        "kernel_params": {"shift": 2.0},
    },
}


def pair(**parameters: Any) -> tuple[KernelPCA, TheirKernelPCA]:
    """Our model and theirs, both as exact as they can be."""
    theirs = TheirKernelPCA(N_COMPONENTS, eigen_solver="dense", **parameters)
    return KernelPCA(N_COMPONENTS, **parameters), theirs


def up_to_sign(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Their columns, turned to point as ours do."""
    return theirs * np.sign(np.sum(ours * theirs, axis=0))


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("name", SHARED)
def test_fit_transform_and_the_way_back(name: str) -> None:
    """Every named kernel ignores a common change of signs, so the ridge in score space does too."""
    back = {} if name == "callable" else {"fit_inverse_transform": True, "alpha": 0.1}
    ours, theirs = pair(**SHARED[name], **back)
    mine, reference = ours.fit_transform(X), theirs.fit_transform(X)
    assert_close(ours.eigenvalues_, theirs.eigenvalues_, 1e-8)
    assert_close(mine, up_to_sign(mine, reference), 1e-6)
    new = ours.transform(Z)
    assert_close(new, up_to_sign(new, theirs.transform(Z)), 1e-6)
    assert ours.gamma_ == theirs.gamma_
    if back:
        assert ours.dual_coef_.shape == theirs.dual_coef_.shape
        expected = theirs.inverse_transform(theirs.transform(Z))
        assert_close(ours.inverse_transform(new), expected, 1e-5)


def test_every_argument_and_fitted_attribute_of_theirs_exists() -> None:
    ours, theirs = pair(kernel="rbf", fit_inverse_transform=True)
    assert set(theirs.get_params()) <= set(ours.get_params())
    for name in set(theirs.get_params()) - {"eigen_solver", "kernel", "fit_inverse_transform"}:
        assert getattr(ours, name) == getattr(theirs, name), name
    fitted = {name for name in vars(theirs.fit(X)) if name.endswith("_")}
    ours.fit(X)
    assert {name for name in fitted if not hasattr(ours, name)} == set()
