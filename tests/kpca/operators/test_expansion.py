"""The subspace of a model written out, and rows far beyond the training points."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA
from kpca.operators.expansion import Expansion
from tests.kpca.estimators import either
from tests.kpca.naive import OF_DISTANCE

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 5)) + 0.3, RNG.normal(size=(9, 5))
WEIGHTS = RNG.integers(0, 3, 60).astype(float)
ROWS, FRESH = RNG.normal(size=(60, 4)), RNG.normal(size=(5, 4))
FAR = FRESH.copy()
FAR[2] = 1e200
MODELS: dict[str, dict[str, Any]] = {
    "exact": {},
    "uncentred": {"center": False},
    "landmarks": {"eigen_solver": "nystrom", "n_landmarks": 20},
}


@pytest.fixture(params=[(name, weighted) for name in MODELS for weighted in (False, True)], ids=str)
def expansion(request: pytest.FixtureRequest) -> Expansion:
    """Of the linear kernel, whose feature space is the input space."""
    name, weighted = request.param
    model = either(3, kernel="linear", **MODELS[name])
    return model.fit(X, sample_weight=WEIGHTS if weighted else None).expansion()


def written_out(expansion: Expansion) -> tuple[np.ndarray, np.ndarray]:
    """The axes, one a column, and the mean."""
    return expansion.source.X.T @ expansion.axes, expansion.source.X.T @ expansion.mean


def test_axes_are_orthonormal_and_scores_are_projections_on_them(expansion: Expansion) -> None:
    axes, mean = written_out(expansion)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(expansion.scores(NEW), (NEW - mean) @ axes, atol=1e-10)
    points = expansion.source.X
    np.testing.assert_allclose(expansion.point_scores, (points - mean) @ axes, atol=1e-10)
    assert (expansion.eigenvectors is None) == (len(points) < len(X))


def test_distances_are_those_of_the_points_in_feature_space(expansion: Expansion) -> None:
    axes, mean = written_out(expansion)
    Z, points = RNG.normal(size=(9, 3)), expansion.source.X
    P = mean + Z @ axes.T
    np.testing.assert_allclose(expansion.coefficients(Z) @ points, P, atol=1e-10)
    np.testing.assert_allclose(expansion.squared_norms(Z), (P**2).sum(axis=1), atol=1e-10)
    apart = np.square(P[:, None] - points).sum(axis=2)
    diagonal = expansion.source.diagonal(points)
    np.testing.assert_allclose(expansion.point_distances(Z, diagonal), apart, atol=1e-10)
    beside = np.square(P - NEW).sum(axis=1)
    np.testing.assert_allclose(expansion.distances(Z, NEW), beside, atol=1e-10)
    left = np.square((NEW - mean) - (NEW - mean) @ axes @ axes.T).sum(axis=1)
    np.testing.assert_allclose(expansion.squared_distances(NEW), left, atol=1e-10)


def fitted(kernel: str, **options: Any) -> Any:
    return either(3, kernel=kernel, gamma=0.3, indefinite="clip", **options).fit(ROWS)


@pytest.mark.parametrize("kernel", OF_DISTANCE)
@pytest.mark.parametrize("options", [{}, {"eigen_solver": "nystrom", "n_landmarks": 20}], ids=str)
def test_it_is_as_far_as_can_be(kernel: str, options: dict[str, object]) -> None:
    model = fitted(kernel, **options)
    found, ordinary, others = model.transform(FAR), model.transform(FRESH), [0, 1, 3, 4]
    np.testing.assert_allclose(found[others], ordinary[others], rtol=1e-12)
    expansion = model.expansion()
    np.testing.assert_allclose(found[2], -expansion.offsets, rtol=1e-12)
    error = 1 + expansion.mean @ expansion.mean_values - found[2] @ found[2]
    np.testing.assert_allclose(model.reconstruction_error(FAR)[2], error, rtol=1e-12)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", ["linear", *OF_DISTANCE, "anova"])
def test_a_mean_far_from_the_origin_costs_no_digits(kernel: str, weighted: bool, form: Any) -> None:
    """Sparse points stay sparse: columns that are nearly full have far means alone."""
    near = np.round(np.vstack([ROWS, FRESH]) * 64) / 64  # so that the sums below are exact
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
    gram = model.expansion().operator().gram
    assert sparse.issparse(gram.kernel.left(gram.X)) == sparse.issparse(model.X_fit_)


def test_a_linear_score_may_be_large_and_values_of_the_sigmoid_are_its_ends() -> None:
    axes = ROWS.T @ (model := fitted("linear")).expansion().axes
    np.testing.assert_allclose(model.transform(FAR)[2], FAR[2] @ axes, rtol=1e-12)
    model = fitted("sigmoid")
    expansion = model.expansion()
    expected = np.sign(ROWS @ FAR[2]) @ expansion.axes - expansion.offsets
    np.testing.assert_allclose(model.transform(FAR)[2], expected, rtol=1e-12)


def test_what_overflows_is_named() -> None:
    model, linear = (fitted(kernel, preimage="fixed_point") for kernel in ("poly", "linear"))
    for method in (model.transform, model.reconstruction_error, model.denoise):
        with pytest.raises(ValueError, match="overflow float64 at row 2 of X"):
            method(FAR)
    with pytest.raises(ValueError, match="overflow float32 at row 2 of X"):
        model.transform(np.minimum(FAR, 1e30).astype(np.float32))
    # A linear score may be large, and its square may not.
    with pytest.raises(ValueError, match="overflow float64 at row 2 of X"):
        linear.reconstruction_error(FAR)
    with pytest.raises(ValueError, match="overflow float64 at row 1 of X"):
        linear.inverse_transform([[0, 0, 0], [1e200, 0, 0]])
    for solver in ("dense", "nystrom"):
        model = either(2, kernel="poly", eigen_solver=solver, n_landmarks=5)
        with pytest.raises(ValueError, match=r"Kernel values overflow.*at row 62"):
            model.fit(np.vstack([ROWS, FAR]))
