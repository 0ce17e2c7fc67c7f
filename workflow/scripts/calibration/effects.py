"""Compare the answers for simulated datasets with the truth, by size of the true effect."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import Design
from kpca.study.evidence.recommendation import ranked
from kpca.study.evidence.statistics import CHOSE_RULES, verdict
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from workflow.job import script

SHORT = ("raw", "pca", "kernel")
# Size of a true difference → where it ends.
EFFECTS = {"none": 0.01, "1 to 10 points": 0.1, "above 10 points": np.inf}
NEAR = (
    0.005  # from where a word ends: if the true difference is as near, it does not count as false
)
# Of the recommended option and of raw features, for the models of a dataset and in the population.
LOSSES = ("loss", "loss_of_raw", "population_loss", "population_loss_of_raw")
COMPARISONS = ("score", *SHORT[:2], "recommended")
BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 1.001)


def answered(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what the pipeline says of a dataset, given what its answer rests on.

    Rules read scores and influences by their means and covariances alone. Others with the same
    ones therefore lead to the same answer.
    """
    between, within = (_matrix(row, name) for name in ("between", "within"))
    means, truth = (np.array([row[f"{of}_{name}"] for name in SHORT]) for of in ("mean", "truth"))
    J, units = int(row["replicates"]), int(row["units"])
    contrasts = np.linalg.qr(np.vander(np.linspace(-1, 1, J), 4, increasing=True))[0][:, 1:]
    scores = means + np.sqrt(J - 1) * contrasts @ _root(between)
    moved = np.zeros((units, 3))
    moved[:3] = np.sqrt((units - 1) / units) * _root(within)
    least, metric = float(row["least"]), row["metric"]
    design = Design(metric, float(row["test_over_train"]), least, least)
    margin = METRICS[metric].margin
    found = ranked(design, scores, moved)
    best = int(np.argmax(found["recommended"]))
    says: dict[str, Any] = {"best": SHORT[best], "margin": margin}
    for name, place in {"score": 2, "recommended": best}.items():
        says |= {f"{name}_{end}": found[end][place] for end in ("low", "high")}
        says |= {f"{name}_said": found["mean"][place], f"{name}_own": truth[place]}
    for place, name in enumerate(SHORT[:2]):
        gain = design.difference(scores[:, 2], scores[:, place], moved[:, 2] - moved[:, place])
        says |= {f"{name}_low": gain.low, f"{name}_high": gain.high, f"{name}_said": gain.mean}
        says |= {f"{name}_odds": gain.above(0.0), f"{name}_own": truth[2] - truth[place]}
        says[f"{name}_verdict"] = verdict(gain.low, gain.high, margin)
    return says | {"loss": truth.max() - truth[best], "loss_of_raw": truth.max() - truth[0]}


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


def measured(comparison: str, sets: pd.DataFrame) -> dict[str, Any]:
    """Return coverage, verdicts and losses of some answers."""
    says = sets[[f"{comparison}_{end}" for end in ("low", "high", "said", "own", "truth")]]
    low, high, said, own, truth = (says[name].to_numpy(float) for name in says)
    has, n = np.isfinite(low), len(sets)
    if not has.any():
        return {"sets": n}
    p = float(((low <= truth) & (truth <= high))[has].mean())
    row = {"sets": n, "truth": truth.mean(), "bias": (said - truth).mean(), "coverage": p}
    row |= {"coverage_error": _error(p, n)}
    row |= {"coverage_own": ((low <= own) & (own <= high))[has].mean()}
    row |= {"width": (high - low)[has].mean()}
    if comparison in SHORT:
        words, margin = sets[f"{comparison}_verdict"], sets["margin"]
        false = (words == "better") & (truth <= -NEAR)
        false |= (words == "worse") & (truth >= NEAR)
        false |= (words == "enough") & (truth > margin + NEAR)
        row |= {"decided": (words != "inconclusive").mean(), "false": false.mean()}
        row |= {word: (words == word).mean() for word in ("better", "worse", "enough")}
    if comparison == "recommended":
        row |= {name: sets[name].mean() for name in LOSSES}
    return row


def _reliability(comparison: str, sets: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield how often kernel PCA was truly better, by the probability said of it."""
    odds = sets[f"{comparison}_odds"]
    true = sets[f"{comparison}_own"] > 0
    for low, high in pairwise(BINS):
        here = odds.ge(low) & odds.lt(high)
        if n := int(here.sum()):
            p, said = float(true[here].mean()), float(odds[here].mean())
            error = _error(p, n)
            off = said - p if said > 0.5 else p - said  # conservative is below 0
            row = {"comparison": comparison, "from": low, "to": min(high, 1), "sets": n}
            allowed = 3 * np.sqrt(said * (1 - said) / n)
            yield row | {"said": said, "true": p, "error": error, "held": off <= allowed}


def _error(p: float, n: int) -> float:
    """Return the standard error of a fraction; one more of each kind keeps it above zero."""
    return float(np.sqrt((n * p + 1) * (n * (1 - p) + 1)) / (n + 2) / np.sqrt(n))


def cells_of(effects: pd.DataFrame) -> pd.DataFrame:
    """Return one row per population and number of rows: true difference from PCA and coverages."""
    rows = effects[effects["population"] != "all"]
    found = rows[rows["comparison"] == "pca"][["population", "rows", "sets", "truth"]]
    keys = ["population", "rows"]
    covered = rows.pivot(index=keys, columns="comparison", values="coverage").reset_index()
    return found.merge(covered[[*keys, *COMPARISONS]], on=keys)


def _by_truth(comparison: str, sets: pd.DataFrame) -> pd.Series:
    """Return the class of the true difference from raw features, or else from PCA."""
    return sets[f"{comparison if comparison == 'raw' else 'pca'}_truth"].map(effect)


@script
def effects(answers: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects``, by population and by size of effect, and ``reliability``.

    Over all populations, both also have rows of the held-out datasets, on which no rule was chosen,
    if there are any. The answers are files of `simulate.answers`.
    """
    table = pd.concat([read_table(path) for path in answers], ignore_index=True)
    cell = ["population", "rows"]
    says = pd.DataFrame([answered(row) for row in table.to_dict("records")])
    found = table[[*cell, "set"]].join(says)
    # The truth of a population, not that of one dataset.
    means = table.groupby(cell)[[f"truth_{name}" for name in SHORT]].transform("mean").to_numpy()
    raw, pca, kernel = means.T
    found = found.assign(score_truth=kernel, raw_truth=kernel - raw, pca_truth=kernel - pca)
    found["recommended_truth"] = means[np.arange(len(means)), found["best"].map(SHORT.index)]
    found["population_loss"] = means.max(axis=1) - found["recommended_truth"]
    found["population_loss_of_raw"] = means.max(axis=1) - raw
    parts = {"all": found, "held out": found[found["set"] >= CHOSE_RULES]}
    groups: list[tuple[dict[str, Any], str, pd.DataFrame]] = []
    reliable: list[dict[str, Any]] = []
    for part, sets in parts.items():
        if sets.empty:
            continue
        counted = sets[sets["population"] != "outliers"]  # a correlation does not exist there
        for comparison, name in product(COMPARISONS, EFFECTS):
            row = {"population": "all", "rows": 0, "effect": name, "datasets": part}
            here = counted[_by_truth(comparison, counted) == name]
            groups.append((row, comparison, here))
        for name in SHORT[:2]:
            reliable += [{"datasets": part} | row for row in _reliability(name, sets)]
    for (key, sets), comparison in product(found.groupby(cell, sort=False), COMPARISONS):
        name = _by_truth(comparison, sets).iloc[0]
        row = dict(zip(cell, key, strict=True)) | {"effect": name, "datasets": "all"}
        groups.append((row, comparison, sets))
    rows = [row | {"comparison": of} | measured(of, sets) for row, of, sets in groups]
    return {"effects": pd.DataFrame(rows), "reliability": pd.DataFrame(reliable)}
