"""Fits and scores of one dataset: what is not cached is computed, by several processes."""

import itertools
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from kpca.persistence import VERSION
from kpca.reading.errors import input_error
from kpca.study.datasets.dataset import Dataset
from kpca.study.fingerprint import key_of
from kpca.study.fitting.fitted_models import fit_arrays, fold_scores
from kpca.study.fitting.grid import Point
from kpca.study.scoring.evaluate import Problem, evaluate_cell, make_problem, validate_cell
from kpca.study.scoring.settings import Cell, Settings, cells
from kpca.study.seeds import seed_for
from kpca.study.store import Arrays, DamagedError, entry_name, read_store, write_store
from kpca.study.tasks import WHOLE, libraries


class Task(NamedTuple):
    """What is computed and cached together: one setting of one replicate, with all its scores."""

    name: str  # of the entry in `results/fits/` and `results/scores/`
    cell: Cell
    replicate: int | str
    fold_seed: int
    path: Path  # where its scores are cached
    fit_path: Path | None  # of a kernel PCA, where its fit and those of its folds are


# Entries of the cached files; the others are numbers of folds.
_WHOLE_FIT, _SCORES = "fit", "scores"
_EVERY = 10.0  # seconds between two lines of progress


def _tasks(dataset: Dataset, sweep: Mapping[str, Any], folder: Path) -> Iterator[Task]:
    """Yield every task; paths are keys of all that determines scores, and of what determines fits.

    Fits depend on the largest number of components, and not on C, metrics or methods.
    """
    rows: dict[int | str, str] = {r: dataset.split(r).digest for r in range(dataset.replicates)}
    if not dataset.independent:  # draws stacked on each other are no dataset that anyone has
        rows[WHOLE] = dataset.whole().digest
    grid = [Point(**point) for point in sweep["points"]]
    settings, code = Settings.from_config(sweep["settings"]), sweep["code"]
    listed = cells(grid, sweep["methods"], task=dataset.task, precomputed=dataset.precomputed)
    for cell, replicate in itertools.product(listed, rows):
        if replicate != WHOLE or cell.kind != "method":
            seed = seed_for(sweep["seed"], dataset.seed_axis, replicate, "folds")
            own = sweep["own_code"].get(cell.point.kernel, "")
            given = [vars(cell.point), rows[replicate], own, seed, replicate == WHOLE, libraries()]
            wide = [settings.largest, settings.folds, settings.variance_share, VERSION]
            fit_path = folder / f"{key_of(*given, *wide, code['fits'])}.npz"
            path = folder / f"{key_of(cell.kind, *given, sweep['settings'], *code.values())}.npz"
            fitted = fit_path if cell.kind == "kernel" else None
            yield Task(entry_name(cell, replicate), cell, replicate, seed, path, fitted)


class Sweep:
    """The fits and scores of a dataset, cached in a folder: one file per setting and replicate.

    What is wanted, the ``sweep``, is as `kpca.study.tasks.sweep_of` gives it.
    """

    def __init__(self, dataset: Dataset, sweep: Mapping[str, Any], folder: Path | str) -> None:
        self._dataset = dataset
        self._settings = Settings.from_config(sweep["settings"])
        self.tasks = sorted(_tasks(dataset, sweep, Path(folder)), key=lambda task: task.name)
        self._problem = lru_cache(maxsize=1)(self._make_problem)

    def fill(self, part: int = 0, parts: int = 1, *, processes: int = 1) -> str:
        """Compute what is missing of a part of the tasks, and return in words how much was new."""
        mine = self.tasks[part::parts]
        lacking = {task.name for task in mine if task.fit_path and not _cached(task.fit_path)}
        missing = [task for task in mine if task.name in lacking or not _cached(task.path)]
        missing.sort(key=lambda task: str(task.replicate))  # whose folds are drawn once
        with threadpool_limits(1):  # the processes are what runs side by side
            _report(self._computed(missing, processes), self._dataset.name, len(missing))
        return f"{len(missing)} of {len(mine)} settings are new, with {len(lacking)} new fits"

    def gather(self, fits: Path | str, scores: Path | str) -> None:
        """Write the files of all fits and of all scores, one result in memory at a time."""
        kernels = [task for task in self.tasks if task.fit_path and task.replicate != WHOLE]
        write_store(fits, ((task.name, self._fits(task)[_WHOLE_FIT]) for task in kernels))
        write_store(scores, ((task.name, self._scores(task)) for task in self.tasks))

    def _computed(self, missing: list[Task], processes: int) -> Iterator[object]:
        """Compute tasks, and yield after each; processes are forked, since imports take long."""
        workers = min(processes, len(missing))
        if workers < 2:
            yield from map(self._compute, missing)
            return
        _mine[:] = [self]
        context = multiprocessing.get_context("fork")
        ended = (signal.SIGINT, signal.SIG_DFL)
        with ProcessPoolExecutor(workers, context, signal.signal, ended) as pool:
            yield from pool.map(_work, missing)

    def _scores(self, task: Task) -> Arrays:
        return (_cached(task.path) or {}).get(_SCORES) or self._compute(task)

    def _compute(self, task: Task) -> Arrays:
        """Score a setting on a replicate with its fits, and cache what is new."""
        problem = self._problem(task.replicate, task.fold_seed)
        found = self._fits(task) if task.fit_path else {}
        folds = [(pair["train"], pair["test"]) for name, pair in found.items() if name.isdigit()]
        if task.replicate == WHOLE:  # no row is held out
            scores = validate_cell(problem, task.cell, self._settings, folds)
        else:
            fit = found.get(_WHOLE_FIT)
            scores = evaluate_cell(problem, task.cell, self._settings, fit, folds=folds)
        write_store(task.path, [(_SCORES, scores)])
        return scores

    def _fits(self, task: Task) -> dict[str, Arrays]:
        """Return the fit of a setting, and its scores of the folds by number; cache what is new."""
        path, problem = Path(str(task.fit_path)), self._problem(task.replicate, task.fold_seed)
        if found := _cached(path):
            return found
        found, X, most = {}, problem.split.X_train, self._settings.largest
        if task.replicate != WHOLE:  # without it no fit is needed but those of the folds
            found[_WHOLE_FIT] = self._fit(task, problem)
        pairs = fold_scores(task.cell.point, X, problem.folds, n_components=most)
        found |= {str(i): {"train": Z, "test": Z_new} for i, (Z, Z_new) in enumerate(pairs)}
        write_store(path, found.items())
        return found

    def _fit(self, task: Task, problem: Problem) -> Arrays:
        """Fit a setting; where data or parameters do not suit the kernel, say so of the dataset."""
        most, share = max(2, self._settings.largest), self._settings.variance_share  # drawn are two
        X = problem.split.X_train
        try:
            return fit_arrays(task.cell.point, X, n_components=most, variance_share=share)
        except ValueError as error:
            subject = f"dataset {self._dataset.name!r}, fit {task.cell.point.id}"
            raise input_error(subject, [str(error)]) from error

    def _make_problem(self, replicate: int | str, fold_seed: int) -> Problem:
        whole = replicate == WHOLE
        split = self._dataset.whole() if whole else self._dataset.split(int(replicate))
        return make_problem(split, self._settings.folds, seed=fold_seed, name=self._dataset.name)


def _report(
    steps: Iterable[object], name: str, total: int, clock: Callable[[], float] = time.monotonic
) -> None:
    """Work through the settings; print how many are done, and the time left, now and then."""
    start = last = clock()
    for done, _ in enumerate(steps, 1):
        now = clock()
        if now - last >= _EVERY and done < total:
            last, left = now, (now - start) / done * (total - done)
            print(f"{name}: {done} of {total} settings, about {left:.0f} s left", flush=True)


def _cached(path: Path | None) -> dict[str, Arrays] | None:
    """Return a cached result; None if there is none, or if the file is damaged."""
    try:
        found = read_store(path) if path else None
    except FileNotFoundError:
        return None
    except DamagedError as error:
        logging.warning("%s; computed again", error)
        return None
    with suppress(OSError):  # the file of a colleague keeps its time
        os.utime(path or "")
    return found


_mine: list[Sweep] = []  # the sweep that a process works for; a fork has it without pickling it


def _work(task: Task) -> None:
    _mine[0]._compute(task)
