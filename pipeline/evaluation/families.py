"""The stores `results/scores/` and `results/baselines/` of one dataset."""

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
from pipeline.grid import Point, points
from pipeline.kernels import resolve_gamma
from pipeline.seeds import seed_for
from pipeline.store import Arrays, key_of, read_store, update_store

Job = Callable[[], Arrays]


def evaluate_fits(
    path: Path | str,
    dataset: Dataset,
    fits: Path | str,
    grid: Sequence[Point],
    settings: Settings,
    *,
    seed: int,
    code: str,
    own_code: Mapping[str, str] = NONE,
) -> tuple[int, int]:
    """Evaluate every fit of a dataset; return how many were computed and reused.

    ``own_code`` has the digest of the module of each kernel of the user's own.
    """
    stored = read_store(fits)
    keys: dict[str, str] = {}
    jobs: dict[str, Job] = {}
    for replicate, problem in _problems(dataset, settings, seed):
        for point in grid:
            name = entry_name(point, replicate)
            its_code = code + own_code.get(point.kernel, "")
            keys[name] = _key(problem, point.as_dict(), settings, its_code, dataset.name)
            jobs[name] = partial(_evaluate_point, problem, point, stored[name], settings)
    return update_store(path, keys, lambda name: jobs[name]())


def evaluate_baselines(
    path: Path | str,
    dataset: Dataset,
    bandwidths: Sequence[Point],
    methods: dict[str, Any],
    settings: Settings,
    *,
    seed: int,
    code: str,
) -> tuple[int, int]:
    """Evaluate raw features, PCA, a Gaussian SVM, spectral clustering and the user's methods."""
    keys: dict[str, str] = {}
    jobs: dict[str, Job] = {}
    for replicate, problem in _problems(dataset, settings, seed):
        for name, described, job in _baselines(problem, bandwidths, methods, settings):
            entry = f"{name}/{replicate}"
            keys[entry] = _key(problem, described, settings, code, dataset.name)
            jobs[entry] = job
    return update_store(path, keys, lambda name: jobs[name]())


def _evaluate_point(problem: Problem, point: Point, fit: Arrays, settings: Settings) -> Arrays:
    split = problem.split
    model = stored_model(fit, split)
    gamma = resolve_gamma(point, split.X_train)
    train, test = embeddings.training_scores(model), model.transform(split.X_test)
    sizes = settings.components_up_to(train.shape[1])
    share = components_for(settings.variance_share, model.explained_variance_ratio_)
    outer = embeddings.leading(train, test, sorted({*sizes, share} - {0}))
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
    problem: Problem, bandwidths: Sequence[Point], methods: dict[str, Any], settings: Settings
) -> Iterator[tuple[str, object, Job]]:
    def job(embedding: embeddings.Embedding, downstream: Any = None, gamma: float = np.nan) -> Job:
        return lambda: (
            as_arrays(evaluate(problem, embedding, settings, downstream=downstream))
            | {"gamma": np.array(gamma)}
        )

    if problem.split.precomputed:
        return
    yield "raw", "raw", job(embeddings.raw)
    yield "pca", "pca", job(embeddings.pca(settings))
    if problem.task == "classification":
        for point in bandwidths:
            gamma = float(resolve_gamma(point, problem.split.X_train) or np.nan)
            steps = [partial(rbf_svm, gamma=gamma), partial(spectral, gamma=gamma)]
            name = point.id.replace(point.kernel, "raw", 1)
            yield name, point.as_dict(), job(embeddings.raw, steps, gamma)
    for name, method in methods.items():
        path, parameters = (
            (method, {})
            if isinstance(method, str)
            else (method["class"], method.get("parameters") or {})
        )
        for point in points(name, {"callable": path, "parameters": parameters}):
            chosen = point.parameters
            yield point.id, point.as_dict(), job(embeddings.own_method(path, chosen, settings))


def _problems(dataset: Dataset, settings: Settings, seed: int) -> Iterator[tuple[int, Problem]]:
    for replicate in range(dataset.replicates):
        fold_seed = seed_for(seed, dataset.name, replicate, "folds")
        yield replicate, make_problem(dataset.split(replicate), settings.folds, seed=fold_seed)


def _key(problem: Problem, described: object, settings: Settings, code: str, name: str) -> str:
    return key_of(described, problem.split.digest, problem.seed, vars(settings), code, name)
