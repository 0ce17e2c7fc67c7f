"""Simulate datasets of a population, and return the reported scores with the true scores."""

import itertools
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from threadpoolctl import threadpool_limits

from kpca.study.datasets.dataset import Dataset, Split
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

FRESH = 2000  # number of rows that are drawn only to measure true scores


def _scoring(config: Mapping[str, Any]) -> Scoring:
    """Return what is tried on each training set: evaluation, kernels and predictors."""
    grid = itertools.chain(*itertools.starmap(points, config["kernels"].items()))
    return Scoring([*grid], {}, Settings.from_config(config["evaluation"]), config["predictors"], 0)


REDUCED = _scoring(
    yaml.safe_load(Path(__file__).with_name("reduced.yaml").read_text(encoding="utf-8"))
)
DEFAULT = _scoring({"evaluation": EVALUATION, "kernels": KERNELS, "predictors": [*PREDICTORS]})


class Simulated(NamedTuple):
    """A simulated dataset, the same dataset with fresh rows, and the settings that are tried."""

    dataset: Dataset
    # Each split has the training rows of a split of ``dataset``; the last split trains on all rows
    # of ``dataset``. The test rows are always the `FRESH` rows, which only measure true scores.
    with_fresh: Dataset
    scoring: Scoring


def simulated(population: str, rows: int, number: int, replicates: int, seed: int) -> Simulated:
    """Draw a dataset and its fresh rows."""
    axes = (population, rows, number)
    name = population.removesuffix(DEFAULT_GRID)
    groups = None
    fresh_groups = None
    if n := POPULATIONS[name].get("groups"):
        # The sizes of groups repeat the ratio 1 : 2 : 3. Each fresh row is a group of its own.
        groups = np.resize(np.repeat(np.arange(n), 1 + np.arange(n) % 3), rows)
        fresh_groups = np.arange(FRESH)
    drawn = draw(name, rows, rng_for(seed, *axes, "rows"), groups)
    fresh = draw(name, FRESH, rng_for(seed, *axes, "fresh"), fresh_groups)
    strata = np.zeros(rows, np.int64) if drawn.y is None else drawn.y
    splits = [
        split_rows(rng_for(seed, *axes, replicate, "split"), strata, TEST_SHARE, groups)
        for replicate in range(replicates)
    ]
    dataset = Dataset(
        **drawn._asdict(),
        name=str(number),
        groups=groups,
        class_names=() if drawn.y is None else tuple(map(str, np.unique(drawn.y))),
        splits=tuple(splits),
        standardize=True,
    )
    both: dict[str, Any] = {
        field: np.concatenate([of_rows, of_fresh])
        for field, of_rows, of_fresh in zip(drawn._fields, drawn, fresh, strict=True)
        if of_rows is not None
    }
    further = np.arange(rows, rows + FRESH)
    trained = [train for train, _ in splits] + [np.arange(rows)]
    truth_splits = tuple((train, further) for train in trained)
    with_fresh = replace(dataset, **both, groups=None, splits=truth_splits)
    scoring = REDUCED if name == population else DEFAULT
    return Simulated(dataset, with_fresh, replace(scoring, seed=seed_for(seed, *axes)))


def answer(simulation: Simulated) -> pd.DataFrame:
    """Return what a run reports about a dataset, with true scores: one row per option.

    ``truth`` is the mean score, on fresh rows, of the models that the splits selected.
    ``exported`` is the score, on fresh rows, of the setting that is chosen on all rows. ``gain``
    is the improvement of kernel PCA over the option.
    """
    dataset, with_fresh, scoring = simulation
    with TemporaryDirectory() as folder:
        stored, fits, scores = swept(dataset, scoring, folder)
        tables = evidence(stored, fits, [scores], asdict(scoring.settings), scoring.seed)
        validation = scores_table([scores], whole=True)
    method = main_method(dataset.task, scoring.settings)
    options = tables["ranking"].set_index("model")[["mean", "low", "high", "recommended"]]
    compared = tables["comparisons"]
    kernel = compared[(compared["kernel"] == "best kernel") & (compared["method"] == method)]
    gains = kernel.set_index(kernel["baseline"].map(PLANNED))[[*GAINS, "probability", "verdict"]]
    points = {point.id: point for point in scoring.points}
    truths: dict[str, list[float]] = defaultdict(list)
    for setting in selected_models(tables["selected"], method).to_dict("records"):
        split = with_fresh.split(setting["replicate"])
        truths[setting["model"]].append(_fresh_score(split, setting, points, scoring.settings))
    exported = {}
    for model in MODELS:
        tried = candidates(validation, method, points, model)
        (best,) = best_setting(tried, ["dataset"]).to_dict("records")
        whole = with_fresh.split(dataset.replicates)
        exported[model] = _fresh_score(whole, best, points, scoring.settings)
    truth = pd.DataFrame(truths).mean()
    table = options.join(gains).assign(truth=truth, exported=pd.Series(exported))
    return table.reset_index(names="model").assign(set=dataset.name, metric=METHODS[method].metric)


def _fresh_score(
    split: Split, setting: Mapping[Any, Any], points: Mapping[str, Point], settings: Settings
) -> float:
    """Train a setting on the training rows of a split, and return its score on the test rows."""
    fit = None
    if setting["kernel"] not in BASELINES:
        m = int(setting["n_components"])
        point = points[setting["cell"]]
        fit = fit_arrays(point, split.X_train, n_components=m, variance_share=0.0)
    tested = predictions(split, setting, fit, settings, seed=0)
    return METRICS[setting["metric"]].measure(tested.truth, tested.predicted)


if __name__ == "__main__":
    logging.disable(logging.INFO)  # Each dataset would log 150 fits.


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return the `answer` for each dataset with a number in ``range(*sets)``."""
    with threadpool_limits(1):
        answers = [answer(simulated(population, rows, i, replicates, seed)) for i in range(*sets)]
    return pd.concat(answers).assign(population=population, rows=rows)
