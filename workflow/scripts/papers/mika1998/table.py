"""Reproduce the ratios of Mika et al. (1998): eleven Gaussians, and noise on the USPS digits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t

from kpca import PCA, KernelPCA
from kpca.study.seeds import rng_for
from kpca.types import Array
from workflow.job import script
from workflow.scripts.papers import with_ours
from workflow.scripts.papers.usps import Usps, read_usps

SOURCES = 11
DIMENSION = 10
N_TRAIN = 100
N_TEST = 33
READINGS = {"as stated": 1, "doubled": 2}  # reading of the printed σ → standard deviation / σ
SIGMAS = (0.05, 0.1, 0.2, 0.4, 0.8)
SIZES = range(1, 10)
SPREAD = 10  # Almost any number fits if half of the intervals of a row span a larger factor.
WIDE = f"half of the intervals of this row span more than a factor of {SPREAD}; not counted"
DIGITS = 10
DIGITS_TRAIN = 300
DIGITS_TEST = 50
DIGITS_DRAWS = 5
DIGITS_C = 0.5
GAUSSIAN = 0.5
SPECKLE = 0.4
# Numbers of components with which the paper compares PCA and kernel PCA.
DIGITS_PCA = 32
DIGITS_EQUAL = 256
DIGITS_KERNEL = {"Gaussian noise": 512, "speckle noise": 256}


def gaussians(std: float, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Draw training rows, test rows, and the centre of each test row."""
    centres = rng.uniform(-1, 1, (SOURCES, DIMENSION))
    train, truth = (np.repeat(centres, count, axis=0) for count in (N_TRAIN, N_TEST))
    noise = (std * rng.standard_normal(rows.shape) for rows in (train, truth))
    return train + next(noise), truth + next(noise), truth


def gaussian_kernel(X: Array, c: float, n_components: int) -> KernelPCA:
    """Fit kernel PCA with k(x, y) = exp(−‖x − y‖²/(dc)), where d is the number of features."""
    gamma = 1 / (X.shape[1] * c)
    return KernelPCA(n_components, kernel="rbf", gamma=gamma, preimage="fixed_point").fit(X)


def pca_error(model: PCA, X: Array, truth: Array, m: int) -> float:
    """Return the mean squared distance between the truth and projections on m components."""
    points = model.mean_ + model.transform(X)[:, :m] @ model.components_[:m]
    return np.square(points - truth).sum(axis=1).mean()


def kernel_error(model: KernelPCA, X: Array, truth: Array, m: int) -> float:
    """Return the mean squared distance between the truth and fixed-point pre-images from X."""
    Z = model.transform(X)
    Z[:, m:] = 0
    points = model.find_preimages(Z, X).points
    return np.square(points - truth).sum(axis=1).mean()


def toy_ratios(std: float, sizes: Sequence[int], rng: np.random.Generator) -> list[float]:
    """Return the error of PCA divided by that of kernel PCA in one draw, for each of ``sizes``."""
    X, noisy, truth = gaussians(std, rng)
    pca = PCA(max(sizes)).fit(X)
    kernel = gaussian_kernel(X, 2 * std**2, max(sizes))
    return [pca_error(pca, noisy, truth, m) / kernel_error(kernel, noisy, truth, m) for m in sizes]


def compare(published: pd.DataFrame, drawn: Mapping[str, Any]) -> pd.DataFrame:
    """Return cells with our geometric mean, and a 95 % prediction interval for one more draw.

    The interval is mean ± t s √(1 + 1/R) of the logarithms of R draws, widened by half a unit of
    the last printed digit.
    """
    table = published[published["cell"].isin(drawn)]
    logs = np.log([drawn[cell] for cell in table["cell"]])
    draws = logs.shape[1]
    mean = logs.mean(axis=1)
    half = t.ppf(0.975, draws - 1) * logs.std(axis=1, ddof=1) * np.sqrt(1 + 1 / draws)
    low = np.exp(mean - half) - table["rounding"]
    high = np.exp(mean + half) + table["rounding"]
    compared = with_ours(table, np.exp(mean), low, high)
    notes = f"{draws} draws; " + compared["note"]
    return compared.assign(note=notes.str.removesuffix("; "))


def toy(published: pd.DataFrame, seed: int, draws: int) -> Iterator[pd.DataFrame]:
    """Yield the cells of each row of Table 1, for both readings of the printed σ.

    Rows with equal standard deviations share their draws.
    """
    drawn = {}
    for reading, factor in READINGS.items():
        for sigma in SIGMAS:
            std = factor * sigma
            if std not in drawn:
                rngs = (rng_for(seed, "mika1998", "table 1", str(std), r) for r in range(draws))
                drawn[std] = np.transpose([toy_ratios(std, SIZES, rng) for rng in rngs])
            names = [f"table 1 {reading} sigma={sigma} n={size}" for size in SIZES]
            row = compare(published, dict(zip(names, drawn[std], strict=True)))
            if (row["high"] / row["low"]).median() > SPREAD:
                row["note"] += f"; {WIDE}"
            yield row


def noisy_digits(X: Array, noise: str, rng: np.random.Generator) -> Array:
    """Add Gaussian noise, or turn pixels black or white, each with probability `SPECKLE` / 2."""
    if noise == "Gaussian noise":
        return X + GAUSSIAN * rng.standard_normal(X.shape)
    chance = rng.random(X.shape)
    return np.select([chance < SPECKLE / 2, chance < SPECKLE], [-1.0, 1.0], X)


def chosen(y: Array, count: int, rng: np.random.Generator) -> Array:
    """Draw ``count`` rows of each digit."""
    rows = [rng.choice(np.flatnonzero(y == d), count, replace=False) for d in range(DIGITS)]
    return np.concatenate(rows)


def digits_ratios(images: Usps, rng: np.random.Generator) -> dict[str, float]:
    """Return the error of PCA divided by that of kernel PCA, per noise.

    The item "equal components" is the largest such ratio if both have `DIGITS_EQUAL` components.
    """
    X = images.X_train[chosen(images.y_train, DIGITS_TRAIN, rng)].astype(float)
    truth = images.X_test[chosen(images.y_test, DIGITS_TEST, rng)].astype(float)
    kernel = gaussian_kernel(X, DIGITS_C, max(DIGITS_KERNEL.values()))
    pca = PCA(DIGITS_EQUAL).fit(X)
    ratios = {}
    equal = []
    for noise, m in DIGITS_KERNEL.items():
        rows = noisy_digits(truth, noise, rng)
        errors = {k: kernel_error(kernel, rows, truth, k) for k in {m, DIGITS_EQUAL}}
        ratios[noise] = pca_error(pca, rows, truth, DIGITS_PCA) / errors[m]
        equal.append(pca_error(pca, rows, truth, DIGITS_EQUAL) / errors[DIGITS_EQUAL])
    return ratios | {"equal components": max(equal)}


@script
def table(published: pd.DataFrame, usps: Sequence[str], *, seed: int, draws: int) -> pd.DataFrame:
    """Return the cells of Table 1, and of the digits if ``usps`` has images (see `compare`)."""
    parts = [*toy(published, seed, draws)]
    for reading in ("plain", "smoothed") if usps else ():
        images = read_usps(usps, reading)
        rngs = (rng_for(seed, "mika1998", "digits", r) for r in range(DIGITS_DRAWS))
        ratios = pd.DataFrame([digits_ratios(images, rng) for rng in rngs])
        drawn = {f"digits {reading} {name}": values for name, values in ratios.items()}
        parts.append(compare(published, drawn))
    return pd.concat(parts)
