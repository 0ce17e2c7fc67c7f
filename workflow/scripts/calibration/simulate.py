"""Simulate datasets of a population, and return what their answers rest on, with the truth."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from kpca.study.datasets.dataset import WHOLE, Dataset, Split
from kpca.study.datasets.generators import Draw
from kpca.study.datasets.splits import TEST_SHARE, split_rows
from kpca.study.design import EVALUATION, KERNELS
from kpca.study.evidence.comparison import least_of, overlaps
from kpca.study.evidence.described import describe
from kpca.study.evidence.held_out import Predictions, mean_influence, predictions
from kpca.study.evidence.selection import (
    MODELS,
    best_setting,
    candidates,
    select,
    selected_models,
)
from kpca.study.fitting.fitted_models import fit_arrays
from kpca.study.fitting.grid import Point, points
from kpca.study.scoring.evaluate import evaluate_cell, make_problem
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.scores import scores_table, variance_rule_table
from kpca.study.scoring.settings import Cell, Settings, cells, main_method
from kpca.study.seeds import rng_for, seed_for
from kpca.study.store import Arrays
from workflow.job import script
from workflow.populations import DEFAULT_GRID, GROUPS
from workflow.scripts.calibration.draws import draw

FRESH = 2000  # rows that only measure the truth
SHORT = dict(zip(MODELS, ("raw", "pca", "kernel"), strict=True))


@dataclass(frozen=True)
class Sweep:
    """What is tried on each training set."""

    settings: Settings
    points: tuple[Point, ...]
    predictors: tuple[str, ...]

    def cells(self, dataset: Dataset) -> dict[str, Cell]:
        """Return the representations of a dataset by name."""
        listed = cells(self.points, {}, task=dataset.task, precomputed=False)
        return {cell.id: cell for cell in listed}


def _grid(kernels: Mapping[str, Any]) -> tuple[Point, ...]:
    return tuple(point for kernel, axes in kernels.items() for point in points(kernel, axes))


REDUCED = Sweep(
    Settings(
        n_components=(2, 5, 12),
        C=(1.0, 10.0),
        folds=3,
        scaling=("unit",),
        kmeans_starts=1,
        variance_share=0.5,
    ),
    _grid({"poly": {"degree": [2], "scale": [1], "coef0": [1]}, "rbf": {"median": [0.1, 1, 10]}}),
    # Without random forests, boosting and logistic regression, which take longer than all others.
    ("linear_svm", "rbf_svm", "pca_rbf_svm", "least_squares", "ridge", "svr", "pca_svr"),
)
DEFAULT = Sweep(Settings.from_config(EVALUATION), _grid(KERNELS), tuple(PREDICTORS))


@dataclass(frozen=True)
class Simulated:
    """A simulated dataset, further rows of its population, and what is tried on it."""

    dataset: Dataset
    fresh: Draw
    sweep: Sweep
    seed: int

    @property
    def method(self) -> str:
        """The method by which a kernel is chosen."""
        return main_method(self.dataset.task, self.sweep.settings)

    def score(self, split: Split, seed: int) -> Iterator[tuple[str, Arrays]]:
        """Yield the scores of each representation of a split by its name."""
        problem = make_problem(split, self.sweep.settings.folds, seed=seed)
        settings = self.sweep.settings.within(problem.folds)
        for name, cell in self.sweep.cells(self.dataset).items():
            fit = None
            if len(split.X_test):
                fit = _fit(cell, split, max(settings.n_components), settings.variance_share)
            yield name, evaluate_cell(problem, cell, settings, fit, only=self.sweep.predictors)

    def tested(
        self, train: np.ndarray, held_out: np.ndarray, setting: Mapping[Any, Any]
    ) -> tuple[Predictions, float]:
        """Train a setting; return what it predicts of held-out rows, and its score on fresh."""
        own = self.dataset
        both: dict[str, Any] = {
            name: None if fresh is None else np.concatenate([getattr(own, name), fresh])
            for name, fresh in self.fresh._asdict().items()
        }
        rows = np.concatenate([held_out, len(own.X) + np.arange(len(self.fresh.X))])
        split = replace(own, **both, groups=None, splits=((train, rows),)).split(0)
        cell = self.sweep.cells(own)[setting["cell"]]
        fit = _fit(cell, split, int(setting["n_components"]), 0.0)
        predicted = predictions(split, setting, fit, self.sweep.settings, seed=0)
        fresh = predicted.rows(slice(len(held_out), None))
        measure = METRICS[METHODS[self.method].metric].measure
        return predicted.rows(slice(len(held_out))), measure(fresh.truth, fresh.predicted)


def _fit(cell: Cell, split: Split, n_components: int, share: float) -> Arrays | None:
    if cell.kind != "kernel":
        return None
    return fit_arrays(cell.point, split.X_train, n_components=n_components, variance_share=share)


def simulated(population: str, rows: int, number: int, replicates: int, seed: int) -> Simulated:
    """Draw a dataset and its fresh rows."""
    axes = (population, rows, number)
    name = population.removesuffix(DEFAULT_GRID)
    groups, fresh_groups = None, None
    if n := GROUPS.get(name):  # with one, two or three parts of the rows; fresh ones are of others
        groups = np.resize(np.repeat(np.arange(n), 1 + np.arange(n) % 3), rows)
        fresh_groups = np.arange(FRESH)
    drawn = draw(name, rows, rng_for(seed, *axes, "rows"), groups)
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
    fresh = draw(name, FRESH, rng_for(seed, *axes, "fresh"), fresh_groups)
    sweep = REDUCED if name == population else DEFAULT
    return Simulated(dataset, fresh, sweep, seed_for(seed, *axes))


def answer(of: Simulated) -> dict[str, Any]:
    """Return what the answer for a dataset rests on, so that rules can be evaluated later.

    Columns that end in `SHORT` names are of one model, or of two. ``between`` is the covariance of
    the scores between splits, and ``within`` that of their means by `mean_influence`. ``truth`` is
    the mean score on fresh rows of the models of the splits, and ``exported`` the score there of
    the setting that is chosen on all rows.
    """
    dataset, metric = of.dataset, METHODS[of.method].metric
    entries = {
        f"{name}/{replicate}": scores
        for replicate, split in enumerate(map(dataset.split, range(dataset.replicates)))
        for name, scores in of.score(split, seed_for(of.seed, replicate))
    }
    stores = {dataset.name: [entries]}
    selected = select(scores_table(stores), variance_rule_table(stores))
    chosen = selected_models(selected, of.method)
    tables, moved = {}, {}
    for model, rows in chosen.groupby("model"):
        parts = []
        for row in rows.to_dict("records"):
            train, held_out = dataset.splits[row["replicate"]]
            parts.append(of.tested(train, held_out, row))
        tables[model] = (rows["value"].to_numpy(), np.array([fresh for _, fresh in parts]))
        moved[model] = mean_influence(dataset, metric, [held_out for held_out, _ in parts])
    scores = np.column_stack([tables[model][0] for model in MODELS])
    within = np.column_stack([moved[model] for model in MODELS])
    units, described = len(within), pd.DataFrame([describe(dataset)])
    of_models = {
        "mean": [tables[model][0].mean() for model in MODELS],
        "truth": [tables[model][1].mean() for model in MODELS],
        "exported": [*_exported(of)],
    }
    numbers: dict[str, float] = {
        f"{kind}_{name}": value
        for kind, values in of_models.items()
        for name, value in zip(SHORT.values(), values, strict=True)
    }
    matrices = {"between": np.cov(scores.T), "within": units / (units - 1) * within.T @ within}
    for kind, matrix in matrices.items():
        for i, j in zip(*np.triu_indices(len(MODELS)), strict=True):
            numbers[f"{kind}_{SHORT[MODELS[i]]}_{SHORT[MODELS[j]]}"] = matrix[i, j]
    numbers["least"] = least_of(described, dataset.name, metric)[0]
    numbers["test_over_train"] = overlaps(described)[dataset.name] or np.nan
    rounded = {column: float(f"{value:.6g}") for column, value in numbers.items()}
    names = {"set": dataset.name, "metric": metric, "replicates": dataset.replicates}
    return names | {"units": units} | rounded


def _exported(of: Simulated) -> Iterator[float]:
    """Yield what the setting of each model that is chosen on all rows scores on fresh rows."""
    rows = of.dataset.whole()
    entries = {f"{name}/{WHOLE}": scores for name, scores in of.score(rows, of.seed)}
    validation = scores_table({of.dataset.name: [entries]}, whole=True)
    every, few = np.arange(len(of.dataset.X)), np.arange(2)
    for model in MODELS:
        settings = candidates(validation, of.method, of.sweep.cells(of.dataset), model)
        setting = best_setting(settings, ["dataset"]).iloc[0].to_dict()
        yield of.tested(every, few, setting)[1]


if __name__ == "__main__":
    logging.disable(logging.INFO)  # of 150 fits for each dataset


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return the `answer` for datasets from one number to another, which is left out."""
    with threadpool_limits(1):
        results = [answer(simulated(population, rows, i, replicates, seed)) for i in range(*sets)]
    return pd.DataFrame(results).assign(population=population, rows=rows)
