"""Small datasets with their inner folds."""

from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.evaluation.evaluate import Problem, make_problem
from pipeline.evaluation.settings import Settings

SETTINGS = Settings((1, 2), (0.1, 1.0), 3, ("unit",), 2, 0.9)


def dataset(generator: str, n: int = 30, **options: Any) -> Dataset:
    """Return two draws of a generator, with n rows for training and n for testing."""
    spec = {"generator": generator, "n_train": n, "n_test": n, "noise": 0.1} | options
    return make_dataset(generator, spec, seed=1, replicates=2)


def problem(generator: str, n: int = 30, **options: Any) -> Problem:
    """Return the first replicate of a generator with three inner folds."""
    return make_problem(dataset(generator, n, **options).split(0), 3, seed=0)


def kernel_dataset(n: int = 40) -> Dataset:
    """Return the linear kernel matrix of labelled rows, as a dataset."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 3)), np.arange(n) % 2
    X[:, 0] += 4 * y
    halves = (np.arange(0, n // 2), np.arange(n // 2, n))
    rest = {"y": y, "class_names": ("a", "b"), "precomputed": True}
    return Dataset(name="kernel", X=X @ X.T, splits=(halves, halves[::-1]), **rest)
