import re
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from kpca import KernelPCA
from kpca.certificates.decomposition import Problem
from kpca.eigensolvers.solve import SOLVERS
from kpca.kernels.bound import kernel_matrix
from kpca.operators.grams import Centering
from kpca.operators.sources import MatrixSource
from tests.kpca.estimators import either

X = np.random.default_rng(0).normal(size=(2600, 4))


def peak(work, allowed=np.inf):
    """The most bytes that Python held at a time, at most those allowed, though the work failed."""
    tracemalloc.start()
    try:
        work()
    finally:
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert highest <= allowed
    return highest


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"eigen_solver": "arpack"}, r"needs about .* bytes.*allows 1e\+07: raise mem"),
        ({"fit_inverse_transform": True}, "fit_inverse_transform=True on n = 2600 points needs"),
    ],
)
def test_an_impossible_fit_is_refused_at_once(options, message):
    model = KernelPCA(5, kernel="rbf", memory_budget=1e7, **options)
    with pytest.raises(MemoryError, match=message) as refusal:
        peak(lambda: model.fit(X), 5e6)
    assert f"use eigen_solver={model.eigen_solver!r}" not in str(refusal.value)


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "single"])
@pytest.mark.parametrize("solver", ["dense", "arpack"])
def test_the_budget_covers_copies_of_a_matrix(solver, kind, copies):
    n = 800
    K = kernel_matrix(X[:n], kernel="rbf", gamma=0.1)
    K = K.astype(np.float32) if kind == "single" else (K + K.T) / 2
    K[0, 1] += 1e-9 * (kind == "asymmetric")
    needed = SOLVERS[solver].memory(Problem(MatrixSource(K), Centering(n), 5))
    model = KernelPCA(5, kernel="precomputed", eigen_solver=solver, copy_X=copies, n_jobs=1)
    model.set_params(memory_budget=1.001 * max(needed, K.nbytes * copies + 24 * 5 * n))
    assert peak(lambda: model.fit(K)) <= model.memory_budget
    with pytest.raises(MemoryError, match="raise memory_budget"):
        peak(lambda: model.set_params(memory_budget=0.999 * needed).fit(K), 0.2 * 8 * n**2)


@pytest.mark.parametrize("kind", ["points", "sparse", "table", "matrix"])
def test_integers_are_converted_only_if_the_budget_holds_the_copy(kind):
    """Which makes them eight times as large."""
    pixels = np.random.default_rng(0).integers(1, 256, (900, 900), np.uint8)
    form = {"sparse": sparse.csr_array, "table": pd.DataFrame}.get(kind, np.array)
    samples = form(pixels)
    kernel = "precomputed" if kind == "matrix" else "linear"
    model = KernelPCA(2, kernel=kernel, indefinite="clip", n_jobs=1)
    model.set_params(memory_budget=0.9 * 8 * pixels.size)
    with pytest.raises(MemoryError, match=r"The copy of X .*raise memory_budget"):
        peak(lambda: model.fit(samples), pixels.size)


def test_transform_streams():
    model = KernelPCA(5, kernel="rbf", gamma=0.1, n_jobs=1).fit(X)
    assert peak(lambda: model.transform(X)) < 0.1 * 8 * len(X) ** 2


BUDGETS = [
    *({"eigen_solver": solver} for solver in ("dense", "arpack", "randomized", "davidson")),
    {"n_components": None, "eigen_solver": "dense"},
    *({"n_components": 30, "eigen_solver": solver} for solver in ("arpack", "davidson")),
    {"eigen_solver": "primal", "kernel": "linear"},
    {"eigen_solver": "arpack", "kernel": "sigmoid", "indefinite": "clip"},
    *(
        {"eigen_solver": "nystrom", "landmarks": how, "n_landmarks": 100}
        for how in ("kmeans", "uniform", "rpcholesky")
    ),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [1100, 2000])
@pytest.mark.parametrize("options", BUDGETS, ids=lambda o: "-".join(map(str, o.values())))
def test_an_accepted_budget_holds_and_is_no_more_than_twice_the_need(options, n):
    n = min(n, 1200) if options["eigen_solver"] == "dense" else n
    points = np.random.default_rng(0).normal(size=(n, 10))
    defaults = {"n_components": 5, "kernel": "rbf", "gamma": 0.1, "n_jobs": 1}
    model = either(**defaults | options)
    model.fit(points[:200])  # Imports on first use are no part of the fit.
    with pytest.raises(MemoryError) as refusal:
        model.set_params(memory_budget=1).fit(points)
    least = float(re.findall(r"needs? about ([-+.e0-9]+) bytes", str(refusal.value))[0])
    model.set_params(memory_budget=1.01 * least)
    assert least / 2 <= peak(lambda: model.fit(points)) <= 1.005 * least
