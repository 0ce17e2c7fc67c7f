"""Turn a `Problem` into its `Decomposition`: choose a solver, solve, certify and select."""

import logging
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from kpca.certificates import decomposition as contract
from kpca.certificates import definiteness
from kpca.certificates.decomposition import Decomposition, Problem, Solution, SolverChoice
from kpca.certificates.definiteness import NEGATIVE, SEMIDEFINITE, Definiteness, is_negative
from kpca.eigensolvers import arpack, davidson, dense, primal, randomized
from kpca.kernels.registry import KERNELS, inner_products
from kpca.linalg.resources import pinned_blas
from kpca.operators.sources import KernelSource, about_mean, check_source, mean_products
from kpca.validation import check_memory

logger = logging.getLogger("kpca")

SOLVERS: dict[str, Any] = {
    "dense": dense,
    "arpack": arpack,
    "randomized": randomized,
    "davidson": davidson,
    "primal": primal,
}


@dataclass(frozen=True)
class AutoOptions:
    """Thresholds by which "auto" chooses a solver.

    Kernel values are stored for at most stored_samples + stored_per_component · (k + d − f) +
    stored_per_square · f² samples, where k is the number of components, d the number of features,
    and f = min(d, first_features).
    """

    # Largest number of explicit features for which "primal" is chosen.
    explicit_features: int = 1000
    direct_samples: int = 150  # largest n for which LAPACK is as fast as any other solver
    stored_samples: int = 1400
    stored_per_component: int = 40
    # Largest value of f. Features up to this number make the spectrum fall more slowly.
    first_features: int = 32
    stored_per_square: int = 5
    # Number of components that is tried first if a fraction of the variance is requested.
    tried_components: int = 16


OPTIONS = AutoOptions()


def solve(problem: Problem) -> Decomposition:
    """Compute the requested components and their certificates.

    Raises
    ------
    ValueError, MemoryError
        If the solver, `kpca.certificates.definiteness.check` or `choose_solver` raises one.
    """
    requested = problem.requested
    n = problem.n
    share = float(requested) if requested is not None and requested < 1 else None
    drop_zero = problem.drop_zero or requested is None
    k = n if requested is None or share is not None else min(n, int(requested))
    check_source(problem.source, problem.centering)
    near = about_mean(problem.source, problem.centering)
    pad = share is None and not drop_zero
    inner = replace(problem, source=near, n_components=k, pad=pad)
    choice, solution = _solved(inner, share)
    # BLAS threads stay awake after a call and would take processors from the package's threads.
    with pinned_blas():
        definite = _definiteness(solution, inner)
        if not problem.source.semidefinite:
            values = solution.values
            if share is not None and values.max() > 0:
                values = values[values > 0]  # A fraction of the variance keeps only these.
            definiteness.check(
                values,
                definite.smallest,
                solution.operator,
                problem.precision,
                problem.indefinite,
            )
        pairs = contract.finish(solution, inner, choice, definite)
        contract.warn_if_missed(pairs, problem.solver)
        if near is not problem.source:
            pairs = replace(pairs, means=mean_products(problem.source, problem.centering))
        return pairs


def choose_solver(problem: Problem) -> SolverChoice:
    """Return the solver that the problem names, or choose one; check the memory that it needs.

    Raises
    ------
    MemoryError
        If the fit needs more than the budget. The error is raised before anything is allocated.
    """
    requested = problem.solver
    choice = _automatic(problem) if requested == "auto" else _asked(problem, requested)
    needed = _needed(problem, choice)
    if requested == "auto" and needed > problem.budget and _has_preconditioner(problem):
        choice = SolverChoice("davidson", f"{choice.name} would need {needed:.3g} bytes")
        needed = _needed(problem, choice)
    has_other = choice.name != "davidson" and _has_preconditioner(problem)
    other = "use eigen_solver='davidson', " if has_other else ""
    remedy = f"raise memory_budget, {other}ask for fewer components, or use LandmarkKernelPCA"
    check_memory(
        f"eigen_solver={choice.name!r} on n = {problem.n} points needs",
        needed,
        problem.budget,
        f"{remedy} (an approximation)",
    )
    return choice


def _needed(problem: Problem, choice: SolverChoice) -> float:
    vectors = 24 * problem.n * problem.n_components if problem.pad else 0.0
    solving = SOLVERS[choice.name].memory(problem) + problem.input_copy_bytes
    return max(solving, problem.copy_bytes + vectors)


def _asked(problem: Problem, asked: str) -> SolverChoice:
    n = problem.n
    k = problem.n_components
    iterative = asked not in ("dense", "primal")
    if iterative and (n < contract.SMALLEST or k > n // 2):
        reason = f"{asked} was asked for, but needs n ≥ {contract.SMALLEST} and k ≤ n/2"
        return SolverChoice("dense", reason)
    return SolverChoice(asked, "asked for")


def _has_preconditioner(problem: Problem) -> bool:
    """Return whether "davidson" applies: a named semidefinite kernel, large n, and k ≤ n/2."""
    return problem.is_known and contract.SMALLEST <= problem.n >= 2 * problem.n_components


def _automatic(problem: Problem) -> SolverChoice:
    """Return the solver that is expected to be fastest, and why."""
    source = problem.source
    n = problem.n
    k = problem.n_components
    direct = OPTIONS.direct_samples
    most_features = min(n / 4, OPTIONS.explicit_features)
    count = source.feature_count
    if count is not None and count <= most_features and (k <= count or n > direct):
        return SolverChoice("primal", f"{count} explicit features")
    if n <= direct:
        return SolverChoice("dense", f"n = {n} is at most {direct}")
    if 5 * k > n:
        return SolverChoice("dense", f"k = {k} is more than a fifth of n = {n}")
    if not isinstance(source, KernelSource):
        return SolverChoice("arpack", "the kernel matrix is stored")
    if not source.semidefinite:
        # ARPACK stalls on eigenvalues below the rounding of λ_1, and the spectra of these kernels
        # soon fall below it.
        if 10 * k >= n:
            reason = f"k = {k} is at least a tenth of n = {n}, and the kernel may be indefinite"
            return SolverChoice("dense", reason)
        return SolverChoice("arpack", "the kernel may be indefinite")
    d = source.X.shape[1]
    first = min(d, OPTIONS.first_features)
    limit = OPTIONS.stored_samples + OPTIONS.stored_per_component * (k + d - first)
    limit += OPTIONS.stored_per_square * first**2
    if n <= limit:
        return SolverChoice("arpack", f"n = {n} is at most {limit}")
    if KERNELS[source.name].product is not inner_products:
        return SolverChoice("arpack", "values of the kernel cost much, and are stored")
    return SolverChoice("davidson", "matrix-free, with a Nyström preconditioner")


def _definiteness(solution: Solution, problem: Problem) -> Definiteness:
    if problem.source.semidefinite:
        return SEMIDEFINITE
    if solution.spectrum is not None:
        return definiteness.of_spectrum(solution.operator, solution.spectrum)
    return definiteness.met(solution.operator, solution.lowest)


def _solved(problem: Problem, share: float | None) -> tuple[SolverChoice, Solution]:
    """Choose a solver and solve; double the components until they keep the fraction `share`.

    If the kernel is indefinite, a fraction refers to the sum of the positive eigenvalues, and
    therefore needs the whole spectrum.
    """
    n = problem.n
    k = problem.n_components if share is None else min(n, OPTIONS.tried_components)
    while True:
        attempt = replace(problem, n_components=k)
        choice = choose_solver(attempt)
        logger.info("eigen_solver %s (n=%d, k=%d)", choice, n, k)
        # Only the dense solver uses the threads of the BLAS. The others run the package's threads.
        by_library = choice.name == "dense" and problem.n_threads > 1
        with nullcontext() if by_library else pinned_blas():
            solution = SOLVERS[choice.name].solve(attempt)
        indefinite = is_negative(
            _definiteness(solution, attempt).smallest,
            solution.operator,
            solution.values.max(),
            NEGATIVE[problem.precision],
        )
        if indefinite and solution.spectrum is None:
            solution = replace(solution, spectrum=definiteness.spectrum(solution.operator))
        enough = share is None or solution.values.sum() >= share * solution.operator.trace
        if share is not None and k < n and indefinite:
            k = n
        elif enough or k == n:
            return SolverChoice(choice.name, solution.reason or choice.reason), solution
        else:
            k = n if 10 * k > n else 2 * k
