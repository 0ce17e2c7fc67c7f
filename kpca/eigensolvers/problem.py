"""The contract of the eigensolvers: what goes in, what comes out, what one says of itself."""

from dataclasses import dataclass
from typing import Protocol

from kpca.certificates.completeness import Remainder
from kpca.linalg.block_lanczos import KrylovSpace
from kpca.operators import Centering, CentredGram
from kpca.operators.sources import KernelSource, Source
from kpca.types import Floats

DEFAULT_TOL = 1e-8
SMALLEST = 50  # points of iterative solvers


@dataclass(frozen=True, eq=False)
class Problem:
    """The k algebraically largest eigenpairs of one centred kernel matrix K̄.

    Attributes
    ----------
    source : Source
        Where kernel values come from.
    centering : Centering
    n_components : int
        k.
    pad : bool
        Whether pairs of eigenvalue zero are wanted where fewer than k are not zero.
    tol : float
        Bound asked for on max_i ‖K̄a_i − λ_i a_i‖ / λ_1.
    max_iter : int, optional
        Iterations of an iterative solver; None leaves them to the solver.
    power : int, optional
        Power iterations of the randomized solver; None means as many as `tol` takes.
    seed : int
        Seed of random starts.
    n_threads : int
    budget : float
        Bytes that the fit may use.
    """

    source: Source
    centering: Centering
    n_components: int
    pad: bool = True
    tol: float = DEFAULT_TOL
    max_iter: int | None = None
    power: int | None = None
    seed: int = 0
    n_threads: int = 1
    budget: float = float("inf")

    @property
    def n(self) -> int:
        """Number of training points."""
        return self.source.n


@dataclass(frozen=True, eq=False)
class Solution:
    """Eigenpairs as a solver leaves them, in any order.

    Attributes
    ----------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
        Orthonormal.
    operator : CentredGram
        K̄ in float64, for the certificates.
    products : ndarray of shape (n, k), optional
        K̄ times the vectors, where the solver has them already in float64.
    slack : ndarray of shape (k,), optional
        Bound on the norm of the error of these products, added to the residuals.
    spectrum : ndarray of shape (n,), optional
        All eigenvalues in decreasing order, where the solver knows them.
    remainders : tuple of Remainder
        Bounds on the eigenvalues left out that come with the method.
    space : KrylovSpace, optional
        What a search from random vectors spanned, which bounds what it has left out.
    quick : CentredGram, optional
        K̄ in a lower precision, where its products cost much less.
    taken_over : str
        Name of the solver that found the pairs where the one asked for could not.
    """

    values: Floats
    vectors: Floats
    operator: CentredGram
    products: Floats | None = None
    slack: Floats | None = None
    spectrum: Floats | None = None
    remainders: tuple[Remainder, ...] = ()
    space: KrylovSpace | None = None
    quick: CentredGram | None = None
    taken_over: str = ""


class Solver(Protocol):
    """A module of this folder with three functions of a problem."""

    def solve(self, problem: Problem) -> Solution:
        """Compute the top of the spectrum of K̄."""

    def memory(self, problem: Problem) -> float:
        """Estimate the bytes needed beyond the training points."""

    def applicable(self, problem: Problem) -> str | None:
        """Give the reason to take this solver where those before it are not, or None.

        The order in which solvers are asked is that of `kpca.eigensolvers.auto`.
        """


def feature_bytes(source: Source) -> float:
    """Estimate the bytes of features of a kernel by name: both sides, in both precisions."""
    if not isinstance(source, KernelSource):
        return 0.0
    return 24 * float(source.n) * (source.X.shape[1] + 2)
