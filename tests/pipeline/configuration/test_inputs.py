"""Data and code of one's own, tried before any job."""

import copy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.configuration.inputs import Found, input_problems
from pipeline.errors import InputError
from pipeline.grid import method_points, points
from pipeline.own_code import try_kernel, try_method

CODE = "def product(x, y, factor=1):\n    return factor * float(x @ y)\n"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A sound configuration with data and a kernel of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_kernel", raising=False)
    (tmp_path / "own_kernel.py").write_text(CODE)
    (tmp_path / "my.csv").write_text(
        "\n".join(["x,y,s", *(f"{i / 2},{i % 7},{i % 2}" for i in range(40))])
    )
    config = {
        "results": "results",
        "datasets": {"mine": {"path": "my.csv", "label": "s"}, "iris": {"sklearn": "iris"}},
        "kernels": {"own": {"callable": "own_kernel:product"}, "linear": {}},
        "methods": {"pca2": "sklearn.decomposition:PCA"},
        "evaluation": {"n_components": [2, 8], "folds": 2},
    }
    assert list(input_problems(config)) == []
    return config


def changed(config: dict[str, Any], *places: str, value: Any) -> dict[str, Any]:
    config = copy.deepcopy(config)
    section = config
    for place in places[:-1]:
        section = section[place]
    section[places[-1]] = value
    return config


@pytest.mark.parametrize(
    ("places", "value", "problem"),
    [
        (("datasets", "mine", "label"), "z", "there is no column 'z'"),
        (("datasets", "mine", "max_rows"), 12, "n_components asks for 8"),
        (("datasets", "iris", "test_share"), 0.99, "class '0' (50), '1' (50), '2' (50) has fewer"),
        (("evaluation", "folds"), 20, "has fewer than the 40 rows that 20 folds need"),
        (("evaluation", "n_components"), [500], "evaluation.n_components asks for 500"),
        (("kernels", "own", "parameters"), {"fctr": [1]}, "'fctr': a kernel takes two rows"),
        (("methods", "pca2"), "sklearn.svm:SVC", "has no `transform`"),
    ],
)
def test_what_is_wrong_with_data_and_code_is_named(
    config: dict[str, Any], places: tuple[str, ...], value: Any, problem: str
) -> None:
    assert problem in "\n".join(input_problems(changed(config, *places, value=value)))


def test_what_is_odd_is_noted_with_the_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.csv").write_text("\n".join(["x,é,s", *("1,2,a", "2,2,b") * 20]))
    found = Found()
    datasets = {"mine": {"path": "my.csv", "label": "s"}, "iris": {"sklearn": "iris"}}

    assert list(input_problems({"datasets": datasets, "kernels": {}}, found)) == []
    assert "dataset 'mine': column 'é' is constant" in found.notices[0]
    assert "40 of 40 rows equal another one" in found.notices[1]
    assert found.columns == {"mine": 2}
    assert found.sizes is None


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
