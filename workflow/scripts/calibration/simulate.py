"""Simulate datasets of a population, and return what their answers rest on, with the truth."""

import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from threadpoolctl import threadpool_limits

from kpca.study.datasets.dataset import WHOLE, Dataset, IntArray, Split
from kpca.study.datasets.splits import TEST_SHARE, split_rows
from kpca.study.design import EVALUATION, KERNELS
from kpca.study.evidence.comparison import GAINS, PLANNED, compare, ranking
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
from kpca.study.fitting.grid import points
from kpca.study.scoring.evaluate import evaluate_cell, make_problem
from kpca.study.scoring.grid_scores import Scoring
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.scores import scores_table, variance_rule_table
from kpca.study.scoring.settings import Cell, Settings, cells, main_method
from kpca.study.seeds import rng_for, seed_for
from kpca.study.store import Arrays, entry_name
from workflow.job import script
from workflow.populations import DEFAULT_GRID, POPULATIONS
from workflow.scripts.calibration.draws import draw

FRESH = 2000  # rows that only measure the truth


def _scoring(config: Mapping[str, Any]) -> Scoring:
    """Return what is tried on each training set: evaluation, kernels and predictors."""
    grid = itertools.chain(*itertools.starmap(points, config["kernels"].items()))
    return Scoring([*grid], {}, Settings.from_config(config["evaluation"]), config["predictors"], 0)


REDUCED = _scoring(
    yaml.safe_load(Path(__file__).with_name("reduced.yaml").read_text(encoding="utf-8"))
)
DEFAULT = _scoring({"evaluation": EVALUATION, "kernels": KERNELS, "predictors": [*PREDICTORS]})


@dataclass(frozen=True)
class Simulated:
    """A simulated dataset, the same with further rows, and what is tried on it."""

    dataset: Dataset
    with_fresh: Dataset  # whose last `FRESH` rows only measure the truth
    scoring: Scoring

    @property
    def method(self) -> str:
        """The method by which a kernel is chosen."""
        return main_method(self.dataset.task, self.scoring.settings)

    @property
    def cells(self) -> dict[str, Cell]:
        """The representations by name."""
        listed = cells(self.scoring.points, {}, task=self.dataset.task, precomputed=False)
        return {cell.id: cell for cell in listed}

    def scores(self) -> dict[str, Arrays]:
        """Score each representation on each split, and validate it on all rows, by its name."""
        entries = {}
        for replicate, split in self.dataset.parts():
            seed = self.scoring.seed
            if replicate != WHOLE:
                seed = seed_for(seed, replicate)
            problem = make_problem(split, self.scoring.settings.folds, seed=seed)
            settings = self.scoring.settings.within(problem.folds)
            for cell in self.cells.values():
                fit = None
                if replicate != WHOLE:
                    fit = _fit(cell, split, settings.largest, settings.variance_share)
                scored = evaluate_cell(problem, cell, settings, fit, only=self.scoring.followers)
                entries[entry_name(cell, replicate)] = scored
        return entries

    def tested(
        self, train: IntArray, held_out: IntArray, setting: Mapping[Any, Any]
    ) -> tuple[Predictions, float]:
        """Train a setting; return what it predicts of held-out rows, and its score on fresh."""
        rows = np.arange(len(self.with_fresh.X))
        rows = np.concatenate([held_out, rows[-FRESH:]])
        split = replace(self.with_fresh, splits=((train, rows),)).split(0)
        fit = _fit(self.cells[setting["cell"]], split, int(setting["n_components"]), 0.0)
        truth, predicted, *_ = predictions(split, setting, fit, self.scoring.settings, seed=0)
        measure = METRICS[METHODS[self.method].metric].measure
        score = measure(truth[-FRESH:], predicted[-FRESH:])
        return Predictions(truth[:-FRESH], predicted[:-FRESH], None), score


def _fit(cell: Cell, split: Split, n_components: int, share: float) -> Arrays | None:
    if cell.kind != "kernel":
        return None
    return fit_arrays(cell.point, split.X_train, n_components=n_components, variance_share=share)


def simulated(population: str, rows: int, number: int, replicates: int, seed: int) -> Simulated:
    """Draw a dataset and its fresh rows."""
    axes = (population, rows, number)
    name = population.removesuffix(DEFAULT_GRID)
    groups = None
    fresh_groups = None
    if n := POPULATIONS[name].get("groups"):
        # Groups have one, two or three parts of the rows, and fresh rows are of other groups.
        groups = np.resize(np.repeat(np.arange(n), 1 + np.arange(n) % 3), rows)
        fresh_groups = np.arange(FRESH)
    drawn = draw(name, rows, rng_for(seed, *axes, "rows"), groups)
    fresh = draw(name, FRESH, rng_for(seed, *axes, "fresh"), fresh_groups)
    both: dict[str, Any] = {
        name: None if of_rows is None else np.concatenate([of_rows, of_fresh])
        for name, of_rows, of_fresh in zip(drawn._fields, drawn, fresh, strict=True)
    }
    strata = np.zeros(rows, np.int64) if drawn.y is None else drawn.y
    classes = () if drawn.y is None else tuple(map(str, np.unique(drawn.y)))
    with_fresh = Dataset(**both, name=str(number), class_names=classes, standardize=True)
    splits = tuple(
        split_rows(rng_for(seed, *axes, replicate, "split"), strata, TEST_SHARE, groups)
        for replicate in range(replicates)
    )
    dataset = replace(with_fresh, **drawn._asdict(), groups=groups, splits=splits)
    scoring = REDUCED if name == population else DEFAULT
    return Simulated(dataset, with_fresh, replace(scoring, seed=seed_for(seed, *axes)))


def answer(of: Simulated) -> pd.DataFrame:
    """Return what the pipeline says of a dataset, with the truth: one row per option.

    ``truth`` is the mean score on fresh rows of the models of the splits, and ``exported`` the
    score there of the setting that is chosen on all rows. ``gain`` is that of kernel PCA.
    """
    dataset = of.dataset
    metric = METHODS[of.method].metric
    stores = {dataset.name: [of.scores()]}
    selected = select(scores_table(stores), variance_rule_table(stores))
    truths: dict[str, float] = {}
    influences: dict[str, np.ndarray] = {}
    for model, chosen in selected_models(selected, of.method).groupby("model"):
        of_splits = zip(dataset.splits, chosen.to_dict("records"), strict=True)
        held_out, fresh = zip(*(of.tested(*split, row) for split, row in of_splits), strict=True)
        truths[str(model)] = float(np.mean(fresh))
        influences[str(model)] = mean_influence(dataset, metric, held_out)
    judged = selected, describe(dataset), of.method, influences
    options = ranking(*judged).set_index("model")[["mean", "low", "high", "recommended"]]
    compared = compare(*judged)
    kernel = compared[(compared["kernel"] == "best kernel") & (compared["method"] == of.method)]
    gains = kernel.set_index(kernel["baseline"].map(PLANNED))[[*GAINS, "probability", "verdict"]]
    validation = scores_table(stores, whole=True)
    every = np.arange(len(dataset.X))
    exported = {}
    for model in MODELS:
        settings = candidates(validation, of.method, of.cells, model)
        setting = best_setting(settings, ["dataset"]).iloc[0].to_dict()
        _, exported[model] = of.tested(every, every[:0], setting)
    table = options.join(gains).assign(truth=pd.Series(truths), exported=pd.Series(exported))
    return table.reset_index(names="model").assign(set=dataset.name, metric=metric)


if __name__ == "__main__":
    logging.disable(logging.INFO)  # of 150 fits for each dataset


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return the `answer` for datasets from one number to another, which is left out."""
    with threadpool_limits(1):
        answers = [answer(simulated(population, rows, i, replicates, seed)) for i in range(*sets)]
    return pd.concat(answers).assign(population=population, rows=rows)
