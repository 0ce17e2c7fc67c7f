"""Simulate datasets of a population, and return every interval with the truth it is about."""

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from pipeline.datasets import generators
from pipeline.datasets.dataset import Dataset, Split, describe
from pipeline.datasets.generators import Draw
from pipeline.datasets.splits import TEST_SHARE, split_rows
from pipeline.decision.decision import Decision, decide
from pipeline.evaluation.downstream import MEASURES
from pipeline.evaluation.evaluate import Problem, evaluate_cell, make_problem, validate_cell
from pipeline.evaluation.settings import CHANCE, Cell, Settings, cells, main_method
from pipeline.fitted_models import fit_arrays
from pipeline.grid import points
from pipeline.job import script
from pipeline.seeds import rng_for, seed_for
from pipeline.store import Arrays
from pipeline.tables import scores as score_tables
from pipeline.tables.comparison import PLANNED, compare, overlaps
from pipeline.tables.held_out import (
    Predictions,
    mean_influence,
    metrics_of,
    predictions,
    values_of,
)
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.selection import KERNEL_PCA, ONLY_PCA, select, selected_models
from pipeline.tasks import WHOLE
from workflow.scripts.calibration.populations import GROUPS

SETTINGS = Settings(
    n_components=(2, 5, 12),
    C=(1.0, 10.0),
    folds=3,
    scaling=("unit",),
    kmeans_starts=1,
    variance_share=0.5,
)
KERNELS: dict[str, dict[str, Any]] = {
    "linear": {},
    "poly": {"degree": [2], "scale": [1], "coef0": [1]},
    "rbf": {"median": [0.1, 1, 10]},
}
GRID = [point for kernel, axes in KERNELS.items() for point in points(kernel, axes)]
METHODS = (
    *("linear_svm", "rbf_svm", "most_frequent", "kmeans"),
    *("least_squares", "ridge", "svr", "mean", "embedding"),
)
"""Without random forests and logistic regression, which take longer than all others."""

FRESH = 2000
"""Rows that only measure the truth; they are the test rows of independent draws."""

SPLITS, INDEPENDENT = "random splits", "independent"
SCORE, MODEL, ALL_ROWS = "score", "model", "model of all rows"
FEW_DRAWS = 5
"""Intervals of so few independent draws are measured next to those of all."""

GAUSSIAN = "rbf"
"""A kernel that is tuned alone: no verdict rests on its intervals."""

UNSUPERVISED = {
    "classification": ("kmeans", "k-means "),
    "regression": ("embedding", "trustworthiness "),
}
"""Method that needs no labels, and its name before comparisons."""

COLUMNS = ("set", "draws", "comparison", "metric", "value", "low", "high", "verdict", "fresh")
Truth = Mapping[str, float]
"""Mean score of each model of the planned comparisons on fresh rows."""

Row = tuple[str | float, ...]


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

    def unsupervised(self, setting: Mapping[Any, Any]) -> float:
        """Return the score on fresh rows of a setting, fitted to the training rows of its split."""
        train, m = self.dataset.splits[setting["replicate"]][0], int(setting["n_components"])
        split = self.tested_on(train, np.arange(0))
        cell, settings = _cells(self.dataset)[setting["cell"]], replace(SETTINGS, n_components=(m,))
        fit = _fit(cell, split, m, 0.0)
        found = evaluate_cell(Problem(split, (), 0), cell, settings, fit, only=[setting["method"]])
        main = (found["metric"] == MAIN_METRIC[setting["method"]]) & (found["split"] == "test")
        return float(found["value"][main & (found["n_components"] == m)][0])


def draw(name: str, rows: int, rng: np.random.Generator, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population.

    Parameters
    ----------
    name : str
        One of `TITLES`.
    rows : int
    rng : Generator
    groups : array of int of shape (rows,), default=None
        Group of each row. Rows of a group share an offset of their features, and of their label.
    """
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
    X, offset = rng.standard_normal((rows, 5)), np.zeros(rows)
    if name == "noise":
        return Draw(X, classes)
    if name == "unbalanced":
        rare = (np.arange(rows) < round(0.03 * rows)).astype(np.int64)
        X[:, 0] += 2 * rare
        return Draw(X, rare)
    if groups is not None:
        shared = rng.standard_normal((int(groups.max()) + 1, 6))
        X, offset = X + shared[groups, :5], shared[groups, 5]
    curvature = 1.3 if name == "curved" else 0.0
    logit = 2.5 * X[:, 0] + X[:, 1] + curvature * (X[:, 2] ** 2 - 1) + offset
    return Draw(X, (rng.random(rows) < 1 / (1 + np.exp(-logit))).astype(np.int64))


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
    """Return the scores of every setting on every split, and its validation on all rows."""
    entries: dict[str, Arrays] = {}
    for replicate in range(dataset.replicates):
        split = dataset.split(replicate)
        problem = make_problem(split, SETTINGS.folds, seed=seed_for(seed, replicate))
        for cell in _cells(dataset).values():
            fit = _fit(cell, split, max(SETTINGS.n_components), SETTINGS.variance_share)
            entries[f"{cell.id}/{replicate}"] = evaluate_cell(
                problem, cell, SETTINGS, fit, only=METHODS
            )
    problem = make_problem(dataset.whole(), SETTINGS.folds, seed=seed_for(seed, WHOLE))
    for cell in _cells(dataset).values():
        if cell.kind in ("kernel", "pca"):
            entries[f"{cell.id}/{WHOLE}"] = validate_cell(problem, cell, SETTINGS)
    return entries


def _cells(dataset: Dataset) -> dict[str, Cell]:
    listed = cells(GRID, {}, task=dataset.task, precomputed=False)
    return {cell.id: cell for cell in listed}


def _fit(cell: Cell, split: Split, n_components: int, share: float) -> Arrays | None:
    if cell.kind != "kernel":
        return None
    return fit_arrays(cell.point, split.X_train, n_components=n_components, variance_share=share)


def _intervals(
    found: Sequence[Simulated], replicates: int, rng: np.random.Generator
) -> Iterator[Row]:
    """Yield the intervals of random splits, of exported models, and of independent draws."""
    by_name = {each.dataset.name: each for each in found}
    stores = {name: each.entries for name, each in by_name.items()}
    tables = {
        "validation": score_tables.scores_table(stores, whole=True),
        "variance_rule": score_tables.variance_rule_table(stores),
        "unconverged": score_tables.unconverged_table(stores),
    }
    tables["selected"] = select(score_tables.scores_table(stores), tables["variance_rule"])
    method = main_method(found[0].dataset.task, SETTINGS)
    planned = _planned(tables["selected"], method)
    predicted = _predicted(planned, by_name)
    influences: dict[str, dict[str, np.ndarray]] = {}
    for (name, model), pairs in predicted.items():
        own = [each for each, _ in pairs]
        influence = mean_influence(by_name[name].dataset, MAIN_METRIC[method], own)
        influences.setdefault(name, {})[model] = influence
    described = pd.DataFrame([describe(each.dataset) for each in found])
    main = dict.fromkeys(by_name, method)
    tables["comparisons"] = compare(tables["selected"], described, main, influences)
    truths = _means(planned, "fresh")
    yield from _compared(tables["comparisons"], method, truths, SPLITS)
    overlap = overlaps(described)
    for each in found:
        pairs = predicted[each.dataset.name, KERNEL_PCA]
        yield from _further(each.dataset, pairs, overlap[each.dataset.name])
    for each in found:
        decision, _ = decide(each.dataset, GRID, SETTINGS, tables)
        yield from _exported(each, decision, truths[each.dataset.name])
    yield from _drawn(planned, method, found, replicates, rng)
    method, prefix = UNSUPERVISED[found[0].dataset.task]
    planned = _planned(tables["selected"], method)
    truths = _means(planned, "value")  # these scores depend on the number of test rows
    yield from _compared(tables["comparisons"], method, truths, SPLITS, prefix)
    rows = planned.to_dict("records")
    planned["fresh"] = [by_name[row["dataset"]].unsupervised(row) for row in rows]
    yield from _drawn(planned, method, found, replicates, rng, prefix)


def _drawn(
    planned: pd.DataFrame,
    method: str,
    found: Sequence[Simulated],
    replicates: int,
    rng: np.random.Generator,
    prefix: str = "",
) -> Iterator[Row]:
    """Yield the intervals of independent draws, which are tested on the fresh rows."""
    for count in sorted({FEW_DRAWS, replicates}):
        if len(found) >= count:
            drawn = _independent_draws(planned, count, rng)
            names = list(drawn["dataset"].unique())
            groups = _described(names, found[0], count)
            compared = compare(drawn, groups, dict.fromkeys(names, method))
            truths = _means(drawn, "value")
            yield from _compared(compared, method, truths, f"{count} {INDEPENDENT} draws", prefix)


def _planned(selected: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the test scores of the models of the planned comparisons, under ``model``."""
    models = selected_models(selected, method)
    by_cv = selected[(selected["criterion"] == "cv") & (selected["split"] == "test")]
    main = by_cv["metric"] == MAIN_METRIC[method]
    chance = by_cv[main & by_cv["method"].isin(CHANCE.values())]
    alone = by_cv[main & (by_cv["method"] == method) & (by_cv["kernel"] == GAUSSIAN)]
    parts = [models, chance.assign(model="chance"), alone.assign(model=GAUSSIAN)]
    return pd.concat(parts, ignore_index=True)


def _predicted(
    planned: pd.DataFrame, by_name: Mapping[str, Simulated]
) -> dict[tuple[str, str], list[tuple[Predictions, Predictions]]]:
    """Return what each model predicts of the held-out rows and of the fresh rows, by replicate.

    The score on fresh rows is added as column ``fresh``. Chance scores the same on all rows.
    """
    planned["fresh"] = planned["value"]
    found: dict[tuple[str, str], list[tuple[Predictions, Predictions]]] = {}
    for row in planned[planned["model"] != "chance"].reset_index().to_dict("records"):
        of = by_name[row["dataset"]]
        train, test = of.dataset.splits[row["replicate"]]
        pair = of.predicted(train, test, row)
        planned.loc[row["index"], "fresh"] = _score(pair[1], row["method"])
        found.setdefault((row["dataset"], row["model"]), []).append(pair)
    return found


def _score(found: Predictions, method: str) -> float:
    return MEASURES[MAIN_METRIC[method]](found.truth, found.predicted)


def _means(rows: pd.DataFrame, column: str) -> dict[Any, dict[Any, float]]:
    """Return the mean of a column over replicates: dataset → model → mean."""
    return rows.pivot_table(column, "dataset", "model").to_dict("index")


def _compared(
    compared: pd.DataFrame, method: str, truths: Mapping[str, Truth], draws: str, prefix: str = ""
) -> Iterator[Row]:
    """Yield the score and the differences from baselines, with the means on fresh rows."""
    rows = compared[(compared["method"] == method) & compared["main"]]
    best = rows["kernel"] == "best kernel"
    alone = (rows["kernel"] == GAUSSIAN) & (rows["criterion"] == "cv")
    for row in rows[best | alone].to_dict("records"):
        truth, name = truths[row["dataset"]], row["baseline"]
        model, other, decided = KERNEL_PCA, truth[PLANNED[name]], row["verdict"]
        if row["kernel"] == GAUSSIAN:
            model, name, decided = GAUSSIAN, GAUSSIAN, ""
        elif name == "pca":
            score = row["metric"], row["mean"], row["low"], row["high"], ""
            yield row["dataset"], draws, prefix + SCORE, *score, truth[model]
        gain = row["metric"], row["gain"], row["gain_low"], row["gain_high"], decided
        yield row["dataset"], draws, prefix + name, *gain, truth[model] - other


def _further(
    dataset: Dataset, pairs: Sequence[tuple[Predictions, Predictions]], overlap: float | None
) -> Iterator[Row]:
    """Yield the other metrics of kernel PCA: ROC AUC and the recall of the last class, or R²."""
    own, fresh = zip(*pairs, strict=True)
    truths = dict(values_of(dataset, fresh))
    for row in metrics_of(dataset, own, overlap).to_dict("records"):
        metric, name = row["metric"], row["class"]
        if name in ("", *dataset.class_names[-1:]):
            value = row["mean"], row["low"], row["high"], ""
            truth = float(np.mean(truths[metric, name]))
            yield dataset.name, SPLITS, metric, metric, *value, truth


def _exported(of: Simulated, decision: Decision, truth: Truth) -> Iterator[Row]:
    """Yield the score that is reported for the exported model, of 70 % and of all rows."""
    setting: dict[str, Any] = {
        "kernel": "pca" if decision["model"] == ONLY_PCA else decision["kernel"],
        "cell": decision["cell"],
        "method": main_method(of.dataset.task, SETTINGS),
        "n_components": decision["n_components"],
        "C": decision["C"],
        "gamma": math.nan,  # which only predictors of raw features read
    }
    all_rows, none = np.arange(len(of.dataset.X)), np.arange(0)
    reported = [decision[name] for name in ("model_score", "model_low", "model_high", "model")]
    truths = {
        MODEL: truth[decision["model"]],
        ALL_ROWS: _score(of.predicted(all_rows, none, setting)[1], setting["method"]),
    }
    for name, value in truths.items():
        metric = MAIN_METRIC[setting["method"]]
        yield decision["dataset"], SPLITS, name, metric, *reported, value


def _independent_draws(
    planned: pd.DataFrame, replicates: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Return splits with their fresh rows as test rows, as replicates of other datasets.

    Each number of a split divides the sets at random into groups of independent draws.
    """
    sets = planned["dataset"].unique()
    parts = []
    for turn, rows in planned.groupby("replicate"):
        order = rng.permutation(sets)[: len(sets) // replicates * replicates]
        places = rows["dataset"].map({name: place for place, name in enumerate(order)}).dropna()
        groups = [f"{turn}-{place // replicates:.0f}" for place in places]
        drawn = rows.loc[places.index].assign(value=rows["fresh"])
        parts.append(drawn.assign(dataset=groups, replicate=places.astype(int) % replicates))
    return pd.concat(parts)


def _described(names: Sequence[str], one: Simulated, replicates: int) -> pd.DataFrame:
    """Return the descriptions of independent draws, whose test rows are fresh."""
    classes = np.zeros(FRESH, np.int64) if one.fresh.y is None else one.fresh.y
    held_out = " ".join(map(str, replicates * np.bincount(classes)))
    row = describe(one.dataset) | {"draws": INDEPENDENT, "held_out": held_out, "groups": 0}
    return pd.DataFrame([row | {"dataset": name} for name in names])


if __name__ == "__main__":
    logging.disable(logging.INFO)  # of 150 fits for each dataset


@script
def simulate(
    population: str, rows: int, sets: Sequence[int], replicates: int, seed: int
) -> pd.DataFrame:
    """Return one row per interval of some simulated datasets.

    Parameters
    ----------
    population : str
        One of those of `populations`.
    rows : int
        Rows of each dataset.
    sets : sequence of int
        Number of the first dataset, and of the one after the last.
    replicates : int
        Random splits of each dataset, and independent draws that form one interval.
    seed : int
        Root seed.
    """
    with threadpool_limits(1):
        found = [simulated(population, rows, number, replicates, seed) for number in range(*sets)]
        rng = rng_for(seed, population, rows, *sets)
        table = pd.DataFrame(_intervals(found, replicates, rng), columns=COLUMNS)
    return table.assign(population=population, rows=rows)
