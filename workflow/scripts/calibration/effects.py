"""Compare the answers for simulated datasets with the truth, by size of the true effect."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import Design
from kpca.study.evidence.recommendation import ranked
from kpca.study.evidence.statistics import verdict
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from workflow.job import script

SHORT = ("raw", "pca", "kernel")
CELL = ["population", "rows"]
# Size of a true difference → where it ends.
EFFECTS = {"none": 0.01, "1 to 10 points": 0.1, "above 10 points": np.inf}
NEAR = 0.005  # a word is not false if the true difference is as near to where the word ends
# Score of kernel PCA, its differences, the recommended score, and exported models of each option.
EXPORTED = tuple(f"exported_{name}" for name in SHORT)
COMPARISONS = ("score", *SHORT[:2], "recommended", *EXPORTED)
LOSSES = ("loss", "loss_of_raw", "population_loss", "population_loss_of_raw")
BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 1.001)


class Statement(NamedTuple):
    """One interval of an answer, with the truth of its own models and of the population."""

    comparison: str
    said: float
    low: float
    high: float
    own: float
    truth: float
    probability: float = math.nan  # of kernel PCA being better
    verdict: str = ""
    margin: float = 0.0


class Answered(NamedTuple):
    """What the pipeline says of a simulated dataset."""

    best: int  # place of the recommended option in `SHORT`
    statements: list[Statement]


def answered(row: Mapping[Any, Any], population: np.ndarray | None = None) -> Answered:
    """Return what the pipeline says of a dataset, given what its answer rests on.

    Rules read scores and influences by their means and covariances alone. Others with the same
    ones therefore lead to the same answer. The mean truth of the options in the population is by
    default that of the dataset.
    """
    between, within = (_matrix(row, name) for name in ("between", "within"))
    means, own = (np.array([row[f"{of}_{name}"] for name in SHORT]) for of in ("mean", "truth"))
    truth = own if population is None else population
    J, units = int(row["replicates"]), int(row["units"])
    contrasts = np.linalg.qr(np.vander(np.linspace(-1, 1, J), 4, increasing=True))[0][:, 1:]
    scores = means + np.sqrt(J - 1) * contrasts @ _root(between)
    moved = np.zeros((units, 3))
    moved[:3] = np.sqrt((units - 1) / units) * _root(within)
    least, metric = float(row["least"]), row["metric"]
    design, margin = Design(metric, row["test_over_train"], least, least), METRICS[metric].margin
    options = ranked(design, scores, moved)
    best = int(np.argmax(options["recommended"]))
    intervals = options[["mean", "low", "high"]].to_numpy()
    statements = [
        _of_score("score", intervals[2], own[2], truth[2]),
        _of_score("recommended", intervals[best], own[best], truth[best]),
    ]
    for option, name in enumerate(SHORT):
        exported = row.get(f"exported_{name}", math.nan)
        statements.append(_of_score(f"exported_{name}", intervals[option], exported, exported))
    for option, name in enumerate(SHORT[:2]):
        gain = design.difference(scores[:, 2], scores[:, option], moved[:, 2] - moved[:, option])
        word = verdict(gain.low, gain.high, margin)
        numbers = (gain.mean, gain.low, gain.high, own[2] - own[option], truth[2] - truth[option])
        statements.append(Statement(name, *numbers, gain.above(0.0), word, margin))
    return Answered(best, statements)


def _of_score(comparison: str, interval: np.ndarray, own: float, truth: float) -> Statement:
    mean, low, high = interval
    return Statement(comparison, mean, low, high, own, truth)


def _matrix(row: Mapping[Any, Any], kind: str) -> np.ndarray:
    matrix = np.zeros((3, 3))
    for i, j in zip(*np.triu_indices(3), strict=True):
        matrix[i, j] = matrix[j, i] = row[f"{kind}_{SHORT[i]}_{SHORT[j]}"]
    return matrix


def _root(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(np.sqrt(np.maximum(values, 0))[:, None] * vectors.T)


def effect(difference: float) -> str:
    """Return the class of a true difference.

    >>> [effect(value) for value in (0.004, -0.03, 0.2)]
    ['none', '1 to 10 points', 'above 10 points']
    """
    return next(name for name, end in EFFECTS.items() if abs(difference) < end)


def statements(answers: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dataset and `Statement`, with its cell, effect and losses.

    The losses, of the recommended option and of raw features, are those of the models of a dataset
    and in the population.
    """
    columns = [f"truth_{name}" for name in SHORT]
    means = answers.groupby(CELL)[columns].transform("mean").to_numpy()
    parts = []
    for row, truth in zip(answers.to_dict("records"), means, strict=True):
        own, result = np.array([row[name] for name in columns]), answered(row, truth)
        lost = [option.max() - option[[result.best, 0]] for option in (own, truth)]
        losses = dict(zip(LOSSES, np.concatenate(lost), strict=True))
        names = {name: row[name] for name in (*CELL, "set")} | losses
        by_option = {"raw": effect(truth[2] - truth[0])}
        for one in result.statements:
            size = by_option.get(one.comparison, effect(truth[2] - truth[1]))
            parts.append(names | one._asdict() | {"effect": size})
    return pd.DataFrame(parts)


def measured(rows: pd.DataFrame) -> dict[str, Any]:
    """Return coverage, words and losses of the statements of one comparison."""
    has, n = rows[np.isfinite(rows["low"]) & np.isfinite(rows["truth"])], len(rows)
    if has.empty:
        return {"sets": n}
    truth = has["truth"]
    p = float(truth.between(has["low"], has["high"]).mean())
    row = {"sets": n, "truth": truth.mean(), "bias": (has["said"] - truth).mean(), "coverage": p}
    row |= {"coverage_error": _error(p, len(has))}
    comparison = str(rows["comparison"].iloc[0])
    if comparison in SHORT:
        row |= {"false": _is_false(has).mean()}
        verdicts = has["verdict"]
        row |= {word: (verdicts == word).mean() for word in ("better", "worse", "enough")}
    if comparison == "recommended":
        row |= {name: rows[name].mean() for name in LOSSES}
    return row


def _is_false(rows: pd.DataFrame) -> pd.Series:
    """Return whether the truth is on another side than the word says, and not `NEAR` its end."""
    word, truth = rows["verdict"], rows["truth"]
    false = (word == "better") & (truth <= -NEAR)
    false |= (word == "worse") & (truth >= NEAR)
    return false | ((word == "enough") & (truth > rows["margin"] + NEAR))


def _reliability(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield how often kernel PCA was truly better, by the probability said of it."""
    for low, high in pairwise(BINS):
        here = rows[rows["probability"].between(low, high, inclusive="left")]
        if n := len(here):
            p, said = float((here["own"] > 0).mean()), float(here["probability"].mean())
            off = said - p if said > 0.5 else p - said  # conservative is below 0
            row = {"from": low, "to": min(high, 1), "sets": n, "said": said, "true": p}
            allowed = 3 * np.sqrt(said * (1 - said) / n)
            yield row | {"error": _error(p, n), "held": off <= allowed}


def _error(p: float, n: int) -> float:
    """Return the standard error of a fraction; one more of each kind keeps it above zero."""
    return float(np.sqrt((n * p + 1) * (n * (1 - p) + 1)) / (n + 2) / np.sqrt(n))


def cells_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per population and number of rows: gains, coverages and what was said."""
    table = []
    for cell, part in rows.groupby(CELL, sort=False):
        by = {str(name): measured(of) for name, of in part.groupby("comparison")}
        row = dict(zip(CELL, cell, strict=True)) | {"sets": by["pca"]["sets"]}
        row |= {"truth": by["pca"].get("truth"), "truth_raw": by["raw"].get("truth")}
        row |= {name: by[name].get("coverage") for name in COMPARISONS}
        row |= {"better": by["pca"].get("better"), "worse_than_raw": by["raw"].get("worse")}
        table.append(row)
    return pd.DataFrame(table)


@script
def effects(answers: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects`` by size of effect, ``reliability``, and ``cells``.

    The answers are files of `simulate.answer`. Regression with outliers counts in ``cells`` alone,
    since its correlation has no value in the population.
    """
    table = pd.concat([read_table(path) for path in answers], ignore_index=True)
    rows = statements(table)
    counted = rows[rows["population"] != "outliers"]
    pooled = [
        {"comparison": comparison, "effect": size, **measured(here)}
        for comparison in COMPARISONS
        for size in EFFECTS
        if len(here := counted[(counted["comparison"] == comparison) & (counted["effect"] == size)])
    ]
    reliable = [
        {"comparison": name} | row
        for name in SHORT[:2]
        for row in _reliability(counted[counted["comparison"] == name])
    ]
    return {
        "effects": pd.DataFrame(pooled),
        "reliability": pd.DataFrame(reliable),
        "cells": cells_of(rows),
    }
