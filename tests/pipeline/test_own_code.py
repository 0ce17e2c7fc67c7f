"""Kernels and methods of one's own that could not serve are refused before any job."""

from typing import Any

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.grid import method_points, points
from pipeline.own_code import try_kernel, try_method

IRIS = {"sklearn": "iris"}
NUMBER = 3


def right(x: np.ndarray, y: np.ndarray, factor: float = 1) -> float:
    return factor * float(x @ y)


def rows(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return x * y


def text(x: np.ndarray, y: np.ndarray) -> str:
    return f"{x} {y}"


def endless(x: np.ndarray, y: np.ndarray) -> float:
    return float("nan")


def one_sided(x: np.ndarray, y: np.ndarray) -> float:
    return float(x[0] * y[1])


def five_columns(x: np.ndarray, y: np.ndarray) -> float:
    return float(x[4] * y[4])


class Fragile:
    def __init__(self, size: int = 1) -> None:
        if size < 1:
            raise ValueError("size must be positive")

    def fit(self, X: np.ndarray, y: object = None) -> "Fragile":
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return X


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("math:sqrt", "too many positional arguments: a kernel takes two rows"),
        ("math:no", "check the spelling"),
        (f"{__name__}:NUMBER", "is no function"),
        (f"{__name__}:rows", "returns an array of shape (4,) and must return a number"),
        (f"{__name__}:text", "and must return a number"),
        (f"{__name__}:endless", "returns nan and must return a finite number"),
        (f"{__name__}:one_sided", "a kernel must be symmetric"),
        (f"{__name__}:five_columns", "IndexError: index 4 is out of bounds"),
    ],
)
def test_a_kernel_that_could_not_serve_is_refused(name: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        try_kernel(points("own", {"callable": name}), IRIS)

    assert problem in str(caught.value)


def test_a_kernel_that_serves_passes() -> None:
    family = points("own", {"callable": f"{__name__}:right", "parameters": {"factor": [1, 2]}})

    assert try_kernel(family, IRIS)
    assert not try_kernel(family, {})
    assert not try_kernel(family, {"path": "no.csv"})


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        ("sklearn.svm:SVC", "(m): 1 problem\n  - has no `transform`"),
        ("sklearn.manifold:TSNE", "has no `transform`"),
        ("sklearn.svm:no", "check the spelling"),
        ("math:pi", "cannot be made (TypeError"),
        ({"class": "sklearn.decomposition:PCA", "parameters": {"slver": ["a"]}}, "'slver'"),
        (
            {"class": f"{__name__}:Fragile", "parameters": {"size": [1, 0]}},
            "(m-size0): 1 problem\n  - cannot be made (ValueError: size must be positive)",
        ),
    ],
)
def test_a_method_that_could_not_serve_is_refused(method: Any, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        try_method(method_points("m", method))

    assert problem in str(caught.value)


@pytest.mark.parametrize("method", ["sklearn.decomposition:FastICA", f"{__name__}:Fragile"])
def test_a_method_that_serves_passes(method: str) -> None:
    assert try_method(method_points("m", method))
