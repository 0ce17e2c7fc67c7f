"""What each feature contributes to the components."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kpca.inspection import importance
from kpca.study.datasets.dataset import Dataset, load_dataset, prepared_names
from kpca.study.monitoring.ordinary_rows import gaussian
from kpca.study.seeds import sample
from workflow.job import script

COMPONENTS = 10  # number of leading components that are averaged
SINGLE = 2  # number of leading components that are also listed singly
MOST_ROWS = 500


def shares(dataset: Dataset) -> pd.DataFrame:
    """Return the share of each feature in the components, in every replicate.

    The shares are those of `kpca.inspection.importance`. Their average over the leading components,
    named "all", is weighted by the variance of the components.
    """
    rows = []
    for replicate in range(dataset.replicates):
        X = dataset.split(replicate).X_train
        X = X[sample(len(X), MOST_ROWS)]
        model = gaussian(COMPONENTS).fit(X)
        importances = importance(model)
        names = prepared_names(dataset, dataset.splits[replicate][0])
        together = np.average(importances, axis=0, weights=model.eigenvalues_)
        listed = {"all": together} | {str(j + 1): row for j, row in enumerate(importances[:SINGLE])}
        for component, parts in listed.items():
            for name, share in zip(names, parts.tolist(), strict=True):
                rows.append((dataset.name, replicate, component, name, share))
    return pd.DataFrame(rows, columns=["dataset", "replicate", "component", "feature", "share"])


@script
def table(datasets: Sequence[str]) -> pd.DataFrame:
    """Return the `shares` of several datasets in one table."""
    return pd.concat([shares(load_dataset(path)) for path in datasets], ignore_index=True)
