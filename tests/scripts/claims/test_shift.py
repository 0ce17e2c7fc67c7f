import numpy as np
import pytest

from kpca import PCA, KernelPCA
from tests.scripts.claims import verdicts
from workflow.scripts.claims import shift
from workflow.scripts.claims.setting import fitted


def test_a_linear_shift_is_the_mean_on_the_principal_axes():
    centred = np.random.default_rng(0).standard_normal((50, 3)) * np.array([3, 2, 1])
    X = centred + np.array([1, -2, 5])
    pca = PCA(2).fit(X)
    expected = np.abs(pca.components_ @ X.mean(axis=0))
    assert np.abs(shift.shift(fitted("linear", X, 2))) == pytest.approx(expected)


@pytest.mark.parametrize("kernel", ["poly", "rbf", "laplacian"])
def test_new_points_differ_by_the_shift_alone(kernel):
    X = np.random.default_rng(0).standard_normal((50, 3)) + 1
    model = fitted(kernel, X[:30], 3)
    assert shift.deviation(model, X[30:]) < 1e-12
    model.kernel_means_ = model.kernel_means_ + np.linspace(0, 1, 30)  # of other training points
    assert shift.deviation(model, X[30:]) < 1e-12  # the shift follows from the means
    model.eigenvectors_ = model.eigenvectors_ + 0.1  # no longer orthogonal to the constant
    assert shift.deviation(model, X[30:]) > 1e-3


def first_axis(X):
    return shift.mean_cosine(KernelPCA(1, kernel="linear", center=False).fit(X))


def test_an_uncentred_linear_axis_is_the_first_singular_vector():
    X = np.random.default_rng(0).standard_normal((60, 3)) + np.array([0.5, 0.2, 0])
    axis, mean = np.linalg.svd(X)[2][0], X.mean(axis=0)
    assert first_axis(X) == pytest.approx(abs(axis @ mean) / np.linalg.norm(mean))
    assert first_axis(X + 100) > 0.999
    assert np.isnan(first_axis(X - mean))  # there is no direction of the mean


def test_harmless_where_shared_and_harmful_where_not():
    data = {"rings": {"generator": "rings", "n_train": 80, "n_test": 200, "noise": 0.05}}
    tables = shift.measure(seed=0, replicates=3, datasets=data)
    found = verdicts(tables["claims"])
    assert found["2-shift-constant", ""] == "holds"
    assert found["2-shift-shared", ""] == "holds"
    assert found["2-shift-new", "rbf, rings"] == "holds"
    assert found["2-mean-direction", "laplacian, rings"] == "holds"
    few = tables["losses"].set_index(["treatment", "kernel"])["mean"]["uncentred_few"]
    assert few["rbf"] < -0.1  # the mean direction of rings is their radius
    assert set(tables["example"]["rows"]) == {"training", "new, not centred"}
