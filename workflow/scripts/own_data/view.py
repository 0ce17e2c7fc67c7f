"""How far the view of the page can be trusted, compared with PCA in the plane."""

from collections.abc import Sequence

import pandas as pd

from kpca.linear.pca import PCA
from pipeline.datasets.dataset import load_dataset
from pipeline.evaluation.faithfulness import LEAST, faithfulness
from pipeline.fitted_models import MOST_ROWS, stored_model
from pipeline.job import script
from pipeline.seeds import sample
from pipeline.store import read_arrays
from pipeline.tables.comparison import overlaps
from pipeline.tables.statistics import interval

KEYS = ["plane", "measure"]


@script
def view(
    datasets: Sequence[str], fits: Sequence[str], decisions: pd.DataFrame, described: pd.DataFrame
) -> pd.DataFrame:
    """Return the means of `faithfulness` over splits with 95 % CIs, for the view and for PCA.

    The view is that of ``embedding.csv``; each fit is to training rows, and held-out rows are
    placed among them. A linear kernel gives the plane of PCA.
    """
    rows = []
    chosen = decisions.fillna({"view": ""}).set_index("dataset")
    for path, fit in zip(datasets, fits, strict=True):
        dataset = load_dataset(path)
        decision = chosen.loc[dataset.name]
        cell = str(decision["view"] or decision["cell"])
        found: list[dict[str, object]] = []
        for replicate in range(dataset.replicates):
            split = dataset.split(replicate)
            models = {"pca": PCA(min(2, *split.X_train.shape)).fit(split.X_train)}
            if cell != "linear":
                models["view"] = stored_model(read_arrays(fit, f"{cell}/{replicate}"), split)
            sides = (split.X_train, split.X_test)
            X, X_test = (side[sample(len(side), MOST_ROWS)] for side in sides)
            for plane, model in models.items():
                places = [model.transform(each)[:, :2] for each in (X, X_test)]
                kept = faithfulness(X_test, places[1], (X, places[0]))
                for measure, value in kept._asdict().items():
                    found.append({"plane": plane, "measure": measure, "value": value})
        groups = pd.DataFrame(found).groupby(KEYS, sort=False)["value"]
        for key, values in groups:
            ratio, least = overlaps(described)[dataset.name], LEAST.get(str(key[1]), 0.0)
            ends = interval(values.to_numpy(), test_over_train=ratio, limits=(least, 1.0))
            rows.append((dataset.name, *key, *ends[:3]))
    return pd.DataFrame(rows, columns=["dataset", *KEYS, "mean", "low", "high"])
