"""scikit-learn's checks of estimators, its tests of KernelPCA, and its KernelPCA as an oracle.

The installed ``sklearn/decomposition/tests/test_kernel_pca.py`` is loaded as it is, with the
name ``KernelPCA`` bound to ours. One case is left out: it asserts that their randomized solver
fails on an indefinite matrix, where ours finds the components.
"""

import importlib.util
from importlib.machinery import ModuleSpec

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.utils.estimator_checks import parametrize_with_checks

from kpca import PCA, KernelPCA, KernelPCANovelty, LandmarkKernelPCA, SparsePCA
from kpca.linear.sparse_pca import SPARSE_METHODS
from tests.kpca.naive import assert_close


def upstream_tests():
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
def global_random_seed(request):
    """The fixture that scikit-learn's own conftest provides."""
    return request.param


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack"])
def test_precomputed_kernel_not_psd(solver):
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
def test_estimator_contract(estimator, check):
    check(estimator)


RNG = np.random.default_rng(0)
SCALES = np.array([2.0, 1.4, 1.0, 0.6])
X = RNG.normal(size=(90, 4)) * SCALES
Z = RNG.normal(size=(25, 4)) * SCALES


def shifted(x, y, shift=0.0):
    return float(np.minimum(x, y).sum()) + shift


def pair(**parameters):
    """Our model and theirs, both as exact as they can be."""
    return KernelPCA(3, **parameters), TheirKernelPCA(3, eigen_solver="dense", **parameters)


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": shifted, "kernel_params": {"shift": 2.0}},
        *({"kernel": kernel} for kernel in ("linear", "poly", "rbf", "sigmoid", "cosine")),
    ],
)
def test_default_kernels_and_functions_have_their_scores(options):
    ours, theirs = pair(**options)
    scores, expected = (model.fit(X).transform(Z) for model in (ours, theirs))
    assert_close(scores, expected * np.sign((scores * expected).sum(axis=0)), 1e-6)
    assert ours.gamma_ == theirs.gamma_


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "cosine"])
def test_the_way_back_is_theirs(kernel):
    """A named kernel ignores a common change of signs, so the ridge in score space does too."""
    ours, theirs = pair(kernel=kernel, fit_inverse_transform=True, alpha=0.1)
    points, expected = (
        model.fit(X).inverse_transform(model.transform(Z)) for model in (ours, theirs)
    )
    assert_close(points, expected, 1e-5)
    assert ours.dual_coef_.shape == theirs.dual_coef_.shape


def test_every_argument_and_fitted_attribute_of_theirs_exists():
    ours, theirs = pair(kernel="rbf", fit_inverse_transform=True)
    assert set(theirs.get_params()) <= set(ours.get_params())
    for name in set(theirs.get_params()) - {"eigen_solver", "kernel", "fit_inverse_transform"}:
        assert getattr(ours, name) == getattr(theirs, name), name
    fitted = {name for name in vars(theirs.fit(X)) if name.endswith("_")}
    ours.fit(X)
    assert {name for name in fitted if not hasattr(ours, name)} == set()
