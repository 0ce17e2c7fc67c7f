"""How far pictures of the rows can be trusted: PCA, the view of the page, t-SNE and UMAP."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kpca.linear.pca import PCA
from pipeline.datasets.dataset import load_dataset
from pipeline.evaluation.trust import KEYS, SECONDS, means, measures, neighbour_methods
from pipeline.fitted_models import stored_model
from pipeline.job import script
from pipeline.seeds import sample, seed_for
from pipeline.store import read_arrays
from pipeline.tables.comparison import overlaps

ROWS = 200
"""Most training rows, and most held-out rows, of a split."""

ALL = 1 - 1e-9
"""A fraction of the variance that is all of it, up to rounding."""


@script
def view(
    datasets: Sequence[str],
    fits: Sequence[str],
    decisions: pd.DataFrame,
    described: pd.DataFrame,
    *,
    neighbours: bool,
    seed: int,
) -> pd.DataFrame:
    """Return the means over splits of `measures` of pictures, as docs/columns.md describes them.

    Kernel PCA is the setting of the view in ``embedding.csv``; a linear kernel gives the plane of
    PCA. Rows of which PCA keeps all of the variance have no other measure, since the picture shows
    them as they are.

    Parameters
    ----------
    neighbours : bool
        Whether to measure t-SNE and UMAP, which take most of the time.
    """
    found: list[tuple[str, str, str, int, float]] = []
    kept: list[tuple[str, str, str, float]] = []
    chosen = decisions.fillna({"view": ""}).set_index("dataset")
    for path, fit in zip(datasets, fits, strict=True):
        dataset = load_dataset(path)
        cell = str(chosen.loc[dataset.name, "view"] or chosen.loc[dataset.name, "cell"])
        ratio = PCA().fit(dataset.whole().X_train).explained_variance_ratio_
        kept.append((dataset.name, "PCA", "variance", float(ratio[:2].sum())))
        for replicate in range(dataset.replicates if kept[-1][-1] < ALL else 0):
            split = dataset.split(replicate)
            few, few_test = (sample(len(side), ROWS) for side in (split.X_train, split.X_test))
            told = {"label": split.y_train, "target": split.target_train}
            answer = {what: each[few] for what, each in told.items() if each is not None}
            placing: dict[str, Any] = {"PCA": PCA(2)}
            if cell != "linear":
                model = stored_model(read_arrays(fit, f"{cell}/{replicate}"), split)
                placing["kernel PCA"] = model.set_params(n_components=2, remove_zero_eig=False)

            def methods(seed: int, n: int, placing: dict[str, Any] = placing) -> dict[str, Any]:
                return placing | (neighbour_methods(seed, n) if neighbours else {})

            own = seed_for(seed, dataset.seed_axis, replicate, "view")
            rows, held_out = split.X_train[few], split.X_test[few_test]
            for method, measure, value in measures(
                methods, rows, held_out, seed=own, bootstraps=1, answer=answer
            ):
                found.append((dataset.name, method, measure, replicate, value))
    values = pd.DataFrame(found, columns=[*KEYS, "replicate", "value"])
    values = values[~values["measure"].isin(SECONDS)]
    variance = pd.DataFrame(kept, columns=[*KEYS, "mean"])
    return pd.concat([means(values, overlaps(described)), variance], ignore_index=True)
