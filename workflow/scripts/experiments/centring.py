"""Centring of the kernel matrix: the correct formula, two misprinted formulas, and no centring.

If new points are not centred, their scores are shifted. Without any centring, the first component
turns towards the mean of the features.
"""

from itertools import product

import numpy as np
import pandas as pd

from kpca.eigensolvers.primal import monomials
from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.kernels.bound import kernel_matrix
from kpca.kernels.registry import KernelParameters
from kpca.study.datasets.dataset import Split
from kpca.study.evidence.statistics import intervals
from kpca.types import Floats
from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, exactly, of_rows
from workflow.scripts.experiments import setting
from workflow.scripts.experiments.setting import (
    DATA,
    REPLICATES,
    fitted,
    kernel_of,
    limited,
    unit_functions,
)

SHOWN = 8
# Claim → sign of the last term of K − EK − KE ± EKE, and whether the entries of E are 1/n or 1. The
# first formula is correct. The second has a misprinted sign, the third has 1 printed for 1/n.
FORMULAS = {"1-centring": (1, True), "1-misprinted-sign": (-1, True), "1-unscaled-ones": (1, False)}
N_COMPONENTS = 5
FEW = 2  # number of components so small that it matters if one of them only follows the mean
# Independent draws of the rings, which test a gain that was first seen on other draws.
ANEW = "rings_anew"
NO_MEAN = 1e-12  # ‖mean of features‖² below this fraction of the mean k(x, x) is rounding.
WHOLE = 1e-10  # Components that miss less than this fraction of the variance span all features.


def centred_by(K: Floats, sign: int = 1, scaled: bool = True) -> Floats:
    """Return K − EK − KE ± EKE of a symmetric K; the entries of E are 1/n if scaled, else 1."""
    entry = 1 / len(K) if scaled else 1.0
    sums = entry * K.sum(axis=0)
    return K - sums - sums[:, None] + sign * entry * sums.sum()


def feature_error(X: Floats, degree: int, formula: tuple[int, bool]) -> float:
    """Return the error of a centring formula for the kernel (x·y/d + 1)^degree.

    It is max |A − F̄F̄ᵀ| / max |F̄F̄ᵀ|, where A is the kernel matrix centred by the formula, and F̄ is
    the centred matrix of the kernel's monomials.
    """
    parameters = KernelParameters(1 / X.shape[1], degree, 1.0)
    F = monomials(X, parameters)
    centred = F - F.mean(axis=0)
    products = centred @ centred.T
    K = kernel_matrix(X, kernel="poly", **vars(parameters))
    difference = np.abs(centred_by(K, *formula) - products)
    return difference.max() / np.abs(products).max()


def spectra(K: Floats) -> pd.DataFrame:
    """Return the leading eigenvalues of K, centred by each formula, and a ``constancy`` for each.

    The constancy is |cos| of the angle between the eigenvector and the vector of ones.
    """
    tables = []
    for name, formula in FORMULAS.items():
        values, vectors = np.linalg.eigh(centred_by(K, *formula))
        order = np.argsort(-np.abs(values), kind="stable")[:SHOWN]
        constancy = np.abs(vectors[:, order].sum(axis=0)) / np.sqrt(len(K))
        columns = {"component": range(1, SHOWN + 1), "eigenvalue": values[order]}
        tables.append(pd.DataFrame({"formula": name, **columns, "constancy": constancy}))
    return pd.concat(tables, ignore_index=True)


def formulas(seed: int) -> tuple[list[Case], pd.DataFrame]:
    """Return the cases on formulas of centring, and the `spectra` of the dataset ``clusters``."""
    rows = {
        name: setting.first_split(name, spec, seed).X_train
        for name, spec in setting.DATASETS["centring"].items()
    }
    clusters = rows.pop("clusters")
    cases = [
        exactly(claim, feature_error(X, degree, formula), f"{name} at degree {degree}")
        for (claim, formula), (name, X), degree in product(FORMULAS.items(), rows.items(), (2, 3))
    ]
    table = spectra(kernel_matrix(clusters, kernel="rbf", gamma=median_gamma(clusters)))
    first = table[table["component"] == 1].set_index("formula")["constancy"]
    # Eigenvalues alone do not show what the misprints do: the first component becomes constant.
    cases += [
        exactly("1-misprints-constant", first["1-misprinted-sign"], "last sign minus"),
        exactly("1-misprints-constant", first["1-unscaled-ones"], "matrix of ones"),
    ]
    return cases, table


def uncentred_scores(model: KernelPCA, X: Floats) -> Floats:
    """Return the uncentred scores Σ_i a_ij k(x_i, x)/√λ_j of X, as three sources print them."""
    return kernel_of(model, X) @ unit_functions(model)


def shift(model: KernelPCA) -> Floats:
    """Return by how much `uncentred_scores` exceed the scores, one number per component.

    For the axis v_j and the mean μ of the features, it is ⟨v_j, μ⟩ = Σ_i a_ij (K1/n)_i / √λ_j.
    """
    return model.kernel_means_ @ unit_functions(model)


def deviation(model: KernelPCA, X: Floats) -> float:
    """Return max |`uncentred_scores` − scores − `shift`| of X, divided by the largest |score|."""
    right = model.transform(X)
    left_over = uncentred_scores(model, X) - right - shift(model)
    return np.abs(left_over).max() / np.abs(right).max()


def mean_cosine(model: KernelPCA) -> float:
    """Return |cos| between the first axis v_1 and the mean μ of the features; NaN if μ is zero.

    The cosine is ⟨v_1, μ⟩ / ‖μ‖ = √λ_1 Σ_i a_i / (n ‖μ‖), with the first eigenvector a and
    ‖μ‖² = 1ᵀK1/n².
    """
    K = kernel_of(model)
    squared = K.mean()
    if squared <= NO_MEAN * K.diagonal().mean():
        return np.nan
    a = model.eigenvectors_[:, 0]
    value = model.eigenvalues_[0]
    return abs(np.sqrt(value) * a.sum() / len(a)) / np.sqrt(squared)


def losses(model: KernelPCA, plain: KernelPCA, split: Split) -> dict[str, float]:
    """Return how much balanced accuracy is lost by each way to leave out the centring.

    Centring is left out of the scores of training and new rows (``shared``, an absolute change), of
    new rows only (``new``), or of the fit as well (``uncentred``; with `FEW` components
    ``uncentred_few``). ``model`` is fitted with centring, ``plain`` without.
    """

    def accuracy(train: Floats, test: Floats) -> float:
        return setting.balanced_accuracy(train, test, split)

    rows = (split.X_train, split.X_test)
    train, test = map(model.transform, rows)
    raw_train, raw_test = (uncentred_scores(model, X) for X in rows)
    plain_train, plain_test = map(plain.transform, rows)
    right = accuracy(train, test)
    few = accuracy(train[:, :FEW], test[:, :FEW])
    return {
        "shared": abs(accuracy(raw_train, raw_test) - right),
        "new": right - accuracy(train, raw_test),
        "uncentred": right - accuracy(plain_train, plain_test),
        "uncentred_few": few - accuracy(plain_train[:, :FEW], plain_test[:, :FEW]),
    }


def both_ways(rows: pd.DataFrame) -> pd.DataFrame:
    """Return ``rows`` with a column ``lowest`` of −``highest``, for effects of either sign."""
    return rows.assign(lowest=0 - rows["highest"])


@script
def measure(*, seed: int) -> Tables:
    """Return the cases of centring, and tables for the figures."""
    rows = []
    data = DATA | {ANEW: setting.DATA["rings"]}
    for unit, split in setting.units(data, setting.SEMIDEFINITE, seed, REPLICATES):
        X = split.X_train
        model, plain = (
            fitted(unit["kernel"], X, N_COMPONENTS, center=center) for center in (True, False)
        )
        is_trailing = plain.explained_variance_ratio_.cumsum() > 1 - WHOLE
        cosine = mean_cosine(plain)
        # Nothing can change if the features have mean zero, or if components span all features.
        nothing_moves = np.isnan(cosine)
        measured = {
            "deviation": deviation(model, split.X_test),
            # Largest |⟨v_j, μ⟩| in standard deviations √(λ_j/n) of the training scores.
            "shift": (np.abs(shift(model)) / np.sqrt(model.eigenvalues_ / len(X))).max(),
            "cosine": cosine,
            "room": 0 if nothing_moves else np.inf,
            "room_uncentred": 0 if nothing_moves or is_trailing[-1] else np.inf,
            "room_few": 0 if is_trailing[:FEW].any() else np.inf,
        }
        rows.append(unit | measured | losses(model, plain, split))
    both = pd.DataFrame(rows)
    by = ["dataset", "kernel"]
    anew = both["dataset"] == ANEW
    table = both[~anew]
    of_rings = limited(both[anew], ["kernel"], "uncentred_few", "room_few")
    sizes = limited(table, by, "shift", "room")
    new = limited(table, by, "new", "room")
    uncentred = limited(table, by, "uncentred", "room_uncentred")
    of_treatments = {
        "new": new,
        "uncentred": uncentred,
        "uncentred_few": intervals(table, by, "uncentred_few"),
    }
    printed, spectra_of_formulas = formulas(seed)
    cases = [
        *printed,
        exactly("2-shift-constant", table["deviation"].max()),
        exactly("2-shift-shared", table["shared"].max()),
        *of_rows("2-shift-size", both_ways(sizes)),
        *of_rows("2-shift-new", both_ways(new)),
        *of_rows("2-mean-direction", intervals(table, by, "cosine")),
        *of_rows("2-uncentred", both_ways(uncentred)),
        *of_rows("2-uncentred-rings", both_ways(of_rings)),
    ]
    by_treatment = pd.concat(of_treatments, names=["treatment"]).reset_index(level=0)
    return {
        "claims": pd.DataFrame(cases),
        "spectra": spectra_of_formulas,
        "losses": by_treatment.drop(columns="highest"),
    }
