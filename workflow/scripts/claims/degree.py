"""The degree of the polynomial kernel: whether more of it fits training rows better, and too well.

Two ways to use the components: as a practitioner would (some components, C by
cross-validation), and with nothing that holds back (all components, each of variance 1).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import Split
from pipeline.evaluation.downstream import METHODS, Fold, Outcome
from pipeline.evaluation.embeddings import KernelPCAScores, training_scores
from pipeline.evaluation.evaluate import evaluate, make_problem
from pipeline.evaluation.settings import Settings
from pipeline.fitted_models import estimator, resolve_gamma
from pipeline.grid import Point
from pipeline.job import script
from workflow.scripts.claims.claim import claims_table, of_rows
from workflow.scripts.claims.setting import DATA, PENALTY, REPLICATES, bounds, units

DEGREES = (1, 2, 3, 5, 7, 9)
LOW, HIGH = 2, 9
COMPONENTS = 32
TUNED = Settings((COMPONENTS,), (1.0, 10.0, 100.0), 3, ("unit",), 1, 1.0)
FREE = Settings((), (PENALTY,), 0, ("whiten",), 1, 1.0)

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
    embedding = KernelPCAScores(point, resolve_gamma(point, split.X_train), TUNED)
    problem = make_problem(split, TUNED.folds, seed=0)
    rows = evaluate(problem, embedding, TUNED, downstream=[METHODS["linear_svm"]])
    validated = _accuracies((found for _, found in rows), "cv")
    C = max(sorted(validated), key=lambda C: round(validated[C], 10))
    return {side: _accuracies((found for _, found in rows), side)[C] for side in SIDES}


def unrestrained(split: Split, degree: int) -> Sides:
    """Return the accuracy of a linear SVM on every component, each scaled to variance 1."""
    point = polynomial(degree)
    gamma = resolve_gamma(point, split.X_train)
    model = estimator(point, gamma, n_components=None).fit(split.X_train)
    scores = training_scores(model), model.transform(split.X_test)
    found = list(
        METHODS["linear_svm"](Fold(*scores, split.y_train, split.y_test, split.X_test, 0), FREE)
    )
    return {side: _accuracies(found, side)[PENALTY] for side in SIDES}


def _accuracies(outcomes: Iterable[Outcome], split: str) -> dict[float, float]:
    wanted = ("balanced_accuracy", split)
    return {found.C: found.value for found in outcomes if (found.metric, found.split) == wanted}


USES: dict[str, Callable[[Split, int], Sides]] = {"tuned": tuned, "all": unrestrained}


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Return what the step from degree `LOW` to `HIGH` changes, paired within each replicate."""
    keys = ["dataset", "replicate", "overlap", "use"]
    values = table.set_index([*keys, "split", "degree"])["value"].unstack(["split", "degree"])
    steps = pd.DataFrame({side: values[side, HIGH] - values[side, LOW] for side in SIDES})
    long = steps.melt(var_name="split", value_name="change", ignore_index=False).reset_index()
    return bounds(long, ["use", "split", "dataset"], "change")


@script
def measure(
    *,
    seed: int,
    replicates: int = REPLICATES,
    datasets: Mapping[str, dict[str, Any]] = DATA,
    degrees: Sequence[int] = DEGREES,
) -> dict[str, pd.DataFrame]:
    """Return the cases of the degree, and the table ``scores`` of balanced accuracies."""
    rows = [
        unit | {"degree": degree, "split": side, "value": value}
        for unit, split in units(datasets, USES, seed=seed, replicates=replicates)
        for degree in degrees
        for side, value in USES[unit["kernel"]](split, degree).items()
    ]
    table = pd.DataFrame(rows).rename(columns={"kernel": "use"})
    cases = [
        case
        for (use, split), rows in changes(table).groupby(["use", "split"], sort=False)
        for case in of_rows(f"6-degree-{use}-{split}", rows)
    ]
    return {"claims": claims_table(cases), "scores": table}
