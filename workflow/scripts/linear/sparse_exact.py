"""The exact reference for few variables: every support is tried."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kpca.linear.sparse.measures import adjusted_variances
from kpca.linear.sparse.roots import covariance_root
from workflow.scripts.linear.exact_sparse import exact_components
from workflow.scripts.linear.sparse_fits import Sample


def exact_path(sample: Sample) -> pd.DataFrame:
    """Return what exact components explain, all of one size, for every size.

    Returns
    -------
    DataFrame
        Columns nonzeros; adjusted_variance of all components, found one by one, as a share of
        the total.
    """
    root, total = covariance_root(sample.covariance), np.trace(sample.covariance)
    rows = []
    for size in range(1, len(sample.covariance) + 1):
        W = exact_components(sample.covariance, [size] * sample.n_components)
        rows.append((size, float(adjusted_variances(root, W).sum() / total)))
    return pd.DataFrame(rows, columns=["nonzeros", "adjusted_variance"])
