"""A row far beyond the training points, in the midst of others."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 4)), RNG.normal(size=(5, 4))
FAR = NEW.copy()
FAR[2] = 1e200


def fitted(kernel: str, **options: object) -> KernelPCA:
    return KernelPCA(3, kernel=kernel, gamma=0.3, indefinite="clip", **options).fit(X)


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@pytest.mark.parametrize("options", [{}, {"eigen_solver": "nystrom", "n_landmarks": 20}], ids=str)
def test_it_is_as_far_as_can_be(kernel: str, options: dict[str, object]) -> None:
    model = fitted(kernel, **options)
    found, ordinary, others = model.transform(FAR), model.transform(NEW), [0, 1, 3, 4]
    np.testing.assert_allclose(found[others], ordinary[others], rtol=1e-12)
    expansion = model.expansion()
    np.testing.assert_allclose(found[2], -expansion.offsets, rtol=1e-12)
    error = 1 + expansion.mean @ expansion.mean_values - found[2] @ found[2]
    np.testing.assert_allclose(model.reconstruction_error(FAR)[2], error, rtol=1e-12)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian"])
def test_a_mean_far_from_the_origin_costs_no_digits(kernel: str, weighted: bool, form: Any) -> None:
    """Sparse points stay sparse: columns that are nearly full have far means alone."""
    near = np.round(np.vstack([X, NEW]) * 64) / 64  # so that the sums below are exact
    near[::2, 0] = near[1:, 1] = 0
    far = near + np.array([0, 0, 2.0**26, -(2.0**27)])
    weights = np.arange(60) % 3 if weighted else None
    options = {"kernel": kernel, "gamma": 0.3, "preimage": "fixed_point"}
    expected = KernelPCA(3, **options).fit(near[:60], sample_weight=weights)
    model = KernelPCA(3, **options).fit(form(far[:60]), sample_weight=weights)
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-9)
    for method in ("transform", "reconstruction_error"):
        found, known = getattr(model, method), getattr(expected, method)(near[60:])
        np.testing.assert_allclose(found(form(far[60:])), known, atol=1e-8)
        np.testing.assert_allclose(found(far[60:]), known, atol=1e-8)
    gram: Any = model.expansion().operator()[0].gram
    assert sparse.issparse(gram._tiles.left) == sparse.issparse(model.X_fit_)


def test_a_linear_score_may_be_large_and_its_square_may_not() -> None:
    model = fitted("linear")
    axes = X.T @ model.expansion().axes
    np.testing.assert_allclose(model.transform(FAR)[2], FAR[2] @ axes, rtol=1e-12)
    with pytest.raises(ValueError, match="overflow float64 at row 2 of X"):
        model.reconstruction_error(FAR)
    with pytest.raises(ValueError, match="overflow float64 at row 1 of X"):
        fitted("linear", preimage="fixed_point").inverse_transform([[0, 0, 0], [1e200, 0, 0]])


def test_saturated_values_are_the_ends_of_the_sigmoid() -> None:
    model = fitted("sigmoid")
    expansion = model.expansion()
    expected = np.sign(X @ FAR[2]) @ expansion.axes - expansion.offsets
    np.testing.assert_allclose(model.transform(FAR)[2], expected, rtol=1e-12)


@pytest.mark.parametrize("method", ["transform", "reconstruction_error", "denoise"])
def test_what_overflows_is_named(method: str) -> None:
    model = fitted("poly", preimage="fixed_point")
    with pytest.raises(ValueError, match="overflow float64 at row 2 of X"):
        getattr(model, method)(FAR)
    with pytest.raises(ValueError, match="overflow float32 at row 2 of X"):
        model.transform(np.minimum(FAR, 1e30).astype(np.float32))


@pytest.mark.parametrize(
    "options", [{"eigen_solver": "dense"}, {"eigen_solver": "nystrom", "n_landmarks": 5}], ids=str
)
def test_a_training_row_that_overflows_is_named(options: dict[str, object]) -> None:
    rows = np.vstack([X, FAR])
    with pytest.raises(ValueError, match=r"Kernel values overflow.*at row 62"):
        KernelPCA(2, kernel="poly", **options).fit(rows)
