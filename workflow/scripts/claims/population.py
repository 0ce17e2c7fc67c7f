"""Eigenvalues of a sample against those of the population, which are known for one kernel.

For x ~ N(0, 1) and k(x, y) = exp(−(x − y)²) the operator of the kernel has the eigenvalues 1/2,
1/4, 1/8 and so on, without centring. The variance of new samples along an axis is an integral of
normal densities, so that no test sample is needed.

References
----------
Zhu et al. (1998), Gaussian regression and optimal finite dimensional linear models. Rasmussen and
Williams (2006), Gaussian processes for machine learning, section 4.3.1.
"""

from collections.abc import Iterator

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

    Proof. Let C be the mean of φ(x)φ(x)ᵀ, Ĉ that of the sample, and P_m project on its m leading
    components. New samples leave 1 − tr(P_m C), and the sample 1 − tr(P_m Ĉ) = 1 − Σ_{j≤m} λ_j/n.
    By Cauchy and Schwarz they differ by at most √m ‖C − Ĉ‖ in the Hilbert–Schmidt norm. There,
    E‖C − Ĉ‖² ≤ 1/n since ‖φφᵀ‖ = 1, and another sample x_i moves Ĉ by at most √2/n since
    ⟨φφᵀ, ψψᵀ⟩ = k(x, y)² ≥ 0. By McDiarmid, ‖C − Ĉ‖ ≤ (1 + √ln(1/δ))/√n with probability 1 − δ, for
    all m at once. More components leave less, so that the least of the bounds holds for all.
    """
    kept = np.arange(1, len(shares) + 1)
    apart = (1 + np.sqrt(np.log(1 / DELTA))) / np.sqrt(n)
    return float((1 - np.cumsum(shares) + np.sqrt(kept) * apart).min())


def cases(spectra: pd.DataFrame, residuals: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases; eigenvalues over n and residuals are at most the trace, 1."""
    for component, rows in spectra[spectra["n"] == max(SIZES)].groupby("component"):
        errors = (rows["training"] / rows["population"] - 1).to_numpy()
        most, case = 1 / float(rows["population"].iloc[0]) - 1, f"component {component}"
        yield averaged("16-limit", errors, None, case, lowest=-1, highest=most)
    for n, rows in residuals.groupby("n"):
        gained, case = rows["population"] - rows["training"], f"n = {n}"
        kept = 1 - rows["training"]
        shrunk, most = (1 - rows["new"]) / kept, float(1 / rows["bound"].max())
        yield spanned("16-bound", rows["new"] / rows["bound"], case, highest=most)
        if n in SMALL:
            left = float(rows["population"].max())
            yield averaged("16-optimistic", gained.to_numpy(), None, case, highest=left)
            most = float((1 / kept).mean())
            yield averaged("16-shrink", shrunk.to_numpy(), None, case, highest=most)


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
    return {"claims": pd.DataFrame(cases(table, left)), "spectra": table, "residuals": left}
