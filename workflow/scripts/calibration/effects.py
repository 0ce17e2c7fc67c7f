"""Compare the answers for simulated datasets with the truth, by size of the true effect.

An option is raw features, PCA or kernel PCA. An effect is a difference between options.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.selection import MODELS
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from workflow.job import script

CELL = ["population", "rows"]
SET = [*CELL, "set"]
# Class of true differences → upper limit of their absolute values.
EFFECTS = {"none": 0.01, "1 to 10 points": 0.1, "above 10 points": np.inf}
NEAR = 0.005  # A verdict is not called false if the truth is this close to the verdict's limit.
COMPARED = ("raw", "pca")  # options with which kernel PCA is compared
TRUTHS = ["own", "truth"]  # true value for one dataset, and its mean over the population
LOSSES = ["loss", "population_loss"]
BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 1.001)


def statements(answers: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dataset and reported interval, with the true value and class of effect.

    The column ``own`` is the true value for the models of one dataset, and ``truth`` is the mean
    of this value over the population. The columns `LOSSES` state how far an option is below the
    best option by ``own`` and by ``truth``. ``answers`` is a table of
    `workflow.scripts.calibration.simulate.simulate`.
    """
    rows = answers.rename(columns={"truth": "own"}).set_index(SET)
    rows["truth"] = rows.groupby([*CELL, "model"])["own"].transform("mean")
    rows[LOSSES] = rows.groupby(SET)[TRUTHS].transform("max") - rows[TRUTHS]
    raw, pca, kernel = (rows[rows["model"] == model] for model in MODELS)
    options = {"raw": raw, "pca": pca, "kernel": kernel}
    of_raw = raw[LOSSES].add_suffix("_of_raw")
    scored = ["mean", "low", "high", "truth", "metric"]
    parts = {
        "score": kernel[scored],
        "raw": _gain(kernel, raw),
        "pca": _gain(kernel, pca),
        "recommended": rows.loc[rows["recommended"], [*scored, *LOSSES]].join(of_raw),
    }
    for name, option in options.items():
        parts[f"exported_{name}"] = option[scored].assign(truth=option["exported"])
    sizes = {name: effect(parts[name]["truth"]) for name in COMPARED}
    sized = [
        part.assign(comparison=name, effect=sizes.get(name, sizes["pca"]))
        for name, part in parts.items()
    ]
    return pd.concat(sized).reset_index()


def _gain(kernel: pd.DataFrame, option: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an option, with the true and the estimated gain of kernel PCA over it."""
    gains = {"gain": "mean", "gain_low": "low", "gain_high": "high"}
    rows = option.drop(columns=[*gains.values(), *LOSSES]).rename(columns=gains)
    return rows.assign(**kernel[TRUTHS] - option[TRUTHS])


def effect(differences: pd.Series) -> pd.Series:
    """Return the class in `EFFECTS` of each true difference, by its absolute value.

    >>> effect(pd.Series([0.004, -0.03, 0.2])).tolist()
    ['none', '1 to 10 points', 'above 10 points']
    """
    ends = [0, *EFFECTS.values()]
    return pd.cut(differences.abs(), ends, right=False, labels=[*EFFECTS]).astype(object)


def measured(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return mean coverage, verdicts and losses of rows of `statements`, grouped by ``keys``.

    Groups are in the order of the rows. Datasets without an interval count only in the losses. A
    verdict is false if the truth is on the wrong side of the verdict's limit, and further than
    `NEAR` from the limit.
    """
    truth = rows["truth"]
    word = rows["verdict"]
    margins = rows["metric"].map(lambda name: METRICS[name].margin)
    is_far = {"better": truth <= -NEAR, "worse": truth >= NEAR, "enough": truth > margins + NEAR}
    verdicts = pd.DataFrame({name: word == name for name in is_far})
    verdicts.insert(0, "false", (verdicts & pd.DataFrame(is_far)).any(axis=1))
    measures = pd.DataFrame({"truth": truth, "bias": rows["mean"] - truth})
    measures["coverage"] = truth.between(rows["low"], rows["high"]).astype(float)
    measures = measures.join(verdicts.astype(float).where(word.notna()))
    measures = measures.where(rows[["low", "truth"]].notna().all(axis=1))
    losses = rows.filter(like="loss").sort_index(axis="columns")
    groups = rows[keys].join([measures, losses]).groupby(keys, sort=False)
    table = groups.mean()
    table.insert(0, "sets", groups.size())
    intervals = groups["coverage"].count()
    table.insert(4, "coverage_error", _error(table["coverage"], intervals))
    table.insert(1, "intervals", intervals)
    return table


def _reliability(rows: pd.DataFrame) -> pd.DataFrame:
    """Return how often kernel PCA was truly better, by range of the reported probability."""
    table = []
    ranges = pd.cut(rows["probability"], BINS, right=False)
    for name in COMPARED:
        compared = rows[rows["comparison"] == name]
        for interval, part in compared.groupby(ranges, observed=True):
            n = len(part)
            true = float((part["own"] > 0).mean())
            stated = float(part["probability"].mean())
            # The excess is negative if the reported probability is conservative.
            excess = stated - true if stated > 0.5 else true - stated
            held = excess <= 3 * np.sqrt(stated * (1 - stated) / n)
            ends = interval.left, min(interval.right, 1)
            table.append((name, *ends, n, stated, true, _error(true, n), held))
    columns = ["comparison", "from", "to", "sets", "said", "true", "error", "held"]
    return pd.DataFrame(table, columns=columns)


def _error(fraction: Any, sets: Any) -> Any:
    """Return the standard errors of fractions, each of a number of ``sets``.

    One success and one failure are added, so that no standard error is zero.
    """
    pairs = (sets * fraction + 1) * (sets * (1 - fraction) + 1)
    return np.sqrt(pairs) / (sets + 2) / np.sqrt(sets)


def _by_cell(rows: pd.DataFrame) -> pd.DataFrame:
    """Return gains, coverages and verdicts, one row per population and number of rows."""
    table = measured(rows, [*CELL, "comparison"]).unstack(sort=False)
    columns = {"sets": table["sets", "pca"], "truth": table["truth", "pca"]}
    columns |= {"truth_raw": table["truth", "raw"], **table["coverage"]}
    columns |= {"better": table["better", "pca"], "worse_than_raw": table["worse", "raw"]}
    return pd.DataFrame(columns).reset_index()


@script
def effects(answers: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects`` (by size of the effect), ``reliability`` and ``cells``.

    The answers are files of `simulate`. Regression with outliers counts only in ``cells``, because
    its correlation has no value in the population.
    """
    rows = statements(pd.concat(map(read_table, answers), ignore_index=True))
    counted = rows[rows["population"] != "outliers"]
    return {
        "effects": measured(counted, ["comparison", "effect"]).reset_index(),
        "reliability": _reliability(counted),
        "cells": _by_cell(rows),
    }
