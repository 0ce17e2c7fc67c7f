"""The subspace of a model written out, and rows far beyond the training points."""

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA, exact_residuals
from kpca.eigensolvers.solve import SOLVERS
from tests.kpca.estimators import either
from tests.kpca.naive import OF_DISTANCE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5)) + 0.3
NEW = RNG.normal(size=(9, 5))
WEIGHTS = RNG.integers(0, 3, 60).astype(float)
ROWS = RNG.normal(size=(60, 4))
FRESH = RNG.normal(size=(5, 4))
FAR = FRESH.copy()
FAR[2] = 1e200
MODELS = {
    "exact": {},
    "uncentred": {"center": False},
    "landmarks": {"eigen_solver": "nystrom", "n_landmarks": 20},
}


@pytest.fixture(params=[(name, weighted) for name in MODELS for weighted in (False, True)], ids=str)
def expansion(request):
    """Of the linear kernel, whose feature space is the input space."""
    name, weighted = request.param
    model = either(3, kernel="linear", **MODELS[name])
    return model.fit(X, sample_weight=WEIGHTS if weighted else None).expansion()


def written_out(expansion):
    """The axes, one a column, and the mean."""
    return expansion.source.X.T @ expansion.axes, expansion.source.X.T @ expansion.mean


def test_axes_are_orthonormal_and_scores_are_projections_on_them(expansion):
    axes, mean = written_out(expansion)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(expansion.scores(NEW), (NEW - mean) @ axes, atol=1e-10)
    points = expansion.source.X
    np.testing.assert_allclose(expansion.point_scores, (points - mean) @ axes, atol=1e-10)
    assert (expansion.eigenvectors is None) == (len(points) < len(X))


def test_distances_are_those_of_the_points_in_feature_space(expansion):
    axes, mean = written_out(expansion)
    Z = RNG.normal(size=(9, 3))
    points = expansion.source.X
    P = mean + Z @ axes.T
    np.testing.assert_allclose(expansion.coefficients(Z) @ points, P, atol=1e-10)
    np.testing.assert_allclose(expansion.squared_norms(Z), (P**2).sum(axis=1), atol=1e-10)
    apart = np.square(P[:, None] - points).sum(axis=2)
    np.testing.assert_allclose(expansion.point_distances(Z), apart, atol=1e-10)
    beside = np.square(P - NEW).sum(axis=1)
    np.testing.assert_allclose(expansion.distances(Z, NEW), beside, atol=1e-10)
    outside = np.square((NEW - mean) - (NEW - mean) @ axes @ axes.T).sum(axis=1)
    np.testing.assert_allclose(expansion.squared_distances(NEW), outside, atol=1e-10)


def fitted(kernel, **options):
    return either(3, kernel=kernel, gamma=0.3, indefinite="clip", **options).fit(ROWS)


@pytest.mark.parametrize("kernel", [*OF_DISTANCE, "linear", "sigmoid"])
@pytest.mark.parametrize("solver", ["auto", "nystrom"])
def test_a_row_far_from_all_has_scores_of_the_limit(kernel, solver):
    """A linear score may be large, and values of the sigmoid are its ends."""
    if (kernel, solver) == ("sigmoid", "nystrom"):
        pytest.skip("landmarks need a semidefinite kernel")
    model = fitted(kernel, eigen_solver=solver, n_landmarks=20)
    expansion = model.expansion()
    others = [0, 1, 3, 4]
    scores = model.transform(FAR)
    ordinary = model.transform(FRESH)
    np.testing.assert_allclose(scores[others], ordinary[others], rtol=1e-12)
    products = expansion.source.X @ FAR[2]
    limits = {"linear": products, "sigmoid": np.sign(products)}
    values = limits.get(kernel, np.zeros(len(products)))
    expected = values @ expansion.axes - expansion.offsets
    np.testing.assert_allclose(scores[2], expected, rtol=1e-12)
    if kernel in OF_DISTANCE:
        error = 1 + expansion.mean @ expansion.mean_values - scores[2] @ scores[2]
        np.testing.assert_allclose(model.reconstruction_error(FAR)[2], error, rtol=1e-12)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("kernel", "solver"),
    [
        *(("linear", solver) for solver in SOLVERS),
        *((kernel, "auto") for kernel in (*OF_DISTANCE, "anova")),
    ],
)
def test_a_mean_far_from_the_origin_costs_no_digits(kernel, solver, weighted, form):
    """Sparse points stay sparse: columns that are nearly full have far means alone."""
    near = np.round(np.vstack([ROWS, FRESH]) * 64) / 64  # The sums below are then exact.
    near[::2, 0] = near[1:, 1] = 0
    far = near + np.array([0, 0, 2.0**26, -(2.0**27)])
    weights = np.arange(60) % 3 if weighted else None
    options = {"kernel": kernel, "gamma": 0.3, "preimage": "fixed_point", "eigen_solver": solver}
    expected = KernelPCA(3, **options).fit(near[:60], sample_weight=weights)
    model = KernelPCA(3, **options).fit(form(far[:60]), sample_weight=weights)
    for name in ("eigenvalues_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(model, name), getattr(expected, name), rtol=1e-9)
    assert exact_residuals(model, far[:60]).max() <= 1e-8
    for method in ("transform", "reconstruction_error"):
        values = getattr(expected, method)(near[60:])
        for rows in (form(far[60:]), far[60:]):
            np.testing.assert_allclose(getattr(model, method)(rows), values, atol=1e-8)
    gram = model.expansion().operator().gram
    assert sparse.issparse(gram.kernel.left(gram.X)) == sparse.issparse(model.X_fit_)
