"""Which components of the exported model would come back in a second sample.

The same is said of the view, a model with two components for pictures.

Component j comes back if `kpca.inspection.reproducibility` says that a second sample of the same
size would show it.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.inspection import reproducibility
from kpca.inspection.reproducibility import COMES_BACK
from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.decision import VIEWED, ReasonedDecision
from kpca.study.evidence.statistics import ROUNDING
from kpca.study.fitting.fitted_models import estimator
from kpca.study.fitting.grid import Point
from kpca.study.seeds import sample

# Largest number of rows that are halved. If there are more rows, a sample of them is halved. The
# answer then applies to a second sample of this smaller size, which is on the safe side.
MOST_ROWS = 1000
LEAST_DRAWN = 10  # smallest number of components in the table, which figures draw as a curve

FINAL = "final"
VIEW = "view"
MEASURES = [
    *("variance_ratio", "half", "estimate", "at_least", "at_most", "single"),
    *("variance_low", "variance_estimate", "variance_high"),
    *("explained_low", "explained_estimate", "explained_high"),
]


def components_table(
    dataset: Dataset, points: Mapping[str, Point], decision: ReasonedDecision
) -> pd.DataFrame:
    """Return one row per component of the final model and of the model for the view in the plane.

    The model for the view has rows only if its setting differs from that of the final model.
    Datasets with too few rows or groups, and indefinite kernels, have no rows.
    """
    rows = dataset.chosen_on()
    sampled = sample(len(rows.X_train), MOST_ROWS)
    X = rows.X_train[np.ix_(sampled, sampled)] if rows.precomputed else rows.X_train[sampled]
    groups = None if rows.groups_train is None else rows.groups_train[sampled]
    most = max(decision.n_components, LEAST_DRAWN)
    settings = [(FINAL, decision.point, decision.parameters, most)]
    if decision.view not in ("", decision.cell):
        settings.append((VIEW, points[decision.view], decision.view_parameters, VIEWED))
    components: list[dict[Any, Any]] = []
    for setting, point, parameters, k in settings:
        gamma = json.loads(parameters).get("gamma")
        model = estimator(point, gamma, n_components=min(k, len(X))).fit(X)
        try:
            back = reproducibility(model, groups=groups)
        except ValueError as error:
            logging.info("%s: no second sample of %s: %s", dataset.name, point.id, error)
            continue
        values = np.vstack([model.explained_variance_ratio_, *vars(back).values()])
        table = pd.DataFrame(values.T, columns=MEASURES)
        table["component"] = table.index + 1
        components += table.assign(dataset=dataset.name, setting=setting).to_dict("records")
    return pd.DataFrame(components, columns=["dataset", "setting", "component", *MEASURES])


def coming_back(components: pd.DataFrame, most: int) -> int | None:
    """Return how many of the first ``most`` components of the final model come back, or None."""
    final = components[(components["setting"] == FINAL) & (components["component"] <= most)]
    if final.empty:
        return None
    return int(final["component"][final["at_least"] >= COMES_BACK].to_numpy().max(initial=0))


def plane_words(components: pd.DataFrame) -> str:
    """Return a sentence on whether the two axes of the view would come back; empty if unknown.

    The sentence is also empty if the two axes keep all of the variance, because they then come
    back by construction.
    """
    if components.empty:
        return ""
    setting = VIEW if (components["setting"] == VIEW).any() else FINAL
    axes = components[(components["setting"] == setting) & (components["component"] <= VIEWED)]
    row = axes[axes["component"] == VIEWED]
    if row.empty or row["at_least"].isna().any() or axes["variance_ratio"].sum() > 1 - ROUNDING:
        return ""
    least = float(row["at_least"].iloc[0])
    most = float(row["at_most"].iloc[0])
    to = "1" if np.isnan(most) else f"{most:.2f}"
    back = "comes" if least >= COMES_BACK else "is not shown to come"
    return (
        f"The plane of the two components {back} back in a second sample of this size, which would "
        f"show {least:.2f} to {to} of it (95 % interval)."
    )
