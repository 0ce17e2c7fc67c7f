import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from kpca import SparsePCA
from kpca.linear.sparse_pca import SPARSE_METHODS
from tests.kpca.linear.matrices import correlated


@pytest.mark.parametrize("method", SPARSE_METHODS)
class TestEveryMethod:
    def test_data_and_their_covariance_give_the_same(self, method):
        X = correlated() + 3.0
        data = SparsePCA(3, method=method, l1_penalty=0.3, tol=1e-7).fit(X)
        matrix = SparsePCA(3, method=method, l1_penalty=0.3, tol=1e-7, input="covariance")
        matrix.fit(np.cov(X, rowvar=False))
        for name in ("components_", "adjusted_variance_ratio_"):
            np.testing.assert_allclose(getattr(matrix, name), getattr(data, name), atol=1e-4)
        np.testing.assert_array_equal(matrix.mean_, 0)

    def test_measures_are_those_of_the_scores_and_repeat_to_the_byte(self, method):
        X = correlated() + 3.0
        model = SparsePCA(3, method=method, l1_penalty=0.3).fit(X)
        Z = model.transform(X)
        total = np.sum((X - X.mean(axis=0)) ** 2)
        np.testing.assert_allclose(model.explained_variance_, Z.var(axis=0, ddof=1), rtol=1e-9)
        shares = np.sum(Z**2, axis=0) / total
        np.testing.assert_allclose(model.explained_variance_ratio_, shares, rtol=1e-9)
        assert np.all(model.adjusted_variance_ <= model.explained_variance_ * (1 + 1e-12))
        again = SparsePCA(3, method=method, l1_penalty=0.3).fit(X)
        assert again.components_.tobytes() == model.components_.tobytes()
        np.testing.assert_array_equal(model.n_nonzero_, np.sum(model.components_ != 0, axis=1))
        np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1)
        error = model.reconstruction_error(X).sum() / total
        assert model.reconstruction_error_ == pytest.approx(error, rel=1e-9)
        assert np.all(model.components_.max(axis=1) == np.abs(model.components_).max(axis=1))

    def test_wide_data(self, method):
        X = correlated(12, 30)
        model = SparsePCA(2, method=method, l1_penalty=3.0, l2_penalty=np.inf).fit(X)
        assert model.converged_
        assert np.all(model.n_nonzero_ < 30)


def test_each_component_has_its_own_penalty():
    model = SparsePCA(2, l1_penalty=[0.01, 3.0]).fit(correlated())
    assert model.n_nonzero_[0] > model.n_nonzero_[1]


def test_what_does_not_converge_is_warned_about():
    with pytest.warns(ConvergenceWarning, match=r"max_iter=1 .*tol=1e-12: raise one"):
        model = SparsePCA(2, tol=1e-12, max_iter=1).fit(correlated())
    assert not model.converged_


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "lasso"}, "'method' parameter of SparsePCA must be .*two_step.*Got 'lasso'"),
        ({"input": "gram"}, "must be one of .'covariance', 'data'"),
        ({"n_components": 9}, "is more than min"),
        ({"n_components": 0.5}, "an integer from 1, or None"),
        ({"l1_penalty": -1.0}, r"l1_penalty=-1.0 must be 0.0 or more: one number, or 2"),
        ({"l1_penalty": [1.0, 2.0, 3.0]}, "one number, or 2 of them"),
        ({"l1_penalty": [1.0, 2.0], "method": "dictionary"}, "one number, or 1 of them"),
        ({"l2_penalty": float("nan")}, "'l2_penalty' .* from 0, or infinity"),
        ({"l1_penalty": "a"}, "l1_penalty='a' must be 0.0 or more"),
        ({"l2_penalty": "a"}, "'l2_penalty' parameter of SparsePCA must be a finite number"),
        ({"tol": -1.0}, "'tol' parameter of SparsePCA must be a finite number from 0"),
        ({"max_iter": 1.5}, "'max_iter' parameter of SparsePCA must be an integer"),
        ({"random_state": "a"}, "'random_state' parameter of SparsePCA"),
        ({"l1_bound": 0.5, "method": "deflation"}, "l1_bound=0.5 must be 1.0 or more"),
    ],
)
def test_refusals_name_the_requirement(arguments, message):
    with pytest.raises(ValueError, match=message):
        SparsePCA(**({"n_components": 2} | arguments)).fit(correlated())
