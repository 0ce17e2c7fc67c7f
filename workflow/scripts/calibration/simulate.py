"""Simulate datasets of a population, and return what their answers rest on, with the truth."""

import itertools
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import yaml
from threadpoolctl import threadpool_limits

from kpca.study.datasets.dataset import Dataset, IntArray
from kpca.study.datasets.splits import TEST_SHARE, split_rows
from kpca.study.design import EVALUATION, KERNELS
from kpca.study.evidence.comparison import GAINS, PLANNED
from kpca.study.evidence.held_out import predictions
from kpca.study.evidence.selection import (
    BASELINES,
    MODELS,
    best_setting,
    candidates,
    selected_models,
)
from kpca.study.fitting.fitted_models import fit_arrays
from kpca.study.fitting.grid import Point, points
from kpca.study.scoring.grid_scores import Scoring
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.scores import scores_table
from kpca.study.scoring.settings import Settings, main_method
from kpca.study.seeds import rng_for, seed_for
from kpca.study.stages import evidence, swept
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
    with_fresh: Dataset  # Its last `FRESH` rows only measure the truth.
    scoring: Scoring

    @property
    def points(self) -> dict[str, Point]:
        """The kernels by name."""
        return {point.id: point for point in self.scoring.points}

    @property
    def method(self) -> str:
        """The method by which a kernel is chosen."""
        return main_method(self.dataset.task, self.scoring.settings)

    def fresh_score(self, train: IntArray, setting: Mapping[Any, Any]) -> float:
        """Train a setting on some rows, and return its score on the fresh ones."""
        fresh = np.arange(len(self.with_fresh.X))[-FRESH:]
        split = replace(self.with_fresh, splits=((train, fresh),)).split(0)
        fit = None
        if setting["kernel"] not in BASELINES:
            m = int(setting["n_components"])
            point = self.points[setting["cell"]]
            fit = fit_arrays(point, split.X_train, n_components=m, variance_share=0.0)
        tested = predictions(split, setting, fit, self.scoring.settings, seed=0)
        return METRICS[METHODS[self.method].metric].measure(tested.truth, tested.predicted)


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
    settings = asdict(of.scoring.settings)
    with TemporaryDirectory() as folder:
        stored, fits, scores = swept(dataset, of.scoring, folder)
        tables = evidence(stored, fits, [scores], settings, of.scoring.seed)
        validation = scores_table([scores], whole=True)
    options = tables["ranking"].set_index("model")[["mean", "low", "high", "recommended"]]
    compared = tables["comparisons"]
    kernel = compared[(compared["kernel"] == "best kernel") & (compared["method"] == of.method)]
    gains = kernel.set_index(kernel["baseline"].map(PLANNED))[[*GAINS, "probability", "verdict"]]
    truths: dict[str, list[float]] = defaultdict(list)
    for setting in selected_models(tables["selected"], of.method).to_dict("records"):
        train, _ = dataset.splits[setting["replicate"]]
        truths[setting["model"]].append(of.fresh_score(train, setting))
    exported = {}
    for model in MODELS:
        tried = candidates(validation, of.method, of.points, model)
        best = best_setting(tried, ["dataset"]).iloc[0].to_dict()
        exported[model] = of.fresh_score(np.arange(len(dataset.X)), best)
    table = options.join(gains).assign(
        truth=pd.DataFrame(truths).mean(), exported=pd.Series(exported)
    )
    metric = METHODS[of.method].metric
    return table.reset_index(names="model").assign(set=dataset.name, metric=metric)


if __name__ == "__main__":
    logging.disable(logging.INFO)  # Each dataset logs 150 fits.


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return the `answer` for datasets from one number to another, which is left out."""
    with threadpool_limits(1):
        answers = [answer(simulated(population, rows, i, replicates, seed)) for i in range(*sets)]
    return pd.concat(answers).assign(population=population, rows=rows)
