"""Kernel PCA without any centring: where its first component turns, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.studies.claims.claim import Claim, Rule
from kpca.pipeline.studies.claims.setting import (
    DATA,
    MARGIN,
    REPLICATES,
    SEMIDEFINITE,
    balanced_accuracy,
    bounds,
    fitted,
    kernel_of,
    row_claims,
    units,
)
from kpca.types import Floats

FIGURE = "claims_uncentred"
NO_MEAN = 1e-12  # of the mean k(x, x): a mean this short is rounding
SIZES = (2, 5, 10)
DECIDES = 5  # components at which the accuracies are judged
SOURCE = "biases the components"


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
    return list(_claims(cosines, losses, replicates)), {"cosines": cosines, "losses": losses}


def _claims(cosines: pd.DataFrame, losses: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    together = losses["dataset"].nunique()
    yield from row_claims(
        cosines,
        claim="2-mean-direction",
        statement="Without centring the first component is the direction of the mean.",
        source="cos = 1",
        rule=Rule("|cos(v_1, μ)|", "above", 0.95, replicates, cosines["dataset"].nunique()),
        figure=FIGURE,
        case="{kernel}, {dataset}",
    )
    estimand = f"loss of balanced accuracy of a linear SVM on {DECIDES} components"
    yield from row_claims(
        losses[losses["n_components"] == DECIDES],
        claim="2-uncentred",
        statement="Leaving the centring out costs accuracy.",
        source=SOURCE,
        rule=Rule(estimand, "above", MARGIN, replicates, together),
        figure=FIGURE,
        case="{kernel}, {dataset}",
    )
    helped = losses[(losses["n_components"] == 2) & (losses["dataset"] == "rings")]
    estimand = "loss of balanced accuracy of a linear SVM on 2 components"
    yield from row_claims(
        helped[helped["kernel"] == "rbf"],
        claim="2-uncentred-helps-rings",
        statement="Leaving the centring out can help: the mean direction of rings is their radius.",
        source=SOURCE,
        rule=Rule(estimand, "below", -MARGIN, replicates, together),
        figure=FIGURE,
    )
