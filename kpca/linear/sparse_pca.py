"""Sparse principal component analysis by any of four methods."""

from contextlib import suppress
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from kpca import validation
from kpca.linear import sparse
from kpca.linear.base import LinearReduction
from kpca.linear.svd import axis_signs
from kpca.types import Floats
from kpca.validation import NONE, SEED, Rule, integer, one_of, real, warn

SPARSE_METHODS = ("spca", "two_step", "deflation", "dictionary")
RULES = {
    "n_components": integer(1) | NONE,
    "method": one_of(SPARSE_METHODS),
    "l2_penalty": real(0) | Rule("infinity", lambda v: v == np.inf),
    "input": one_of(["data", "covariance"]),
    "tol": real(0),
    "max_iter": integer(1),
    "random_state": SEED,
}


class SparsePCA(LinearReduction):
    """Sparse principal component analysis: each component uses few variables.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components k. None takes min(n, d).
    method : {"spca", "two_step", "deflation", "dictionary"}, default="spca"
        "spca" alternates as Zou, Hastie and Tibshirani do. "two_step" fits an elastic net to each
        ordinary score. "deflation" maximises the variance under a bound on the L1 norm, component
        by component. "dictionary" is dictionary learning. See `kpca.linear.sparse`.
    l1_penalty : float or array-like of shape (k,), default=0.1
        λ₁ of each component. A larger one gives fewer nonzero loadings. "dictionary" takes a
        single number; "deflation" does not use it.
    l2_penalty : float, default=1e-06
        λ of the elastic net, for "spca" and "two_step". Infinity replaces it by a soft
        threshold, which suits data with d ≫ n.
    l1_bound : float, array-like of shape (k,) or None, default=None
        Bound t ≥ 1 on ‖w‖₁ for "deflation". None takes the larger of √d/2 and 1.
    input : {"data", "covariance"}, default="data"
        What `fit` takes: n × d samples, or a d × d covariance or correlation matrix.
    tol : float, default=0.0001
        Iterations stop if the loadings change by less than this. For "dictionary", it is the
        relative change of the objective.
    max_iter : int, default=2000
        Largest number of iterations. A ``ConvergenceWarning`` is issued if it is reached.
    random_state : int, default=0
        Seed of "dictionary". The other methods use no random numbers.

    Attributes
    ----------
    components_ : ndarray of shape (k, d)
        Loadings of norm 1, or zeros if the penalty leaves no nonzero entry, in the order of the
        penalties. The entry of largest modulus in each is positive.
    n_nonzero_ : ndarray of shape (k,)
        Number of nonzero loadings per component.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (k,)
        Variance of each score, and its fraction of the total. Correlated scores count the same
        variance more than once.
    adjusted_variance_, adjusted_variance_ratio_ : ndarray of shape (k,)
        Variance that each score adds to those before it, by the QR factorisation of the scores,
        and its fraction of the total.
    reconstruction_error_ : float
        Fraction of the total variance outside the span of the components.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether the iterations reached `tol`.
    mean_ : ndarray of shape (d,)
        Mean of the training samples; zero for a covariance matrix.

    Notes
    -----
    All penalties refer to the covariance matrix C = XᵀX/(n − 1), so data and their covariance
    matrix give the same loadings. `fit` raises a ``ValueError`` if a parameter is out of its range,
    or if ``input="covariance"`` and X is not a covariance matrix.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), Sparse principal component analysis, J. Comput. Graph.
    Stat. 15.

    Examples
    --------
    >>> C = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.0], [0.1, 0.0, 1.0]])
    >>> SparsePCA(1, input="covariance", l1_penalty=0.5).fit(C).components_.round(3)
    array([[0.732, 0.681, 0.   ]])
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        method: str = "spca",
        l1_penalty: float | ArrayLike = 0.1,
        l2_penalty: float = 1e-6,
        l1_bound: float | ArrayLike | None = None,
        input: str = "data",
        tol: float = 1e-4,
        max_iter: int = 2000,
        random_state: int = 0,
    ) -> None:
        self.n_components = n_components
        self.method = method
        self.l1_penalty = l1_penalty
        self.l2_penalty = l2_penalty
        self.l1_bound = l1_bound
        self.input = input
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit sparse loadings to samples or to a covariance matrix, depending on `input`.

        Parameters
        ----------
        X : array-like of shape (n, d), or (d, d) for a covariance matrix
            Training samples, or their covariance or correlation matrix.
        y : None, default=None
            Ignored, present for compatibility with scikit-learn.

        Returns
        -------
        SparsePCA
            The estimator itself.

        Raises
        ------
        ValueError
            If a parameter is out of its range, or X should be a covariance matrix and is not.
        """
        validation.check_parameters(self, RULES)
        samples = self.input == "data"
        rows = validation.checked(X, owner=self, dtype=np.float64, ensure_min_samples=1 + samples)
        self.mean_ = rows.mean(axis=0) if samples else np.zeros(rows.shape[1])
        # The methods need only this root R of the covariance matrix, RᵀR = C.
        root = sparse.data_root(rows - self.mean_) if samples else sparse.covariance_root(rows)
        most = min(root.shape)
        k = self.n_components or most
        validation.check_argument("n_components", k, integer(1, most))
        solution = self._solve(root, int(k))
        if not solution.converged:
            warn(
                f"SparsePCA(method={self.method!r}) stopped after max_iter={self.max_iter} "
                f"iterations without reaching tol={self.tol}: raise one of them",
                ConvergenceWarning,
            )
        self.components_ = solution.loadings.T * axis_signs(solution.loadings.T)[:, None]
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        B = self.components_.T
        total = np.sum(root**2) or 1.0
        self.n_nonzero_ = np.count_nonzero(B, axis=0)
        self.explained_variance_ = np.sum((root @ B) ** 2, axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / total
        self.adjusted_variance_ = sparse.adjusted_variances(root, B)
        self.adjusted_variance_ratio_ = self.adjusted_variance_ / total
        self.reconstruction_error_ = sparse.unexplained_share(root, B)
        return self

    def _solve(self, X: Floats, k: int) -> sparse.SparseLoadings:
        stop: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        if self.method == "deflation":
            free = max(1.0, np.sqrt(X.shape[1]) / 2)
            bound = free if self.l1_bound is None else self.l1_bound
            return sparse.deflation(X, k, bound=_one_each("l1_bound", bound, k, least=1.0), **stop)
        size = 1 if self.method == "dictionary" else k
        l1 = _one_each("l1_penalty", self.l1_penalty, size, least=0.0)
        if self.method == "dictionary":
            return sparse.dictionary(X, k, l1=float(l1[0]), random_state=self.random_state, **stop)
        if self.method == "two_step":
            stop["max_iter"] = 0
        return sparse.spca(X, k, l1=l1, l2=float(self.l2_penalty), **stop)


def _one_each(name: str, value: float | ArrayLike, k: int, *, least: float) -> Floats:
    """Return the value of parameter `name` as k numbers, all of them at least `least`."""
    with suppress(TypeError, ValueError):
        numbers = np.asarray(value, dtype=np.float64)
        if numbers.shape in ((), (k,)) and np.all(np.isfinite(numbers) & (numbers >= least)):
            return np.broadcast_to(numbers, (k,))
    raise ValueError(f"{name}={value!r} must be {least} or more: one number, or {k} of them")
