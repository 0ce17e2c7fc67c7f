"""The store `results/scores/` of one dataset."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from pipeline.datasets.dataset import Dataset
from pipeline.evaluation import embeddings
from pipeline.evaluation.downstream import rbf_svm, spectral
from pipeline.evaluation.evaluate import Problem, as_arrays, evaluate, make_problem
from pipeline.evaluation.settings import Settings
from pipeline.fits import NONE, components_for, entry_name, stored_model
from pipeline.grid import Point, method_points
from pipeline.kernels import resolve_gamma
from pipeline.seeds import seed_for
from pipeline.store import Arrays, key_of, read_store, update_store

Job = Callable[[], Arrays]
Entry = tuple[str, object, str, Job]
"""Name, what determines it beside data and settings, name of the user's code behind it, work."""


def evaluate_dataset(
    path: Path | str,
    dataset: Dataset,
    fits: Path | str,
    grid: Sequence[Point],
    settings: Settings,
    *,
    seed: int,
    code: str,
    methods: Mapping[str, Any] = NONE,
    own_code: Mapping[str, str] = NONE,
) -> tuple[int, int]:
    """Evaluate the fits of a dataset and what they are compared with, into the store at ``path``.

    Compared with are raw features, PCA, a Gaussian SVM and spectral clustering at the bandwidths
    of the Gaussian kernel, and the user's own methods, as in the configuration. The root seed is
    that of the inner folds. Another fingerprint ``code`` invalidates every entry, another one in
    ``own_code`` those of that kernel or method of the user's own. Returned is how many entries
    were computed and how many were there already.
    """
    stored = read_store(fits)
    keys: dict[str, str] = {}
    jobs: dict[str, Job] = {}
    for replicate in range(dataset.replicates):
        fold_seed = seed_for(seed, dataset.name, replicate, "folds")
        problem = make_problem(dataset.split(replicate), settings.folds, seed=fold_seed)
        asked = settings.at_most(problem.bounded(max(settings.n_components)))
        fitted = _fitted(problem, grid, stored, replicate, asked)
        for name, described, owner, job in (
            *fitted,
            *_baselines(problem, grid, methods, asked),
        ):
            entry = f"{name}/{replicate}"
            its_code = code + own_code.get(owner, "")
            wanted = (described, problem.split.digest, problem.seed, vars(asked))
            keys[entry] = key_of(*wanted, its_code, dataset.name)
            jobs[entry] = job
    return update_store(path, keys, lambda name: jobs[name]())


def _fitted(
    problem: Problem,
    grid: Sequence[Point],
    stored: Mapping[str, Arrays],
    replicate: int,
    settings: Settings,
) -> Iterator[Entry]:
    for point in grid:
        fit = stored[entry_name(point, replicate)]
        job = partial(_evaluate_point, problem, point, fit, settings)
        yield point.id, point.as_dict(), point.kernel, job


def _evaluate_point(problem: Problem, point: Point, fit: Arrays, settings: Settings) -> Arrays:
    split = problem.split
    model = stored_model(fit, split)
    gamma = resolve_gamma(point, split.X_train)
    train, test = embeddings.training_scores(model), model.transform(split.X_test)
    sizes = settings.components_up_to(train.shape[1])
    share = components_for(settings.variance_share, model.explained_variance_ratio_)
    outer = embeddings.leading(train, test, sorted({*sizes, problem.bounded(share)} - {0}))
    embedding = embeddings.KernelPCAScores(point, gamma, settings)
    inner = embedding.of_folds(split.X_train, problem.folds)
    rows = evaluate(problem, embedding, settings, outer=outer, inner=inner)
    return as_arrays(rows) | {
        **_parameters(model),
        "components_for_share": np.array(share),
        "rank": np.array(train.shape[1]),
    }


def _parameters(model: KernelPCA) -> Arrays:
    """Return the values of γ, d and c that the kernel reads; NaN for the others."""
    values = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    uses = KERNELS[model.kernel].uses if model.kernel in KERNELS else ()
    return {
        name: np.array(value if name in uses else np.nan, dtype=float)
        for name, value in values.items()
    }


def _baselines(
    problem: Problem, grid: Sequence[Point], methods: Mapping[str, Any], settings: Settings
) -> Iterator[Entry]:
    def job(embedding: embeddings.Embedding, downstream: Any = None, gamma: float = np.nan) -> Job:
        return lambda: (
            as_arrays(evaluate(problem, embedding, settings, downstream=downstream))
            | {"gamma": np.array(gamma)}
        )

    if problem.split.precomputed:
        return
    yield "raw", "raw", "", job(embeddings.raw)
    yield "pca", "pca", "", job(embeddings.pca(settings))
    for point in grid if problem.task == "classification" else ():
        if point.kernel == "rbf":
            gamma = float(resolve_gamma(point, problem.split.X_train) or np.nan)
            steps = [partial(rbf_svm, gamma=gamma), partial(spectral, gamma=gamma)]
            name = point.id.replace(point.kernel, "raw", 1)
            yield name, ("raw", point.as_dict()), "", job(embeddings.raw, steps, gamma)
    for name, method in methods.items():
        for point in method_points(name, method):
            chosen = point.parameters
            work = job(embeddings.own_method(str(point.callable), chosen, settings))
            yield point.id, point.as_dict(), name, work
