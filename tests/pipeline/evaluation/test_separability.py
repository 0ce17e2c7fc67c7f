"""The rings: what no line can do on PCA scores, a line does on kernel PCA scores."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binomtest
from sklearn.svm import LinearSVC

from pipeline.datasets.dataset import Split
from pipeline.datasets.generators import linear_ceiling
from pipeline.datasets.make import make_dataset
from pipeline.evaluation import embeddings
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point
from pipeline.kernels import resolve_gamma

RADIUS_RATIO = 0.3
FRESH = 10_000
M = 8
SETTINGS = Settings((2, M), (1.0,), 2, ("unit",), 1, 0.9)


@pytest.fixture(scope="module", params=[1, 2, 3])
def rings(request: pytest.FixtureRequest) -> Split:
    spec = {
        "generator": "rings",
        "n_train": 200,
        "n_test": FRESH,
        "noise": 0.08,
        "radius_ratio": RADIUS_RATIO,
    }
    return make_dataset("rings", spec, seed=request.param, replicates=2).split(0)


def separating_plane(Z: np.ndarray, sides: np.ndarray) -> np.ndarray | None:
    """Return w with sides·(Z, 1)w ≥ 1, which a linear program finds wherever there is one."""
    design = np.column_stack([Z, np.ones(len(Z))])
    solution = linprog(
        np.zeros(design.shape[1]), -sides[:, None] * design, -np.ones(len(Z)), bounds=(None, None)
    )
    return solution.x if solution.status == 0 else None


def accuracy(plane: np.ndarray, Z: np.ndarray, sides: np.ndarray) -> float:
    return float((np.sign(Z @ plane[:-1] + plane[-1]) == sides).mean())


def lower_bound(share: float) -> float:
    """Clopper and Pearson's lower 95 % bound for a share of the fresh points."""
    return binomtest(round(share * FRESH), FRESH, alternative="greater").proportion_ci().low


def sides_of(split: Split) -> tuple[np.ndarray, np.ndarray]:
    assert split.y_train is not None
    assert split.y_test is not None
    return 2 * split.y_train - 1, 2 * split.y_test - 1


def test_no_line_passes_the_linear_ceiling_on_pca_scores(rings: Split) -> None:
    train, test = embeddings.pca(SETTINGS)(rings.X_train, rings.X_test, None)[2]
    side, fresh_side = sides_of(rings)

    assert separating_plane(train, side) is None
    for C in (0.01, 0.1, 1, 10, 100):
        for weight in (None, {-1: 2}, {1: 2}):
            model = LinearSVC(C=C, class_weight=weight, dual=False).fit(train, side)
            assert model.score(test, fresh_side) <= linear_ceiling(RADIUS_RATIO)


def test_a_plane_separates_the_scores_of_the_gaussian_kernel(rings: Split) -> None:
    gamma = resolve_gamma(Point("rbf", {"median": 1}), rings.X_train)
    embed = embeddings.KernelPCAScores(Point("rbf"), gamma, SETTINGS)
    train, test = embed(rings.X_train, rings.X_test, None)[M]
    side, fresh_side = sides_of(rings)

    plane = separating_plane(train, side)

    assert plane is not None
    assert accuracy(plane, train, side) == 1
    assert lower_bound(accuracy(plane, test, fresh_side)) >= 0.98
