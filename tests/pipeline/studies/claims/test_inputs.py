import numpy as np
import pytest

from kpca.pipeline.datasets import make_dataset
from kpca.pipeline.studies.claims import inputs

pytestmark = pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")
X = np.random.default_rng(0).standard_normal((40, 3)) + 2


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian"])
def test_kernels_of_differences_do_not_see_the_origin(kernel):
    assert inputs.moved(kernel, X) < 1e-12


@pytest.mark.parametrize("kernel", ["poly", "sigmoid", "cosine"])
def test_kernels_of_inner_products_do(kernel):
    assert inputs.moved(kernel, X) > 0.01
    assert inputs.moved(kernel, X - X.mean(axis=0)) < 1e-12


def test_the_origin_is_taken_off_both_sides():
    split = make_dataset("wine", {"sklearn": "wine"}, seed=0, replicates=1).split(0)
    assert inputs.accuracy(split, "rbf", origin=5.0) == inputs.accuracy(split, "rbf")


def test_standardisation_helps_on_wine():
    gains = inputs.scaling_gains(seed=0, replicates=2)
    assert gains.loc[gains["kernel"] == "linear", "gain"].min() > 0.1
