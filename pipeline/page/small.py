"""Small pictures of what decided: rows by PCA and by the final model, over what these compute."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kpca.persistence import load
from pipeline.drawing.plane import mesh, region, separate
from pipeline.page.embedding import Embedding
from pipeline.seeds import evenly_spaced

MOST_ROWS, SIDE, ROOM = 150, 28, 0.06
PIXELS, LEVELS = 255, 15
"""Largest coordinate of a row, and steps of a shade on each side of 0."""


def small(drawn: Embedding, decision: Mapping[str, Any], model: Path) -> dict[str, Any]:
    """Return rows of an embedding for a small picture of PCA, and one of a kernel PCA if exported.

    Two numeric features are the axes of both, over the decision function of a linear SVM on the
    components, or over component 1 unless there are two classes. Other rows are shown by two
    components. ``model`` is the file of the final model, which need not exist.
    """
    table, features = drawn.table, drawn.features
    kept = evenly_spaced(len(table), MOST_ROWS)
    colours = next(iter(drawn.colours.values()), None)
    places = np.array(colours.rows if colours else [0] * len(table))
    planes = {"PCA": ["pca_1", "pca_2"]}
    if decision["model"] != "PCA":
        planes[_words(decision)] = ["component_1", "component_2"]
    heights: list[list[int]] = [[], []]
    numeric = all(pd.api.types.is_numeric_dtype(table[name]) for name in features)
    if len(features) == 2 and numeric and model.is_file():
        planes = dict.fromkeys(planes, features)
        heights = _heights(table, features, places, model)
    pictures = [
        {"words": words, "x": x, "y": y, "heights": shades}
        for (words, plane), shades in zip(planes.items(), heights, strict=False)
        for x, y in [[_pixels(table.get(name, table["row"] * 0), kept) for name in plane]]
    ]
    is_ramp = colours is not None and colours.ends is not None
    return {"rows": places[kept].tolist(), "numeric": is_ramp, "side": SIDE, "pictures": pictures}


def _words(decision: Mapping[str, Any]) -> str:
    """Return how many components decided, and whether two of them show the advantage."""
    m = decision["n_components"]
    words = f"{m} component{'s' * (m > 1)}"
    better = decision["vs_pca"] == "better" and m > 2
    hidden = better and not decision["view_score"] - decision["view_pca"] >= decision["gain"] / 2
    return f"{words}; two do not show it" if hidden else words


def _heights(
    table: pd.DataFrame, features: list[str], places: np.ndarray, model: Path
) -> list[list[int]]:
    """Return what PCA and a model decide over a mesh of two features, in steps, line by line.

    That is a linear classifier of two classes, or component 1.
    """
    X, pca = table[features].to_numpy(float), table[["pca_1", "pca_2"]].to_numpy()
    points = np.column_stack([side.ravel() for side in mesh(region(X, ROOM), SIDE)])
    both = np.vstack([X, points])
    affine = np.column_stack([both, np.ones(len(both))])
    plane = affine @ np.linalg.lstsq(affine[: len(X)], pca, rcond=None)[0]
    curved = load(model).transform(pd.DataFrame(both, columns=features))
    found = []
    for Z in (plane, curved):
        heights = Z[len(X) :, 0]
        if {*places.tolist()} == {0, 1}:
            heights = separate(Z[: len(X)], places).distance(Z[len(X) :])
        shares = heights / (np.quantile(np.abs(heights), 0.8) or 1.0)
        found.append(np.rint(LEVELS * shares.clip(-1, 1)).astype(int).tolist())
    return found


def _pixels(values: pd.Series, kept: np.ndarray) -> list[int]:
    """Return some values of a column as places in a picture, which has room at its edges."""
    low, high = values.min(), values.max()
    shares = (values - low) / ((high - low) or 1.0)
    return np.rint(PIXELS * (ROOM + shares) / (1 + 2 * ROOM)).astype(int)[kept].tolist()
