"""Kernel PCA without any centring: where its first component turns, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.studies.claims.claim import Claim, Rule
from kpca.pipeline.studies.claims.setting import (
    SEMIDEFINITE,
    balanced_accuracy,
    bounds,
    bounds_of,
    fitted,
    kernel_of,
    row_claims,
    units,
)
from kpca.types import Floats

FIGURE = "claims_uncentred"
NO_MEAN = 1e-12  # of the mean k(x, x): a mean this short is rounding
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


def compared(split: Split, kernel: str, sizes: Sequence[int]) -> Iterator[tuple[int, float, float]]:
    """Yield m and the balanced accuracies with and without centring, m = ``sizes``."""
    truth = (split.y_train, split.y_test)
    with_, without = (
        fitted(kernel, split.X_train, max(sizes), center=center) for center in (True, False)
    )
    sides = [(m.transform(split.X_train), m.transform(split.X_test)) for m in (with_, without)]
    for m in sizes:
        accuracies = [balanced_accuracy(Z[:, :m], T[:, :m], truth) for Z, T in sides]
        yield m, accuracies[0], accuracies[1]


def tables(
    datasets: Mapping[str, dict[str, Any]], *, seed: int, replicates: int, sizes: Sequence[int]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the cosines and the accuracies of every dataset, kernel and replicate.

    Returns
    -------
    cosines : DataFrame
        Columns dataset, kernel, replicate, overlap, cosine.
    accuracies : DataFrame
        Columns dataset, kernel, replicate, overlap, n_components, centred, uncentred.
    """
    cosines, accuracies = [], []
    for unit, split in units(datasets, SEMIDEFINITE, seed=seed, replicates=replicates):
        model = fitted(unit["kernel"], split.X_train, 1, center=False)
        cosines.append(unit | {"cosine": mean_cosine(model, kernel_of(model))})
        accuracies += [
            unit | {"n_components": m, "centred": with_, "uncentred": without}
            for m, with_, without in compared(split, unit["kernel"], sizes)
        ]
    return pd.DataFrame(cosines), pd.DataFrame(accuracies)


def measure(
    *,
    seed: int,
    replicates: int,
    datasets: Mapping[str, dict[str, Any]],
    sizes: Sequence[int],
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on leaving out all centring, and means with intervals for the figure.

    Parameters
    ----------
    seed, replicates : int
    datasets : mapping
        Name → its source, as in the configuration.
    sizes : sequence of int
        Numbers of components; the claims are judged at `DECIDES`, which has to be among them.
    """
    cosines, accuracies = tables(datasets, seed=seed, replicates=replicates, sizes=sizes)
    losses = accuracies.assign(loss=accuracies["centred"] - accuracies["uncentred"])
    turned = bounds(cosines.dropna(subset="cosine"), ["dataset", "kernel"], "cosine")
    lost = bounds(losses, ["n_components", "dataset", "kernel"], "loss")
    return [
        *_direction_claims(turned, replicates),
        *_accuracy_claims(lost[lost["n_components"] == DECIDES], replicates),
        *_rings_claim(lost, replicates),
    ], {"cosines": turned, "losses": lost}


def _direction_claims(turned: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    """Judge every kernel by the dataset that turns least."""
    for kernel, rows in turned.groupby("kernel", sort=False):
        worst = rows.sort_values("mean").to_dict("records")[0]
        estimand = f"least |cos(v_1, μ)| of {len(rows)} datasets"
        yield Claim(
            f"2-mean-direction-{kernel}",
            f"Without centring the first {kernel} component is the direction of the mean "
            f"(least so: {worst['dataset']}).",
            "cos = 1",
            *bounds_of(worst),
            Rule(estimand, "above", 0.95, replicates, len(rows)),
            FIGURE,
        )


def _accuracy_claims(lost: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    """Judge the loss of accuracy of every kernel on every dataset."""
    estimand = f"loss of balanced accuracy of a linear SVM on {DECIDES} components"
    return row_claims(
        lost,
        claim="2-uncentred-{kernel}-{dataset}",
        statement="Leaving the centring out costs accuracy: {kernel} kernel, {dataset}.",
        source="biases the components",
        rule=Rule(estimand, "above", 0.01, replicates, lost["dataset"].nunique()),
        figure=FIGURE,
    )


def _rings_claim(lost: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    """Judge where the mean of the features is what tells the classes apart: the radius."""
    where = (lost["n_components"] == 2) & (lost["dataset"] == "rings") & (lost["kernel"] == "rbf")
    for row in lost[where].to_dict("records"):
        mean, low, high = bounds_of(row)
        estimand = "gain of balanced accuracy of a linear SVM on 2 components"
        yield Claim(
            "2-uncentred-helps-rings",
            "Leaving the centring out can help: the mean direction of rings is their radius.",
            "biases the components",
            *(-mean, -high, -low),
            Rule(estimand, "above", 0.01, replicates, lost["dataset"].nunique()),
            FIGURE,
        )
