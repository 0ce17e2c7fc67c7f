"""Centring left out: of new points, which shifts their scores, and of all points.

Without any centring the first component turns to the mean of the features.
"""

from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.dataset import Split
from pipeline.job import script
from workflow.scripts.claims import setting
from workflow.scripts.claims.claim import exactly, of_rows
from workflow.scripts.claims.setting import DATA, REPLICATES, bounds, fitted, kernel_of

N_COMPONENTS = 5
FEW = 2  # components, of which one that is lost to the mean matters
# Draws of their own, on which the gain is judged that was seen on other ones.
ANEW = "rings_anew"
NO_MEAN = 1e-12  # of the mean k(x, x): a mean this short is rounding
WHOLE = 1e-10  # of the variance: components that miss less are the whole span


def uncentred_scores(model: KernelPCA, X: Floats) -> Floats:
    """Return Σ_i a_ij k(x_i, x)/√λ_j, the projection as three sources print it."""
    return np.asarray(kernel_of(model, X) @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)))


def shift(model: KernelPCA) -> Floats:
    """Return what those scores have too much: ⟨v_j, μ⟩ = Σ_i a_ij (K1/n)_i / √λ_j, shape (k,)."""
    return np.asarray(model.kernel_means_ @ model.eigenvectors_ / np.sqrt(model.eigenvalues_))


def deviation(model: KernelPCA, X: Floats) -> float:
    """Return how far the difference of the two scores is from one constant, over the largest."""
    right = model.transform(X)
    left_over = uncentred_scores(model, X) - right - shift(model)
    return float(np.abs(left_over).max() / np.abs(right).max())


def mean_cosine(model: KernelPCA) -> float:
    """Return |cos| of the first axis and the mean of the features; NaN if the mean is zero.

    ⟨v_1, μ⟩ / ‖μ‖ is √λ_1 Σ_i a_i / (n ‖μ‖), ‖μ‖² = 1ᵀK1/n².
    """
    K = kernel_of(model)
    squared = K.mean()
    if squared <= NO_MEAN * K.diagonal().mean():
        return float("nan")
    a, value = model.eigenvectors_[:, 0], model.eigenvalues_[0]
    return float(abs(np.sqrt(value) * a.sum() / len(a)) / np.sqrt(squared))


def accuracies(model: KernelPCA, plain: KernelPCA, split: Split) -> dict[str, float]:
    """Return balanced accuracies of what is right, and of ways to leave the centring out.

    The term is left out of training and new rows (shared), of new ones only (new), or of the fit
    too (uncentred).
    """
    rows = (split.X_train, split.X_test)
    train, test = map(model.transform, rows)
    raw_train, raw_test = (uncentred_scores(model, X) for X in rows)
    plain_train, plain_test = map(plain.transform, rows)
    few = np.s_[:, :FEW]
    sides = {
        "right": (train, test),
        "shared": (raw_train, raw_test),
        "new": (train, raw_test),
        "uncentred": (plain_train, plain_test),
        "right_few": (train[few], test[few]),
        "uncentred_few": (plain_train[few], plain_test[few]),
    }
    return {name: setting.balanced_accuracy(*side, split) for name, side in sides.items()}


def normalised(K: Floats) -> Floats:
    """Return D^(−1/2) K D^(−1/2), D the row sums: what spectral clustering decomposes."""
    roots = np.sqrt(K.sum(axis=0))
    return np.asarray(K / np.outer(roots, roots))


def pictures(model: KernelPCA, plain: KernelPCA, split: Split) -> pd.DataFrame:
    """Return two scores of the training rows: centred, not centred, and normalised as well."""
    spectral = KernelPCA(FEW, kernel="precomputed", center=False)
    sides = {"centred": model.transform(split.X_train), "uncentred": plain.transform(split.X_train)}
    sides["normalised"] = spectral.fit_transform(normalised(kernel_of(model)))
    parts = [
        {"treatment": name, "label": split.y_train, "first": Z[:, 0], "second": Z[:, 1]}
        for name, Z in sides.items()
    ]
    return pd.concat(map(pd.DataFrame, parts), ignore_index=True)


def unless(nothing: pd.Series, rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows of `setting.bounds` whose value is 0 by construction where nothing can change."""
    fixed = rows[["dataset", "kernel"]].apply(tuple, axis=1).map(nothing)
    return rows.assign(lowest=np.where(fixed, 0, -np.inf), highest=np.where(fixed, 0, np.inf))


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of centring left out, and tables for the figure.

    ``sizes`` are the largest |⟨v_j, μ⟩| in standard deviations √(λ_j/n) of the training scores.
    """
    found: list[dict[str, Any]] = []
    shown: dict[str, pd.DataFrame] = {}
    data = DATA | {ANEW: setting.DATA["rings"]}
    for unit, split in setting.units(data, setting.SEMIDEFINITE, seed, REPLICATES):
        kernel, X = unit["kernel"], split.X_train
        model, plain = (fitted(kernel, X, N_COMPONENTS, center=center) for center in (True, False))
        kept = plain.explained_variance_ratio_.cumsum() > 1 - WHOLE
        measured = {
            "deviation": deviation(model, split.X_test),
            "shift": (np.abs(shift(model)) / np.sqrt(model.eigenvalues_ / len(X))).max(),
            "cosine": mean_cosine(plain),
            "whole": kept[-1],
            "whole_few": kept[:FEW].any(),
        }
        found.append(unit | measured | accuracies(model, plain, split))
        if kernel == "rbf" and not shown:
            shown = {"rings": pictures(model, plain, split)}
    both, by = pd.DataFrame(found), ["dataset", "kernel"]
    both["still"], few = both["cosine"].isna(), both["right_few"] - both["uncentred_few"]
    fixed = both.groupby(by)[["still", "whole", "whole_few"]].all()
    anew = both["dataset"] == ANEW
    table, of_rings = both[~anew], bounds(both.assign(loss=few)[anew], by, "loss")
    ways = {name: table["right"] - table[name] for name in ("new", "uncentred")}
    ways["uncentred_few"] = few[~anew]
    losses = {name: bounds(table.assign(loss=loss), by, "loss") for name, loss in ways.items()}
    cosines, sizes = bounds(table, by, "cosine"), bounds(table, by, "shift")
    cases = [
        exactly("2-shift-constant", table["deviation"].max()),
        exactly("2-shift-shared", (table["shared"] - table["right"]).abs().max()),
        *of_rows("2-shift-size", unless(fixed["still"], sizes)),
        *of_rows("2-shift-new", unless(fixed["still"], losses["new"])),
        *of_rows("2-mean-direction", cosines),
        *of_rows("2-uncentred", unless(fixed["still"] | fixed["whole"], losses["uncentred"])),
        *of_rows("2-uncentred-rings", unless(fixed["whole_few"], of_rings).drop(columns="dataset")),
    ]
    return {
        "claims": pd.DataFrame(cases),
        "sizes": sizes,
        "cosines": cosines.dropna(subset="mean"),
        "losses": pd.concat(losses, names=["treatment"]).reset_index(level=0),
        **shown,
    }
