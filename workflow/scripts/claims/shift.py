"""New points projected without their centring term: a shift, and what it does to a classifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.dataset import Split
from workflow.scripts.claims.claim import Claim, Statements
from workflow.scripts.claims.setting import (
    DATA,
    REPLICATES,
    SEMIDEFINITE,
    balanced_accuracy,
    bounds,
    draws,
    fitted,
    kernel_of,
    units,
)

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


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    datasets: Mapping[str, dict[str, Any]] = DATA,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on projecting without the centring term, and tables for the figure.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``sizes``: columns dataset, kernel, component (from 1), mean, low, high, of |⟨v_j, μ⟩| in
        standard deviations √(λ_j/n) of the training scores; ``losses``: columns dataset, kernel,
        mean, low, high; ``example``, of the first dataset.
    """
    shifts, found = [], []
    for unit, split in units(datasets, SEMIDEFINITE, seed=seed, replicates=replicates):
        model = fitted(unit["kernel"], split.X_train, N_COMPONENTS)
        spread = np.sqrt(model.eigenvalues_ / len(split.X_train))
        shifts += [
            unit | {"component": j + 1, "shift": size}
            for j, size in enumerate(np.abs(shift(model)) / spread)
        ]
        found.append(
            unit | {"deviation": deviation(model, split.X_test)} | accuracies(model, split)
        )
    measured = pd.DataFrame(found)
    losses = bounds(
        measured.assign(loss=measured["centred"] - measured["new"]), ["dataset", "kernel"], "loss"
    )
    every = pd.DataFrame(shifts)
    largest = every.groupby(["dataset", "kernel", "replicate"], sort=False).max().reset_index()
    worst = bounds(largest, ["dataset", "kernel"], "shift")
    _, _, splits = next(draws(datasets, seed=seed, replicates=1))
    return list(_claims(measured, worst, losses, replicates, Statements(statements))), {
        "sizes": bounds(every, ["dataset", "kernel", "component"], "shift"),
        "losses": losses,
        "example": example(splits[0]),
    }


def _claims(
    measured: pd.DataFrame,
    largest: pd.DataFrame,
    losses: pd.DataFrame,
    replicates: int,
    stated: Statements,
) -> Iterator[Claim]:
    yield stated.of("2-shift-constant", float(measured["deviation"].max()))
    changed = (measured["both"] - measured["centred"]).abs().max()
    yield stated.of("2-shift-shared", float(changed))
    together = {"replicates": replicates, "comparisons": losses["dataset"].nunique()}
    yield from stated.of_rows("2-shift-size", largest, **together)
    yield from stated.of_rows("2-shift-new", losses, **together)
