"""Score every representation of a dataset on every replicate, unless the scores are cached."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kpca.study.cache import Cache
from kpca.study.datasets.dataset import WHOLE, Dataset, Split
from kpca.study.fitting.fits import Task, completed
from kpca.study.fitting.grid import Point
from kpca.study.scoring.evaluate import Problem, evaluate_cell, make_problem, validate_cell
from kpca.study.scoring.methods import PREDICTORS
from kpca.study.scoring.settings import Cell, Settings, cells
from kpca.study.seeds import seed_for
from kpca.study.store import Arrays, read_arrays, read_index, write_store


@dataclass(frozen=True)
class Scoring:
    """Representations that are scored, and the methods and settings that score them."""

    points: Sequence[Point]  # settings of the kernels
    methods: Mapping[str, Any]  # custom transformers, which are scored like kernel PCA
    settings: Settings
    followers: Sequence[str]  # names of those `METHODS` that are trained on a representation
    seed: int


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
        Dataset with its splits. For real data, cross-validation on all rows is scored, too.
    fits : path
        Folder of fits that `Cache.link` filled.
    scoring : Scoring
    cache : Cache
        Each result is written to the cache as soon as it is computed.
    processes : int, default=1
        Number of parallel processes.

    Returns
    -------
    dict
        Name of the representation and replicate → key in the cache, for `write_scores`.

    Raises
    ------
    InputError
        If a custom method fails.
    """
    return completed(_tasks(dataset, Path(fits), scoring, cache), cache, "scores", processes)


def write_scores(path: Path | str, keys: Mapping[str, str], cache: Cache) -> None:
    """Write cached scores, with their names, to a file that `scores_table` reads."""
    write_store(path, ((name, cache.read(key) or {}) for name, key in keys.items()))


def _tasks(dataset: Dataset, fits: Path, scoring: Scoring, cache: Cache) -> dict[str, Task]:
    index = read_index(fits)
    settings = scoring.settings
    task = dataset.task
    every = cells(scoring.points, scoring.methods, task=task, precomputed=dataset.precomputed)
    followers = set(scoring.followers)
    listed = [cell for cell in every if followers.intersection(cell.methods(task, settings))]
    tasks: dict[str, Task] = {}
    parts: dict[int | str, Split] = {}
    for replicate in range(dataset.replicates):
        parts[replicate] = dataset.split(replicate)
    # Cross-validation on all rows makes the final choice, by the scores of predictors. Independent
    # draws are not cross-validated together, because nobody has a dataset of all draws.
    if not dataset.independent and followers.intersection(PREDICTORS):
        parts[WHOLE] = dataset.whole()
    for number, split in parts.items():
        whole = number == WHOLE
        seed = seed_for(scoring.seed, dataset.seed_axis, number, "folds")
        problem = make_problem(split, settings.folds, seed=seed)
        for cell in listed:
            if whole and cell.kind == "method":
                continue
            name = f"{cell.id}/{number}"
            fit = "" if whole or cell.kind != "kernel" else index[name]
            setting = [cell.kind, vars(cell.point), fit, split.digest, seed]
            key = cache.key("scores", setting, asdict(settings), list(scoring.followers))
            path = fits / f"{fit}.npz" if fit else None
            tasks[name] = Task(key, partial(_score, scoring, problem, cell, path))
    return tasks


def _score(scoring: Scoring, problem: Problem, cell: Cell, fit: Path | None) -> Arrays:
    if not len(problem.split.X_test):
        return validate_cell(problem, cell, scoring.settings, scoring.followers)
    arrays = read_arrays(fit) if fit else None
    return evaluate_cell(problem, cell, scoring.settings, arrays, only=scoring.followers)
