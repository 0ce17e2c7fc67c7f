"""The constants that kernels add to a product: c of the polynomial, θ of the sigmoid kernel."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from pipeline.fitted_models import estimator, resolve_gamma, training_scores
from pipeline.job import script
from workflow.scripts.claims.claim import Case, of_rows
from workflow.scripts.claims.setting import (
    DATA,
    KERNELS,
    REPLICATES,
    balanced_accuracy,
    bounds,
    units,
)

N_COMPONENTS = 5
# One constant for the Gaussian kernel, which has none: sigmoid kernels are compared with it.
GRID = {"poly": (0.0, 0.1, 1.0, 10.0), "sigmoid": (-2.0, -1.0, 0.0, 1.0), "rbf": (0.0,)}


def effects(table: pd.DataFrame) -> Iterator[Case]:
    """Yield what the best constant gains over the worst, and over the Gaussian kernel.

    Both constants of a replicate are those of the other replicates' means.
    """
    keys = ["dataset", "overlap", "replicate"]
    by = table.set_index([*keys, "kernel", "constant"])["value"].unstack(["kernel", "constant"])
    means = by.groupby(level=keys[:2], dropna=False).transform("mean")
    others, at = means - by / REPLICATES, np.arange(len(by))
    found, compared = {}, {}
    for kernel in ("poly", "sigmoid"):
        values, seen = by[kernel].to_numpy(), others[kernel].to_numpy()
        best, worst = values[at, seen.argmax(axis=1)], values[at, seen.argmin(axis=1)]
        found[f"9-constant-{kernel}"], compared[f"9-constant-{kernel}"] = best - worst, worst
    compared["9-sigmoid"] = by["rbf"].to_numpy()[:, 0]
    found["9-sigmoid"] = best - compared["9-sigmoid"]
    gains = by.index.to_frame(index=False)
    for claim, gain in found.items():
        rows = gains.assign(gain=gain, left=1 - compared[claim])
        most = rows.groupby("dataset", sort=False)["left"].mean().to_numpy()
        yield from of_rows(claim, bounds(rows, ["dataset"], "gain").assign(highest=most))


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of the constants."""
    rows = []
    for unit, split in units(DATA, GRID, seed, REPLICATES):
        like = KERNELS[unit["kernel"]]
        for constant in GRID[unit["kernel"]]:
            point = replace(like, parameters=like.parameters | {"coef0": constant})
            model = estimator(point, resolve_gamma(point, split.X_train), n_components=N_COMPONENTS)
            scores = training_scores(model.fit(split.X_train)), model.transform(split.X_test)
            rows.append(unit | {"constant": constant, "value": balanced_accuracy(*scores, split)})
    table = pd.DataFrame(rows)
    return {"claims": pd.DataFrame(effects(table))}
