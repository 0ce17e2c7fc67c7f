"""Simulate datasets of a population, and return what is reported of them with the truth."""

import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from pipeline.datasets.dataset import Dataset, Split
from pipeline.datasets.generators import Draw
from pipeline.datasets.splits import TEST_SHARE, split_rows
from pipeline.decision.decision import Decision, decide
from pipeline.evaluation.evaluate import Problem, evaluate_cell, make_problem
from pipeline.evaluation.methods import CHANCE, METHODS
from pipeline.evaluation.metrics import METRICS
from pipeline.evaluation.settings import Cell, Settings, cells, main_method
from pipeline.fitted_models import fit_arrays
from pipeline.grid import points
from pipeline.job import script
from pipeline.seeds import rng_for, seed_for
from pipeline.store import Arrays
from pipeline.tables import scores as score_tables
from pipeline.tables.comparison import PLANNED, compare, least_of, overlaps
from pipeline.tables.described import describe
from pipeline.tables.held_out import (
    Predictions,
    mean_influence,
    metrics_of,
    predictions,
    values_of,
)
from pipeline.tables.recommendation import ranking
from pipeline.tables.selection import (
    KERNEL_PCA,
    MODELS,
    ONLY_PCA,
    RAW_FEATURES,
    select,
    selected_models,
)
from pipeline.tasks import WHOLE
from workflow.scripts.calibration.draws import draw
from workflow.scripts.calibration.populations import GROUPS, UNSUPERVISED

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
SIMULATED = ("linear_svm", "rbf_svm", "most_frequent", "least_squares", "ridge", "svr", "mean")
"""Without random forests and logistic regression, which take longer than all others."""

FRESH = 2000
"""Rows that only measure the truth; they are the test rows of independent draws."""

SPLITS, INDEPENDENT = "random splits", "independent"
SCORE, MODEL, ALL_ROWS = "score", "recommended", "recommended of all rows"
FEW_DRAWS = 5
"""Intervals of so few independent draws are measured next to those of all."""

GAUSSIAN = "rbf"
"""A kernel that is tuned alone: no verdict rests on its intervals."""

WITHOUT_LABELS = {
    "classification": ("kmeans", "k-means "),
    "regression": ("embedding", "trustworthiness "),
}
"""Method that needs no labels, and its name before comparisons."""

COLUMNS = ("set", "draws", "comparison", "metric", "value", "low", "high", "verdict", "fresh")
SHORT = {RAW_FEATURES: "raw", ONLY_PCA: "pca", KERNEL_PCA: "kernel"}
DESCRIBED = ("replicates", "classes", "smallest_class", "groups", "columns")
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
        main = (found["metric"] == METHODS[setting["method"]].metric) & (found["split"] == "test")
        return float(found["value"][main & (found["n_components"] == m)][0])


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
    methods = [*SIMULATED]
    if population in UNSUPERVISED:
        methods += [method for method, _ in WITHOUT_LABELS.values()]
    return Simulated(dataset, fresh, swept(dataset, seed_for(seed, *axes), methods))


def swept(dataset: Dataset, seed: int, methods: Sequence[str] = SIMULATED) -> dict[str, Arrays]:
    """Return the scores of every setting on every split, and its validation on all rows."""
    entries: dict[str, Arrays] = {}
    for replicate in range(dataset.replicates):
        split = dataset.split(replicate)
        problem = make_problem(split, SETTINGS.folds, seed=seed_for(seed, replicate))
        for cell in _cells(dataset).values():
            fit = _fit(cell, split, max(SETTINGS.n_components), SETTINGS.variance_share)
            entries[f"{cell.id}/{replicate}"] = evaluate_cell(
                problem, cell, SETTINGS, fit, only=methods
            )
    problem = make_problem(dataset.whole(), SETTINGS.folds, seed=seed_for(seed, WHOLE))
    for cell in _cells(dataset).values():
        entries[f"{cell.id}/{WHOLE}"] = evaluate_cell(problem, cell, SETTINGS, only=SIMULATED)
    return entries


def _cells(dataset: Dataset) -> dict[str, Cell]:
    listed = cells(GRID, {}, task=dataset.task, precomputed=False)
    return {cell.id: cell for cell in listed}


def _fit(cell: Cell, split: Split, n_components: int, share: float) -> Arrays | None:
    if cell.kind != "kernel":
        return None
    return fit_arrays(cell.point, split.X_train, n_components=n_components, variance_share=share)


class Judged(NamedTuple):
    """Simulated datasets with the tables of a run, and what is measured beyond a run."""

    found: Sequence[Simulated]
    method: str
    tables: dict[str, pd.DataFrame]
    planned: pd.DataFrame  # test scores of the compared models, with those on fresh rows
    predicted: dict[tuple[str, str], list[tuple[Predictions, Predictions]]]
    influences: dict[str, dict[str, np.ndarray]]

    @property
    def by_name(self) -> dict[str, Simulated]:
        """Return the datasets by their names."""
        return {each.dataset.name: each for each in self.found}


def judged(found: Sequence[Simulated]) -> Judged:
    """Return what the pipeline makes of some simulated datasets."""
    by_name = {each.dataset.name: each for each in found}
    stores = {name: each.entries for name, each in by_name.items()}
    tables = {
        "validation": score_tables.scores_table(stores, whole=True),
        "variance_rule": score_tables.variance_rule_table(stores),
        "unconverged": score_tables.unconverged_table(stores),
        "described": pd.DataFrame([describe(each.dataset) for each in found]),
    }
    tables["selected"] = select(score_tables.scores_table(stores), tables["variance_rule"])
    method = main_method(found[0].dataset.task, SETTINGS)
    planned = _planned(tables["selected"], method)
    predicted = _predicted(planned, by_name)
    influences: dict[str, dict[str, np.ndarray]] = {}
    for (name, model), pairs in predicted.items():
        own = [each for each, _ in pairs]
        influence = mean_influence(by_name[name].dataset, METHODS[method].metric, own)
        influences.setdefault(name, {})[model] = influence
    given = tables["selected"], tables["described"], dict.fromkeys(by_name, method), influences
    tables |= {"comparisons": compare(*given), "ranking": ranking(*given)}
    return Judged(found, method, tables, planned, predicted, influences)


def answers(of: Judged) -> pd.DataFrame:
    """Return what the answer for each dataset rests on, so that rules can be evaluated later.

    Columns that end in `SHORT` names are of one model, or of two. ``between`` is the covariance of
    the scores between splits, ``within`` that of their means by `row_influence`; both together
    give `pipeline.tables.statistics.covariance`.
    """
    means, truths = _means(of.planned, "value"), _means(of.planned, "fresh")
    described = of.tables["described"]
    overlap, rows = overlaps(described), []
    for row in described.to_dict("records"):
        name, metric = row["dataset"], METHODS[of.method].metric
        these = of.planned[of.planned["dataset"] == name]
        scores = these.pivot(index="replicate", columns="model", values="value")[[*MODELS]]
        moved = np.column_stack([of.influences[name][model] for model in MODELS])
        units = len(moved)
        matrices = {
            "between": np.cov(scores.to_numpy().T),
            "within": units / (units - 1) * moved.T @ moved,
        }
        numbers = {
            **{f"mean_{SHORT[model]}": means[name][model] for model in MODELS},
            **{f"truth_{SHORT[model]}": truths[name][model] for model in MODELS},
            **{
                f"{kind}_{SHORT[MODELS[i]]}_{SHORT[MODELS[j]]}": matrix[i, j]
                for kind, matrix in matrices.items()
                for i, j in zip(*np.triu_indices(len(MODELS)), strict=True)
            },
            "least": least_of(described, name, metric)[0],
            "test_over_train": overlap[name],
        }
        pairs = [own for own, _ in of.predicted[name, KERNEL_PCA]]
        tails = dict(values_of(of.by_name[name].dataset, pairs)).get(("residual_kurtosis", ""))
        numbers["residual_kurtosis"] = float(np.mean(tails)) if tails else math.nan
        rounded = {column: float(f"{value:.6g}") for column, value in numbers.items()}
        kept = {column: row[column] for column in DESCRIBED}
        rows.append({"set": name, "metric": metric, **kept, "units": units, **rounded})
    return pd.DataFrame(rows)


def _intervals(of: Judged, replicates: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the intervals of random splits, of exported models, and of independent draws."""
    method, planned, compared = of.method, of.planned, of.tables["comparisons"]
    truths, overlap = _means(planned, "fresh"), overlaps(of.tables["described"])
    yield from _compared(compared, method, truths, SPLITS)
    for each in of.found:
        pairs = of.predicted[each.dataset.name, KERNEL_PCA]
        yield from _further(each.dataset, pairs, overlap[each.dataset.name])
    for each in of.found:
        decision, _ = decide(each.dataset, GRID, SETTINGS, of.tables)
        yield from _exported(each, decision, truths[each.dataset.name])
    yield from _drawn(planned, method, of.found, replicates, rng)


def _unsupervised(of: Judged, replicates: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the intervals of k-means or trustworthiness."""
    method, prefix = WITHOUT_LABELS[of.found[0].dataset.task]
    planned = _planned(of.tables["selected"], method)
    truths = _means(planned, "value")  # these scores depend on the number of test rows
    yield from _compared(of.tables["comparisons"], method, truths, SPLITS, prefix)
    rows = planned.to_dict("records")
    planned["fresh"] = [of.by_name[row["dataset"]].unsupervised(row) for row in rows]
    yield from _drawn(planned, method, of.found, replicates, rng, prefix)


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
    main = by_cv["metric"] == METHODS[method].metric
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
    return METRICS[METHODS[method].metric].measure(found.truth, found.predicted)


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
    """Yield the score that is reported for the recommended option, of 70 % and of all rows."""
    used, cell = decision["recommended"], decision["predictor_cell"]
    kernel = {RAW_FEATURES: "raw", ONLY_PCA: "pca"}.get(used, decision["kernel"])
    setting: dict[str, Any] = {
        "kernel": kernel,
        "cell": "pca" if kernel == "pca" else cell,
        "method": decision["predictor"],
        "n_components": decision["n_components"],
        "C": decision["C"],
        "gamma": json.loads(decision["predictor_parameters"]).get("gamma", math.nan),
    }
    all_rows, none = np.arange(len(of.dataset.X)), np.arange(0)
    reported = [decision[f"recommended_{name}"] for name in ("score", "low", "high")]
    truths = {
        MODEL: truth[used],
        ALL_ROWS: _score(of.predicted(all_rows, none, setting)[1], setting["method"]),
    }
    for name, value in truths.items():
        metric = METHODS[setting["method"]].metric
        yield decision["dataset"], SPLITS, name, metric, *reported, used, value


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
) -> dict[str, pd.DataFrame]:
    """Return ``intervals``, one row per interval of some datasets, and ``answers``.

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
        of = judged([simulated(population, rows, i, replicates, seed) for i in range(*sets)])
        rng = rng_for(seed, population, rows, *sets)
        found = [*_intervals(of, replicates, rng)]
        if population in UNSUPERVISED:
            found += _unsupervised(of, replicates, rng)
    tables = {"intervals": pd.DataFrame(found, columns=COLUMNS), "answers": answers(of)}
    return {n: table.assign(population=population, rows=rows) for n, table in tables.items()}
