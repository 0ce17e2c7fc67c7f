"""Components as functions: unit norm, orthogonal, maximal, and within the span."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.generators import moons
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.claims.centring import centred_by
from workflow.scripts.claims.claim import exactly
from workflow.scripts.claims.setting import fitted, kernel_of

KERNELS = ("poly", "rbf", "laplacian")
N, N_COMPONENTS = 120, 5
N_STARTS, STEPS = 10, 200
CONDITIONED = "laplacian"  # its matrix is well conditioned


def without(K: Floats, alpha: Floats, found: Floats) -> Floats:
    """Return α made orthogonal, in the RKHS, to functions of unit norm in the columns of found."""
    return np.asarray(alpha - found @ (found.T @ (K @ alpha)))


def ascend(K: Floats, alpha: Floats, found: Floats, steps: int) -> Iterator[float]:
    """Yield Ψ along steepest ascent with exact line search, orthogonal to what was found.

    Ψ(f) = αᵀK²α / (n αᵀKα) of f = Σ_j α_j k(x_j, ·). Its gradient in the RKHS has the coefficients
    Kα/n − Ψ(f) α up to a factor: the best function of span{α, Kα} is the best step.
    """
    for _ in range(steps):
        alpha = without(K, alpha, found)
        alpha = alpha / np.sqrt(alpha @ K @ alpha)
        gradient = without(K, K @ alpha, found)
        gradient -= alpha * (alpha @ K @ gradient)
        size = np.sqrt(gradient @ K @ gradient)
        yield float(np.square(K @ alpha).mean())  # of norm 1
        if size <= 1e-14 * len(K):
            continue
        plane = np.column_stack([alpha, gradient / size])
        _, rotation = linalg.eigh((K @ plane).T @ (K @ plane))
        alpha = plane @ rotation[:, -1]


def unit_functions(model: KernelPCA) -> Floats:
    """Return the coefficients a_j/√λ_j of the axes v_j, one a column."""
    return np.asarray(model.eigenvectors_ / np.sqrt(model.eigenvalues_))


def inner_products(model: KernelPCA) -> Floats:
    """Return ⟨v_i, v_j⟩ in the RKHS of every pair of axes."""
    A = unit_functions(model)
    return np.asarray(A.T @ centred_by(kernel_of(model)) @ A)


def ascents(K: Floats, model: KernelPCA, seed: int) -> pd.DataFrame:
    """Return Ψ/Ψ_max along ascents to the first, second and third component."""
    rng = rng_for(seed, "claims", "ascents")
    axes, top, parts = unit_functions(model), model.eigenvalues_[0] / len(K), []
    for j in range(3):
        for start in range(N_STARTS):
            values = list(ascend(K, rng.standard_normal(len(K)), axes[:, :j], STEPS))
            level = model.eigenvalues_[j] / model.eigenvalues_[0]
            columns = {"component": j + 1, "start": start, "step": range(STEPS), "level": level}
            parts.append(pd.DataFrame(columns | {"value": np.array(values) / top}))
    return pd.concat(parts, ignore_index=True)


def largest(points: Floats, n: int) -> float:
    """Return the largest Ψ over the span of k(z, ·) of some points, the first n training points."""
    squares = points[:, :n] @ points[:n] / n
    return float(linalg.eigh(squares, points, eigvals_only=True)[-1])


def span(seed: int) -> dict[str, float]:
    """Return what five further points add to the span, and what centring does to the axis."""
    rng = rng_for(seed, "claims", "span")
    X = moons(N, rng, noise=0.15).X
    model, right = (fitted(CONDITIONED, X, 1, center=center) for center in (False, True))
    both = np.concatenate([X, moons(5, rng, noise=0.3).X])
    points = kernel_of(model, both, both)
    K, first, second = points[:N, :N], model.eigenvectors_[:, 0], right.eigenvectors_[:, 0]
    top = model.eigenvalues_[0]
    cosine = abs(first @ K @ second) / np.sqrt(top * right.eigenvalues_[0])
    return {
        "4-representer-maximum": largest(points, N) * N / top - 1,
        "4-uncentred-maximum": cosine,
    }


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of components as functions, and the table ``ascents``."""
    X = moons(N, rng_for(seed, "claims", "rkhs"), noise=0.15).X
    models = {kernel: fitted(kernel, X, N_COMPONENTS) for kernel in KERNELS}
    off = np.array([inner_products(model) - np.eye(N_COMPONENTS) for model in models.values()])
    diagonal = np.eye(N_COMPONENTS, dtype=bool)
    # Of the variance of training scores over λ_j/n.
    ratios = np.array([m.transform(X).var(axis=0) * N / m.eigenvalues_ for m in models.values()])
    climbed = ascents(centred_by(kernel_of(models["rbf"])), models["rbf"], seed)
    last = climbed[climbed["step"] == STEPS - 1]
    measured = {
        "4-unit-norm": np.abs(off[:, diagonal]).max(),
        "4-orthogonal": np.abs(off[:, ~diagonal]).max(),
        "4-variance": np.abs(ratios - 1).max(),
        "4-maximal-optimised": (last["value"] / last["level"] - 1).abs().max(),
        **span(seed),
    }
    cases = [exactly(claim, value) for claim, value in measured.items()]
    return {"claims": pd.DataFrame(cases), "ascents": climbed}
