"""The degree of the polynomial kernel: whether more of it fits training rows better, and too well.

Two ways to use the components: as a practitioner would (some components, C by
cross-validation), and with nothing that holds back (all components, each of variance 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Split
from pipeline.evaluation.downstream import Fold, Outcome, linear_svm
from pipeline.evaluation.embeddings import KernelPCAScores, training_scores
from pipeline.evaluation.evaluate import evaluate, make_problem
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point
from pipeline.kernels import estimator, resolve_gamma
from workflow.scripts.claims.claim import Claim, Statements
from workflow.scripts.claims.setting import (
    DATA,
    PENALTY,
    REPLICATES,
    bounds,
    draws,
)

DEGREES = (1, 2, 3, 5, 7, 9)
LOW, HIGH = 2, 9
COMPONENTS = 32
TUNED = Settings((COMPONENTS,), (1.0, 10.0, 100.0), 3, ("unit",), 1, 1.0)
FREE = Settings((), (PENALTY,), 0, ("whitened",), 1, 1.0)

SIDES = ("train", "test")
Sides = dict[str, float]


def polynomial(degree: int) -> Point:
    """Return (γ x·y + 1)^d, γ = 1/(features · variance)."""
    return Point("poly", {"degree": degree, "scale": 1, "coef0": 1})


def tuned(split: Split, degree: int) -> Sides:
    """Return the accuracy of a linear SVM on 32 components.

    C is that of cross-validation with kernel PCA fitted anew to the training rows of each fold:
    scores of rows that a component was fitted to are larger than those of new ones.
    """
    point = polynomial(degree)
    embedding = KernelPCAScores(point, resolve_gamma(point, split.X_train, seed=0), TUNED)
    problem = make_problem(split, TUNED.folds, seed=0)
    rows = evaluate(problem, embedding, TUNED, downstream=[linear_svm])
    validated = _accuracies((found for _, found in rows), "cv")
    C = max(sorted(validated), key=lambda C: round(validated[C], 10))
    return {side: _accuracies((found for _, found in rows), side)[C] for side in SIDES}


def unrestrained(split: Split, degree: int) -> Sides:
    """Return the accuracy of a linear SVM on every component, each scaled to variance 1."""
    point = polynomial(degree)
    gamma = resolve_gamma(point, split.X_train, seed=0)
    model = estimator(point, gamma, n_components=None).fit(split.X_train)
    scores = training_scores(model), model.transform(split.X_test)
    fold = Fold(*scores, split.y_train, split.y_test, split.X_test, seed=0)
    found = list(linear_svm(fold, FREE))
    return {side: _accuracies(found, side)[PENALTY] for side in SIDES}


def _accuracies(outcomes: Iterator[Outcome] | Sequence[Outcome], split: str) -> dict[float, float]:
    wanted = ("balanced_accuracy", split)
    return {found.C: found.value for found in outcomes if (found.metric, found.split) == wanted}


USES: dict[str, Callable[[Split, int], Sides]] = {"tuned": tuned, "all": unrestrained}


def degree_table(
    *,
    seed: int,
    replicates: int,
    datasets: Mapping[str, dict[str, Any]],
    degrees: Sequence[int],
) -> pd.DataFrame:
    """Measure training and test accuracy over the degree.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, overlap (n_test/n_train of re-drawn splits, NaN for
        independent draws), use (of `USES`), degree, split ("train" or "test"), value (balanced
        accuracy).
    """
    rows = [
        (name, replicate, np.nan if share is None else share, use, degree, side, value)
        for name, share, splits in draws(datasets, seed=seed, replicates=replicates)
        for replicate, split in enumerate(splits)
        for use, measure_use in USES.items()
        for degree in degrees
        for side, value in measure_use(split, degree).items()
    ]
    columns = ["dataset", "replicate", "overlap", "use", "degree", "split", "value"]
    return pd.DataFrame(rows, columns=columns)


def changes(table: pd.DataFrame, low: int, high: int) -> pd.DataFrame:
    """Return what the step from one degree to another changes, paired within each replicate.

    Returns
    -------
    DataFrame
        Columns use, split ("train", "test", or "gap": train − test), dataset, mean, low, high;
        intervals are joint over the datasets.
    """
    keys = ["dataset", "replicate", "overlap", "use"]
    values = table.set_index([*keys, "split", "degree"])["value"].unstack(["split", "degree"])
    steps = pd.DataFrame({side: values[side, high] - values[side, low] for side in SIDES})
    steps["gap"] = steps["train"] - steps["test"]
    long = steps.melt(var_name="split", value_name="change", ignore_index=False).reset_index()
    return bounds(long, ["use", "split", "dataset"], "change")


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    datasets: Mapping[str, dict[str, Any]] = DATA,
    degrees: Sequence[int] = DEGREES,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the degree with their verdicts, and what was measured."""
    stated = Statements(statements)
    table = degree_table(seed=seed, replicates=replicates, datasets=datasets, degrees=degrees)
    steps = changes(table, LOW, HIGH)
    judged = {"replicates": replicates, "comparisons": steps["dataset"].nunique()}
    claims = [
        claim
        for (use, split), rows in steps.groupby(["use", "split"], sort=False)
        for claim in stated.of_rows(f"6-degree-{use}-{split}", rows, **judged)
    ]
    return claims, {"scores": table, "changes": steps}
