"""Compare the answers for simulated datasets with the truth, by size of the true effect."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from pipeline.evaluation.metrics import METRICS
from pipeline.fingerprint import code_of
from pipeline.job import script
from pipeline.store import read_table
from pipeline.tables.comparison import PRIORS
from pipeline.tables.recommendation import ranked
from pipeline.tables.statistics import interval, probability_above, verdict
from workflow.scripts.calibration.populations import GROUPS, TITLES

NUMERIC, CLASSES = ("roll", "outliers"), {"clusters": 3, "ten_classes": 10}
SHORT = ("raw", "pca", "kernel")
EFFECTS = {"none": 0.01, "1 to 10 points": 0.1, "above 10 points": np.inf}
"""Size of a true difference → where it ends."""

NEAR = 0.005
"""If the true difference is so close to the margin, no verdict counts as false."""

BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.975, 1.001)


def answered(row: pd.Series) -> dict[str, Any]:
    """Return what the pipeline says of a dataset, given what its answer rests on.

    Rules read scores and influences by their means and covariances alone. Others with the same
    ones therefore lead to the same answer.
    """
    between, within = (_matrix(row, name) for name in ("between", "within"))
    means = row[[f"mean_{name}" for name in SHORT]].to_numpy(float)
    J, units = int(row["replicates"]), int(row["units"])
    contrasts = np.linalg.qr(np.vander(np.linspace(-1, 1, J), 4, increasing=True))[0][:, 1:]
    scores = means + np.sqrt(J - 1) * contrasts @ _root(between)
    moved = np.zeros((units, 3))
    moved[:3] = np.sqrt((units - 1) / units) * _root(within)
    least, ratio, metric = float(row["least"]), float(row["test_over_train"]), row["metric"]
    names, margin = pd.DataFrame(scores, columns=SHORT), METRICS[metric].margin
    found = ranked(names, ratio, moved, metric=metric, least=(least, least))
    best = int(found["recommended"].to_numpy().argmax())
    truth = row[[f"truth_{name}" for name in SHORT]].to_numpy(float)
    says: dict[str, Any] = {"best": SHORT[best], "margin": margin}
    for name, place in {"score": 2, "recommended": best}.items():
        one = found.iloc[place]
        says |= {f"{name}_low": one["low"], f"{name}_high": one["high"]}
        says |= {f"{name}_said": one["mean"], f"{name}_own": truth[place]}
    for place, name in enumerate(SHORT[:2]):
        gain = interval(
            scores[:, 2] - scores[:, place],
            test_over_train=ratio,
            influence=moved[:, 2] - moved[:, place],
            least=least,
        )
        given = gain.mean, gain.error, J, PRIORS[name]
        above = [probability_above(at, *given) for at in (margin, -margin)]
        says |= {f"{name}_low": gain.low, f"{name}_high": gain.high, f"{name}_said": gain.mean}
        says |= {f"{name}_odds": above[0], f"{name}_verdict": verdict(above[0], 1 - above[1])}
        says |= {f"{name}_own": truth[2] - truth[place]}
    lost = truth.max() - truth
    held = np.mean(found["loss_bound"].to_numpy() >= lost)
    says |= {"loss_said": found["expected_loss"].iloc[best], "loss_real": lost[best]}
    return says | {"bounds_held": held}


def _matrix(row: pd.Series, kind: str) -> np.ndarray:
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


def _measured(comparison: str, sets: pd.DataFrame) -> dict[str, Any]:
    """Return coverage, verdicts and losses of some answers."""
    says = sets[[f"{comparison}_{end}" for end in ("low", "high", "said", "own", "truth")]]
    low, high, said, own, truth = (says[name].to_numpy(float) for name in says)
    has, n = np.isfinite(low), len(sets)
    if not has.any():
        return {"sets": n}
    p = float(((low <= truth) & (truth <= high))[has].mean())
    row = {"sets": n, "truth": truth.mean(), "bias": (said - truth).mean(), "coverage": p}
    row |= {"coverage_error": np.sqrt((n * p + 1) * (n * (1 - p) + 1)) / (n + 2) / np.sqrt(n)}
    row |= {"coverage_own": ((low <= own) & (own <= high))[has].mean()}
    row |= {"width": (high - low)[has].mean()}
    if comparison in SHORT:
        words, margin = sets[f"{comparison}_verdict"], sets["margin"]
        false = (words == "better") & (truth <= margin - NEAR)
        false |= (words == "worse") & (truth >= NEAR - margin)
        false |= (words == "enough") & (truth > margin + NEAR)
        row |= {"decided": (words != "inconclusive").mean(), "false": false.mean()}
        row |= {word: (words == word).mean() for word in ("better", "worse", "enough")}
    if comparison == "recommended":
        row |= {name: sets[name].mean() for name in ("loss_said", "loss_real", "bounds_held")}
    return row


def _reliability(comparison: str, sets: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield how often a difference above the margin was true, by the probability said of it."""
    odds = sets[f"{comparison}_odds"]
    true = sets[f"{comparison}_own"] > sets["margin"]
    for low, high in pairwise(BINS):
        here = odds.ge(low) & odds.lt(high)
        if n := int(here.sum()):
            p, said = float(true[here].mean()), float(odds[here].mean())
            error = np.sqrt((n * p + 1) * (n * (1 - p) + 1)) / (n + 2) / np.sqrt(n)
            off = said - p if said > 0.5 else p - said  # conservative is below 0
            row = {"comparison": comparison, "from": low, "to": min(high, 1), "sets": n}
            yield row | {"said": said, "true": p, "error": error, "held": off <= 3 * error}


def resembled(
    effects: pd.DataFrame, *, task: str, rows: int, classes: int, groups: int, gain: float
) -> str:
    """Return which simulated population a dataset resembles most, and how often its CIs are right.

    Populations of the same kind of target come first, then those with groups or without. Of these
    it is the nearest one in log rows, log classes, and the size of the difference from PCA.
    """
    cells = effects[(effects["comparison"] == "pca") & (effects["population"] != "all")]
    name = cells["population"]
    away = 9.0 * (name.isin(NUMERIC) != (task == "regression"))
    away += 3.0 * (name.isin(GROUPS) != (groups > 0))
    away += np.abs(np.log(cells["rows"] / rows)) + 5 * np.abs(cells["truth"].fillna(0) - gain)
    away += np.abs(np.log(name.map(CLASSES).fillna(2) / max(classes, 2)))
    nearest = cells.loc[away.idxmin()]
    if not nearest["coverage"] > 0:
        return f"It resembles {TITLES[nearest['population']]}, which has no interval."
    return (
        f"It resembles {TITLES[nearest['population']]} with {nearest['rows']} rows most: there, "
        f"{100 * nearest['coverage']:.0f} % of the CIs of the difference from PCA were right."
    )


@script
def effects(answers: Sequence[str], simulated_by: str) -> dict[str, pd.DataFrame]:
    """Return the tables ``effects``, by population and by size of effect, and ``reliability``.

    Parameters
    ----------
    answers : sequence of str
        Files with tables of `workflow.scripts.calibration.simulate.answers`.
    simulated_by : str
        Digest of the code that simulated them; empty if that is the code of this run.
    """
    older = simulated_by not in ("", code_of("pipeline/tables/recommendation.py"))
    table = pd.concat([read_table(path) for path in answers], ignore_index=True)
    found = table[["population", "rows"]].join(
        pd.DataFrame([answered(table.loc[i]) for i in table.index])
    )
    cells = found.groupby(["population", "rows"], sort=False)
    for name in ("score", *SHORT[:2]):  # the truth of a population, not that of one dataset
        found[f"{name}_truth"] = cells[f"{name}_own"].transform("mean")
    means = table.groupby(["population", "rows"])[[f"truth_{name}" for name in SHORT]].transform(
        "mean"
    )
    places = found["best"].map(SHORT.index).to_numpy()
    found["recommended_truth"] = means.to_numpy()[np.arange(len(means)), places]
    classes = {name: found[f"{name}_truth"].map(effect) for name in SHORT[:2]}
    rows = []
    for comparison in ("score", *SHORT[:2], "recommended"):
        by = classes.get(comparison, classes["pca"])
        counted = found["population"] != "outliers"  # a correlation does not exist there
        for name in EFFECTS:
            here = found[(by == name) & counted]
            row = {"population": "all", "rows": 0, "effect": name, "comparison": comparison}
            rows.append(row | _measured(comparison, here))
        for (population, n), sets in cells:
            row = {"population": population, "rows": n, "effect": by[sets.index[0]]}
            rows.append(row | {"comparison": comparison} | _measured(comparison, sets))
    reliable = [row for name in SHORT[:2] for row in _reliability(name, found)]
    return {
        "effects": pd.DataFrame(rows).assign(older=older),
        "reliability": pd.DataFrame(reliable),
    }
