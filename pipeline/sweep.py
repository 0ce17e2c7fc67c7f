"""Fits and scores of one dataset: what is not stored is computed, by several processes."""

import logging
import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from pipeline.datasets.dataset import Dataset
from pipeline.entries import Entries, Scored
from pipeline.errors import InputError
from pipeline.evaluation.downstream import Outcome
from pipeline.evaluation.evaluate import Problem, Row, as_arrays, make_problem
from pipeline.evaluation.families import evaluate_cell
from pipeline.evaluation.settings import Settings
from pipeline.evaluation.validation import validate_cell
from pipeline.fits import fit_arrays
from pipeline.plan import WHOLE, Task, tasks
from pipeline.store import Arrays, write_store


class Sweep:
    """The fits and scores of a dataset, stored in a folder of entries.

    Parameters
    ----------
    dataset : Dataset
    sweep : mapping
        What is wanted, as `pipeline.plan.sweep_of` gives it.
    folder : path
        Where the entries are.
    """

    def __init__(self, dataset: Dataset, sweep: Mapping[str, Any], folder: Path | str) -> None:
        self._dataset, self._entries = dataset, Entries(folder)
        self._settings = Settings.from_config(sweep["settings"])
        self.tasks = list(tasks(sweep, **dataset.card()))
        self._problem = lru_cache(maxsize=1)(self._make_problem)

    def fill(self, part: int = 0, parts: int = 1, *, processes: int = 1) -> str:
        """Store what is missing of a part of the tasks, and return in words how much was new."""
        mine = self.tasks[part::parts]
        lacks = [self._lacks(task) for task in mine]
        missing = [task for task, (fit, scores) in zip(mine, lacks, strict=True) if fit or scores]
        missing.sort(key=lambda task: str(task.replicate))  # whose folds are drawn once
        with threadpool_limits(1):  # the processes are what runs side by side
            deal(self.bring, missing, min(processes, len(missing)))
            for task in missing:  # what a process failed at fails here, or is done
                self.bring(task)
        fits, scores = sum(fit for fit, _ in lacks), sum(scores for _, scores in lacks)
        of_fits, of_scores = sum(bool(t.fit_key) for t in mine), sum(len(t.scores) for t in mine)
        return f"{fits} of {of_fits} fits and {scores} of {of_scores} scores are new"

    def gather(self, fits: Path | str, scores: Path | str) -> None:
        """Write the files of all fits and of all scores, one entry in memory at a time."""
        kernels = [task for task in self.tasks if task.fit_key]
        write_store(fits, ((task.name, self._fit(task)[0]) for task in kernels))
        write_store(scores, ((task.name, self._arrays(task)) for task in self.tasks))

    def bring(self, task: Task) -> Scored:
        """Return the scores of a task, and compute and store what is missing of it."""
        fit, seconds = self._fit(task) if task.fit_key else (None, {})
        scored = self._entries.scored(task)
        missing = [score for name, score in task.scores.items() if name not in scored.scores]
        if not missing:
            return scored
        started = time.perf_counter()
        problem = self._problem(task.replicate, task.fold_seed)
        if task.replicate == WHOLE:
            # No row is held out, and no fit is needed but those of the folds.
            facts, rows = validate_cell(problem, task.cell, self._settings, missing)
        else:
            facts, rows = evaluate_cell(problem, task.cell, self._settings, missing, fit)
        each = (time.perf_counter() - started) / len(missing)
        scored = Scored(
            facts,
            scored.scores | {name: _plain(found) for name, found in rows.items()},
            scored.seconds | seconds | dict.fromkeys(rows, round(each, 6)),
        )
        self._entries.save_scored(task, scored)
        return scored

    def _lacks(self, task: Task) -> tuple[int, int]:
        """Return how many fits and scores are missing of a task, reading what is there."""
        fits = bool(task.fit_key) and self._entries.fit(task) is None
        return int(fits), len(task.scores.keys() - self._entries.scored(task).scores.keys())

    def _fit(self, task: Task) -> tuple[Arrays, dict[str, float]]:
        """Return a fit, and what it took where it is new."""
        stored = self._entries.fit(task)
        if stored is not None:
            return stored, {}
        started = time.perf_counter()
        try:
            fit = fit_arrays(
                task.cell.point,
                self._problem(task.replicate, task.fold_seed).split.X_train,
                n_components=max(self._settings.n_components),
                variance_share=self._settings.variance_share,
            )
        except InputError as error:
            raise InputError(f"dataset {self._dataset.name!r}: {error}") from error
        self._entries.save_fit(task, fit)
        return fit, {"fit": round(time.perf_counter() - started, 6)}

    def _make_problem(self, replicate: int | str, fold_seed: int) -> Problem:
        whole = replicate == WHOLE
        split = self._dataset.whole() if whole else self._dataset.split(int(replicate))
        return make_problem(split, self._settings.folds, seed=fold_seed)

    def _arrays(self, task: Task) -> Arrays:
        """Return the wanted scores as columns, with the facts beside them.

        Sizes beyond what a representation has are the same setting, which stands there once.
        """
        scored = self.bring(task)
        listed = [row for name in task.scores for row in scored.scores[name]]
        rows = list({tuple(row[:-2]): row for row in listed}.values())
        tuned = [row for row in rows if row[4] == "cv"]
        whole = sorted((row for row in rows if row[4] != "cv"), key=lambda row: row[0])
        arrays = as_arrays(_row(row) for row in [*whole, *tuned])
        return arrays | {name: np.array(value) for name, value in scored.facts.items()}


def deal(work: Callable[[Task], object], listed: Sequence[Task], processes: int) -> None:
    """Let processes work through a list, each taking the next item when it is done with one.

    They return nothing: what they store is what they have in common. Whatever becomes of them, the
    caller goes through the list once more.
    """
    if processes < 2:
        return
    context = multiprocessing.get_context("fork")
    taken, parent = context.Value("l", 0), os.getpid()

    def worker() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        while os.getppid() == parent:  # or else nobody waits
            with taken.get_lock():
                number = taken.value
                taken.value += 1
            if number >= len(listed):
                return
            try:
                work(listed[number])
            except Exception as error:
                logging.warning("%s failed, and is tried once more: %s", listed[number].name, error)

    workers = [context.Process(target=worker, daemon=True) for _ in range(processes)]
    for process in workers:
        process.start()
    for process in workers:
        process.join()
        if process.exitcode:
            logging.warning("a process ended with %d: what it left is done now", process.exitcode)


def _plain(rows: Sequence[Row]) -> list[list[Any]]:
    """Return rows as JSON has them, without NaN."""
    return [[None if x != x else x for x in (m, *outcome)] for m, outcome in rows]


def _row(plain: Sequence[Any]) -> Row:
    m, method, C, metric, split, *numbers = plain
    C, value, error = (math.nan if number is None else number for number in (C, *numbers))
    return m, Outcome(method, C, metric, split, value, error)
