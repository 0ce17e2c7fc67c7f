"""A fit of the ordinary estimator whose kernel values and start come from outside."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kpca.gram import Centering
from kpca.kernel_pca import KernelPCA
from kpca.kernels import KernelParameters
from kpca.solvers import Problem
from kpca.source import Source
from kpca.types import Array, Floats, Matrix

MakeSource = Callable[[KernelParameters], Source]


def fit_on(
    estimator: KernelPCA,
    X: Matrix,
    make_source: MakeSource | None = None,
    *,
    values: Mapping[str, Any] | None = None,
    sample_weight: Array | None = None,
    start: Floats | None = None,
) -> KernelPCA:
    """Fit a copy of an estimator, by default as it would fit itself.

    Parameters
    ----------
    estimator : KernelPCA
        Not changed.
    X : array or sparse matrix of shape (n, d), or kernel matrix of shape (n, n)
    make_source : callable, optional
        Parameters → where the kernel values among the points come from.
    values : mapping, optional
        Parameters in place of the estimator's.
    sample_weight : array of shape (n,), optional
    start : array of shape (n, p), optional
        Directions near the eigenvectors.

    Returns
    -------
    KernelPCA
        Fitted, and like any other: it holds nothing of what was shared.
    """
    fitted = _Fit(**estimator.get_params(deep=False) | dict(values or {}))
    fitted.borrowed = (make_source, start)
    fitted.fit(X, sample_weight=sample_weight)
    del fitted.borrowed
    plain = KernelPCA(**fitted.get_params(deep=False))
    plain.__dict__.update(vars(fitted))
    return plain


class _Fit(KernelPCA):
    borrowed: tuple[MakeSource | None, Floats | None]

    def _fit_source(self, X: Matrix) -> Source:
        make_source, _ = self.borrowed
        if make_source is None:
            return super()._fit_source(X)
        return make_source(KernelParameters(self.gamma_, self.degree, self.coef0))

    def _problem(self, source: Source, centering: Centering) -> Problem:
        return replace(super()._problem(source, centering), start=self.borrowed[1])
