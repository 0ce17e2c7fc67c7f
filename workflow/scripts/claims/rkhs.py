"""Components as functions: unit norm, orthogonal, uncorrelated, maximal, and within the span."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.generators import moons
from pipeline.seeds import rng_for
from workflow.scripts.claims.setting import fitted, kernel_of

KERNELS = ("poly", "rbf", "laplacian")
N, N_COMPONENTS = 120, 5
N_RANDOM, N_STARTS, STEPS = 2000, 10, 200
CONDITIONED = "laplacian"  # its matrix is well conditioned
LENGTHS = np.round(np.linspace(0, 4, 21), 10)


def centred(K: Floats) -> Floats:
    """Return HKH."""
    K = K - K.mean(axis=0)
    return np.asarray(K - K.mean(axis=1)[:, None])


def quotient(K: Floats, alpha: Floats) -> Floats:
    """Return Ψ(f) = αᵀK²α / (n αᵀKα) of f = Σ_j α_j k(x_j, ·), for every column of α.

    It is the mean of f(x_j)² over the squared norm of f.
    """
    product = K @ alpha
    squares = np.einsum("ij,ij->j", product, product)
    return np.asarray(squares / (len(K) * np.einsum("ij,ij->j", alpha, product)))


def without(K: Floats, alpha: Floats, found: Floats) -> Floats:
    """Return α made orthogonal, in the RKHS, to functions of unit norm in the columns of found."""
    return np.asarray(alpha - found @ (found.T @ (K @ alpha)))


def ascend(K: Floats, alpha: Floats, found: Floats, steps: int) -> Iterator[float]:
    """Yield Ψ along steepest ascent with exact line search, orthogonal to what was found.

    The gradient of Ψ in the RKHS has the coefficients Kα/n − Ψ(f) α up to a factor: the best
    function of span{α, Kα} is the best step.

    Parameters
    ----------
    K : ndarray of shape (n, n)
    alpha : ndarray of shape (n,)
        Coefficients to start from.
    found : ndarray of shape (n, k)
        Coefficients of earlier components, of unit norm; k may be 0.
    steps : int
    """
    for _ in range(steps):
        alpha = without(K, alpha, found)
        alpha = alpha / np.sqrt(alpha @ K @ alpha)
        gradient = without(K, K @ alpha, found)
        gradient -= alpha * (alpha @ K @ gradient)
        size = np.sqrt(gradient @ K @ gradient)
        yield float(quotient(K, alpha[:, None])[0])
        if size <= 1e-14 * len(K):
            continue
        plane = K @ np.column_stack([alpha, gradient / size])
        _, rotation = linalg.eigh(plane.T @ plane)
        alpha = np.column_stack([alpha, gradient / size]) @ rotation[:, -1]


def unit_functions(model: KernelPCA) -> Floats:
    """Return the coefficients a_j/√λ_j of the axes v_j, one a column."""
    return np.asarray(model.eigenvectors_ / np.sqrt(model.eigenvalues_))


def gram(model: KernelPCA) -> pd.DataFrame:
    """Return ⟨v_i, v_j⟩ in the RKHS and the correlation of the training scores of every pair.

    Returns
    -------
    DataFrame
        Columns first, second (from 1), inner, correlation.
    """
    A = unit_functions(model)
    inner = A.T @ centred(kernel_of(model)) @ A
    correlation = np.corrcoef(model.transform(model.X_fit_), rowvar=False)
    i, j = np.indices(inner.shape)
    columns = {"first": i.ravel() + 1, "second": j.ravel() + 1}
    values = {"inner": inner.ravel(), "correlation": correlation.ravel()}
    return pd.DataFrame(columns | values)


def variance_error(model: KernelPCA) -> float:
    """Return the largest relative difference of the variance of training scores from λ_j/n."""
    variance = model.transform(model.X_fit_).var(axis=0)
    return float(np.abs(variance * len(model.X_fit_) / model.eigenvalues_ - 1).max())


def directions(K: Floats, seed: int) -> pd.DataFrame:
    """Return Ψ/Ψ_max of random combinations and of the kernel functions k(x_j, ·) themselves."""
    random = rng_for(seed, "claims", "directions").standard_normal((len(K), N_RANDOM))
    top = float(linalg.eigvalsh(K)[-1]) / len(K)
    kinds = {"random": quotient(K, random), "single": quotient(K, np.eye(len(K)))}
    parts = [pd.DataFrame({"kind": k, "value": v / top}) for k, v in kinds.items()]
    return pd.concat(parts, ignore_index=True)


def ascents(K: Floats, model: KernelPCA, seed: int) -> pd.DataFrame:
    """Return Ψ/Ψ_max along ascents to the first, second and third component.

    Returns
    -------
    DataFrame
        Columns component, start, step, value.
    """
    rng = rng_for(seed, "claims", "ascents")
    axes, top, parts = unit_functions(model), model.eigenvalues_[0] / len(K), []
    for j in range(3):
        for start in range(N_STARTS):
            values = list(ascend(K, rng.standard_normal(len(K)), axes[:, :j], STEPS))
            columns = {"component": j + 1, "start": start, "step": range(STEPS)}
            parts.append(pd.DataFrame(columns | {"value": np.array(values) / top}))
    return pd.concat(parts, ignore_index=True)


def outside(K: Floats, z: Floats, own: float, f: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the kernel matrix with a further point, and two functions, of norm 1 and beside.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Not singular.
    z : ndarray of shape (n,)
        k(z, x_j) of the further point.
    own : float
        k(z, z).
    f : ndarray of shape (n,)
        Coefficients of a function of the span, of any norm.

    Returns
    -------
    K : ndarray of shape (n + 1, n + 1)
    f : ndarray of shape (n + 1,)
        The function, of norm 1.
    g : ndarray of shape (n + 1,)
        k(z, ·) − Σ_j β_j k(x_j, ·), orthogonal to every k(x_j, ·).
    """
    whole = np.block([[K, z[:, None]], [z[None, :], np.array([[own]])]])
    c, g = np.append(f, 0.0), np.append(-np.linalg.solve(K, z), 1.0)
    return whole, c / np.sqrt(c @ whole @ c), g


def ratios(K: Floats, f: Floats, g: Floats) -> pd.DataFrame:
    """Return what adding t·g to f does: columns t, change, norm_error, ratio, predicted.

    The largest change of a value at the n points over the largest value; the error of
    1 + t²‖g‖² for ‖f + tg‖²; Ψ(f + tg)/Ψ(f), and what theory says of it, 1/(1 + t²‖g‖²).
    """
    functions = f[:, None] + g[:, None] * LENGTHS
    values, norms = (K @ functions)[:-1], np.einsum("it,ij,jt->t", functions, K, functions)
    squares = np.square(values).mean(axis=0) / norms
    predicted = 1 + LENGTHS**2 * (g @ K @ g)
    columns = {
        "t": LENGTHS,
        "change": np.abs(values - values[:, :1]).max(axis=0) / np.abs(values[:, 0]).max(),
        "norm_error": np.abs(norms - predicted),
        "ratio": squares / squares[0],
        "predicted": 1 / predicted,
    }
    return pd.DataFrame(columns)


def span(seed: int) -> tuple[pd.DataFrame, float]:
    """Return the `ratios` of five further points of moons, and what centring does to the axis.

    The second is |cos| of the angle between the first axes with and without it, in the RKHS.
    """
    rng = rng_for(seed, "claims", "span")
    X = moons(N, rng, noise=0.15).X
    model, right = (fitted(CONDITIONED, X, 1, center=center) for center in (False, True))
    K, new = kernel_of(model), kernel_of(model, moons(5, rng, noise=0.3).X)
    cases = [ratios(*outside(K, row, 1.0, model.eigenvectors_[:, 0])) for row in new]
    inner = model.eigenvectors_[:, 0] @ K @ right.eigenvectors_[:, 0]
    cosine = abs(inner) / np.sqrt(model.eigenvalues_[0] * right.eigenvalues_[0])
    table = pd.concat(dict(enumerate(cases)), names=["point"]).reset_index(level=0)
    return table, float(cosine)


def measure(*, seed: int) -> tuple[dict[str, float], dict[str, pd.DataFrame]]:
    """Return what was measured of each claim on functions, and the tables of the figure."""
    X = moons(N, rng_for(seed, "claims", "rkhs"), noise=0.15).X
    models = {kernel: fitted(kernel, X, N_COMPONENTS) for kernel in KERNELS}
    grams = pd.concat([gram(model) for model in models.values()])
    gaussian = models["rbf"]
    K, shares = centred(kernel_of(gaussian)), gaussian.eigenvalues_ / gaussian.eigenvalues_[0]
    random, climbed = directions(K, seed), ascents(K, gaussian, seed)
    beside, cosine = span(seed)
    last = climbed[climbed["step"] == STEPS - 1]
    reached = last["value"] / shares[last["component"] - 1] - 1
    own = grams["first"] == grams["second"]
    measured = {
        "4-unit-norm": (grams.loc[own, "inner"] - 1).abs().max(),
        "4-orthogonal": grams.loc[~own, "inner"].abs().max(),
        "4-uncorrelated": grams.loc[~own, "correlation"].abs().max(),
        "4-variance": max(map(variance_error, models.values())),
        "4-maximal-random": random["value"].max(),
        "4-maximal-optimised": reached.abs().max(),
        "4-representer-values": beside["change"].max(),
        "4-representer-norm": beside["norm_error"].max(),
        "4-representer-maximum": beside.loc[beside["t"] > 0, "ratio"].max(),
        "4-uncentred-maximum": cosine,
    }
    levels = pd.DataFrame({"component": np.arange(1, len(shares) + 1), "value": shares})
    tables = {"gram": gram(gaussian), "directions": random, "ascents": climbed, "levels": levels}
    return measured, tables | {"ratios": beside}
