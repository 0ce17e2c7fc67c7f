"""The degree of the polynomial kernel: whether more of it fits training rows better, and too well.

Two ways to use the components: as a practitioner would (some components, C by
cross-validation), and with nothing that holds back (all components, each of variance 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.evaluation.metrics import accuracies
from kpca.pipeline.grid import Point
from kpca.pipeline.kernels import estimator, resolve_gamma
from kpca.pipeline.studies.claims.claim import Claim, Rule
from kpca.pipeline.studies.claims.ranks import signed_rank_interval
from kpca.pipeline.studies.claims.setting import PENALTY, SVM_STEPS, bounds, bounds_of, draws

COMPONENTS = 32
PENALTIES = (1.0, 10.0, 100.0)
FOLDS = 3
MARGIN = 0.01
"""Of balanced accuracy."""

FIGURE = "claims_degree"
SIDES = ("train", "test")
Sides = dict[str, float]


def polynomial(X: np.ndarray, degree: int, n_components: int | None) -> KernelPCA:
    """Fit kernel PCA with (γ x·y + 1)^d, γ = 1/(features · variance); zero eigenvalues drop."""
    point = Point("poly", {"degree": degree, "scale": 1, "coef0": 1})
    gamma = resolve_gamma(point, X, seed=0)
    return estimator(point, gamma, n_components=n_components).fit(X)


def tuned(split: Split, degree: int) -> Sides:
    """Return the accuracy of a linear SVM on 32 components, C by cross-validation."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    model = polynomial(split.X_train, degree, COMPONENTS)
    scale = 1 / np.sqrt(model.eigenvalues_.sum() / len(split.X_train))
    svm = GridSearchCV(
        SVC(kernel="linear", max_iter=SVM_STEPS),
        {"C": PENALTIES},
        cv=FOLDS,
        scoring="balanced_accuracy",
    )
    return _accuracies(svm, model, split, scale)


def unrestrained(split: Split, degree: int) -> Sides:
    """Return the accuracy of a linear SVM on every component, each scaled to variance 1."""
    from sklearn.svm import SVC

    model = polynomial(split.X_train, degree, None)
    scale = 1 / np.sqrt(model.eigenvalues_ / len(split.X_train))
    return _accuracies(SVC(kernel="linear", C=PENALTY, max_iter=SVM_STEPS), model, split, scale)


USES: dict[str, Callable[[Split, int], Sides]] = {"tuned": tuned, "all": unrestrained}
WORDS = {
    "tuned": "32 components, C by cross-validation",
    "all": "all components, each of variance 1",
}

CHANGE = {
    "train": "change of training accuracy",
    "test": "change of test accuracy",
    "gap": "change of training minus test accuracy",
}
SAYS = {
    "train": "A higher degree fits training rows better",
    "test": "A higher degree fits new rows worse",
    "gap": "A higher degree widens the gap between training and new rows",
}


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
    *,
    seed: int,
    replicates: int,
    datasets: Mapping[str, dict[str, Any]],
    degrees: Sequence[int],
    low: int,
    high: int,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the degree with their verdicts, and what was measured."""
    table = degree_table(seed=seed, replicates=replicates, datasets=datasets, degrees=degrees)
    steps = changes(table, low, high)
    step = f"from degree {low} to {high}"
    claims = [*_overall_claims(steps, step), *_dataset_claims(steps, step, replicates)]
    return claims, {"scores": table, "changes": steps}


def _rule(split: str, estimand: str, replicates: int = 1, comparisons: int = 1) -> Rule:
    if split != "test":
        return Rule(estimand, "above", MARGIN, replicates, comparisons)
    return Rule(estimand, "below", -MARGIN, replicates, comparisons)


def _overall_claims(steps: pd.DataFrame, step: str) -> Iterator[Claim]:
    for (use, split), rows in steps.groupby(["use", "split"], sort=False):
        use, split = str(use), str(split)
        rule = _rule(
            split,
            f"{CHANGE[split]} {step}, {WORDS[use]}: median of Hodges and Lehmann "
            f"over {len(rows)} datasets, 95 % interval of the signed-rank test,",
        )
        overall = signed_rank_interval(rows["mean"].to_numpy())
        statement = f"{SAYS[split]} ({WORDS[use]})."
        yield Claim(f"6-degree-{use}-{split}", statement, "", *overall, rule, FIGURE)


def _dataset_claims(steps: pd.DataFrame, step: str, replicates: int) -> Iterator[Claim]:
    comparisons = steps["dataset"].nunique()
    for row in steps[(steps["use"] == "tuned") & (steps["split"] != "gap")].to_dict("records"):
        split, name = str(row["split"]), str(row["dataset"])
        estimand = f"{CHANGE[split]} {step}, {WORDS['tuned']}"
        rule = _rule(split, estimand, replicates, comparisons)
        statement = f"{SAYS[split]} ({name.replace('_', ' ')})."
        yield Claim(f"6-degree-{split}-{name}", statement, "", *bounds_of(row), rule, FIGURE)


def _accuracies(svm: Any, model: KernelPCA, split: Split, scale: float | np.ndarray) -> Sides:
    sides = {
        "train": (model._training_scores(), split.y_train),
        "test": (model.transform(split.X_test), split.y_test),
    }
    svm.fit(sides["train"][0] * scale, split.y_train)
    return {
        name: accuracies(np.asarray(truth), svm.predict(Z * scale))["balanced_accuracy"]
        for name, (Z, truth) in sides.items()
    }
