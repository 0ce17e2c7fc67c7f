"""The contract of the eigensolvers: their input, their output, and its certificates.

A solver is a module of `kpca.eigensolvers` with two functions of a `Problem`: ``solve`` computes a
`Solution`, which is the top of the spectrum of K̄, and ``memory`` estimates the bytes that it takes
in addition to the training points. `finish` sorts, clips, signs and certifies the eigenpairs of
every solver.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kpca.certificates.completeness import READ, READ_SECONDS, Completeness, Remainder, judge
from kpca.certificates.definiteness import NEGATIVE, SMALL, Definiteness, is_negative
from kpca.linalg.resources import blocks
from kpca.operators.grams import Centering, CentredGram, residual_norms
from kpca.operators.sources import KernelSource, MatrixSource, TrainingKernel
from kpca.types import EPS, FLOAT64, Floats
from kpca.validation import warn

RELATIVE_ZERO = 1e-12
TIE = 1e-6  # relative difference up to which moduli count as equal when a sign is chosen
SCORES = 1 << 17  # number of scores that are checked at once
DEFAULT_TOL = 1e-8
SMALLEST = 50  # smallest number of training points for which an iterative solver is used
# Smallest number of extra columns, which speed up convergence and the proof of completeness.
OVERSAMPLING = 4
# Solvers iterate until residuals are below this fraction of the tolerance, because rounding adds to
# residuals that are computed by recurrence.
AMPLE = 0.9


@dataclass(frozen=True, eq=False)
class Problem:
    """The k algebraically largest eigenpairs of one centred kernel matrix K̄."""

    source: Any  # a `TrainingKernel` or a `ColumnSource` that computes the kernel values
    centering: Centering
    n_components: int = 0  # k, which `solve` derives from `requested`
    pad: bool = True  # whether eigenpairs of eigenvalue zero fill up if fewer than k are nonzero
    tol: float = DEFAULT_TOL  # requested bound on max_i ‖K̄a_i − λ_i a_i‖ / λ_1
    max_iter: int | None = None  # iteration limit; None means the solver's default
    power: int | None = None  # iterations of "randomized"; None means until `tol` is met
    seed: int = 0  # seed of random starts
    n_threads: int = 1
    budget: float = np.inf  # bytes that the fit may use
    input_copy_bytes: float = 0.0  # part of the budget that converted data take during the fit
    copy_bytes: float = 0.0  # part of the budget that a copy of the data takes after the fit
    # Requested components: their number, at most n; the fraction of the variance that they keep;
    # or None for all of nonzero eigenvalue.
    requested: float | None = None
    solver: str = "auto"  # "auto" or the name of a solver
    drop_zero: bool = False  # whether components of eigenvalue zero are left out
    precision: np.dtype = FLOAT64  # type of the data, on which thresholds for rounding depend
    indefinite: str = "raise"  # "raise" or "clip"

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.centering.n

    @property
    def is_known(self) -> bool:
        """Whether the kernel is a named one that is known to be positive semidefinite."""
        return isinstance(self.source, KernelSource) and self.source.semidefinite

    @property
    def check_seconds(self) -> float:
        """Estimate the seconds that random vectors take to decide completeness.

        Half of 90 measured fits of 6 000 points and 2 to 100 columns took 0.5 to 2 times the
        estimate.
        """
        width = self.source.X.shape[1] if isinstance(self.source, KernelSource) else 1
        return 3e-10 * self.n**2 * (width + 40)

    @property
    def is_decided_when_read(self) -> bool:
        """Whether reading `completeness_` decides completeness if the fit left it open."""
        return self.n <= READ or (self.is_known and self.check_seconds <= READ_SECONDS)


@dataclass(frozen=True, eq=False)
class Solution:
    """Unsorted eigenpairs, as a solver returns them."""

    values: Floats  # shape (k,)
    vectors: Floats  # shape (n, k), orthonormal
    operator: CentredGram  # K̄ in float64, for the certificates
    # K̄ times the vectors, of shape (n, k), if the solver computed these products. A solver that
    # returns products returns its pairs in decreasing order.
    products: Floats | None = None
    # Estimates of the norms of the errors of `products`, of shape (k,), which add to the residuals.
    slack: Floats | float = 0.0
    worst_slack: Floats | float = 0.0  # worst-case bounds on the norms that `slack` estimates
    spectrum: Floats | None = None  # all n eigenvalues in decreasing order, if they are known
    lowest: float = np.inf  # smallest Rayleigh quotient of the search
    remainders: tuple[Remainder, ...] = ()  # bounds on the omitted eigenvalues
    next_bounds: tuple[Remainder, ...] = ()  # bounds on λ_{j+1}(K̄) for j = 0, …, k
    reason: str = ""  # why the method ended early; replaces the reason why the solver was chosen


def feature_bytes(source: TrainingKernel) -> float:
    """Estimate the bytes of a kernel's features: of both arguments, in float32 and float64."""
    if not isinstance(source, KernelSource):
        return 0.0
    return 24 * source.n * (source.X.shape[1] + 2)


def stored_bytes(problem: Problem, search: float) -> float:
    """Estimate the bytes of the stored K, and of the workspace to compute and search it.

    `search` are the bytes that the solver takes. If the kernel may be indefinite and the matrix is
    small, the search is followed by a computation of the whole spectrum.
    """
    n = problem.n
    source = problem.source
    spectrum = 0.0 if source.semidefinite or n > SMALL else 8 * n * (n + 80)
    return matrix_bytes(source) + max(feature_bytes(source), search + spectrum)


def matrix_bytes(source: TrainingKernel) -> float:
    """Return the bytes of the stored K; 0 if the caller's matrix is used without a copy."""
    is_given = isinstance(source, MatrixSource) and source.is_stored
    return 0.0 if is_given else 8 * source.n**2


class ToleranceWarning(UserWarning):
    """The residuals exceed the requested `tol`, or rounding hides the components."""


@dataclass(frozen=True)
class SolverChoice:
    """The solver that a fit used, and why.

    Attributes
    ----------
    name : str
        Name of the solver, as in the argument ``eigen_solver`` of `KernelPCA`.
    reason : str
        Why "auto" chose the solver, or a note that the caller chose it.
    """

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Certified eigenpairs of K̄ in decreasing order, with its trace and definiteness."""

    values: Floats  # λ_1 ≥ λ_2 ≥ … ≥ 0 of shape (k,); values within rounding of zero are zero
    vectors: Floats  # shape (n, k), orthonormal
    norms: Floats  # ‖K̄a_i − λ_i a_i‖ of shape (k,)
    unit: float  # λ_1, or the scale of K̄ if λ_1 is zero; residuals are relative to this unit
    tol: float  # requested bound on the relative residuals
    completeness: Completeness  # whether an eigenvalue above λ_k can have been missed
    choice: SolverChoice  # the solver, and why
    means: Floats  # weighted means K w/W of the rows of K, of shape (n,); W is the sum of w
    definiteness: Definiteness  # bound on λ_min(K̄), which is 0 for a semidefinite kernel
    total: float  # denominator of the ratios of variance
    denominator: str  # name of the quantity in `total`, such as "trace"
    worst: Floats  # worst-case bounds on `norms`, of shape (k,), which proofs use
    rounding: float = 0.0  # estimate of the rounding of a product with K̄
    # Attributes that only a model with landmarks has.
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def residuals(self) -> Floats:
        """Norms of the residuals, rounding included, relative to the largest eigenvalue."""
        return (self.norms + self.rounding) / self.unit

    @property
    def ratios(self) -> Floats:
        """The explained-variance ratio of each component."""
        return self.values / self.total if self.total > 0 else np.zeros_like(self.values)


def finish(
    solution: Solution, problem: Problem, choice: SolverChoice, known: Definiteness
) -> Decomposition:
    """Sort, certify and clip the pairs of a solver, choose signs, and select the requested pairs.

    An eigenvalue λ ≤ max(1e-12 λ_1, eps · scale) becomes zero, and its residual becomes that of the
    eigenvalue zero. An eigenvalue below its own residual is kept. The caller judges negative
    eigenvalues before this call (`kpca.certificates.definiteness`), and passes the bound on
    λ_min(K̄) as `known`.
    """
    operator = solution.operator
    order = np.argsort(-solution.values, kind="stable")
    values = solution.values[order]
    vectors = np.ascontiguousarray(solution.vectors[:, order])
    products = None if solution.products is None else solution.products[:, order]
    norms = residual_norms(operator, values, vectors, products)
    worst = norms + operator.error + solution.worst_slack
    norms = norms + solution.slack
    top = max(values[0], 0.0)
    floor = zero_below(top, operator)
    gone = np.where(values <= floor, np.abs(values), 0.0)
    norms = norms + gone
    worst = worst + gone
    values = np.where(values <= floor, 0.0, values)
    unit = (top if values[0] > 0 else operator.scale) or 1.0
    total, denominator = _total_variance(solution, known.smallest, problem.precision)
    k = _selected(problem, values, total)
    vectors = vectors[:, :k]
    return Decomposition(
        values[:k],
        vectors * signs(vectors, problem.centering),
        norms[:k],
        unit,
        problem.tol,
        _judged(solution, problem, values, worst, k),
        choice,
        operator.means,
        known,
        total,
        denominator,
        worst[:k],
        operator.expected_error,
    )


def _selected(problem: Problem, values: Floats, total: float) -> int:
    """Return how many of the sorted values the problem requests."""
    requested = problem.requested
    k = len(values)
    if problem.drop_zero or requested is None:  # Zeros are last in the order.
        k = int(np.count_nonzero(values))
    if requested is not None and requested < 1:
        k = min(k, count(values, total, requested))
    return k


def zero_below(top: float, operator: CentredGram) -> float:
    """Return the threshold below which eigenvalues count as zero, if the largest is `top`."""
    return max(RELATIVE_ZERO * top, EPS * operator.scale)


def _total_variance(solution: Solution, lowest: float, precision: np.dtype) -> tuple[float, str]:
    """Return the total variance and its name.

    The total is tr(K̄), or the sum of the positive eigenvalues if the kernel is indefinite and its
    spectrum is known.
    """
    top = solution.values.max()
    if not is_negative(lowest, solution.operator, top, NEGATIVE[precision]):
        return solution.operator.trace, "trace"
    if solution.spectrum is not None:
        return float(solution.spectrum[solution.spectrum > 0].sum()), "positive mass"
    return solution.operator.trace, "trace with negative mass"


def _judged(
    solution: Solution, problem: Problem, values: Floats, worst: Floats, k: int
) -> Completeness:
    """Judge whether the first k of the sorted eigenvalues are the largest.

    `worst` are bounds on the norms of residuals. In a basis that begins with all returned
    eigenvectors, K̄ is diag(Λ, C) up to a coupling whose norm is that of all residuals together. Let
    b bound all eigenvalues that were not returned, and therefore those of C. By Weyl, no eigenvalue
    after the first k exceeds max(b, λ_{k+1}) plus that norm.
    """
    top = max(values[0], 0.0)
    # An omitted eigenvalue that exceeds λ_k by less than the tolerance cannot be told from λ_k.
    least = values[k - 1] if k else 0.0
    limit = max(least, zero_below(top, solution.operator)) + problem.tol * top
    bounds = [*solution.remainders, *_decided(solution.next_bounds, values, worst)]
    if k < len(values):
        slack = float(np.linalg.norm(worst))
        limit += slack
        bounds = [r._replace(bound=max(r.bound, float(values[k])) + slack) for r in bounds]
    remedy = f"check_completeness() decides, in about {problem.check_seconds:.1g} s"
    return replace(judge(limit, bounds), remedy=remedy)


def _decided(bounds: Sequence[Remainder], values: Floats, worst: Floats) -> Iterator[Remainder]:
    """Yield the lowest bound on a λ_{j+1}(K̄) that also bounds all omitted eigenvalues, if any does.

    A bound on λ_{j+1} does this if it is below the returned λ_j by more than the residuals, because
    the j eigenvalues near the returned ones are then the j largest. The condition is needed: if K̄
    has the eigenvalues 10, 5 and 4, and 5 and 4 are returned, λ_3 ≤ 4 is true, but 10 is missing.
    """
    for j in range(len(bounds) - 1, -1, -1):
        certain = values[j - 1] - np.linalg.norm(worst[:j]) if j else np.inf
        if bounds[j].bound < certain:
            yield bounds[j]
            return


def signs(vectors: Floats, centering: Centering) -> Floats:
    """Return signs that make the training score of largest modulus positive in each component.

    If several scores share the largest modulus, the first decides, so that all solvers agree on
    symmetric data.
    """
    directions = np.ones(vectors.shape[1])
    for part in blocks(vectors.shape[1], max(1, SCORES // max(1, len(vectors)))):
        scores = centering.scores(directions[part], vectors[:, part])
        moduli = np.nan_to_num(np.abs(scores))
        first = np.argmax(moduli >= (1 - TIE) * moduli.max(axis=0, initial=0), axis=0)
        directions[part] = np.where(scores[first, np.arange(scores.shape[1])] < 0, -1.0, 1.0)
    return directions


def count(values: Floats, total: float, share: float) -> int:
    """Return the smallest number of leading `values` whose sum is at least `share` · `total`."""
    below = np.cumsum(values) < share * total * (1 - 1e-12)
    return min(int(np.count_nonzero(below)) + 1, len(values))


def warn_if_missed(pairs: Decomposition, asked: str) -> None:
    """Warn if a residual exceeds the tolerance, and state its size and a remedy.

    `asked` is the name of the solver that the caller requested, or "auto".
    """
    solver = pairs.choice.name
    worst = pairs.residuals.max(initial=0)
    tol = pairs.tol
    if worst <= tol:
        return
    rounding = pairs.rounding / pairs.unit
    last = np.argmax(pairs.residuals)
    if pairs.values[last] == 0 and pairs.norms[last] > rounding * pairs.unit:
        remedy = "components of negative eigenvalue were clipped to zero. Ask for fewer components."
    elif worst <= 2 * rounding:
        remedy = (
            f"rounding alone may be {rounding:.1e} of the largest eigenvalue, for every solver. "
            "Raise tol, or where the kernel is nearly constant change its parameters or the scale "
            "of the data."
        )
    else:
        steps = {"dense": "", "primal": "", "randomized": "iterated_power or "}
        other = "dense" if asked in ("auto", "primal") else "auto"
        instead = "" if solver == "dense" else f", or use eigen_solver={other!r}"
        remedy = f"raise {steps.get(solver, 'max_iter or ')}tol{instead}."
    warn(
        f"{solver} reached a residual of {worst:.1e}, {worst / tol:.1f} times the tolerance "
        f"{tol:.1e}: {remedy}",
        ToleranceWarning,
    )
