"""How far pictures of the rows by PCA, kernel PCA, t-SNE and UMAP can be trusted."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from kpca.linear.pca import PCA
from kpca.study.datasets.dataset import Dataset, load_dataset
from kpca.study.evidence import faithfulness as faithful
from kpca.study.evidence.comparison import overlap_of
from kpca.study.fitting.fitted_models import stored_model
from kpca.study.store import read_fit
from workflow.job import script

ROWS = 200  # largest number of training rows of a split


def methods(
    dataset: Dataset, fit: str, cell: str, slow: bool, replicate: int, seed: int, n: int
) -> dict[str, Any]:
    """Return the methods: PCA, kernel PCA at ``cell`` if not linear, t-SNE and UMAP if ``slow``."""
    models: dict[str, Any] = {"PCA": PCA(2)}
    if cell != "linear":
        stored = read_fit(fit, f"{cell}/{replicate}")
        model = stored_model(stored, dataset.split(replicate).X_train)
        models["kernel PCA"] = model.set_params(n_components=2, remove_zero_eig=False)
    return models | (faithful.neighbour_methods(seed, n) if slow else {})


@script
def view(
    datasets: Sequence[str],
    fits: Sequence[str],
    decisions: pd.DataFrame,
    described: pd.DataFrame,
    *,
    slow: bool,
    seed: int,
) -> pd.DataFrame:
    """Return means of `faithfulness.measured` over splits, with t-SNE and UMAP if ``slow``.

    If two components of PCA keep all of the variance, nothing is measured, because their picture
    shows the rows as they are.
    """
    models = []
    tables = []
    overlap = {row["dataset"]: overlap_of(row) for row in described.to_dict("records")}
    chosen = decisions.fillna({"view": ""}).set_index("dataset")
    for path, fit in zip(datasets, fits, strict=True):
        dataset = load_dataset(path)
        ratio = faithful.plane_share(dataset.whole().X_train)
        models.append((dataset.name, "PCA", "variance", ratio))
        if ratio < faithful.ALL:
            cell = str(chosen.loc[dataset.name, "view"] or chosen.loc[dataset.name, "cell"])
            pictures = partial(methods, dataset, fit, cell, slow)
            values = faithful.measured(
                dataset,
                pictures,
                seed=seed,
                rows=ROWS,
                replicates=dataset.replicates,
                bootstraps=1,
            )
            tables.append(faithful.means(values, overlap))
    return pd.concat(
        [pd.DataFrame(models, columns=[*faithful.KEYS, "mean"]), *tables], ignore_index=True
    )
