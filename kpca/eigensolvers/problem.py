"""What goes into a solver and what comes out."""

from dataclasses import dataclass

from kpca.certificates.completeness import Remainder
from kpca.linalg.block_lanczos import KrylovSpace
from kpca.operators import Centering, CentredGram
from kpca.operators.sources import Source
from kpca.types import Floats

DEFAULT_TOL = 1e-8


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
