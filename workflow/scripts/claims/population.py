"""Eigenvalues of a sample against those of the population, which are known for one kernel.

For x ~ N(0, 1) and k(x, y) = exp(−(x − y)²) the operator of the kernel has the eigenvalues 1/2,
1/4, 1/8 and so on, without centring. The variance of new samples along an axis is an integral of
normal densities, so that no test sample is needed.

References
----------
Zhu, Williams, Rohwer and Morciniec (1998), Gaussian regression and optimal finite dimensional
linear models. Rasmussen and Williams (2006), Gaussian processes for machine learning, section
4.3.1. Shawe-Taylor, Williams, Cristianini and Kandola (2005), On the eigenspectrum of the Gram
matrix and the generalization error of kernel-PCA, IEEE Trans. Inf. Theory 51, theorem 1.
"""

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.claims.claim import Case, averaged, spanned

K, GAMMA, DELTA, DRAWS = 5, 1.0, 0.05, 40
SIZES = (50, 100, 200, 400, 800)
SMALL = SIZES[:3]  # where the bias, of the order 1/n, exceeds its error in 40 draws


def eigenvalues(k: int, gamma: float = GAMMA) -> Floats:
    """Return the k leading eigenvalues of the Gaussian kernel under the normal distribution.

    >>> eigenvalues(3)
    array([0.5  , 0.25 , 0.125])
    """
    total = 0.25 + gamma + np.sqrt(0.0625 + gamma / 2)
    return np.asarray(np.sqrt(0.5 / total) * (gamma / total) ** np.arange(k))


def new_variances(model: KernelPCA) -> Floats:
    """Return the mean square of each score of x ~ N(0, 1), a new sample."""
    x, gamma = model.X_fit_, model.gamma_
    middle, spread = (x + x.T) / 2, 1 + 4 * gamma
    exponent = gamma * (x - x.T) ** 2 / 2 + 2 * gamma * middle**2 / spread
    products = np.exp(-exponent) / np.sqrt(spread)  # of k(x_i, x) k(x_j, x)
    axes = model.eigenvectors_ / np.sqrt(model.eigenvalues_)
    return np.asarray(np.sum(axes * (products @ axes), axis=0))


def residual_bound(shares: Floats, n: int) -> float:
    """Return what the residual of new samples exceeds in at most 5 % of the samples, k(x, x) = 1.

    `shares` are the λ_j/n of the components that are kept.
    """
    kept = np.arange(1, len(shares) + 1)
    choices = 1 - np.cumsum(shares) + (1 + np.sqrt(kept)) * np.sqrt(2 / n)
    return float(choices.min() + np.sqrt(18 / n * np.log(2 * n / DELTA)))


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of the population, ``spectra`` and ``residuals`` beyond the components."""
    spectra, residuals, known = [], [], eigenvalues(K)
    for n in SIZES:
        for draw in range(DRAWS):
            x = rng_for(seed, "population", n, draw).standard_normal((n, 1))
            model = KernelPCA(K, kernel="rbf", gamma=GAMMA, center=False).fit(x)
            shares, new = model.eigenvalues_ / n, new_variances(model)
            for j in range(K):
                spectra.append((n, draw, j + 1, shares[j], new[j], known[j]))
            bound = residual_bound(shares, n)
            residuals.append((n, draw, 1 - shares.sum(), 1 - new.sum(), 1 - known.sum(), bound))
    columns = ["n", "draw", "component", "training", "new", "population"]
    table = pd.DataFrame(spectra, columns=columns)
    left = pd.DataFrame(residuals, columns=["n", "draw", *columns[3:], "bound"])
    cases: list[Case] = []
    for component, rows in table[table["n"] == max(SIZES)].groupby("component"):
        errors = rows["training"] / rows["population"] - 1
        cases.append(averaged("16-limit", errors.to_numpy(), None, f"component {component}"))
    for n in SIZES:
        rows = left[left["n"] == n]
        gained, case = rows["population"] - rows["training"], f"n = {n}"
        shrunk = (1 - rows["new"]) / (1 - rows["training"])
        cases.append(spanned("16-bound", rows["new"] / rows["bound"], case))
        if n in SMALL:
            cases.append(averaged("16-optimistic", gained.to_numpy(), None, case))
            cases.append(averaged("16-shrink", shrunk.to_numpy(), None, case))
    return {"claims": pd.DataFrame(cases), "spectra": table, "residuals": left}
