"""Kernel PCA without any centring: where its first component turns, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from workflow.scripts.claims.claim import Claim, Statements
from workflow.scripts.claims.setting import (
    DATA,
    REPLICATES,
    SEMIDEFINITE,
    balanced_accuracy,
    bounds,
    fitted,
    kernel_of,
    units,
)

NO_MEAN = 1e-12  # of the mean k(x, x): a mean this short is rounding
SIZES = (2, 5, 10)
DECIDES = 5  # components at which the accuracies are judged


def mean_cosine(model: KernelPCA, K: Floats) -> float:
    """Return |cos| of the angle between the first axis and the mean of the features.

    ⟨v_1, μ⟩ / ‖μ‖ with v_1 = Σ_i a_i φ(x_i)/√λ_1 and μ = Σ_i φ(x_i)/n is √λ_1 Σ_i a_i / (n ‖μ‖),
    ‖μ‖² = 1ᵀK1/n².

    Parameters
    ----------
    model : KernelPCA
        Fitted with ``center=False``.
    K : ndarray of shape (n, n)
        The kernel matrix of its training points.

    Returns
    -------
    float
        NaN where the features have mean zero, as those of centred rows under a linear kernel.
    """
    squared = K.mean()
    if squared <= NO_MEAN * K.diagonal().mean():
        return float("nan")
    a, value = model.eigenvectors_[:, 0], model.eigenvalues_[0]
    return float(abs(np.sqrt(value) * a.sum() / len(a)) / np.sqrt(squared))


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    datasets: Mapping[str, dict[str, Any]] = DATA,
    sizes: Sequence[int] = SIZES,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on leaving out all centring, and means with intervals for the figure.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``cosines``: columns dataset, kernel, mean, low, high, of `mean_cosine`; ``losses``: the
        same and n_components, of the balanced accuracy with centring less that without.
    """
    turned, lost = [], []
    for unit, split in units(datasets, SEMIDEFINITE, seed=seed, replicates=replicates):
        truth = (split.y_train, split.y_test)
        models = [
            fitted(unit["kernel"], split.X_train, max(sizes), center=center)
            for center in (True, False)
        ]
        turned.append(unit | {"cosine": mean_cosine(models[1], kernel_of(models[1]))})
        sides = [(m.transform(split.X_train), m.transform(split.X_test)) for m in models]
        for m in sizes:
            with_, without = (balanced_accuracy(Z[:, :m], T[:, :m], truth) for Z, T in sides)
            lost.append(unit | {"n_components": m, "loss": with_ - without})
    known = pd.DataFrame(turned).dropna(subset="cosine")
    cosines = bounds(known, ["dataset", "kernel"], "cosine")
    losses = bounds(pd.DataFrame(lost), ["n_components", "dataset", "kernel"], "loss")
    return list(_claims(cosines, losses, replicates, Statements(statements))), {
        "cosines": cosines,
        "losses": losses,
    }


def _claims(
    cosines: pd.DataFrame, losses: pd.DataFrame, replicates: int, stated: Statements
) -> Iterator[Claim]:
    helped = losses[(losses["n_components"] == 2) & (losses["dataset"] == "rings")]
    judged = {
        "2-mean-direction": (cosines, cosines["dataset"].nunique()),
        "2-uncentred": (losses[losses["n_components"] == DECIDES], losses["dataset"].nunique()),
        "2-uncentred-helps-rings": (helped[helped["kernel"] == "rbf"], losses["dataset"].nunique()),
    }
    for claim, (rows, together) in judged.items():
        yield from stated.of_rows(claim, rows, replicates=replicates, comparisons=together)
