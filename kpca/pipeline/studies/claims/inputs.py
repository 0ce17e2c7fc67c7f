"""What is done to the inputs before the kernel: centring them, standardising them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline.datasets.dataset import Split
from kpca.pipeline.kernels import resolve_gamma
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.rkhs import centred
from kpca.pipeline.studies.claims.setting import (
    KERNELS,
    balanced_accuracy,
    bounds,
    draws,
    fitted,
    kernel_of,
    row_claims,
    units,
)
from kpca.types import Floats

FIGURE = "claims_identities"
MARGIN = 0.01
SAME = 1e-10
COMPARED = ("poly", "rbf", "sigmoid", "cosine")
N_COMPONENTS = 5
GAIN = f"gain of balanced accuracy of a linear SVM on {N_COMPONENTS} components"


def moved(kernel: str, X: Floats) -> float:
    """Return ‖K̄(X) − K̄(X − mean)‖_F / ‖K̄(X)‖_F under the parameters that suit X."""
    model = fitted(kernel, X, 1)
    shifted = X - X.mean(axis=0)
    before, after = centred(kernel_of(model)), centred(kernel_of(model, shifted, shifted))
    return float(np.linalg.norm(before - after) / np.linalg.norm(before))


def accuracy(split: Split, kernel: str, *, origin: float | Floats = 0.0) -> float:
    """Return the balanced accuracy of a linear SVM on five components of rows less an origin.

    The parameters of the kernel are those for the rows as they are.
    """
    gamma = resolve_gamma(KERNELS[kernel], split.X_train, seed=0)
    model = fitted(kernel, split.X_train - origin, N_COMPONENTS, gamma=gamma)
    sides = [model.transform(X - origin) for X in (split.X_train, split.X_test)]
    return balanced_accuracy(sides[0], sides[1], (split.y_train, split.y_test))


def centring_gains(
    datasets: Mapping[str, dict[str, Any]], *, seed: int, replicates: int
) -> pd.DataFrame:
    """Return what centring the inputs gains: columns dataset, kernel, replicate, overlap, gain."""
    rows = []
    for unit, split in units(datasets, COMPARED, seed=seed, replicates=replicates):
        kernel = unit["kernel"]
        gain = accuracy(split, kernel, origin=split.X_train.mean(axis=0))
        rows.append(unit | {"gain": gain - accuracy(split, kernel)})
    return pd.DataFrame(rows)


def scaling_gains(*, seed: int, replicates: int) -> pd.DataFrame:
    """Return what standardisation gains on wine: columns as those of `centring_gains`."""
    both = [{"sklearn": "wine", "standardize": flag} for flag in (False, True)]
    raw, scaled = (
        units({"wine": spec}, KERNELS, seed=seed, replicates=replicates) for spec in both
    )
    rows = []
    for (unit, plain), (_, standard) in zip(raw, scaled, strict=True):
        gain = accuracy(standard, unit["kernel"]) - accuracy(plain, unit["kernel"])
        rows.append(unit | {"gain": gain})
    return pd.DataFrame(rows)


def measure(
    *, seed: int, replicates: int, datasets: Mapping[str, dict[str, Any]]
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on centring and standardising the inputs, and the tables of the figure.

    Parameters
    ----------
    seed, replicates : int
    datasets : mapping
        Name → its source, rows not standardised. The first one also gives the kernel matrices.
    """
    name, _, splits = next(draws(datasets, seed=seed, replicates=1))
    changes = {kernel: moved(kernel, splits[0].X_train) for kernel in KERNELS}
    gains = bounds(
        centring_gains(datasets, seed=seed, replicates=replicates), ["dataset", "kernel"], "gain"
    )
    scaled = bounds(
        scaling_gains(seed=seed, replicates=replicates), ["dataset", "kernel"], "gain", "kernel"
    )
    claims = [
        *_matrix_claims(changes, name),
        *_centring_claims(gains, replicates),
        *_scaling_claims(scaled, replicates),
    ]
    moves = pd.DataFrame({"kernel": list(changes), "change": list(changes.values())})
    return claims, {"moves": moves, "gains": gains, "scaled": scaled}


def _matrix_claims(changes: dict[str, float], name: str) -> Iterator[Claim]:
    rule = Rule(f"‖K̄(X) − K̄(X − mean)‖ / ‖K̄(X)‖, {name}", "above", SAME)
    for kernel, change in changes.items():
        yield Claim(
            f"11-input-centring-{kernel}",
            f"The data must be centred before the kernel: {kernel}.",
            "X − mean",
            *exactly(change),
            rule,
            FIGURE,
        )


def _centring_claims(gains: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    return row_claims(
        gains,
        claim="11-input-accuracy-{kernel}-{dataset}",
        statement="Centring the inputs raises accuracy: {kernel} kernel, {dataset}.",
        source="X − mean",
        rule=Rule(GAIN, "above", MARGIN, replicates, gains["dataset"].nunique()),
        figure=FIGURE,
    )


def _scaling_claims(scaled: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    return row_claims(
        scaled,
        claim="11-standardisation-{kernel}",
        statement="Standardisation reduces the effect of units on wine: {kernel} kernel.",
        source="mean 0, variance 1",
        rule=Rule(GAIN, "above", MARGIN, replicates, len(scaled)),
        figure=FIGURE,
    )
