"""How many landmarks are enough: errors of approximation and the error of sampling."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy.sparse.linalg import svds
from sklearn.base import clone
from sklearn.kernel_approximation import RBFSampler

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.landmark_kernel_pca import LandmarkKernelPCA
from kpca.nystrom.landmarks import LANDMARKS
from kpca.study.datasets.dataset import load_dataset
from kpca.study.datasets.generators import swiss_roll
from kpca.study.datasets.sources import read_builtin
from kpca.study.seeds import rng_for, sample, seed_for
from kpca.types import Floats
from workflow.job import Tables, script

N_POINTS = 2000
N_COMPONENTS = 10
N_LANDMARKS = (25, 50, 100, 200, 400, 800)
REPLICATES = 5
BOOTSTRAPS = 20
MEASURES = ["eigenvalues", "subspace"]


def exact_fit(X: Floats, k: int) -> KernelPCA:
    """Fit at most k components at the median γ, without those of eigenvalue 0."""
    return KernelPCA(k, kernel="rbf", gamma=median_gamma(X), remove_zero_eig=True).fit(X)


def errors_of(exact: KernelPCA, values: Floats, vectors: Floats) -> tuple[float, float]:
    """Return the largest |λ̂_j/λ_j − 1|, and the error of the span of the eigenvectors.

    The error of a span is the root mean square sine of the principal angles to the exact span.
    """
    relative = np.abs(values / exact.eigenvalues_[: len(values)] - 1)
    basis = np.linalg.qr(vectors)[0]
    rest = basis - exact.eigenvectors_ @ (exact.eigenvectors_.T @ basis)
    return relative.max(), np.linalg.norm(rest) / np.sqrt(basis.shape[1])


def enough_landmarks(errors: pd.DataFrame, sampling: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest m for which the median error stays below a tenth of the sampling error.

    Medians are over replicates, and for the sampling error over bootstrap samples.
    """
    rows = []
    for (data, method), group in errors.groupby(["data", "method"], sort=False):
        levels = sampling.loc[sampling["data"] == data, MEASURES].median()
        medians = group.groupby("m")[MEASURES].median()
        for measure in MEASURES:
            # The error must stay small for larger numbers of landmarks, too.
            small = (medians[measure] <= levels[measure] / 10)[::-1].cummin()[::-1]
            m = small.idxmax() if small.any() else pd.NA
            rows.append((data, method, measure, levels[measure], m))
    table = pd.DataFrame(rows, columns=["data", "method", "measure", "sampling", "m"])
    return table.astype({"m": "Int64"})


def _points(datasets: Sequence[str], seed: int) -> dict[str, Floats]:
    """Return the training rows of ``datasets``, or a Swiss roll and digits if there are none."""
    if datasets:
        rows = {of.name: of.split(0).X_train for of in map(load_dataset, datasets)}
        return {name: X[sample(len(X), N_POINTS)] for name, X in rows.items()}
    roll = swiss_roll(N_POINTS, rng_for(seed, "large_n", "swiss_roll"), noise=0.3).X
    digits = read_builtin("digits", {"sklearn": "digits"}).X[:N_POINTS]
    return {"swiss_roll": roll / roll.std(axis=0), "digits": digits / 8 - 1}


def _approximations(exact: KernelPCA, m: int, seed: int) -> Iterator[tuple[str, Floats, Floats]]:
    """Yield the eigenpairs of each choice of landmarks, and of random Fourier features."""
    X = exact.X_fit_
    k = len(exact.eigenvalues_)
    model = LandmarkKernelPCA(k, kernel="rbf", gamma=exact.gamma, remove_zero_eig=True)
    model.set_params(n_landmarks=m, random_state=seed)
    for method in LANDMARKS:
        model.set_params(landmarks=method).fit(X)
        yield method, model.eigenvalues_, model.eigenvectors_
    Z = RBFSampler(gamma=exact.gamma, n_components=m, random_state=seed).fit_transform(X)
    vectors, singular, _ = svds(Z - Z.mean(axis=0), min(k, m), random_state=seed)
    yield "fourier", np.asarray(singular[::-1] ** 2, dtype=float), vectors


def _resampled(exact: KernelPCA, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Fit a bootstrap sample of the points; return its eigenvalues, and scores of all points."""
    n = len(exact.X_fit_)
    model = clone(exact).set_params(n_components=len(exact.eigenvalues_))
    model.fit(exact.X_fit_, sample_weight=rng.multinomial(n, np.full(n, 1 / n)))
    scores = model.transform(exact.X_fit_)
    return model.eigenvalues_, scores - scores.mean(axis=0)


@script
def landmarks(*, seed: int, datasets: Sequence[str] = ()) -> Tables:
    """Return errors by number of landmarks, errors of sampling, and how many are enough."""
    errors = []
    sampling = []
    for data, X in _points(datasets, seed).items():
        exact = exact_fit(X, min(N_COMPONENTS, len(X) - 1))
        sizes = [m for m in N_LANDMARKS if m < len(X)]
        for m, replicate in product(sizes, range(REPLICATES)):
            replicate_seed = seed_for(seed, "large_n", data, m, replicate)
            for method, *pairs in _approximations(exact, m, replicate_seed):
                errors.append((data, method, m, replicate, *errors_of(exact, *pairs)))
        for replicate in range(BOOTSTRAPS):
            rng = rng_for(seed, "large_n", "bootstrap", replicate)
            sampling.append((data, replicate, *errors_of(exact, *_resampled(exact, rng))))
    table = pd.DataFrame(errors, columns=["data", "method", "m", "replicate", *MEASURES])
    spread = pd.DataFrame(sampling, columns=["data", "replicate", *MEASURES])
    return {"errors": table, "sampling": spread, "enough": enough_landmarks(table, spread)}
