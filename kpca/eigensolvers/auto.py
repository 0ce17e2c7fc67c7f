"""Solvers by name, and the choice of one with its reason."""

from contextlib import nullcontext
from dataclasses import dataclass

from kpca.eigensolvers import arpack, block_lanczos, davidson, dense, primal, randomized
from kpca.eigensolvers.problem import SMALLEST, Problem, Solution, Solver
from kpca.linalg.threads import pinned_blas

SOLVERS: dict[str, Solver] = {
    "dense": dense,
    "arpack": arpack,
    "randomized": randomized,
    "krylov": block_lanczos,
    "davidson": davidson,
    "primal": primal,
}
# In the order in which they are asked whether they apply.
LINE = ("primal", "dense", "arpack", "krylov", "davidson")


@dataclass(frozen=True)
class Choice:
    """Which solver, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def choose(problem: Problem, asked: str) -> Choice:
    """Choose a solver for a problem, or take the one asked for, and check its memory.

    Raises
    ------
    MemoryError
        If the fit needs more than the budget, before anything is allocated.
    """
    choice = _automatic(problem) if asked == "auto" else _asked(problem, asked)
    n = problem.n
    needed = _needed(problem, choice)
    if asked == "auto" and needed > problem.budget and davidson.applicable(problem):
        choice = Choice("davidson", f"{choice.name} would need {needed:.3g} bytes")
        needed = _needed(problem, choice)
    if needed > problem.budget:
        known = choice.name != "davidson" and davidson.applicable(problem)
        other = "use eigen_solver='davidson', " if known else ""
        raise MemoryError(
            f"eigen_solver={choice.name!r} on n = {n} points needs about {needed:.3g} bytes, "
            f"and memory_budget allows {problem.budget:.3g}: raise memory_budget, {other}ask for "
            "fewer components, or use eigen_solver='nystrom' (an approximation)."
        )
    return choice


def _needed(problem: Problem, choice: Choice) -> float:
    vectors = 24 * float(problem.n) * problem.n_components
    solving = SOLVERS[choice.name].memory(problem) + problem.held
    return max(solving, problem.kept + vectors)


def _asked(problem: Problem, asked: str) -> Choice:
    n, k = problem.n, problem.n_components
    iterative = asked not in ("dense", "primal")
    if iterative and (n < SMALLEST or k > n // 2):
        reason = f"{asked} was asked for, but needs n ≥ {SMALLEST} and k ≤ n/2"
        return Choice("dense", reason)
    return Choice(asked, "asked for")


def _automatic(problem: Problem) -> Choice:
    reasons = ((name, SOLVERS[name].applicable(problem)) for name in LINE)
    return next(Choice(name, reason) for name, reason in reasons if reason)


def solve(name: str, problem: Problem) -> Solution:
    """Solve a problem with the solver of that name.

    Only LAPACK's own solver gets the library's threads, unless one is asked for; the others bring
    theirs.
    """
    with nullcontext() if name == "dense" and problem.n_threads > 1 else pinned_blas():
        return SOLVERS[name].solve(problem)
