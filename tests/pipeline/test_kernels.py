"""From a point of the grid to an estimator."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from pipeline.errors import InputError
from pipeline.grid import Point
from pipeline.kernels import estimator, import_object, resolve_gamma

X = np.random.default_rng(0).normal(size=(40, 3)) * [1, 2, 5]


def median(metric: str) -> float:
    return float(np.median(pdist(X, metric)))


@pytest.mark.parametrize(
    ("kernel", "parameters", "expected"),
    [
        ("rbf", {"gamma": 0.7}, 0.7),
        ("rbf", {"sigma": 2}, 1 / 8),
        ("rbf", {"median": 3}, 3 / median("sqeuclidean")),
        ("laplacian", {"median": 3}, 3 / median("cityblock")),
        ("poly", {"scale": 2, "degree": 3}, 2 / (3 * X.var())),  # scikit-learn's, times 2
        ("poly", {"degree": 3}, None),  # left to the estimator
        ("linear", {}, None),
    ],
)
def test_a_bandwidth_is_given_in_four_ways(
    kernel: str, parameters: dict[str, float], expected: float | None
) -> None:
    assert resolve_gamma(Point(kernel, dict(parameters)), X) == pytest.approx(expected)


def test_parameters_reach_the_estimator() -> None:
    model = estimator(Point("poly", {"degree": 4, "coef0": 0.5}), 0.2, n_components=3)

    found = model.get_params()
    assert (found["kernel"], found["degree"], found["coef0"]) == ("poly", 4, 0.5)
    assert (found["gamma"], found["n_components"], found["indefinite"]) == (0.2, 3, "clip")


def scaled_product(x: np.ndarray, y: np.ndarray, factor: float) -> float:
    return factor * float(x @ y)


def test_a_function_of_ones_own_gets_its_arguments() -> None:
    path = f"{__name__}:scaled_product"
    own = estimator(Point("own", {"factor": 4.0}, path), None, n_components=2).fit(X)
    linear = estimator(Point("linear"), None, n_components=2).fit(X)

    np.testing.assert_allclose(own.eigenvalues_, 4 * linear.eigenvalues_)


def test_a_wrong_argument_is_named_with_those_there_are() -> None:
    point = Point("own", {"factor": 4.0, "fctr": 1}, f"{__name__}:scaled_product")

    with pytest.raises(InputError, match=r"'fctr': a kernel takes two rows, .*: factor; correct"):
        estimator(point, None, n_components=2)


@pytest.mark.parametrize("path", ["no_such_module:f", "math:no_such_function", "no_python:f"])
def test_bad_imports_are_named(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "no_python.py").write_text("def f(:\n")

    with pytest.raises(InputError, match=f"`{path}` of the configuration.*\n.*check the spelling"):
        import_object(path)
