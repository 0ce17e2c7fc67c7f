"""The contract of the eigensolvers: what goes in, and what comes out.

A solver is a module of this folder with two functions of a `Problem`: ``solve`` computes a
`Solution`, the top of the spectrum of K̄, and ``memory`` estimates the bytes that it takes beyond
the training points.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.certificates.completeness import Complement, Remainder
from kpca.certificates.definiteness import SMALL
from kpca.linalg.block_lanczos import KrylovSpace
from kpca.operators import Centering, CentredGram
from kpca.operators.grams import TILE
from kpca.operators.sources import KernelSource, MatrixSource, TrainingKernel
from kpca.types import Floats

DEFAULT_TOL = 1e-8
DOUBLE = np.dtype(np.float64)
SMALLEST = 50  # points of iterative solvers
OVERSAMPLING = 4  # columns at least beyond those wanted: they speed up convergence and completeness
AMPLE = 0.9  # of the tolerance: leaves room for what rounding adds to a residual by recurrence


@dataclass(frozen=True, eq=False)
class Problem:
    """The k algebraically largest eigenpairs of one centred kernel matrix K̄."""

    source: Any  # where kernel values come from: a `TrainingKernel`, or a `ColumnSource`
    centering: Centering
    n_components: int = 0  # k, to which `solve` sets what is asked
    pad: bool = True  # whether pairs of eigenvalue zero fill up where fewer than k are not zero
    tol: float = DEFAULT_TOL  # bound asked for on max_i ‖K̄a_i − λ_i a_i‖ / λ_1
    max_iter: int | None = None  # of an iterative solver; None leaves it to the solver
    power: int | None = None  # iterations of the randomized solver; None: as many as `tol` takes
    seed: int = 0  # of random starts
    n_threads: int = 1
    budget: float = float("inf")  # bytes that the fit may use
    input_copy_bytes: float = 0.0  # bytes of them that converted data take during the fit
    kept: float = 0.0  # bytes of them that a copy of the data takes afterwards
    # What `solve` is asked: a number of components, at most n; a fraction of the variance; or None
    # for all that are not zero. By "auto" or the name of a solver.
    asked: float | None = None
    solver: str = "auto"
    drop_zero: bool = False  # leave out components of eigenvalue zero
    precision: np.dtype = DOUBLE  # of the data, which says what is rounding
    indefinite: str = "raise"  # or "clip"

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.centering.n

    @property
    def is_small(self) -> bool:
        """Whether all of K̄ is looked at when somebody asks what a fit has left open."""
        return self.n <= SMALL


@dataclass(frozen=True, eq=False)
class Solution:
    """Eigenpairs as a solver leaves them, in any order."""

    values: Floats  # of shape (k,)
    vectors: Floats  # of shape (n, k), orthonormal
    operator: CentredGram  # K̄ in float64, for the certificates
    # K̄ times the vectors, of shape (n, k), where the solver has them already in float64 (its pairs
    # are in decreasing order then); estimates of the norms of their errors, of shape (k,), added to
    # the residuals; and bounds on them.
    products: Floats | None = None
    slack: Floats | float = 0.0
    worst_slack: Floats | float = 0.0
    spectrum: Floats | None = None  # all n eigenvalues in decreasing order, where they are known
    remainders: tuple[Remainder, ...] = ()  # bounds on those left out that the method brings
    # What a search from random vectors spanned, which bounds what it has left out.
    space: KrylovSpace | None = None
    complement: Complement | None = None  # what random vectors have seen beyond these
    quick: CentredGram | None = None  # K̄ in a lower precision, where its products cost much less


def feature_bytes(source: TrainingKernel) -> float:
    """Estimate the bytes of features of a kernel by name: both sides, in both precisions."""
    if not isinstance(source, KernelSource):
        return 0.0
    return 24 * float(source.n) * (source.X.shape[1] + 2)


def stored_bytes(problem: Problem, search: float) -> float:
    """Estimate the bytes of K stored whole, and of what computes it or searches it afterwards."""
    tiles = 16.0 * TILE**2 * problem.n_threads if problem.n > TILE else 0.0
    computing = feature_bytes(problem.source)
    computing += tiles if isinstance(problem.source, KernelSource) else 0.0
    return matrix_bytes(problem.source) + max(computing, search)


def matrix_bytes(source: TrainingKernel) -> float:
    """Return the bytes of K stored whole, which are none if it is taken as it was given."""
    given = isinstance(source, MatrixSource) and source.is_stored
    return 0.0 if given else 8 * float(source.n) ** 2


def definiteness_bytes(problem: Problem) -> float:
    """Estimate the bytes that finding λ_min takes, where the kernel may be indefinite."""
    if problem.source.semidefinite:
        return 0.0
    n = float(problem.n)
    return 8 * n * (190 if n > SMALL else n + 80)
