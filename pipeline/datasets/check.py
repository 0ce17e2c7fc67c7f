"""Whether a dataset can be used, before any job starts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.datasets.builtin import CLASS_SIZES
from pipeline.datasets.make import READERS, source_of
from pipeline.datasets.openml import is_cached
from pipeline.datasets.sizes import class_problems, component_problems, train_rows
from pipeline.datasets.synthetic import require_parameters
from pipeline.errors import input_error


def check_dataset(name: str, spec: Mapping[str, Any], *, n_components: int, folds: int) -> None:
    """Raise everything that keeps a dataset from being used, or return quietly.

    The user's own file is read. Synthetic data and scikit-learn's are judged by their sizes
    alone; OpenML's are read where they lie in the cache, and never downloaded.

    Parameters
    ----------
    name : str
        The key in the configuration.
    spec : mapping
        As for `make_dataset`.
    n_components : int
        The largest number of components that will be asked for.
    folds : int
        Folds of the inner cross-validation.

    Raises
    ------
    InputError
        With all problems found.
    """
    source = source_of(spec)
    if source == "generator":
        require_parameters(name, spec)
        _refuse(name, component_problems(spec["n_train"], folds, n_components))
    elif source == "sklearn":
        _refuse(name, _builtin_problems(spec, n_components, folds))
    elif source == "path" or is_cached(spec):
        READERS[source](name, spec, folds=folds, n_components=n_components)


def _builtin_problems(spec: Mapping[str, Any], n_components: int, folds: int) -> list[str]:
    counts = np.array(CLASS_SIZES[spec["sklearn"]])
    names = tuple(str(label) for label in range(len(counts)))
    return class_problems(counts, names, spec, folds) or component_problems(
        train_rows(counts, spec), folds, n_components
    )


def _refuse(name: str, problems: list[str]) -> None:
    if problems:
        raise input_error(f"dataset {name!r}", problems)
