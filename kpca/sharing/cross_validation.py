"""Kernel PCA on the training rows of every fold, through one kernel matrix of all rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from kpca.gram import Centering, FullGram
from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS, KernelParameters
from kpca.sharing.fit import Fold, Scored, fit_on
from kpca.sharing.masked import masked_fits, takes_masks
from kpca.sharing.pairs import SharedPairs, shared_pairs
from kpca.sharing.sweep import combinations
from kpca.source import CallableSource, KernelSource
from kpca.symmetry import symmetrised
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix
from kpca.weights import check_weights


@dataclass(frozen=True, eq=False)
class FoldScores:
    """What kernel PCA fitted to the training rows of one fold says.

    Attributes
    ----------
    parameters : dict
        The combination of the grid.
    fold : int
        Its number.
    train, validation : ndarray of shape (n_train, k) and (n_validation, k)
        Scores of both sides.
    eigenvalues, residuals : ndarray of shape (k,)
        As ``eigenvalues_`` and ``residuals_`` of the estimator.
    """

    parameters: dict[str, Any]
    fold: int
    train: Array
    validation: Array
    eigenvalues: Floats
    residuals: Floats


def cross_validate(
    estimator: KernelPCA,
    X: Matrix,
    folds: Iterable[Fold],
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    sample_weight: Array | None = None,
) -> list[FoldScores]:
    """Fit to the training rows of every fold and score both sides, for every parameter.

    One kernel matrix of all rows serves all folds: small ones cut their blocks K[train, train]
    and K[validation, train] from it; large ones stay columns of weight zero outside their
    training rows, are searched for side by side in common passes over the matrix, and one last
    pass gives the scores of every row. The results are those of independent fits and of
    their `transform`, to the tolerance `tol`.

    γ = "median" is resolved once, on all rows: one median for all folds.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
    folds : iterable of (train, validation)
        Row numbers, as scikit-learn's splitters give them.
    grid : mapping, optional
        Values of "gamma", "degree" and "coef0", as `sweep` takes them.
    sample_weight : array of shape (n,), optional
        Of the training rows.

    Returns
    -------
    list of FoldScores
        Folds within combinations of parameters, the last name of the grid varying fastest.

    Raises
    ------
    ValueError
        For a grid of other parameters or eigen_solver="nystrom", and as `KernelPCA.fit`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> halves = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    >>> found = cross_validate(KernelPCA(2, kernel="rbf"), X, halves, {"gamma": [0.1, 1.0]})
    >>> [(scores.parameters["gamma"], scores.fold) for scores in found]
    [(0.1, 0), (0.1, 1), (1.0, 0), (1.0, 1)]
    """
    if estimator.eigen_solver == "nystrom":
        raise ValueError(
            "cross_validate shares one exact kernel matrix: fit eigen_solver='nystrom' by fold."
        )
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
    weights = check_weights(sample_weight, X.shape[0])
    listed = [(np.asarray(train), np.asarray(validation)) for train, validation in folds]
    rows = _Rows(estimator, X)
    found: list[FoldScores] = []
    for values in combinations(grid or {}):
        fits = rows.fits(values, listed, weights)
        found += [FoldScores(values, fold, *scores) for fold, scores in enumerate(fits)]
    return found


class _Rows:
    """All rows, with what the parameters of a kernel have in common on them."""

    def __init__(self, estimator: KernelPCA, X: Matrix) -> None:
        self.X = X
        self.estimator = estimator
        self.named = estimator.kernel in KERNELS
        self.threads = thread_count(estimator.n_jobs)
        self.pairs: SharedPairs | None = shared_pairs(estimator, X) if self.named else None

    def fits(
        self, values: Mapping[str, Any], folds: Sequence[Fold], weights: Floats | None
    ) -> list[Scored]:
        """Give scores of both sides, eigenvalues and residuals for every fold."""
        options = self.estimator.get_params(deep=False) | dict(values)
        asked = KernelPCA(**options)
        asked.sample_weight_ = weights
        gamma = asked._resolve_gamma(self.X)
        asked.set_params(gamma=gamma)
        parameters = KernelParameters(gamma, asked.degree, asked.coef0)
        if self.pairs is not None and takes_masks(asked, self.pairs.source(parameters), folds):
            return masked_fits(asked, self.pairs.source(parameters), folds, weights)
        K = self._matrix(parameters)
        return [_block_fit(asked, self.X, K, train, held, weights) for train, held in folds]

    def _matrix(self, parameters: KernelParameters) -> Floats:
        if self.pairs is not None:
            return self.pairs.source(parameters).full(self.threads).K
        if self.named:
            kernel = str(self.estimator.kernel)
            return KernelSource(self.X, kernel, parameters).full(self.threads).K
        if callable(self.estimator.kernel):
            options = self.estimator.kernel_params or {}
            return CallableSource(self.X, self.estimator.kernel, options).full().K
        return symmetrised(self.X)


def _block_fit(
    asked: KernelPCA, X: Matrix, K: Floats, train: Array, held_out: Array, weights: Floats | None
) -> Scored:
    """Fit to a block of the kernel matrix, and score the rows beside it."""
    own = K[np.ix_(train, train)]
    of_train = None if weights is None else weights[train]
    if asked.kernel in KERNELS:
        points = X[train]
        model = fit_on(
            asked,
            points,
            lambda p: _Block(points, str(asked.kernel), p, own),
            sample_weight=of_train,
        )
    else:
        model = fit_on(asked, own, values={"kernel": "precomputed"}, sample_weight=of_train)
    centering = Centering(len(train), bool(asked.center), of_train)
    C = centering.coefficients(model.eigenvalues_, model.eigenvectors_)
    offsets = model.kernel_means_ @ C
    inner = centering.scores(model.eigenvalues_, model.eigenvectors_)
    if of_train is not None:
        inner = np.where((of_train > 0)[:, None], inner, own @ C - offsets)
    outer = K[np.ix_(held_out, train)] @ C - offsets
    return Scored(
        inner.astype(X.dtype), outer.astype(X.dtype), model.eigenvalues_, model.residuals_
    )


class _Block(KernelSource):
    """A kernel of the registry on points whose kernel matrix is at hand."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters, K: Floats) -> None:
        super().__init__(X, name, parameters)
        self._K = K

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""
        return FullGram(self._K, n_threads)
