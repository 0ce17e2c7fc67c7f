"""Where the time of the sweep goes inside its jobs.

One replicate of every dataset is fitted and evaluated with the functions of the jobs, and the
calls that take the time are timed from outside. Imports are timed in fresh processes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

import sklearn.cluster
import sklearn.manifold
import sklearn.svm
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from kpca.kernel_pca import KernelPCA
from kpca.pipeline import fits
from kpca.pipeline.datasets import load_dataset
from kpca.pipeline.datasets.dataset import Dataset
from kpca.pipeline.evaluation import downstream
from kpca.pipeline.evaluation.embeddings import KernelPCAScores
from kpca.pipeline.evaluation.families import evaluate_baselines, evaluate_family
from kpca.pipeline.evaluation.settings import Settings
from kpca.pipeline.grid import points

Call = Callable[..., Any]

# Part of the time: the calls that belong to it. None of them calls another.
PARTS: dict[str, list[tuple[Any, str]]] = {
    "kernel PCA": [
        (fits, "fit_point"),
        (KernelPCAScores, "of_folds"),
        (KernelPCA, "transform"),
    ],
    "support vector machines": [(SVC, "fit"), (SVC, "predict")],
    "k-means": [(downstream, "find_clusters")],
    "spectral clustering": [(sklearn.cluster.SpectralClustering, "fit_predict")],
    "metrics": [
        (downstream, "agreement"),
        (downstream, "accuracies"),
        (sklearn.manifold, "trustworthiness"),
    ],
}
IMPORTS = {
    "fit": "kpca.pipeline.fits",
    "evaluate": "kpca.pipeline.evaluation.families, sklearn.svm, sklearn.model_selection",
}
IMPORTS["evaluate_baselines"] = IMPORTS["evaluate"] + ", sklearn.cluster"


@contextmanager
def recorded() -> Iterator[defaultdict[str, float]]:
    """Add up the seconds of each part while the context is open."""
    seconds: defaultdict[str, float] = defaultdict(float)
    with ExitStack() as stack:
        for part, calls in PARTS.items():
            for owner, name in calls:
                timed = _timed(getattr(owner, name), part, seconds)
                stack.enter_context(patch.object(owner, name, timed))
        yield seconds


def _timed(
    call: Callable[..., Any], part: str, seconds: defaultdict[str, float]
) -> Callable[..., Any]:
    def timed(*arguments: Any, **options: Any) -> Any:
        start = process_time()
        try:
            return call(*arguments, **options)
        finally:
            seconds[part] += process_time() - start

    return timed


def import_seconds(modules: str) -> float:
    """Give the median processor time of a fresh process that imports modules and ends."""
    times = []
    for _ in range(3):
        before = processor_seconds()
        subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)
        times.append(processor_seconds() - before)
    return median(times)


def processor_seconds() -> float:
    """Give the processor time of every process that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(config: dict[str, Any], datasets: Path) -> Iterator[dict[str, Any]]:
    """Give the processor seconds of each part by rule and dataset, all replicates together."""
    settings = Settings.from_config(config["evaluation"])
    imports = {rule: import_seconds(modules) for rule, modules in IMPORTS.items()}
    for name in config["datasets"]:
        dataset = load_dataset(datasets / f"{name}.npz")
        first = replace(dataset, splits=dataset.splits[:1])
        for rule, jobs, work in _jobs(config, settings, first):
            with recorded() as seconds, threadpool_limits(1):  # as in the jobs
                start = process_time()
                work()
                seconds["other"] = process_time() - start - sum(seconds.values())
            parts = {part: value * dataset.replicates for part, value in seconds.items()}
            for part, value in {**parts, "imports": jobs * imports[rule]}.items():
                yield {"dataset": name, "rule": rule, "part": part, "seconds": value}


def _jobs(
    config: dict[str, Any], settings: Settings, dataset: Dataset
) -> Iterator[tuple[str, int, Callable[[], Any]]]:
    """Give each rule with its number of jobs and what they do."""
    grid = {kernel: points(kernel, axes) for kernel, axes in config["kernels"].items()}
    options = {"seed": config["seed"], "code": ""}
    with tempfile.TemporaryDirectory() as folder:

        def fit() -> None:
            for kernel, family in grid.items():
                fits.fit_family(
                    f"{folder}/{kernel}.npz",
                    dataset,
                    family,
                    n_components=max(settings.n_components),
                    variance_share=settings.variance_share,
                    code="",
                )

        def evaluate() -> None:
            for kernel, family in grid.items():
                store = f"{folder}/scores_{kernel}.npz"
                fitted = f"{folder}/{kernel}.npz"
                evaluate_family(store, dataset, fitted, family, settings, **options)

        def baselines() -> None:
            store = f"{folder}/baselines.npz"
            evaluate_baselines(store, dataset, grid.get("rbf", []), {}, settings, **options)

        yield "fit", len(grid), fit
        yield "evaluate", len(grid), evaluate
        yield "evaluate_baselines", 1, baselines
