"""The benchmarks measure what they say they measure."""

import json
import os
import signal

import numpy as np
import pandas as pd
import pytest

from benchmarks import figures, million, scaling
from benchmarks.cases import Case
from benchmarks.contenders import OURS, kernel_options, residual, step
from benchmarks.data import points
from benchmarks.run import peak
from benchmarks.timing import in_fresh_process
from kpca import median_gamma
from kpca.kernels.registry import KernelParameters
from kpca.linalg.resources import run_threads
from kpca.operators.sources import KernelSource
from tests.columns import columns_of
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix, residual_norms


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
@pytest.mark.parametrize("contender", [OURS, "dense"])
def test_residual_is_that_of_the_textbook(kernel, contender):
    case = Case("tiny", "mix10", 300, kernel=kernel, k=3)
    X = points(case.data, case.n)
    fitted = step(case, contender, X)()
    options = kernel_options(case, X)
    naive = NaiveKernelPCA(kernel_matrix(X, X, kernel, gamma=options["gamma"]))
    values = fitted.eigenvalues_
    vectors = fitted.eigenvectors_
    assert residual(X, options, values, vectors) <= 1e-8
    vectors = vectors + 1e-3 * np.random.default_rng(0).normal(size=(300, 3))
    expected = residual_norms(naive.centred, values, vectors).max() / naive.eigenvalues[0]
    assert residual(X, options, values, vectors) == pytest.approx(expected)
    assert residual(X, options, values, vectors, rows=250) == pytest.approx(expected, rel=0.15)


def test_peak_memory_counts_what_a_step_allocates_in_a_fresh_process():
    """Here the allocator may hold what earlier tests have left to it."""
    case = Case("tiny", "mix10", 1_500, k=2, theirs=("arpack",))
    assert in_fresh_process(peak, case, "arpack") >= 0.95 * 1_500**2 * 8


def test_table_and_figure_of_measurements(tmp_path):
    trial = {"seconds": 0.5, "residual": 1e-9, "solver": "arpack"}
    measured = {
        "threads": 2,
        "trials": {OURS: trial, "arpack": trial},
        "runs": {OURS: [[0.4, 0.7], [0.5, 0.7]], "arpack": [[1.0, 1.9], [1.2, 1.9]]},
        "seconds": {OURS: 0.4, "arpack": 1.0},
        "peak_bytes": {OURS: 10, "arpack": 40},
    }
    files = [tmp_path / f"{name}.json" for name in ("mix10-2k", "small-1k")]
    for file in files:
        file.write_text(json.dumps(measured | {"case": file.stem}))
    figures.main("speed", str(tmp_path), *map(str, files))
    summary = pd.read_csv(tmp_path / "summary.csv")
    assert summary["case"].tolist() == ["small-1k", "mix10-2k"]
    assert summary.columns.tolist() == columns_of("benchmarks/summary.csv")
    assert summary["times_faster"].tolist() == [2.5, 2.5]
    assert summary["times_smaller"].tolist() == [4, 4]
    assert (tmp_path / "benchmark_speed.png").exists()


N = 400
X = points("mix10", N)
GAMMA = median_gamma(X)


@pytest.mark.parametrize("name", scaling.CONTENDERS)
def test_contenders_give_eigenpairs(name):
    values, vectors = scaling.CONTENDERS[name].fit(X, GAMMA)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(scaling.K), atol=1e-6)
    bound = 1e-8 if name in ("exact", "their_exact") else 1e-2
    assert residual(X, {"kernel": "rbf", "gamma": GAMMA}, values, vectors) <= bound


def test_fits_too_large_or_killed_did_not_fit_and_others_have_a_row(
    monkeypatch,
):
    with monkeypatch.context() as patch:
        patch.setattr(scaling, "in_fresh_process", lambda work, *arguments: work(*arguments))
        patch.setattr(scaling, "REPEATED", 0)
        assert list(scaling.row("nystrom", N)) == columns_of("scaling/nystrom.csv")
    monkeypatch.setattr(scaling, "measure", killed)
    assert scaling.row("their_exact", 100)["fits"] is False
    monkeypatch.setattr(os, "sysconf", lambda _: 1000)  # a machine of 1 MB
    expected = {"contender": "their_exact", "n": 1000, "fits": False}
    assert scaling.row("their_exact", 1000) == expected


def killed(name, n):
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def test_exponents_are_slopes_and_the_figure_is_drawn(tmp_path):
    n = np.array([1000, 2000, 4000, 8000])
    squares = {"contender": "exact", "n": n, "seconds": 1e-6 * n**2.0, "peak_bytes": 5.0 * n}
    large = {"contender": "their_exact", "n": [1000, 10**6], "seconds": [1, np.nan]}
    table = pd.concat([pd.DataFrame(squares), pd.DataFrame(large)]).assign(error=1e-9)
    slopes = figures.exponents(table).set_index("contender")
    np.testing.assert_allclose(slopes.loc["exact"], [2, 1])
    assert slopes.loc["their_exact"].isna().all()
    table.to_csv(tmp_path / "table.csv", index=False)
    figures.main("scaling", str(tmp_path), str(tmp_path / "table.csv"))
    assert (tmp_path / "scaling.svg").exists()
    written = pd.read_csv(tmp_path / "exponents.csv")
    assert written.columns.tolist() == columns_of("scaling/exponents.csv")


def test_an_interrupted_product_goes_on_where_it_was(tmp_path, monkeypatch):
    computed = []

    def run(work, threads):
        computed.append(threads)
        if len(computed) == 2:
            raise KeyboardInterrupt
        run_threads(work, threads)

    gram = KernelSource(points("mix10", 10_000), "rbf", KernelParameters(gamma=0.1)).operator()
    V = np.random.default_rng(0).normal(size=(10_000, 3))
    monkeypatch.setattr(million, "EVERY", 0.0)
    monkeypatch.setattr(million, "run_threads", run)
    with pytest.raises(KeyboardInterrupt):
        million.KeptProducts(tmp_path).matmul(gram, V)
    products = million.KeptProducts(tmp_path)
    np.testing.assert_allclose(products.matmul(gram, V), gram.matmul(V), atol=1e-12)
    assert len(computed) == 3  # one of two was kept
    assert products.spent > 0


def test_the_table_of_a_million_has_the_columns_of_the_document(tmp_path):
    million.main(str(tmp_path / "table.csv"), "500")
    table = pd.read_csv(tmp_path / "table.csv")
    assert table.columns.tolist() == columns_of("timings/exact_million.csv")
    assert table["error"].item() <= 1e-8
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
