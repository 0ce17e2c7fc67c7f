"""Which of raw features, PCA and kernel PCA to use, by one rule."""

import math
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import ENDS, Design, Influences
from kpca.study.evidence.selection import MODELS, selected_models
from kpca.study.scoring.methods import METHODS

# Probability that another option is better, above which it overturns a simpler one. Of 0.6, 0.7,
# 0.75 and 0.8 it is the smallest with which the population loses no more than 0.05 points more
# than by raw features throughout, on the datasets that chose the rules
# (docs/calibration.md).
THRESHOLD = 0.7

COLUMNS = (*ENDS, "probability", "recommended")


def ranking(
    selected: pd.DataFrame, described: Mapping[Any, Any], main: str, influences: Influences
) -> pd.DataFrame:
    """Return one row per model of a dataset: raw features, PCA and kernel PCA.

    The rows have the mean held-out score with its 95 % CI, the probability that the model is better
    than the recommended one, and whether it is `recommended`. The arguments are those of
    `kpca.study.evidence.comparison.compare`. Without labels and target there are no rows.
    """
    columns = ["dataset", "model", *COLUMNS]
    metric = METHODS[main].metric
    if metric == "trustworthiness":
        return pd.DataFrame(columns=columns)
    scores = selected_models(selected, main).pivot(
        index="replicate", columns="model", values="value"
    )
    scores = scores[[name for name in MODELS if name in scores]]
    options = ranked(Design.of(described, metric), scores, influences)
    return options.assign(dataset=described["dataset"])[columns]


def ranked(design: Design, scores: pd.DataFrame, influences: Influences) -> pd.DataFrame:
    """Return model and `COLUMNS` of a table with one row per model.

    Held-out scores have one row per replicate and one column per model, the simpler models first.
    Influences are how far each row of the dataset moves the mean of a model, if known.
    """
    models = [*scores]
    better = np.full((len(models), len(models)), math.nan)
    for (i, one), (j, other) in permutations(enumerate(models), 2):
        apart = influences[other] - influences[one] if influences else None
        posterior = design.difference(scores[other].to_numpy(), scores[one].to_numpy(), apart)
        better[i, j] = posterior.above(0.0)
    best = simplest_adequate(better)
    intervals = [design.score(scores[m].to_numpy(), influences.get(m))[:3] for m in models]
    table = pd.DataFrame(intervals, columns=[*ENDS]).assign(model=models)
    return table.assign(probability=better[best], recommended=table.index == best)


def simplest_adequate(better: np.ndarray) -> int:
    """Return the place of the simplest option that no other one is likelier better than.

    ``better`` (k, k) has in row i and column j the probability that option j is better than option
    i; the simpler options come first. Where nothing is known it is NaN, and the simplest stays.

    >>> simplest_adequate(np.array([[math.nan, 0.69], [0.31, math.nan]]))
    0
    >>> simplest_adequate(np.array([[math.nan, 0.71], [0.29, math.nan]]))
    1
    """
    return int((~(better > THRESHOLD).any(axis=1)).argmax())
