"""New points projected without their centring term: a shift, and what it does to a classifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.setting import (
    SEMIDEFINITE,
    balanced_accuracy,
    bounds,
    bounds_of,
    draws,
    fitted,
    kernel_of,
    row_claims,
    units,
)
from kpca.types import Floats

FIGURE = "claims_shift"
N_COMPONENTS = 5


def uncentred_scores(model: KernelPCA, X: Floats) -> Floats:
    """Return Σ_i a_ij k(x_i, x)/√λ_j, the projection as three sources print it.

    Parameters
    ----------
    model : KernelPCA
        Fitted with centring.
    X : ndarray of shape (m, d)

    Returns
    -------
    ndarray of shape (m, k)
    """
    return np.asarray(kernel_of(model, X) @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)))


def shift(model: KernelPCA) -> Floats:
    """Return what those scores have too much: ⟨v_j, μ⟩ = Σ_i a_ij (K1/n)_i / √λ_j, shape (k,)."""
    return np.asarray(model.kernel_means_ @ model.eigenvectors_ / np.sqrt(model.eigenvalues_))


def accuracies(model: KernelPCA, split: Split) -> dict[str, float]:
    """Return the balanced accuracy with centring, without for all, and without for new rows only.

    Parameters
    ----------
    model : KernelPCA
        Fitted to the training rows.
    split : Split
    """
    truth = (split.y_train, split.y_test)
    train, test = model.transform(split.X_train), model.transform(split.X_test)
    raw_train, raw_test = (uncentred_scores(model, X) for X in (split.X_train, split.X_test))
    return {
        "centred": balanced_accuracy(train, test, truth),
        "both": balanced_accuracy(raw_train, raw_test, truth),
        "new": balanced_accuracy(train, raw_test, truth),
    }


def deviation(model: KernelPCA, X: Floats) -> float:
    """Return how far the difference of the two scores is from one constant, over the largest."""
    right = model.transform(X)
    left_over = uncentred_scores(model, X) - right - shift(model)
    return float(np.abs(left_over).max() / np.abs(right).max())


def example(split: Split) -> pd.DataFrame:
    """Return scores on the first component and on the one that shifts most, Gaussian kernel.

    Returns
    -------
    DataFrame
        Columns rows ("training", "new", "new, not centred"), label, component (the number of
        the second one), first, second.
    """
    model = fitted("rbf", split.X_train, N_COMPONENTS)
    j = 1 + int(np.argmax(np.abs(shift(model)[1:]) / np.sqrt(model.eigenvalues_[1:])))
    sides = {
        "training": (model.transform(split.X_train), split.y_train),
        "new": (model.transform(split.X_test), split.y_test),
        "new, not centred": (uncentred_scores(model, split.X_test), split.y_test),
    }
    parts = [
        {"rows": name, "label": y, "component": j + 1, "first": Z[:, 0], "second": Z[:, j]}
        for name, (Z, y) in sides.items()
    ]
    return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)


def tables(
    datasets: Mapping[str, dict[str, Any]], *, seed: int, replicates: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return shifts and accuracies of every dataset, kernel and replicate.

    Returns
    -------
    shifts : DataFrame
        Columns dataset, kernel, replicate, overlap, component (from 1), shift: |⟨v_j, μ⟩| in
        standard deviations √(λ_j/n) of the training scores.
    accuracies : DataFrame
        Columns dataset, kernel, replicate, overlap, deviation, centred, both, new.
    """
    shifts, found = [], []
    for unit, split in units(datasets, SEMIDEFINITE, seed=seed, replicates=replicates):
        model = fitted(unit["kernel"], split.X_train, N_COMPONENTS)
        spread = np.sqrt(model.eigenvalues_ / len(split.X_train))
        shifts += [
            unit | {"component": j + 1, "shift": size}
            for j, size in enumerate(np.abs(shift(model)) / spread)
        ]
        off = {"deviation": deviation(model, split.X_test)}
        found.append(unit | off | accuracies(model, split))
    return pd.DataFrame(shifts), pd.DataFrame(found)


def measure(
    *, seed: int, replicates: int, datasets: Mapping[str, dict[str, Any]]
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on projecting without the centring term, and tables for the figure.

    Parameters
    ----------
    seed, replicates : int
    datasets : mapping
        Name → its source, as in the configuration. The first one is the example.
    """
    shifts, found = tables(datasets, seed=seed, replicates=replicates)
    largest = shifts.groupby(["dataset", "kernel", "replicate"], sort=False).max().reset_index()
    lost = found.assign(loss=found["centred"] - found["new"])
    losses = bounds(lost, ["dataset", "kernel"], "loss")
    claims = [
        *_identity_claims(found),
        *_size_claims(bounds(largest, ["dataset", "kernel"], "shift"), replicates),
        *_loss_claims(losses, replicates),
    ]
    sizes = bounds(shifts, ["dataset", "kernel", "component"], "shift")
    _, _, splits = next(draws(datasets, seed=seed, replicates=1))
    return claims, {"sizes": sizes, "losses": losses, "example": example(splits[0])}


def _identity_claims(found: pd.DataFrame) -> Iterator[Claim]:
    yield Claim(
        "2-shift-constant",
        "Projecting without the centring term shifts each component by a constant.",
        "⟨v_j, μ⟩",
        *exactly(found["deviation"].max()),
        Rule("largest deviation from it / largest score", "below", 1e-10),
        FIGURE,
    )
    yield Claim(
        "2-shift-shared",
        "The shift is harmless where training and new points share it.",
        "0",
        *exactly((found["both"] - found["centred"]).abs().max()),
        Rule("largest change of balanced accuracy, all kernels and datasets", "within", 0.01),
        FIGURE,
    )


def _size_claims(sizes: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    """Judge every kernel by the dataset on which the shift is largest."""
    for kernel, rows in sizes.groupby("kernel", sort=False):
        worst = rows.sort_values("mean").to_dict("records")[-1]
        estimand = (
            f"largest shift of {N_COMPONENTS} components in standard deviations of their scores, "
            f"largest of {len(rows)} datasets"
        )
        yield Claim(
            f"2-shift-size-{kernel}",
            f"The centring term of new points is small enough to be left out: {kernel} kernel "
            f"(largest: {worst['dataset']}).",
            "0",
            *bounds_of(worst),
            Rule(estimand, "below", 0.1, replicates, len(rows)),
            FIGURE,
        )


def _loss_claims(losses: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    estimand = f"loss of balanced accuracy of a linear SVM on {N_COMPONENTS} components"
    return row_claims(
        losses,
        claim="2-shift-new-{kernel}-{dataset}",
        statement="Only new points projected without the centring term: accuracy is lost, "
        "{kernel} kernel, {dataset}.",
        source="Σ a_ij k(x_i, x)",
        rule=Rule(estimand, "above", 0.01, replicates, losses["dataset"].nunique()),
        figure=FIGURE,
    )
