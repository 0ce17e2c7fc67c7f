"""The contract of every estimator, and scikit-learn's own tests of KernelPCA run on this class.

The installed ``sklearn/decomposition/tests/test_kernel_pca.py`` is loaded as it is, with the
name ``KernelPCA`` bound to ours. One case is left out: it asserts that their randomized solver
fails on an indefinite matrix, where ours finds the components.
"""

import importlib.util
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from kpca import PCA, KernelPCA, KernelPCANovelty, SparsePCA
from kpca.linear.sparse_pca import SPARSE_METHODS


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
        KernelPCA(2, kernel="rbf", gamma="median", eigen_solver="krylov"),
        KernelPCA(2, kernel="rbf", eigen_solver="davidson"),
        KernelPCA(2, kernel="rbf", eigen_solver="nystrom"),
        KernelPCANovelty(),
        KernelPCANovelty(KernelPCA(2, kernel="rbf"), statistic="hotelling"),
        PCA(),
        PCA(route="covariance", whiten=True),
        PCA(1, svd_method="truncated"),
        *(SparsePCA(method=method) for method in SPARSE_METHODS),
    ]
)
def test_estimator_contract(estimator: Any, check: Any) -> None:
    check(estimator)
