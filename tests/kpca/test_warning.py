"""Every warning names the line of the caller, whatever lies between."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from kpca import KernelPCA, KernelPCANovelty, SparsePCA
from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.eigensolvers.decomposition import ToleranceWarning
from kpca.operators.symmetry import AsymmetricKernelWarning
from kpca.preimage import PreImageWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
SIGMOID = KernelPCA(2, kernel="sigmoid", gamma=1.0)
CALLS = {
    "fit": lambda: SIGMOID.fit(X),
    "fit_transform": lambda: SIGMOID.fit_transform(X),
    "pipeline": lambda: make_pipeline(SIGMOID).fit(X),
    "novelty": lambda: KernelPCANovelty(SIGMOID).fit(X),
}
KINDS = {
    ToleranceWarning: lambda: KernelPCA(2, kernel="rbf", tol=1e-18).fit_transform(X),
    AsymmetricKernelWarning: lambda: KernelPCA(2, kernel="precomputed").fit_transform(
        X @ X.T + np.triu(np.ones((60, 60)))
    ),
    ConvergenceWarning: lambda: SparsePCA(2, max_iter=1).fit_transform(X),
    PreImageWarning: lambda: (
        KernelPCA(2, kernel="poly", degree=2, preimage="mds").fit(X).denoise(X)
    ),
}


def places(call: Callable[[], object], category: type[Warning]) -> set[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return {one.filename for one in found if issubclass(one.category, category)}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ways_into_the_package(call: Callable[[], object]) -> None:
    assert places(call, IndefiniteKernelWarning) == {__file__}


@pytest.mark.parametrize(("category", "call"), KINDS.items())
def test_kinds_of_warnings(category: type[Warning], call: Callable[[], object]) -> None:
    assert places(call, category) == {__file__}
