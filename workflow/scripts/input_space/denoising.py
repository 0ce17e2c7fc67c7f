"""Denoising of digits: linear PCA against kernel PCA with each pre-image method.

Models are fitted to clean training digits, and parameters are chosen with noisy validation digits
held out of them, as in Mika et al. (1998), Kernel PCA and de-noising in feature spaces.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.preimage import LEARNED, learn
from kpca.study.datasets.splits import split_rows, subsample
from kpca.study.seeds import rng_for
from workflow.job import script

METHODS = ("pca", "fixed_point", "mds", "ridge")
ALPHA = 0.01
N_TRAIN = 600  # digits of each replicate
N_TEST = 200
SIDES = ("validation", "test")
SHAPE = (8, 8)
RANGE = 2.0  # of the grey values, which lie in [−1, 1]
SIGMA = 0.5  # of normal noise
FLIPPED = 0.4  # share of pixels that become black or white
COLUMNS = ["noise", "method", "n_components", "multiple", "chosen", "replicate", "mse"]


def gaussian(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Add independent N(0, ½²) to every pixel."""
    return X + SIGMA * rng.standard_normal(X.shape)


def speckle(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turn 40 % of the pixels black or white, each with the same probability."""
    black_or_white = rng.choice([-1.0, 1.0], X.shape)
    return np.where(rng.uniform(size=X.shape) < FLIPPED, black_or_white, X)


NOISES = {"gaussian": gaussian, "speckle": speckle}


class Digits(NamedTuple):
    """Clean rows of one replicate, and the digits of the test rows; ``train`` holds ``fit``."""

    fit: np.ndarray
    validation: np.ndarray
    train: np.ndarray
    test: np.ndarray
    y_test: np.ndarray


def draw_digits(
    seed: int, replicate: int, *, n_train: int = N_TRAIN, n_test: int = N_TEST
) -> Digits:
    """Draw training and test digits without overlap, a quarter of the former for validation."""
    X, y = load_digits(return_X_y=True)
    rng = rng_for(seed, "denoising", replicate, "rows")
    rows = subsample(rng, y, n_train + n_test)
    train, test = split_rows(rng, y[rows], n_test / len(rows))
    fit, validation = split_rows(rng, y[rows][train], 0.25)
    X = X[rows] / 8 - 1
    y = y[rows]
    fitted = X[train][fit]
    held_out = X[train][validation]
    return Digits(fitted, held_out, np.vstack([fitted, held_out]), X[test], y[test])


def with_preimage(
    model: KernelPCA, n_components: int, method: str, alpha: float = 1.0
) -> KernelPCA:
    """Return a fitted model with its leading components only, and another pre-image method."""
    head = copy(model)
    head.eigenvalues_ = model.eigenvalues_[:n_components]
    head.eigenvectors_ = model.eigenvectors_[:, :n_components]
    head.set_params(preimage=method, alpha=alpha)
    if method == LEARNED:
        head.set_params(fit_inverse_transform=True)
        head.X_transformed_fit_, head.dual_coef_ = learn(head.expansion(), head.X_fit_, alpha)
    return head


def denoised(
    models: dict[float, KernelPCA], method: str, multiple: float, m: int, X: np.ndarray
) -> np.ndarray:
    """Return the rows that one setting makes of noisy ones."""
    if method == "pca":
        method = "fixed_point"
        multiple = 0.0
    return with_preimage(models[multiple], m, method, ALPHA).denoise(X)


def fits(X: np.ndarray, multiples: Sequence[float], n_components: int) -> dict[float, KernelPCA]:
    """Fit the Gaussian kernel at each multiple of the median γ; 0 is the linear kernel."""
    gamma = median_gamma(X)
    k = min(n_components, len(X) - 1)
    models = {0.0: KernelPCA(min(k, X.shape[1]), kernel="linear").fit(X)}
    for multiple in multiples:
        models[multiple] = KernelPCA(k, kernel="rbf", gamma=multiple * gamma).fit(X)
    return models


def _outcomes(
    data: Digits,
    noisy: dict[str, np.ndarray],
    n_components: Sequence[int],
    multiples: Sequence[float],
) -> Iterator[tuple[str, str, int, float, bool, float]]:
    """Yield noise, method, m, multiple, whether m is the chosen one, and the error of test rows."""
    clean = {side: getattr(data, side) for side in SIDES}
    yield from ((n, "none", 0, np.nan, False, e) for n, e in _errors(noisy["test"], clean["test"]))
    trial = fits(data.fit, multiples, max(n_components))
    final = fits(data.train, multiples, max(n_components))
    for method in METHODS:
        tried = [np.nan] if method == "pca" else multiples
        sizes = [m for m in n_components if method != "pca" or m <= data.fit.shape[1]]
        best: dict[str, dict[int, tuple[float, float]]] = {noise: {} for noise in NOISES}
        for m, multiple in product(sizes, tried):
            rows = denoised(trial, method, multiple, m, noisy["validation"])
            for noise, error in _errors(rows, clean["validation"]):
                best[noise][m] = min(best[noise].get(m, (np.inf, multiple)), (error, multiple))
        chosen = {noise: min(of, key=lambda m: of[m][0]) for noise, of in best.items()}
        for m in sizes:
            for multiple in dict.fromkeys(best[noise][m][1] for noise in NOISES):
                rows = denoised(final, method, multiple, m, noisy["test"])
                for noise, error in _errors(rows, clean["test"]):
                    if best[noise][m][1] is multiple:
                        yield noise, method, m, multiple, m == chosen[noise], error


def _errors(points: np.ndarray, clean: np.ndarray) -> Iterator[tuple[str, float]]:
    for noise, rows in zip(NOISES, np.split(points, len(NOISES)), strict=True):
        yield noise, float(np.square(rows - clean).mean())


@script
def denoising(
    *,
    seed: int,
    replicates: int = 5,
    n_train: int = N_TRAIN,
    n_test: int = N_TEST,
    n_components: Sequence[int] = (1, 4, 16, 32, 64, 128, 256),
    multiples: Sequence[float] = (0.1, 0.3, 1, 3),
) -> pd.DataFrame:
    """Return the error of every method over the number of components, γ chosen for each."""
    rows = []
    for replicate in range(replicates):
        data = draw_digits(seed, replicate, n_train=n_train, n_test=n_test)
        rngs = {noise: rng_for(seed, "denoising", replicate, noise) for noise in NOISES}
        noisy = {
            side: np.vstack([add(getattr(data, side), rngs[name]) for name, add in NOISES.items()])
            for side in SIDES
        }
        for *setting, mse in _outcomes(data, noisy, n_components, multiples):
            rows.append((*setting, replicate, mse))
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(psnr=10 * np.log10(RANGE**2 / table["mse"]))  # in decibels
