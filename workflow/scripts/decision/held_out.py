"""Predict the held-out rows by what was selected: comparisons, a ranking, and other metrics."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import load_dataset
from pipeline.evaluation.settings import Settings, main_method
from pipeline.job import script
from pipeline.seeds import seed_for
from pipeline.store import read_arrays
from pipeline.tables.comparison import Influences, compare, overlaps
from pipeline.tables.held_out import (
    Predictions,
    confusion,
    mean_influence,
    metrics_of,
    predictions,
)
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.recommendation import ranking
from pipeline.tables.selection import BASELINES, selected_models

MODELS = ["dataset", "model"]


def _joined(parts: Sequence[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    some = [part for part in parts if len(part)]
    return pd.concat(some)[columns] if some else pd.DataFrame(columns=columns)


@script
def held_out(
    datasets: Sequence[str],
    fits: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    selected: pd.DataFrame,
    described: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables ``comparisons``, ``ranking``, ``held_out`` and ``confusion``.

    ``held_out`` has a row per metric, and ``confusion`` one per pair of classes.
    """
    settings = Settings.from_config(evaluation)
    overlap = overlaps(described)
    metrics: list[pd.DataFrame] = []
    confusions: list[pd.DataFrame] = []
    influences: dict[str, Influences] = {}
    main: dict[str, str] = {}
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        method = main[dataset.name] = main_method(dataset.task, settings)
        if dataset.task == "none":
            continue
        of_models: dict[str, list[Predictions]] = {}
        chosen = selected_models(selected[selected["dataset"] == dataset.name], method)
        for setting in chosen.to_dict("records"):
            model, replicate = str(setting["model"]), int(setting["replicate"])
            entry = f"{setting['cell']}/{replicate}"
            fit = None if setting["kernel"] in BASELINES else read_arrays(path, entry)
            draw = seed_for(seed, dataset.seed_axis, replicate, "folds")
            found = predictions(dataset.split(replicate), setting, fit, settings, draw)
            of_models.setdefault(model, []).append(found)
        for model, predicted in of_models.items():
            names = {"dataset": dataset.name, "model": model}
            metrics.append(metrics_of(dataset, predicted, overlap[dataset.name]).assign(**names))
            confusions.append(confusion(dataset, predicted).assign(**names))
        if not dataset.independent:
            influences[dataset.name] = {
                model: mean_influence(dataset, MAIN_METRIC[method], predicted)
                for model, predicted in of_models.items()
            }
    return {
        "comparisons": compare(selected, described, main, influences),
        "ranking": ranking(selected, described, main, influences),
        "held_out": _joined(metrics, [*MODELS, "metric", "class", "mean", "low", "high"]),
        "confusion": _joined(confusions, [*MODELS, "class", "predicted", "rows"]),
    }
