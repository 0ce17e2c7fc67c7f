"""Which embedding in the plane can be trusted: measures of seven methods on the same splits."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kpca import KernelPCA
from kpca.study.datasets.dataset import load_dataset
from kpca.study.evidence import faithfulness
from kpca.study.evidence.comparison import overlap_of
from kpca.study.evidence.described import describe
from kpca.study.evidence.faithfulness import KEYS, SECONDS
from kpca.study.store import write_table
from workflow.job import script


def methods(replicate: int, seed: int, n: int) -> dict[str, Any]:
    """Return an estimator of each method for ``n`` rows; UMAP only if it is installed."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding

    near = {"n_neighbors": min(faithfulness.NEIGHBOURS, n // 2)}
    seeded = {"random_state": seed}
    methods = {
        "PCA": PCA(2),
        "kernel PCA": KernelPCA(2, kernel="rbf", gamma="median", **seeded),
        "Isomap": Isomap(**near),
        "LLE": LocallyLinearEmbedding(**near, **seeded),
        "spectral embedding": SpectralEmbedding(**near, **seeded),
    }
    return methods | faithfulness.neighbour_methods(seed, n)


@script
def embeddings(
    datasets: Sequence[str], *, extent: dict[str, int], seed: int, paths: Sequence[str]
) -> None:
    """Write the means of all measures with 95 % CIs, and median seconds if there is a second path.

    ``extent`` has the arguments rows, replicates, seeds and bootstraps of `faithfulness.measured`.
    Datasets with a single column are left out.
    """
    overlap = {}
    tables = [pd.DataFrame(columns=[*KEYS, "value", "replicate"], dtype=object)]
    for dataset in map(load_dataset, datasets):
        if dataset.split(0).X_train.shape[1] > 1:
            tables.append(faithfulness.measured(dataset, methods, seed=seed, **extent))
            overlap[dataset.name] = overlap_of(describe(dataset))
    values = pd.concat(tables, ignore_index=True)
    timed = values[values["measure"].isin(SECONDS)]
    seconds = timed.groupby(KEYS, sort=False)["value"].median().unstack().reindex(columns=SECONDS)
    for table, path in zip(
        (faithfulness.means(values, overlap), seconds.reset_index()), paths, strict=False
    ):
        write_table(table, path)
