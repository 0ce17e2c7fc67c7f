"""Folds as columns of weight zero outside their training rows, searched for side by side."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from kpca.gram import Centering, CentredGram, PackedGram, TiledGram
from kpca.kernel_pca import KernelPCA
from kpca.sharing.fit import Fold, Scored, fit_on
from kpca.sharing.pairs import SharedSource
from kpca.sharing.together import SharedGram, Together, run_together
from kpca.solvers.auto import choose
from kpca.solvers.krylov import SPARE, WHOLE
from kpca.solvers.search import random_search
from kpca.threads import pinned_blas
from kpca.types import Floats

ROUGH = 1e-3  # residual of the eigenvectors of all rows, from which the folds start


def takes_masks(asked: KernelPCA, source: SharedSource, folds: Sequence[Fold]) -> bool:
    """Say whether folds are large enough for common passes, and the solver one that makes them."""
    if min((len(train) for train, _ in folds), default=0) <= WHOLE:
        return False
    problem = asked._problem(source, Centering(source.n))
    return choose(problem, asked.eigen_solver).name in ("krylov", "davidson")


def masked_fits(
    asked: KernelPCA, source: SharedSource, folds: Sequence[Fold], weights: Floats | None
) -> list[Scored]:
    """Give scores of both sides, eigenvalues and residuals for every fold.

    Parameters
    ----------
    asked : KernelPCA
        Not fitted, its γ a number.
    source : SharedSource
        The kernel on all rows.
    folds : sequence of (train, validation)
    weights : ndarray of shape (n,), optional
    """
    threads = asked._threads()
    quick, exact = source.packed(threads), source.tiled(np.float64, threads)
    start = _rough(asked, source, quick, weights)
    searches = [
        partial(_search, asked, source, quick, exact, start, fold, weights) for fold in folds
    ]
    return run_together(searches)


def _rough(
    asked: KernelPCA, source: SharedSource, quick: PackedGram, weights: Floats | None
) -> Floats:
    """Search for the eigenvectors of all rows, roughly."""
    centering = Centering(source.n, bool(asked.center), weights)
    with pinned_blas():
        operator = CentredGram(quick, centering, carries_means=False)
        problem = asked._problem(source, centering)
        ritz, _ = random_search(problem, operator.matmul, ROUGH, SPARE)
    return ritz.vectors


def _search(
    asked: KernelPCA,
    source: SharedSource,
    quick: PackedGram,
    exact: TiledGram,
    start: Floats,
    fold: Fold,
    weights: Floats | None,
    together: Together,
    party: int,
) -> Scored:
    train, held_out = fold
    own = np.ones(len(train)) if weights is None else weights[train]
    mask: Floats = np.bincount(train, own, source.n).astype(np.float64)
    shared = _Masked(source, SharedGram(quick, together, party), SharedGram(exact, together, party))
    model = fit_on(
        asked,
        source.X,
        lambda _: shared,
        sample_weight=mask,
        start=start * (mask > 0)[:, None],
    )
    values, vectors = model.eigenvalues_, model.eigenvectors_
    centering = Centering(source.n, bool(asked.center), mask)
    C = centering.coefficients(values, vectors)
    scores = shared.exact.matmul(C) - model.kernel_means_ @ C
    inner = np.where((mask > 0)[:, None], centering.scores(values, vectors), scores)[train]
    dtype = source.X.dtype
    return Scored(inner.astype(dtype), scores[held_out].astype(dtype), values, model.residuals_)


class _Masked(SharedSource):
    """A kernel whose operators are those of all searches."""

    def __init__(self, source: SharedSource, quick: SharedGram, exact: SharedGram) -> None:
        super().__init__(source.pairs, source.parameters)
        self.quick = quick
        self.exact = exact

    def packed(self, n_threads: int = 1) -> Any:
        """Give the matrix in low precision, multiplied together with the other searches."""
        return self.quick

    def tiled(self, dtype: type, n_threads: int = 1) -> Any:
        """Give the matrix in a precision of choice, multiplied together with the other searches."""
        return self.exact if dtype == np.float64 else self.quick
