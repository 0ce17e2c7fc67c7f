"""How many landmarks are enough: errors of approximation and the error of sampling."""

from collections.abc import Iterator, Sequence

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
from workflow.job import script

MEASURES = ("eigenvalues", "subspace")


class Exact:
    """Points with their exact eigenpairs, and a model to be fitted."""

    def __init__(self, X: Floats, k: int) -> None:
        model = KernelPCA(k, kernel="rbf", gamma=median_gamma(X), remove_zero_eig=True).fit(X)
        self.X = X
        self.values = model.eigenvalues_
        self.vectors = model.eigenvectors_
        self.model: KernelPCA = clone(model).set_params(n_components=len(self.values))

    def eigenvalue_error(self, values: Floats) -> float:
        """Return the largest |λ̂_j/λ_j − 1|."""
        return float(np.abs(values / self.values[: len(values)] - 1).max())

    def subspace_error(self, vectors: Floats) -> float:
        """Return the root mean square sine of the principal angles between two spans."""
        basis = np.linalg.qr(vectors)[0]
        rest = basis - self.vectors @ (self.vectors.T @ basis)
        return float(np.linalg.norm(rest) / np.sqrt(basis.shape[1]))


def enough_landmarks(errors: pd.DataFrame, sampling: pd.DataFrame) -> pd.DataFrame:
    """Return from which m on the median error stays below a tenth of the median sampling error."""
    rows = []
    for (data, method), group in errors.groupby(["data", "method"], sort=False):
        levels = sampling.loc[sampling["data"] == data, [*MEASURES]].median()
        medians = group.groupby("m")[[*MEASURES]].median()
        for measure in MEASURES:
            small = (medians[measure] <= levels[measure] / 10)[::-1].cummin()[::-1]  # and stays so
            m = small.idxmax() if small.any() else pd.NA
            rows.append((data, method, measure, levels[measure], m))
    table = pd.DataFrame(rows, columns=["data", "method", "measure", "sampling", "m"])
    return table.astype({"m": "Int64"})


def _points(datasets: Sequence[str], seed: int, n: int) -> dict[str, Floats]:
    """Return training rows of some files, or a Swiss roll and the digits."""
    if datasets:
        rows = {of.name: of.split(0).X_train for of in map(load_dataset, datasets)}
        return {name: X[sample(len(X), n)] for name, X in rows.items()}
    roll = swiss_roll(n, rng_for(seed, "large_n", "swiss_roll"), noise=0.3).X
    digits = read_builtin("digits", {"sklearn": "digits"}).X[:n]
    return {"swiss_roll": roll / roll.std(axis=0), "digits": digits / 8 - 1}


def _errors(exact: Exact, m: int, seed: int) -> Iterator[tuple[str, float, float]]:
    """Yield each choice of landmarks, and random Fourier features, with its errors."""
    for method in LANDMARKS:
        model = LandmarkKernelPCA(
            len(exact.values),
            kernel="rbf",
            gamma=exact.model.gamma,
            n_landmarks=m,
            landmarks=method,
            remove_zero_eig=True,
            random_state=seed,
        ).fit(exact.X)
        values = model.eigenvalues_
        vectors = model.eigenvectors_
        yield method, exact.eigenvalue_error(values), exact.subspace_error(vectors)
    features = RBFSampler(gamma=exact.model.gamma, n_components=m, random_state=seed)
    Z = features.fit_transform(exact.X)
    k = min(len(exact.values), m)
    vectors, singular, _ = svds(Z - Z.mean(axis=0), k, random_state=seed)
    values = np.asarray(singular[::-1] ** 2, dtype=float)
    yield "fourier", exact.eigenvalue_error(values), exact.subspace_error(vectors)


def _bootstrap(exact: Exact, seed: int, bootstraps: int) -> Iterator[tuple[int, float, float]]:
    """Draw the points again with replacement, and see what becomes of their own embedding."""
    n = len(exact.X)
    for replicate in range(bootstraps):
        rng = rng_for(seed, "large_n", "bootstrap", replicate)
        weights = rng.multinomial(n, np.full(n, 1 / n))
        model = clone(exact.model).fit(exact.X, sample_weight=weights)
        scores = model.transform(exact.X)
        spread = scores - scores.mean(axis=0)
        yield replicate, exact.eigenvalue_error(model.eigenvalues_), exact.subspace_error(spread)


@script
def landmarks(
    *,
    seed: int,
    datasets: Sequence[str] = (),
    replicates: int = 5,
    bootstraps: int = 20,
    n_components: int = 10,
    n_landmarks: Sequence[int] = (25, 50, 100, 200, 400, 800),
    n_points: int = 2000,
) -> dict[str, pd.DataFrame]:
    """Return errors by number of landmarks, errors of sampling, and how many are enough."""
    errors = []
    sampling = []
    for data, X in _points(datasets, seed, n_points).items():
        exact = Exact(X, min(n_components, len(X) - 1))
        for m in (size for size in n_landmarks if size < len(X)):
            for replicate in range(replicates):
                replicate_seed = seed_for(seed, "large_n", data, m, replicate)
                for method, *method_errors in _errors(exact, m, replicate_seed):
                    errors.append((data, method, m, replicate, *method_errors))
        sampling += [(data, *drawn) for drawn in _bootstrap(exact, seed, bootstraps)]
    table = pd.DataFrame(errors, columns=["data", "method", "m", "replicate", *MEASURES])
    spread = pd.DataFrame(sampling, columns=["data", "replicate", *MEASURES])
    return {"errors": table, "sampling": spread, "enough": enough_landmarks(table, spread)}
