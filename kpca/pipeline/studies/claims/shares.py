"""Test scores at the number of components that a share of the variance asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pandas as pd

from kpca.pipeline.datasets import load_dataset
from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.evaluation.downstream import Fold, linear_svm
from kpca.pipeline.evaluation.embeddings import training_scores
from kpca.pipeline.evaluation.settings import Settings
from kpca.pipeline.fits import components_for
from kpca.pipeline.selection import MAIN_METRIC
from kpca.pipeline.shown import by_family, model_of, points_by_id
from kpca.pipeline.studies.claims.sweep import UNIT, main_rows

CHOSEN = "chosen kernel"
"""Stands for the family that cross-validation chose in each replicate."""

SETTING = [*UNIT, "kernel", "cell", "C"]


def chosen_settings(selected: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return what cross-validation chose within each kernel, and over all of them.

    Parameters
    ----------
    selected : DataFrame
        Of the sweep.
    method : str
        A linear SVM.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, kernel, cell, C, shown (the kernel, or `CHOSEN`),
        cross_validated (its k), cv_score (its test score).
    """
    rows = main_rows(selected, method)
    over = rows["criterion"] == "cv_over_kernels"
    rows = rows.assign(shown=rows["kernel"].mask(over, CHOSEN))
    names = {"n_components": "cross_validated", "value": "cv_score"}
    rows = rows[over | (rows["criterion"] == "cv")].rename(columns=names)
    return rows[[*SETTING, "shown", *names.values()]]


def score_shares(
    chosen: pd.DataFrame,
    *,
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Mapping[str, Sequence[dict[str, Any]]],
    shares: Sequence[float],
    method: str,
    settings: Settings,
) -> pd.DataFrame:
    """Return k and the test score at every share of the variance, for every chosen setting.

    Parameters
    ----------
    chosen : DataFrame
        Of `chosen_settings`.
    datasets, fits : sequence of str
        Stores of the sweep, ``…/{dataset}.npz`` and ``…/{dataset}/{kernel}.npz``.
    points : mapping
        Kernel → its points, as in `kpca.pipeline.grid.Point.as_dict`.
    shares : sequence of float
    method : str
        The linear SVM that settings were chosen for.
    settings : Settings
        Of the evaluation, for how scores are scaled.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, kernel, cell, C, share, rule (k), rule_score.
    """
    stores, grid = by_family(fits), points_by_id(points)
    rows = []
    for dataset in map(load_dataset, datasets):
        split = cache(dataset.split)
        here = chosen[(chosen["dataset"] == dataset.name) & chosen["kernel"].isin(list(grid))]
        for row in here[SETTING].drop_duplicates().to_dict("records"):
            kernel, replicate = str(row["kernel"]), int(row["replicate"])
            path, point = stores[dataset.name][kernel], grid[kernel][str(row["cell"])]
            model = model_of(dataset, path, point, replicate)
            only = replace(settings, C=(float(row["C"]),))
            for share in shares:
                k = components_for(share, model.explained_variance_ratio_)
                score = _score(model, split(replicate), k, method, only)
                rows.append((*row.values(), share, k, score))
    table = pd.DataFrame(rows, columns=[*SETTING, "share", "rule", "rule_score"])
    # Without a row there would be no types, and nothing to be joined by.
    return table.astype(chosen[SETTING].dtypes.to_dict())


def _score(model: Any, split: Split, k: int, method: str, settings: Settings) -> float:
    fold = Fold(
        training_scores(model)[:, :k],
        model.transform(split.X_test)[:, :k],
        split.y_train,
        split.y_test,
        split.X_test,
        seed=0,
    )
    wanted = (method, MAIN_METRIC[method], "test")
    found = {(o.method, o.metric, o.split): o.value for o in linear_svm(fold, settings)}
    return found[wanted]
