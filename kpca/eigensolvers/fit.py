"""From a problem to certified eigenpairs: choose, solve, judge, certify, select."""

import logging
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca.certificates.definiteness import (
    NEGATIVE,
    Definiteness,
    check,
    definiteness,
    is_negative,
)
from kpca.eigensolvers import eigenpairs
from kpca.eigensolvers.auto import Choice, choose, solve
from kpca.eigensolvers.problem import Problem, Solution
from kpca.linalg.threads import pinned_blas
from kpca.operators import Centering
from kpca.operators.scaling import Scaled, mean_products, scale
from kpca.operators.sources import Source
from kpca.types import Floats

logger = logging.getLogger("kpca")

TINY = float(np.finfo(np.float64).tiny)
FIRST = 16  # components that a share of the variance is tried with


@dataclass(frozen=True, eq=False)
class Fit:
    """What a fit found."""

    choice: Choice  # the solver, and why
    pairs: eigenpairs.Eigenpairs  # the components kept
    means: Floats  # K w/W, of shape (n,)
    # Of λ_min(K̄), which is 0 for a kernel that is positive semidefinite for certain.
    definiteness: Definiteness
    total: float  # what ratios of variance refer to
    denominator: str  # which total that is

    def unscaled(self, scaled: Scaled) -> "Fit":
        """Return the fit to the kernel and the weights as they were given.

        Raises
        ------
        ValueError
            If its eigenvalues overflow or underflow.
        """
        factor, top = scaled.factor, float(self.pairs.values.max(initial=0))
        if top > 0 and not TINY <= top * factor < np.inf:
            size = np.log10(top) + np.log10(scaled.kernel) + np.log10(scaled.weights)
            raise ValueError(
                f"The eigenvalues of the weighted kernel matrix are about 1e{size:.0f}, beyond "
                "float64: scale sample_weight or the kernel."
            )
        return replace(
            self,
            pairs=self.pairs.times(factor),
            means=self.means * scaled.kernel,
            definiteness=self.definiteness.times(factor),
            total=self.total * factor,
        )

    def ratios(self) -> Floats:
        """Give the explained-variance ratio of each component."""
        values = self.pairs.values
        return values / self.total if self.total > 0 else np.zeros_like(values)


def fit_pairs(
    source: Source,
    centering: Centering,
    n_components: float | None,
    solver: str,
    *,
    drop_zero: bool,
    precision: np.dtype,
    indefinite: str,
    **options: Any,
) -> Fit:
    """Find components and everything that is said about them.

    Parameters
    ----------
    n_components : int, float or None
        A number, at most n; as many as a share of the variance takes; or all that are not zero.
    solver : str
        "auto" or the name of a solver.
    drop_zero : bool
        Leave out components of eigenvalue zero.
    precision : dtype
        Precision of the data, which says what is rounding.
    indefinite : {"raise", "clip"}
    **options
        Of `Problem`.

    Raises
    ------
    ValueError, MemoryError
        As the solver, `kpca.certificates.definiteness.check` and `kpca.eigensolvers.auto.choose`.
    """
    asked, n = n_components, source.n
    share = float(asked) if asked is not None and asked < 1 else None
    drop_zero = drop_zero or asked is None
    k = n if asked is None or share is not None else min(n, int(asked))
    pad = share is None and not drop_zero
    scaled = scale(source, centering)
    problem = Problem(scaled.source, scaled.centering, k, pad, **options)
    choice, solution = _solved(problem, solver, share, precision)
    # The library's own threads wait awake after a call and would take processors from ours.
    with pinned_blas():
        known, operator = _definiteness(solution, problem), solution.operator
        check(solution.values, known.smallest, operator, precision, indefinite)
        pairs = eigenpairs.finish(solution, problem, known.bound)
        total, denominator = _total_variance(solution, known.smallest, precision)
        if drop_zero:  # they come last
            pairs = pairs.head(int(np.count_nonzero(pairs.values)))
        if share is not None:
            pairs = pairs.head(count(pairs.values, total, share))
        eigenpairs.warn_if_missed(pairs, choice.name, solver)
        found = Fit(choice, pairs, operator.means, known, total, denominator)
        found = found.unscaled(scaled)
        shifted = scaled.source.name == "linear" and scaled.source is not source
        return replace(found, means=mean_products(source, centering)) if shifted else found


def _definiteness(solution: Solution, problem: Problem) -> Definiteness:
    if problem.source.semidefinite:
        return Definiteness.exact(0.0)
    if solution.spectrum is not None:
        return Definiteness.exact(float(solution.spectrum[-1]))
    top = float(solution.values.max())
    return definiteness(solution.operator, top, problem.seed, solution.quick)


def count(values: Floats, total: float, share: float) -> int:
    """Give how many of the sorted eigenvalues it takes to reach a share of a total."""
    reached = np.cumsum(values) >= share * total * (1 - 1e-12)
    return int(np.argmax(reached)) + 1 if reached.any() else len(values)


def _solved(
    problem: Problem, solver: str, share: float | None, precision: np.dtype
) -> tuple[Choice, Solution]:
    """Choose and solve; a share of the variance doubles the components until they reach it.

    An indefinite kernel gets its whole spectrum then, since only so its positive mass is known.
    """
    n, k = problem.n, problem.n_components
    if share is not None:
        k = min(n, FIRST)
    while True:
        attempt = replace(problem, n_components=k)
        choice = choose(attempt, solver)
        logger.info("eigen_solver %s (n=%d, k=%d)", choice, n, k)
        solution = solve(choice.name, attempt)
        if solution.taken_over:
            reason = f"{choice.reason}; {choice.name} did not converge"
            choice = Choice(solution.taken_over, reason)
        enough = share is None or solution.values.sum() >= share * solution.operator.trace
        if share is not None and k < n and _is_indefinite(solution, attempt, precision):
            k = n
        elif enough or k == n:
            return choice, solution
        else:
            k = n if 2 * k > n // 10 else 2 * k


def _is_indefinite(solution: Solution, problem: Problem, precision: np.dtype) -> bool:
    lowest, top = _definiteness(solution, problem).smallest, float(solution.values.max())
    return lowest < 0 and is_negative(lowest, solution.operator, top, precision, NEGATIVE)


def _total_variance(solution: Solution, lowest: float, precision: np.dtype) -> tuple[float, str]:
    """Give tr(K̄), or the positive mass of an indefinite kernel whose spectrum is known."""
    top = float(solution.values.max())
    if lowest >= 0 or not is_negative(lowest, solution.operator, top, precision, NEGATIVE):
        return solution.operator.trace, "trace"
    if solution.spectrum is not None:
        return float(solution.spectrum[solution.spectrum > 0].sum()), "positive mass"
    return solution.operator.trace, "trace with negative mass"
