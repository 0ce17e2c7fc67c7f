"""Denoising of digits: linear PCA against kernel PCA with each pre-image method.

Models are fitted to clean training digits. Parameters are chosen on noisy validation digits, which
are held out from the training digits, as in Mika et al. (1998), Kernel PCA and de-noising in
feature spaces.
"""

from copy import copy
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.metrics import mean_squared_error

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.preimage import LEARNED, learn
from kpca.study.datasets.splits import split_rows, subsample
from kpca.study.seeds import rng_for
from kpca.types import Array, Floats
from workflow.job import script

METHODS = ("pca", "fixed_point", "mds", "ridge")
ALPHA = 0.01
N_TRAIN = 600  # number of training digits per replicate
N_TEST = 200
REPLICATES = 5
N_COMPONENTS = (1, 4, 16, 32, 64, 128, 256)
MULTIPLES = (0.1, 0.3, 1, 3)
SHAPE = (8, 8)
RANGE = 2.0  # range of the grey values, which lie in [−1, 1]
SIGMA = 0.5  # standard deviation of the normal noise
FLIPPED = 0.4  # fraction of pixels that become black or white
COLUMNS = ["noise", "method", "n_components", "multiple", "chosen", "replicate", "mse"]


def gaussian(X: Array, rng: np.random.Generator) -> Array:
    """Add independent noise from N(0, ½²) to every pixel."""
    return X + SIGMA * rng.standard_normal(X.shape)


def speckle(X: Array, rng: np.random.Generator) -> Array:
    """Turn 40 % of the pixels black or white, each with the same probability."""
    black_or_white = rng.choice([-1.0, 1.0], X.shape)
    return np.where(rng.uniform(size=X.shape) < FLIPPED, black_or_white, X)


NOISES = {"gaussian": gaussian, "speckle": speckle}


class Setting(NamedTuple):
    """Options of denoising: method, number of components, and multiple of the median γ."""

    method: str
    n_components: int
    multiple: float


class Digits(NamedTuple):
    """Clean images of one replicate, one per row, and the labels of the test images."""

    fit: Floats
    validation: Floats
    test: Floats
    y_test: Array

    @property
    def train(self) -> Floats:
        """Return all training rows, to which a model is fitted after validation."""
        return np.vstack([self.fit, self.validation])

    def noisy(self, noise: str, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return validation rows and test rows with noise."""
        add = NOISES[noise]
        validation = add(self.validation, rng)
        return validation, add(self.test, rng)


def draw_digits(seed: int, replicate: int) -> Digits:
    """Draw disjoint training and test digits, with a quarter of the training set for validation."""
    X, y = load_digits(return_X_y=True)
    rng = rng_for(seed, "denoising", replicate, "rows")
    rows = subsample(rng, y, N_TRAIN + N_TEST)
    X = X[rows] / 8 - 1
    y = y[rows]
    train, test = split_rows(rng, y, N_TEST / len(rows))
    fit, validation = split_rows(rng, y[train], 0.25)
    return Digits(X[train][fit], X[train][validation], X[test], y[test])


def with_preimage(model: KernelPCA, n_components: int, method: str) -> KernelPCA:
    """Return a copy of a fitted model with its first components and the pre-image ``method``."""
    head = copy(model)
    head.eigenvalues_ = model.eigenvalues_[:n_components]
    head.eigenvectors_ = model.eigenvectors_[:, :n_components]
    head.set_params(preimage=method, alpha=ALPHA)
    if method == LEARNED:
        head.set_params(fit_inverse_transform=True)
        head.X_transformed_fit_, head.dual_coef_ = learn(head.expansion(), head.X_fit_, ALPHA)
    return head


def denoised(models: dict[float, KernelPCA], setting: Setting, X: Floats) -> Floats:
    """Denoise the rows X with one setting; ``models`` has a model per multiple of the median γ."""
    if setting.method == "pca":
        setting = Setting("fixed_point", setting.n_components, 0.0)
    model = models[setting.multiple]
    return with_preimage(model, setting.n_components, setting.method).denoise(X)


def fits(X: Floats) -> dict[float, KernelPCA]:
    """Return a kernel PCA model per multiple of the median γ; 0 stands for the linear kernel."""
    gamma = median_gamma(X)
    k = min(max(N_COMPONENTS), len(X) - 1)
    models = {0.0: KernelPCA(min(k, X.shape[1]), kernel="linear").fit(X)}
    for multiple in MULTIPLES:
        models[multiple] = KernelPCA(k, kernel="rbf", gamma=multiple * gamma).fit(X)
    return models


def outcomes(data: Digits, noisy: dict[str, tuple[Floats, Floats]]) -> pd.DataFrame:
    """Return the test error of each method and m, at the multiple of γ that validation selects."""
    trial = fits(data.fit)
    final = fits(data.train)
    rows = []
    unchanged = Setting("none", 0, np.nan)
    for noise, (_, test) in noisy.items():
        rows.append((noise, *unchanged, np.nan, mean_squared_error(test, data.test)))
    for method, m, (noise, (validation, test)) in product(METHODS, N_COMPONENTS, noisy.items()):
        settings = [Setting(method, m, multiple) for multiple in MULTIPLES]
        if method == "pca":
            if m > data.fit.shape[1]:
                continue
            settings = [Setting(method, m, np.nan)]
        errors = [
            mean_squared_error(denoised(trial, setting, validation), data.validation)
            for setting in settings
        ]
        best = settings[np.argmin(errors)]
        mse = mean_squared_error(denoised(final, best, test), data.test)
        rows.append((noise, *best, min(errors), mse))
    table = pd.DataFrame(rows, columns=["noise", *Setting._fields, "validation", "mse"])
    validated = table.dropna(subset="validation").groupby(["noise", "method"])["validation"]
    return table.assign(chosen=table.index.isin(validated.idxmin()))


@script
def denoising(*, seed: int) -> pd.DataFrame:
    """Return the error by method and number of components, each with γ chosen by validation."""
    tables = []
    for replicate in range(REPLICATES):
        data = draw_digits(seed, replicate)
        noisy = {
            noise: data.noisy(noise, rng_for(seed, "denoising", replicate, noise))
            for noise in NOISES
        }
        tables.append(outcomes(data, noisy).assign(replicate=replicate))
    table = pd.concat(tables)[COLUMNS]
    return table.assign(psnr=10 * np.log10(RANGE**2 / table["mse"]))  # PSNR is in decibels.
