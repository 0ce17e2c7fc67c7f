"""Components as functions: unit norm, orthogonal, uncorrelated, and maximal in mean square."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.generators import moons
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.setting import fitted, kernel_of
from kpca.types import Floats

FIGURE = "claims_rkhs"
KERNELS = ("poly", "rbf", "laplacian")
N, N_COMPONENTS = 120, 5
N_RANDOM, N_STARTS, STEPS = 2000, 10, 200
EQUAL = 1e-10


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


def score_variances(model: KernelPCA) -> Floats:
    """Return the variance of the training scores over λ_j/n: ones, if the theory holds."""
    variance = model.transform(model.X_fit_).var(axis=0)
    return np.asarray(variance * len(model.X_fit_) / model.eigenvalues_)


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


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on components as functions, and the tables of the figure."""
    X = moons(N, rng_for(seed, "claims", "rkhs"), noise=0.15).X
    models = {kernel: fitted(kernel, X, N_COMPONENTS) for kernel in KERNELS}
    K = centred(kernel_of(models["rbf"]))
    tables = {
        "gram": gram(models["rbf"]),
        "directions": directions(K, seed),
        "ascents": ascents(K, models["rbf"], seed),
        "levels": _levels(models["rbf"]),
    }
    grams = pd.concat([gram(model) for model in models.values()])
    claims = [
        *_norm_claims(grams, list(models.values())),
        *_maximum_claims(tables),
    ]
    return claims, tables


def _levels(model: KernelPCA) -> pd.DataFrame:
    shares = model.eigenvalues_ / model.eigenvalues_[0]
    return pd.DataFrame({"component": np.arange(1, len(shares) + 1), "value": shares})


def _norm_claims(grams: pd.DataFrame, models: list[KernelPCA]) -> Iterator[Claim]:
    own = grams["first"] == grams["second"]
    over = f", {N_COMPONENTS} components of {len(models)} kernels"
    yield Claim(
        "4-unit-norm",
        "Divided by √λ_j, the coefficients give axes of norm 1.",
        "‖v_j‖ = 1",
        *exactly((grams.loc[own, "inner"] - 1).abs().max()),
        Rule(f"largest |‖v_j‖² − 1|{over}", "below", EQUAL),
        FIGURE,
    )
    yield Claim(
        "4-orthogonal",
        "The functions are orthogonal in the RKHS.",
        "⟨f_i, f_j⟩ = 0",
        *exactly(grams.loc[~own, "inner"].abs().max()),
        Rule(f"largest |⟨v_i, v_j⟩|{over}", "below", EQUAL),
        FIGURE,
    )
    yield Claim(
        "4-uncorrelated",
        "The components are uncorrelated on the training points.",
        "0",
        *exactly(grams.loc[~own, "correlation"].abs().max()),
        Rule(f"largest |correlation|{over}", "below", EQUAL),
        FIGURE,
    )
    yield Claim(
        "4-variance",
        "The variance of the scores is the eigenvalue over n.",
        "λ_j/n",
        *exactly(max(np.abs(score_variances(model) - 1).max() for model in models)),
        Rule(f"largest relative error{over}", "below", EQUAL),
        FIGURE,
    )


def _maximum_claims(tables: dict[str, pd.DataFrame]) -> Iterator[Claim]:
    random = tables["directions"]
    last = tables["ascents"].query("step == step.max()")
    levels = last["component"].map(tables["levels"].set_index("component")["value"])
    yield Claim(
        "4-maximal-random",
        "No function of the RKHS has a larger mean square for its norm: random ones.",
        "λ_1/n",
        *exactly(random["value"].max()),
        Rule(f"largest Ψ/(λ_1/n) of {len(random)} functions", "below", 1.0),
        FIGURE,
    )
    yield Claim(
        "4-maximal-optimised",
        "Steepest ascent reaches the eigenvalue, component after component, and nothing beyond.",
        "λ_1/n, λ_2/n, λ_3/n",
        *exactly((last["value"] / levels - 1).abs().max()),
        Rule(f"largest |Ψ/(λ_j/n) − 1| after {STEPS} steps, {len(last)} starts", "below", 1e-6),
        FIGURE,
    )
