from dataclasses import replace

import numpy as np
import pytest

from kpca.eigensolvers import Problem
from kpca.eigensolvers.solve import choose_solver
from kpca.kernels import KernelParameters
from kpca.operators import Centering
from kpca.operators.sources import KernelSource, MatrixSource


def problem(n: int, k: int, name: str = "rbf", d: int = 10, **options: float) -> Problem:
    source = KernelSource(np.zeros((n, d)), name, KernelParameters(0.1))
    return Problem(source, Centering(n), k, **options)


@pytest.mark.parametrize(
    ("case", "solver"),
    [
        (problem(100, 5), "dense"),
        (problem(400, 200), "dense"),
        (problem(400, 5), "arpack"),
        (problem(2000, 10), "krylov"),
        (problem(5000, 10), "davidson"),
        (problem(5000, 10, "laplacian"), "krylov"),
        (problem(5000, 10, "sigmoid"), "krylov"),
        (problem(5000, 10, "linear"), "primal"),
        (problem(5000, 10, "poly"), "primal"),
        (problem(5000, 10, "poly", d=60), "krylov"),
        (problem(15_000, 10, "poly", d=60), "davidson"),
        (problem(5000, 10, d=784), "krylov"),
    ],
)
def test_choice(case: Problem, solver: str) -> None:
    choice = choose_solver(case)
    assert choice.name == solver
    assert choice.reason


def test_stored_matrices_are_searched_as_they_are() -> None:
    n = 3000
    stored = Problem(MatrixSource(np.zeros((n, n), np.float32)), Centering(n), 5)
    assert choose_solver(stored).name == "krylov"


def test_what_was_asked_for_is_done_where_it_can_be() -> None:
    assert choose_solver(replace(problem(400, 5), solver="krylov")).name == "krylov"
    small = choose_solver(replace(problem(20, 5), solver="arpack"))
    assert small.name == "dense"
    assert "arpack was asked for" in small.reason


def test_a_tight_budget_goes_matrix_free() -> None:
    assert choose_solver(problem(2000, 10, budget=1.1e7)).name == "davidson"
    with pytest.raises(MemoryError, match="eigen_solver='krylov' on n = 5000"):
        choose_solver(problem(5000, 10, "sigmoid", budget=2e7))
