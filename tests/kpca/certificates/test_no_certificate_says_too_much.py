"""On random problems no bound is too small, nothing proven is wrong, and little stays open."""

import os
import warnings
from dataclasses import replace

import numpy as np
import pytest

from kpca import KernelPCA, LandmarkKernelPCA
from kpca.eigensolvers import davidson
from tests.kpca import naive
from tests.kpca.estimators import either

PSD = ("auto", "dense", "arpack", "davidson", "randomized")
ANY = tuple(solver for solver in PSD if solver != "davidson")
KERNELS = (*naive.KERNELS, "rbf", "precomputed")


def points(rng, n):
    """Clouds, lattices, repeated points, clusters and lines, of scales from 1e-6 to 1e6."""
    d = int(rng.integers(1, 7))
    X = rng.normal(size=(n, d))
    kind = rng.choice(["cloud", "lattice", "repeated", "clusters", "line"])
    if kind == "lattice":
        X = rng.integers(0, 4, (n, d)).astype(float)
    elif kind == "repeated":
        X = X[rng.integers(0, min(n, max(2, n // 3)), n)]
    elif kind == "clusters":
        X = 0.05 * X + rng.integers(0, 3, (n, 1))
    elif kind == "line":
        X = X[:, :1] @ rng.normal(size=(1, d))
    return X * 10.0 ** rng.integers(-6, 7) if rng.random() < 0.3 else X


def matrix(rng, n):
    """A kernel matrix of random spectrum, indefinite in two of five cases."""
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    spectrum = rng.exponential(size=n) ** 3
    if rng.random() < 0.4:
        spectrum[:3] *= -0.1
    K = (Q * spectrum) @ Q.T
    return (K + K.T) / 2


def problem(seed):
    """Draw points or a matrix, weights, and an estimator with random options."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 160))
    kernel = str(rng.choice(KERNELS))
    X = matrix(rng, n) if kernel == "precomputed" else points(rng, n)
    apart = ((X[:40, None] - X[None, :40]) ** 2).sum(axis=-1)
    typical = np.median(apart[apart > 0]) if apart.any() else 1.0
    indefinite = kernel in ("sigmoid", "precomputed")
    solvers = ANY if indefinite else PSD
    if kernel in ("linear", "poly"):
        solvers = (*solvers, "primal")
    solver = str(rng.choice(solvers))
    kind = rng.random()
    number = int(rng.integers(1, max(2, min(n, 30))))
    if kind > 0.7:
        number = None if kind > 0.9 else float(rng.uniform(0.3, 0.99))
    weights = None
    if rng.random() < 0.3:
        weights = rng.integers(0, 4, n).astype(float)
        weights[:2] = 1
    limited = rng.random() < 0.2 and solver != "auto"
    model = KernelPCA(
        number,
        kernel=kernel,
        gamma=float(10 ** rng.uniform(-1.5, 1.5) / typical),
        degree=int(rng.integers(2, 4)),
        coef0=float(rng.integers(0, 2)),
        eigen_solver=solver,
        tol=float(rng.choice([0, 1e-6, 1e-10])),
        max_iter=int(rng.integers(1, 6)) if limited else None,
        center=bool(rng.random() < 0.85),
        indefinite="clip",
    )
    return X, weights, model


def rounding(X, K, weights, model):
    """What float64 may make of the kernel matrix: n eps max |K|, and the arguments of functions."""
    largest = float(np.abs(K).max()) * (1.0 if weights is None else float(weights.max()))
    argument = 40.0
    if model.kernel in naive.KERNELS and naive.KERNELS[model.kernel].by_differences:
        power = naive.KERNELS[model.kernel].median_power or 2
        argument += float(model.gamma * np.abs(X).max() ** power)
    if model.kernel in ("sigmoid", "poly"):
        argument += float(np.abs(np.arctanh(np.clip(K.astype(float), -0.9999, 0.9999))).max())
    return argument * len(K) * float(np.finfo(np.float64).eps) * largest


def score_error(model, spectrum, axes, group):
    """Return the distance of a group of scores, rotated, from those of the true eigenpairs."""
    scores = model.eigenvectors_[:, group] * np.sqrt(model.eigenvalues_[group])
    true = axes[:, group] * np.sqrt(np.maximum(spectrum[group], 0))
    U, _, Vt = np.linalg.svd(true.T @ scores)
    return float(np.linalg.norm(scores - true @ (U @ Vt)))


def checked_fit(seed, **options):
    """Fit a random problem, and see that whatever is claimed is true."""
    X, weights, model = problem(seed)
    model = either(**(model.get_params() | options))
    with warnings.catch_warnings(action="ignore"):
        model.fit(X, sample_weight=weights)
    plain = naive.kernel_matrix_of(model, X)
    slack = rounding(X, plain, weights, model)
    K = naive.centred(plain, weights, bool(model.center))
    spectrum, axes = np.linalg.eigh(K.astype(float))
    spectrum = spectrum[::-1]
    axes = axes[:, ::-1]
    values = model.eigenvalues_
    k = len(values)
    top = float(values.max(initial=0))
    unit = top or float(np.abs(np.diag(K)).sum())
    norms = naive.residual_norms(K, values, model.eigenvectors_).astype(float)
    factor = 2 if model.solver_.name == "davidson" else 1  # an estimate
    assert not (norms > factor * model.residuals_ * unit + slack).any(), f"{seed}: {norms}"
    bounds = model.residual_bounds_ * unit
    assert not (norms > bounds + slack).any(), f"{seed}: residuals {norms}, not {bounds}"
    positive = values > 0
    vectors = model.eigenvectors_[:, positive]
    if weights is None:
        scale = np.sqrt(values[positive])
        errors = abs(model.transform(X)[:, positive] - vectors * scale)
        assert (errors <= (bounds[positive] + slack) / scale).all(), f"{seed}: scores off"
    for number in set(model.eigenvalue_groups_.tolist()):
        group = np.flatnonzero(model.eigenvalue_groups_ == number)
        bound = float(model.score_error_bounds_[group[0]]) * np.sqrt(unit)
        if not np.isfinite(bound):
            continue
        # The reference has errors of its own, over the distance to the other eigenvalues.
        apart = np.abs(spectrum[group, None] - np.delete(spectrum, group)).min(initial=np.inf)
        bound += slack / apart * np.sqrt(spectrum[0]) + slack / np.sqrt(values[group[-1]])
        error = score_error(model, spectrum, axes, group)
        assert error <= bound, f"{seed}: scores of {group} are {error:.2e} off, not {bound:.2e}"
    claim = model.completeness_
    if claim.status != "open":
        beyond = spectrum[k:].max(initial=-np.inf)
        assert beyond <= claim.bound + slack, f"{seed}: {claim}, but {beyond:.6g} is"
        apart = np.abs(values - np.maximum(spectrum[:k], 0)).max(initial=0)
        tolerance = (model.tol or 1e-8) * top + slack
        assert apart <= np.linalg.norm(bounds) + tolerance, f"{seed}: values {apart:.2e} off"
    least = spectrum[-1] + slack
    assert least >= model.definiteness_.bound, f"{seed}: {model.definiteness_}, but {least:.6g}"
    if isinstance(model, LandmarkKernelPCA):
        true = spectrum[:k]
        row_weights = np.ones(len(X)) if weights is None else weights
        slack += 1e-12 * float(row_weights @ np.diag(plain))  # Smaller values count as zero.
        assert (values <= true + slack).all(), f"{seed}: {values} above {true}"
        assert (true <= values + model.trace_error_ + slack).all(), f"{seed}: {values} below {true}"
        low, high = model.explained_variance_bounds_ * np.trace(K)
        slack += 1e-7 * unit
        assert ((low <= true + slack) & (true <= high + slack)).all(), f"{seed}: {low}, {high}"
    else:
        products = vectors.T @ vectors
        np.testing.assert_allclose(products, np.eye(len(products)), atol=1e-10)
    return model


PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "120"))
"""Of `make test`; `make test-all` has 10 000."""


def checked(options):
    """Fit all problems for which there are options, and see that no claim is wrong."""
    fitted = []
    for seed in range(PROBLEMS):
        changed = options(seed)
        if changed is not None:
            fitted.append(checked_fit(seed, **changed))
    return fitted


def bounded(models):
    """Return the share of the first components that have a bound on their scores."""
    return float(np.isfinite(np.concatenate([m.score_error_bounds_[:1] for m in models])).mean())


def test_no_certificate_says_more_than_it_knows():
    models = checked(lambda seed: {})
    statuses = [model.completeness_.status for model in models]
    assert statuses.count("open") <= 0.05 * PROBLEMS
    assert bounded(models) > 0.8


def test_nor_do_landmarks():
    def options(seed):
        X, _, model = problem(seed)
        if model.kernel == "sigmoid" or not isinstance(model.n_components, int):
            return None
        if model.kernel == "precomputed" and np.linalg.eigvalsh(X)[0] < 0:
            return None
        landmarks = ["uniform", "rpcholesky"][seed % 2]
        number = max(model.n_components, len(X) * 2 // 3)
        return {"eigen_solver": "nystrom", "landmarks": landmarks, "n_landmarks": number}

    assert bounded(checked(options)) > 0.3


@pytest.mark.parametrize("solver", ["davidson", "randomized"])
def test_nor_after_restarts(solver, monkeypatch):
    """As with many points: searches restart as soon as they can, and random vectors decide."""
    restless = replace(davidson.OPTIONS, spare_columns=1, stalled_products=2)
    monkeypatch.setattr(davidson, "OPTIONS", restless)
    for module in ("certificates.decomposition", "kernel_pca"):
        monkeypatch.setattr(f"kpca.{module}.READ", 0)

    def options(seed):
        return {"eigen_solver": solver} if problem(seed)[-1].eigen_solver == solver else None

    models = checked(options)
    assert len(models) >= PROBLEMS / 100
    assert "random vectors" in {model.completeness_.method for model in models}


def test_a_weight_beside_which_all_others_vanish_proves_nothing_false():
    X = np.random.default_rng(0).standard_normal((300, 4))
    weights = np.ones(300)
    weights[5] = 1e18
    model = KernelPCA(3, kernel="rbf", gamma=0.25, eigen_solver="dense")
    with pytest.warns(UserWarning, match="row 5"):
        model.fit(X, sample_weight=weights)
    K = naive.kernel_matrix_of(model, X)
    about = K - K[5] - K[5][:, None] + K[5, 5]  # the mean is x_5
    assert np.linalg.eigvalsh(about.astype(float))[-1] <= model.completeness_.bound
