"""Compare the answers for simulated datasets with the truth, by size of the true effect."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.selection import MODELS
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from workflow.job import script

CELL = ["population", "rows"]
SET = [*CELL, "set"]
# Size of a true difference → where it ends.
EFFECTS = {"none": 0.01, "1 to 10 points": 0.1, "above 10 points": np.inf}
NEAR = 0.005  # a word is not false if the true difference is as near to where the word ends
COMPARED = ("raw", "pca")  # with kernel PCA
TRUTHS = ["own", "truth"]  # of a dataset, and the mean of its population
LOSSES = ["loss", "population_loss"]
BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 1.001)


def statements(answers: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dataset and interval of its answer, with the truth and its effect.

    ``own`` is the truth of the models of a dataset, and ``truth`` its mean in the population. The
    losses are how far an option is below the best one by each. The table is that of
    `workflow.scripts.calibration.simulate.simulate`.
    """
    rows = answers.rename(columns={"truth": "own"}).set_index(SET)
    rows["truth"] = rows.groupby([*CELL, "model"])["own"].transform("mean")
    rows[LOSSES] = rows.groupby(SET)[TRUTHS].transform("max") - rows[TRUTHS]
    raw, pca, kernel = (rows[rows["model"] == model] for model in MODELS)
    of_raw = raw[LOSSES].add_suffix("_of_raw")
    parts = {"score": kernel, "raw": _gain(kernel, raw), "pca": _gain(kernel, pca)}
    parts["recommended"] = rows[rows["recommended"]].join(of_raw)
    for name, option in {"raw": raw, "pca": pca, "kernel": kernel}.items():
        parts[f"exported_{name}"] = option.assign(truth=option["exported"])
    sizes = {name: effect(parts[name]["truth"]) for name in COMPARED}
    sized = [
        part.assign(comparison=name, effect=sizes.get(name, sizes["pca"]))
        for name, part in parts.items()
    ]
    return pd.concat(sized).reset_index()


def _gain(kernel: pd.DataFrame, option: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an option with the difference of kernel PCA from it."""
    gains = {"gain": "mean", "gain_low": "low", "gain_high": "high"}
    rows = option.drop(columns=[*gains.values()]).rename(columns=gains)
    return rows.assign(**kernel[TRUTHS] - option[TRUTHS])


def effect(differences: pd.Series) -> pd.Series:
    """Return the class of true differences.

    >>> effect(pd.Series([0.004, -0.03, 0.2])).tolist()
    ['none', '1 to 10 points', 'above 10 points']
    """
    ends = [0, *EFFECTS.values()]
    return pd.cut(differences.abs(), ends, right=False, labels=[*EFFECTS]).astype(object)


def measured(rows: pd.DataFrame) -> dict[str, Any]:
    """Return coverage, words and losses of the statements of one comparison."""
    judged = rows.dropna(subset=["low", "truth"])
    if judged.empty:
        return {"sets": len(rows)}
    truth = judged["truth"]
    bias = judged["mean"] - judged["truth"]
    coverage = float(truth.between(judged["low"], judged["high"]).mean())
    row = {"sets": len(rows), "truth": truth.mean(), "bias": bias.mean(), "coverage": coverage}
    row["coverage_error"] = _error(coverage, len(judged))
    comparison = str(rows["comparison"].iloc[0])
    if comparison in COMPARED:
        row["false"] = _is_false(judged).mean()
        for word in ("better", "worse", "enough"):
            row[word] = (judged["verdict"] == word).mean()
    if comparison == "recommended":
        for loss in LOSSES:
            row[loss] = rows[loss].mean()
            row[f"{loss}_of_raw"] = rows[f"{loss}_of_raw"].mean()
    return row


def _is_false(rows: pd.DataFrame) -> pd.Series:
    """Return whether the truth is on another side than the word says, and not `NEAR` its end."""
    word = rows["verdict"]
    truth = rows["truth"]
    margins = rows["metric"].map({name: metric.margin for name, metric in METRICS.items()})
    false = (word == "better") & (truth <= -NEAR)
    false |= (word == "worse") & (truth >= NEAR)
    return false | ((word == "enough") & (truth > margins + NEAR))


def _reliability(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield how often kernel PCA was truly better, by the probability said of it."""
    ranges = pd.cut(rows["probability"], BINS, right=False)
    for interval, part in rows.groupby(ranges, observed=True):
        n = len(part)
        true = float((part["own"] > 0).mean())
        stated = float(part["probability"].mean())
        excess = stated - true if stated > 0.5 else true - stated  # conservative is below 0
        row = {"from": interval.left, "to": min(interval.right, 1), "sets": n, "said": stated}
        allowed = 3 * np.sqrt(stated * (1 - stated) / n)
        yield row | {"true": true, "error": _error(true, n), "held": excess <= allowed}


def _error(p: float, n: int) -> float:
    """Return the standard error of a fraction; one more of each kind keeps it above zero."""
    return float(np.sqrt((n * p + 1) * (n * (1 - p) + 1)) / (n + 2) / np.sqrt(n))


def _measured_by(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return what is `measured` of each group of statements, in the order of the rows."""
    measures = {key: measured(part) for key, part in rows.groupby(keys, sort=False)}
    return pd.DataFrame(measures.values(), pd.MultiIndex.from_tuples(measures, names=keys))


def _by_cell(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per population and number of rows: gains, coverages and what was said."""
    table = _measured_by(rows, [*CELL, "comparison"]).unstack(sort=False)
    columns = {"sets": table["sets", "pca"], "truth": table["truth", "pca"]}
    columns |= {"truth_raw": table["truth", "raw"], **table["coverage"]}
    columns |= {"better": table["better", "pca"], "worse_than_raw": table["worse", "raw"]}
    return pd.DataFrame(columns).reset_index()


@script
def effects(answers: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects`` by size of effect, ``reliability``, and ``cells``.

    The answers are files of `simulate`. Regression with outliers counts in ``cells`` alone, since
    its correlation has no value in the population.
    """
    rows = statements(pd.concat(map(read_table, answers), ignore_index=True))
    counted = rows[rows["population"] != "outliers"]
    reliable = [
        {"comparison": name} | row
        for name in COMPARED
        for row in _reliability(counted[counted["comparison"] == name])
    ]
    return {
        "effects": _measured_by(counted, ["comparison", "effect"]).reset_index(),
        "reliability": pd.DataFrame(reliable),
        "cells": _by_cell(rows),
    }
