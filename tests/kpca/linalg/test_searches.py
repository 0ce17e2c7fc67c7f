"""The spaces that searches and refinements span, and what they say of the rest."""

import logging
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.decomposition import Problem
from kpca.eigensolvers import davidson
from kpca.eigensolvers.davidson import refine
from kpca.linalg.orthonormal import orthonormal
from kpca.operators.grams import Centering, CentredGram, FullGram
from kpca.operators.sources import MatrixSource
from tests.kpca.naive import residual_norms

N = 200
Q = np.linalg.qr(np.random.default_rng(0).normal(size=(N, N)))[0]
SPECTRUM = 0.93 ** np.arange(N)
A = (Q * SPECTRUM) @ Q.T
RNG = np.random.default_rng(1)


def corrected(quick, off, **options):
    """What `refine` makes of a start block by exact products, and quick ones that err."""
    operators = [CentredGram(FullGram(A), Centering(N, center=False)) for _ in range(2)]
    problem = Problem(MatrixSource(A), operators[0].centering, 5, **options)
    operators[1].matmul = quick
    start = Q[:, :5] + off * RNG.normal(size=(N, 5))
    return operators[0], refine(problem, *operators, start)


def test_precise_old_products_survive_noisy_new_ones(monkeypatch):
    """Averaging both triangles of the projected matrix stalled at the noise."""
    monkeypatch.setattr(davidson, "OPTIONS", replace(davidson.OPTIONS, spare_columns=400))
    noise = RNG.normal(size=(N, N)) * 1e-6
    _, solution = corrected(lambda V: A @ V + noise @ V, 1e-4, tol=1e-8, max_iter=8)
    true = residual_norms(A, solution.values, solution.vectors)
    assert true.max() < 1e-7
    norms = np.linalg.norm(solution.products - solution.vectors * solution.values, axis=0)
    assert (true <= norms + solution.slack).all()


def test_errors_of_products_are_bounded_where_they_add_up():
    """The errors of one size all point the same way, and add up where their vectors cancel."""
    error = 1e-5

    def wrong(V):
        return A @ V + error * np.linalg.norm(V, axis=0) * Q[:, :1]

    exact, solution = corrected(wrong, 1e-2, tol=1e-14, max_iter=8)
    off = np.linalg.norm(solution.products - A @ solution.vectors, axis=0)
    assert (off > 1e-3 * error).any()
    assert (off <= error / exact.error * solution.worst_slack).all()


def test_a_search_leaves_room_for_what_its_products_may_be_off(
    monkeypatch,
):
    """Residuals below the tolerance by less than the slack cost an exact pass."""
    passes = list[int]()
    matmul = CentredGram.matmul
    monkeypatch.setattr(CentredGram, "matmul", lambda *of: passes.append(1) or matmul(*of))
    noise = 1e-9 * RNG.normal(size=(N, N))
    for off in np.geomspace(0.01, 0.003, 20):
        _, solution = corrected(lambda V: A @ V + noise @ V, off, tol=1e-7)
        norms = np.linalg.norm(solution.products - solution.vectors * solution.values, axis=0)
        assert (norms + solution.slack).max() <= 1e-7
        assert solution.slack.max() > 1e-9
    assert len(passes) == 20


def test_orthonormal_drops_dependent_directions():
    block = RNG.normal(size=(N, 3))
    basis = orthonormal(orthonormal(np.hstack([block, block @ RNG.normal(size=(3, 2)), 0 * block])))
    assert basis.shape == (N, 3)
    np.testing.assert_allclose(basis.T @ basis, np.eye(3), atol=1e-12)
    assert orthonormal(np.zeros((N, 2))).shape == (N, 0)


@pytest.mark.parametrize("solver", ["randomized", "davidson"])
def test_each_pass_has_a_line(solver, monkeypatch, caplog):
    X = np.random.default_rng(0).normal(size=(600, 5))
    model = KernelPCA(3, kernel="rbf", gamma=0.1, eigen_solver=solver)
    with caplog.at_level(logging.INFO, "kpca"):
        model.fit(X)
        assert not [line for line in caplog.messages if line.startswith("pass ")]
        monkeypatch.setattr(davidson, "OPTIONS", replace(davidson.OPTIONS, quiet_seconds=0.0))
        model.fit(X)
    lines = [line for line in caplog.messages if line.startswith("pass ")]
    numbers = [int(line.split()[1].rstrip(":")) for line in lines]
    assert numbers[:4] == [1, 2, 3, 4]
    assert all(later in (1, before + 1) for before, later in pairwise(numbers))  # a round anew
    assert all("residual" in line and " s" in line for line in lines)
