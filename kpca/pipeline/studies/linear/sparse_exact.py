"""The exact reference for few variables: every support is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from kpca.linear.sparse.measures import adjusted_variances
from kpca.linear.sparse.roots import covariance_root
from kpca.pipeline.studies.linear.exact_sparse import exact_components, exact_variances
from kpca.pipeline.studies.linear.sparse_fits import Sample, fit_all

SHARES = ["variance", "refitted", "exact"]


def first_components(sample: Sample, strengths: Sequence[float]) -> pd.DataFrame:
    """Compare single components of every method with the best support of their size.

    Parameters
    ----------
    sample : Sample
        With few variables: all their supports are enumerated.
    strengths : sequence of float

    Returns
    -------
    DataFrame
        Columns method, strength, nonzeros; variance, the share of the total that the component
        explains; refitted, the same after the best weights were found for its support; exact,
        the largest that any support of the size allows. Fits that leave nothing are left out.
    """
    best = exact_variances(sample.covariance)
    fits = fit_all(Sample(sample.covariance, 1), strengths)
    rows = []
    for method, by_strength in fits.items():
        for strength, model in by_strength.items():
            support = np.flatnonzero(model.components_[0])
            if support.size:
                refitted = np.linalg.eigvalsh(sample.covariance[np.ix_(support, support)])[-1]
                shares = [model.explained_variance_[0], refitted, best[support.size - 1]]
                rows.append((method, strength, support.size, *shares))
    table = pd.DataFrame(rows, columns=["method", "strength", "nonzeros", *SHARES])
    return table.assign(**{name: table[name] / np.trace(sample.covariance) for name in SHARES})


def exact_path(sample: Sample) -> pd.DataFrame:
    """Return what exact components explain, all of one size, for every size.

    Returns
    -------
    DataFrame
        Columns nonzeros; variance, of the first component; adjusted_variance, of all of them,
        found one by one. Shares of the total.
    """
    rows = list(_exact_shares(sample))
    return pd.DataFrame(rows, columns=["nonzeros", "variance", "adjusted_variance"])


def _exact_shares(sample: Sample) -> Iterator[tuple[int, float, float]]:
    root, total = covariance_root(sample.covariance), np.trace(sample.covariance)
    for size in range(1, len(sample.covariance) + 1):
        W = exact_components(sample.covariance, [size] * sample.n_components)
        shares = adjusted_variances(root, W) / total
        yield size, float(shares[0]), float(shares.sum())
