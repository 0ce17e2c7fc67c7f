"""Solvers by name."""

from contextlib import nullcontext
from importlib import import_module

from kpca.eigensolvers.problem import Problem, Solution
from kpca.linalg.threads import pinned_blas
from kpca.operators.sources import Source

LARGEST = 1e140  # squares of kernel values, summed over all pairs, must stay finite

# Imported on use: each solver brings in only what it needs.
SOLVERS = {
    "dense": "kpca.eigensolvers.dense.solve",
    "arpack": "kpca.eigensolvers.arpack.solve",
    "randomized": "kpca.eigensolvers.block_lanczos.solve_randomized",
    "krylov": "kpca.eigensolvers.block_lanczos.solve",
    "davidson": "kpca.eigensolvers.davidson.solve",
    "primal": "kpca.eigensolvers.primal.solve",
}


def solve(name: str, problem: Problem) -> Solution:
    """Solve a problem with the solver of that name.

    Only LAPACK's own solver gets the library's threads; the others bring theirs.
    """
    check_range(problem.source)
    module, function = SOLVERS[name].rsplit(".", 1)
    solver = getattr(import_module(module), function)
    with nullcontext() if name == "dense" else pinned_blas():
        solution: Solution = solver(problem)
    return solution


def check_range(source: Source) -> None:
    """Refuse kernel values that are too large to be squared and summed.

    Raises
    ------
    ValueError
        Naming the largest, and what to change.
    """
    largest = source.largest()
    if not largest < LARGEST:
        raise ValueError(
            f"Kernel values overflow: they reach {largest:.3g}, and {LARGEST:g} is the limit. "
            "Scale the data, or lower gamma, degree or coef0."
        )
