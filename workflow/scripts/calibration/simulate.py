"""Simulate datasets of a population, and return what their answers rest on, with the truth."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from kpca.study.datasets import generators
from kpca.study.datasets.dataset import Dataset, Split
from kpca.study.datasets.generators import Draw
from kpca.study.datasets.splits import TEST_SHARE, split_rows
from kpca.study.evidence import selection
from kpca.study.evidence.comparison import Influences, least_of, overlaps
from kpca.study.evidence.described import describe
from kpca.study.evidence.held_out import Predictions, mean_influence, predictions, values_of
from kpca.study.evidence.selection import KERNEL_PCA, MODELS
from kpca.study.fitting.fitted_models import fit_arrays
from kpca.study.fitting.grid import points
from kpca.study.scoring.evaluate import evaluate_cell, make_problem
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.scores import scores_table, variance_rule_table
from kpca.study.scoring.settings import Cell, Settings, cells, main_method
from kpca.study.seeds import rng_for, seed_for
from kpca.study.store import Arrays
from workflow.job import script
from workflow.populations import GROUPS

SETTINGS = Settings(
    n_components=(2, 5, 12),
    C=(1.0, 10.0),
    folds=3,
    scaling=("unit",),
    kmeans_starts=1,
    variance_share=0.5,
)
KERNELS: dict[str, dict[str, Any]] = {
    "poly": {"degree": [2], "scale": [1], "coef0": [1]},
    "rbf": {"median": [0.1, 1, 10]},
}
GRID = [point for kernel, axes in KERNELS.items() for point in points(kernel, axes)]
# Without random forests and logistic regression, which take longer than all others.
SIMULATED = ("linear_svm", "rbf_svm", "least_squares", "ridge", "svr")
FRESH = 2000  # rows that only measure the truth
SHORT = dict(zip(MODELS, ("raw", "pca", "kernel"), strict=True))
DESCRIBED = ("replicates", "classes", "smallest_class", "groups", "columns")


def draw(name: str, rows: int, rng: np.random.Generator, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population; rows of a group share an offset of features, and of the label."""
    classes = np.arange(rows) % 2
    match name:
        case "ring":
            return generators.rings(rows, rng, noise=0.12, radius_ratio=0.3)
        case "spirals":
            return generators.spirals(rows, rng, noise=0.02)
        case "roll":
            return generators.swiss_roll(rows, rng, noise=0.3)
        case "clusters":
            return generators.clusters(rows, rng, noise=0.3)
        case "moons":
            moons = generators.moons(rows, rng, noise=0.2)
            return moons._replace(X=np.column_stack([moons.X, 0.3 * rng.standard_normal(rows)]))
        case "pocket":  # 8 % of a class are on the far side of the other one
            X = 0.5 * rng.standard_normal((rows, 3))
            far = (rng.random(rows) < 0.08) & (classes == 1)
            X[:, 0] += np.where(far, -4.0, np.where(classes == 1, 1.5, -1.5))
            return Draw(X, classes)
        case "rare_ring":
            return _ring(rows, rng, _rare(rows, 0.05), radius=0.3, noise=0.15)
        case "wrong_labels":
            ring = _ring(rows, rng, classes, radius=0.4, noise=0.12)
            return Draw(ring.X, np.where(rng.random(rows) < 0.2, 1 - classes, classes))
        case "ring_groups" if groups is not None:  # a label per group, whose rows are alike
            labels = rng.permutation(np.arange(int(groups.max()) + 1) % 2)
            centres = _ring(len(labels), rng, labels, radius=0.35, noise=0.17).X
            return Draw(centres[groups] + 0.1 * rng.standard_normal((rows, 2)), labels[groups])
        case "ten_classes":
            centres = 1.3 * np.random.default_rng(5).standard_normal((10, 8))
            ten = np.arange(rows) % 10
            return Draw(centres[ten] + rng.standard_normal((rows, 8)), ten)
        case "binary":  # the label is whether two of six binary columns differ, wrong in 10 %
            X = (rng.random((rows, 6)) < 0.5).astype(float)
            return Draw(X, ((X[:, 0] != X[:, 1]) ^ (rng.random(rows) < 0.1)).astype(np.int64))
        case "checkerboard":
            X = rng.uniform(0, 3, (rows, 2))
            return Draw(X, np.floor(X).sum(axis=1).astype(np.int64) % 2)
        case "wide":  # ten of 300 columns differ between the classes
            X = rng.standard_normal((rows, 300))
            X[:, :10] += np.where(classes == 1, 0.55, -0.55)[:, None]
            return Draw(X, classes)
        case "outliers":
            X = rng.uniform(-2, 2, (rows, 3))
            smooth = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]
            return Draw(X, target=smooth + 0.3 * rng.standard_t(1.5, rows))
        case "heavy_tails":
            X = rng.standard_t(2, (rows, 5))
            bowl = np.minimum(X[:, 2] ** 2, 9) - 1.5
            return _logistic(X, 1.5 * X[:, 0] + 0.8 * X[:, 1] + bowl, rng)
    X, offset = rng.standard_normal((rows, 5)), np.zeros(rows)
    if name == "noise":
        return Draw(X, classes)
    if name == "unbalanced":
        rare = _rare(rows, 0.03)
        X[:, 0] += 2 * rare
        return Draw(X, rare)
    if name == "two_sides":  # a rare class, mostly on one side of the other class
        rare = _rare(rows, 0.05)
        X[:, 0] += 2.2 * rare * np.where(rng.random(rows) < 0.7, 1, -1)
        return Draw(X[:, :4], rare)
    if name == "bent":
        return _logistic(X[:, :3], 2 * X[:, 0] + 1.2 * (X[:, 1] ** 2 - 1), rng)
    if groups is not None:
        shared = rng.standard_normal((int(groups.max()) + 1, 6))
        X, offset = X + shared[groups, :5], shared[groups, 5]
    curvature = 1.3 if name == "curved" else 0.0
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1] + curvature * (X[:, 2] ** 2 - 1) + offset, rng)


def _logistic(X: np.ndarray, logit: np.ndarray, rng: np.random.Generator) -> Draw:
    return Draw(X, (rng.random(len(X)) < 1 / (1 + np.exp(-logit))).astype(np.int64))


def _rare(rows: int, fraction: float) -> np.ndarray:
    return (np.arange(rows) < round(fraction * rows)).astype(np.int64)


def _ring(
    rows: int, rng: np.random.Generator, labels: np.ndarray, *, radius: float, noise: float
) -> Draw:
    """Draw class 0 at radius 1 and class 1 at another radius, with noise along the radius."""
    angle, away = rng.uniform(0, 2 * np.pi, rows), 1 + noise * rng.standard_normal(rows)
    lengths = np.where(labels == 1, radius, 1.0) * away
    return Draw(lengths[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), labels)


@dataclass(frozen=True)
class Simulated:
    """A simulated dataset, further rows of its population, and the entries of its sweep."""

    dataset: Dataset
    fresh: Draw
    entries: Mapping[str, Arrays]

    def tested_on(self, train: np.ndarray, own: np.ndarray) -> Split:
        """Return a split that tests some rows of the dataset, and then the fresh rows."""
        of = self.dataset
        both: dict[str, Any] = {
            name: None if fresh is None else np.concatenate([getattr(of, name), fresh])
            for name, fresh in self.fresh._asdict().items()
        }
        tested = np.concatenate([own, len(of.X) + np.arange(len(self.fresh.X))])
        return replace(of, **both, groups=None, splits=((train, tested),)).split(0)

    def predicted(
        self, train: np.ndarray, own: np.ndarray, setting: Mapping[Any, Any]
    ) -> tuple[Predictions, Predictions]:
        """Train a setting on some rows, and predict other rows of the dataset and fresh ones."""
        split = self.tested_on(train, own)
        cell = _cells(self.dataset)[setting["cell"]]
        fit = _fit(cell, split, int(setting["n_components"]), 0.0)
        found = predictions(split, setting, fit, SETTINGS, seed=0)
        return found.rows(slice(len(own))), found.rows(slice(len(own), None))


def simulated(population: str, rows: int, number: int, replicates: int, seed: int) -> Simulated:
    """Draw a dataset and its fresh rows, and sweep it."""
    axes = (population, rows, number)
    groups = None
    if n := GROUPS.get(population):  # with one, two or three parts of the rows
        groups = np.resize(np.repeat(np.arange(n), 1 + np.arange(n) % 3), rows)
    drawn = draw(population, rows, rng_for(seed, *axes, "rows"), groups)
    each = None if groups is None else np.arange(FRESH)  # fresh rows are of new groups
    fresh = draw(population, FRESH, rng_for(seed, *axes, "fresh"), each)
    strata = np.zeros(rows, np.int64) if drawn.y is None else drawn.y
    dataset = Dataset(
        **drawn._asdict(),
        name=str(number),
        groups=groups,
        splits=tuple(
            split_rows(rng_for(seed, *axes, replicate, "split"), strata, TEST_SHARE, groups)
            for replicate in range(replicates)
        ),
        class_names=() if drawn.y is None else tuple(map(str, np.unique(drawn.y))),
        standardize=True,
    )
    return Simulated(dataset, fresh, swept(dataset, seed_for(seed, *axes)))


def swept(dataset: Dataset, seed: int) -> dict[str, Arrays]:
    """Return the scores of every setting on every split."""
    entries: dict[str, Arrays] = {}
    for replicate in range(dataset.replicates):
        split = dataset.split(replicate)
        problem = make_problem(split, SETTINGS.folds, seed=seed_for(seed, replicate))
        for cell in _cells(dataset).values():
            fit = _fit(cell, split, max(SETTINGS.n_components), SETTINGS.variance_share)
            entries[f"{cell.id}/{replicate}"] = evaluate_cell(
                problem, cell, SETTINGS, fit, only=SIMULATED
            )
    return entries


def _cells(dataset: Dataset) -> dict[str, Cell]:
    listed = cells(GRID, {}, task=dataset.task, precomputed=False)
    return {cell.id: cell for cell in listed}


def _fit(cell: Cell, split: Split, n_components: int, share: float) -> Arrays | None:
    if cell.kind != "kernel":
        return None
    return fit_arrays(cell.point, split.X_train, n_components=n_components, variance_share=share)


class Judged(NamedTuple):
    """Simulated datasets, and what the tables of a run are made of."""

    found: Sequence[Simulated]
    method: str
    selected: pd.DataFrame
    described: pd.DataFrame
    models: pd.DataFrame  # test scores of the compared models, with those on fresh rows
    own: dict[tuple[str, str], list[Predictions]]  # of the held-out rows, by dataset and model
    influences: dict[str, Influences]


def judged(found: Sequence[Simulated]) -> Judged:
    """Select settings for some simulated datasets, and predict held-out and fresh rows by them."""
    by_name = {each.dataset.name: each for each in found}
    stores = {each.dataset.name: [each.entries] for each in found}
    selected = selection.select(scores_table(stores), variance_rule_table(stores))
    method = main_method(found[0].dataset.task, SETTINGS)
    models = selection.selected_models(selected, method).reset_index(drop=True)
    own: dict[tuple[str, str], list[Predictions]] = {}
    influences: dict[str, dict[str, np.ndarray]] = {name: {} for name in by_name}
    truths = []
    for row in models.to_dict("records"):
        of = by_name[row["dataset"]]
        train, test = of.dataset.splits[row["replicate"]]
        held_out, fresh = of.predicted(train, test, row)
        truths.append(score(fresh, row["method"]))
        own.setdefault((row["dataset"], row["model"]), []).append(held_out)
    for (name, model), predicted in own.items():
        moved = mean_influence(by_name[name].dataset, METHODS[method].metric, predicted)
        influences[name][model] = moved
    described = pd.DataFrame([describe(each.dataset) for each in found])
    models["fresh"] = truths
    return Judged(found, method, selected, described, models, own, {**influences})


def score(found: Predictions, method: str) -> float:
    """Return what predictions of a method score by its main metric."""
    return METRICS[METHODS[method].metric].measure(found.truth, found.predicted)


def answers(of: Judged) -> pd.DataFrame:
    """Return what the answer for each dataset rests on, so that rules can be evaluated later.

    Columns that end in `SHORT` names are of one model, or of two. ``between`` is the covariance of
    the scores between splits, ``within`` that of their means by `mean_influence`.
    """
    metric, overlap, rows = METHODS[of.method].metric, overlaps(of.described), []
    for each, row in zip(of.found, of.described.to_dict("records"), strict=True):
        name, short = each.dataset.name, [SHORT[model] for model in MODELS]
        these = of.models[of.models["dataset"] == name]
        scores, fresh = (
            these.pivot(index="replicate", columns="model", values=values)[[*MODELS]].to_numpy()
            for values in ("value", "fresh")
        )
        moved = np.column_stack([of.influences[name][model] for model in MODELS])
        units = len(moved)
        matrices = {"between": np.cov(scores.T), "within": units / (units - 1) * moved.T @ moved}
        measured = dict(values_of(each.dataset, of.own[name, KERNEL_PCA]))
        tails = measured.get(("residual_kurtosis", ""), [math.nan])
        numbers = {
            **dict(zip([f"mean_{model}" for model in short], scores.mean(axis=0), strict=True)),
            **dict(zip([f"truth_{model}" for model in short], fresh.mean(axis=0), strict=True)),
            **{
                f"{kind}_{short[i]}_{short[j]}": matrix[i, j]
                for kind, matrix in matrices.items()
                for i, j in zip(*np.triu_indices(len(MODELS)), strict=True)
            },
            "least": least_of(of.described, name, metric)[0],
            "test_over_train": overlap[name],
            "residual_kurtosis": float(np.mean(tails)),
        }
        rounded = {column: float(f"{value:.6g}") for column, value in numbers.items()}
        kept = {column: row[column] for column in DESCRIBED}
        rows.append({"set": name, "metric": metric, **kept, "units": units, **rounded})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    logging.disable(logging.INFO)  # of 150 fits for each dataset


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return the `answers` for datasets from one number to another, which is left out."""
    with threadpool_limits(1):
        of = judged([simulated(population, rows, i, replicates, seed) for i in range(*sets)])
    return answers(of).assign(population=population, rows=rows)
