"""Scores of a dataset: every representation on every replicate, unless they are cached."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kpca.study.cache import Cache
from kpca.study.datasets.dataset import WHOLE, Dataset
from kpca.study.fitting.fits import Task, completed
from kpca.study.fitting.grid import Point
from kpca.study.scoring.evaluate import Problem, evaluate_cell, make_problem, validate_cell
from kpca.study.scoring.methods import PREDICTORS
from kpca.study.scoring.settings import Cell, Settings, cells
from kpca.study.seeds import seed_for
from kpca.study.store import Arrays, entry_name, read_index, read_store, write_store


@dataclass(frozen=True)
class Scoring:
    """What is scored of a dataset, and how."""

    points: Sequence[Point]  # settings of the kernels
    methods: Mapping[str, Any]  # of the user's own, in place of kernel PCA
    settings: Settings
    followers: Sequence[str]  # names of `METHODS` that follow a representation
    seed: int


class ScoreTask(NamedTuple):
    """One representation on one replicate."""

    cell: Cell
    problem: Problem
    fits: Path | None  # of a kernel PCA
    whole: bool  # whether the rows are all rows, which are validated and not tested


def score_grid(
    dataset: Dataset,
    fits: Path | str,
    scoring: Scoring,
    cache: Cache,
    *,
    processes: int = 1,
) -> dict[str, str]:
    """Score raw features, PCA and every kernel PCA on every replicate.

    Parameters
    ----------
    dataset : Dataset
        With its splits. Of real data, all rows are validated, too.
    fits : path
        Folder of fits that `Cache.link` filled.
    scoring : Scoring
    cache : Cache
        Holds each result as soon as it is there.
    processes : int, default=1
        That score side by side.

    Returns
    -------
    dict
        Name of the representation and replicate → key in the cache, for `write_scores`.

    Raises
    ------
    InputError
        If a setting has test scores but no validation score, or a custom method fails.
    """
    return completed(_tasks(dataset, Path(fits), scoring, cache), cache, "scores", processes)


def write_scores(path: Path | str, keys: Mapping[str, str], cache: Cache) -> None:
    """Write cached scores by name to one file, for `scores_table`."""
    stored = ((name, cache.read(key) or {}) for name, key in keys.items())
    write_store(path, ((name, entries["scores"]) for name, entries in stored))


def _tasks(dataset: Dataset, fits: Path, scoring: Scoring, cache: Cache) -> dict[str, Task]:
    index, settings = read_index(fits), scoring.settings
    task, precomputed = dataset.task, dataset.precomputed
    listed = [
        cell
        for cell in cells(scoring.points, scoring.methods, task=task, precomputed=precomputed)
        if set(scoring.followers).intersection(cell.methods(dataset.task, settings))
    ]
    tasks: dict[str, Task] = {}
    # What is chosen on all rows is chosen by what predicts.
    validated = not PREDICTORS.keys().isdisjoint(scoring.followers)
    for replicate, split in dataset.parts():
        whole = replicate == WHOLE
        if whole and not validated:
            continue
        seed = seed_for(scoring.seed, dataset.seed_axis, replicate, "folds")
        problem = make_problem(split, settings.folds, seed=seed, name=dataset.name)
        for cell in listed:
            if whole and cell.kind == "method":
                continue
            name = entry_name(cell, replicate)
            fit = index[name] if cell.kind == "kernel" else ""
            setting = [cell.kind, vars(cell.point), fit, split.digest, seed, whole]
            key = cache.key("scores", setting, asdict(settings), list(scoring.followers))
            path = fits / f"{fit}.npz" if fit else None
            score = ScoreTask(cell, problem, path, whole)
            tasks[name] = Task(key, partial(_score, score, scoring))
    return tasks


def _score(task: ScoreTask, scoring: Scoring) -> Mapping[str, Arrays]:
    fits = read_store(task.fits) if task.fits else {}
    whole_fit = fits.pop("fit", None)
    folds = list(fits.values())
    settings = scoring.settings.within(task.problem.folds)
    if task.whole:
        scores = validate_cell(task.problem, task.cell, settings, folds)
    else:
        scores = evaluate_cell(
            task.problem,
            task.cell,
            settings,
            whole_fit,
            folds=folds,
            only=scoring.followers,
        )
    return {"scores": scores}
