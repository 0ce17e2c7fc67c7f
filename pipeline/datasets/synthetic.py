"""Datasets whose replicates are independent draws from a generator."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset, IntArray
from pipeline.datasets.generators import GENERATORS, Draw
from pipeline.errors import input_error, nearest
from pipeline.seeds import rng_for

_SIZES = ("n_train", "n_test")
_OWN_KEYS = {"generator", "standardize", *_SIZES}


def draw_dataset(name: str, spec: Mapping[str, Any], *, seed: int, replicates: int) -> Dataset:
    """Stack independent training and test draws, one pair a replicate.

    Every draw has a seed of its own, so that another replicate, another n_test or another
    dataset changes none of the others.

    Parameters
    ----------
    name : str
        The key in the configuration; seeds derive from it.
    spec : mapping
        `generator`, `n_train`, `n_test`, and parameters of the generator.
    seed, replicates : int
        Root seed and number of draws.
    """
    require_parameters(name, spec)
    draws = [
        _draw(spec, spec[size], rng_for(seed, name, replicate, size))
        for replicate in range(replicates)
        for size in _SIZES
    ]
    y, target = draws[0].y, draws[0].target
    X = np.concatenate([draw.X for draw in draws])
    return Dataset(
        name=name,
        X=X,
        y=None if y is None else np.concatenate([draw.y for draw in draws if draw.y is not None]),
        target=None
        if target is None
        else np.concatenate([draw.target for draw in draws if draw.target is not None]),
        splits=_blocks(spec["n_train"], spec["n_test"], replicates),
        feature_names=tuple(f"x{column + 1}" for column in range(X.shape[1])),
        class_names=() if y is None else tuple(map(str, np.unique(y))),
        independent=True,
        standardize=bool(spec.get("standardize", False)),
        source=f"generator {spec['generator']}",
    )


def require_parameters(name: str, spec: Mapping[str, Any]) -> None:
    """Refuse a parameter that the generator does not have, which a schema of all does not see."""
    known = list(inspect.signature(GENERATORS[spec["generator"]]).parameters)[2:]
    problems = [
        f"generator {spec['generator']!r} has no parameter {key!r}; {nearest(key, known)}"
        for key in spec
        if key not in _OWN_KEYS and key not in known
    ]
    if problems:
        raise input_error(f"dataset {name!r}", problems)


def _draw(spec: Mapping[str, Any], rows: int, rng: np.random.Generator) -> Draw:
    parameters = {key: value for key, value in spec.items() if key not in _OWN_KEYS}
    return GENERATORS[spec["generator"]](rows, rng, **parameters)


def _blocks(n_train: int, n_test: int, replicates: int) -> tuple[tuple[IntArray, IntArray], ...]:
    starts = [replicate * (n_train + n_test) for replicate in range(replicates)]
    return tuple(
        (np.arange(start, start + n_train), np.arange(start + n_train, start + n_train + n_test))
        for start in starts
    )
