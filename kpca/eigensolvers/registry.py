"""Solvers by name."""

from contextlib import nullcontext

from kpca.eigensolvers import arpack, block_lanczos, davidson, dense, primal, randomized
from kpca.eigensolvers.problem import Problem, Solution, Solver
from kpca.linalg.threads import pinned_blas
from kpca.operators.sources import check_range

SOLVERS: dict[str, Solver] = {
    "dense": dense,
    "arpack": arpack,
    "randomized": randomized,
    "krylov": block_lanczos,
    "davidson": davidson,
    "primal": primal,
}


def solve(name: str, problem: Problem) -> Solution:
    """Solve a problem with the solver of that name.

    Only LAPACK's own solver gets the library's threads, unless one is asked for; the others bring
    theirs.
    """
    check_range(problem.source)
    with nullcontext() if name == "dense" and problem.n_threads > 1 else pinned_blas():
        return SOLVERS[name].solve(problem)
