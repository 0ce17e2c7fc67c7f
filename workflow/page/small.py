"""Small pictures of what decided: rows by PCA and by the final model, over what these compute."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from kpca.persistence import load
from workflow.drawing.plane import mesh, region, separate
from workflow.page.embedding import Embedding
from workflow.page.scatter import markers_of, scatter, shaded

SIDE, ROOM = 28, 0.06  # of the mesh that is shaded: its points along a side, and its margin
MOST_ROWS = 150  # of a small picture


def small(drawn: Embedding, decision: Mapping[str, Any], model: Path) -> dict[str, Markup]:
    """Return a small picture of PCA, and one of kernel PCA if that is exported, by their words.

    Two numeric features are the axes of both, over the decision function of a linear SVM on the
    components, or over component 1 unless there are two classes. Other rows are shown by two
    components, over the decision function if the model has no more, since it is exact only then.
    ``model`` is the file of the final model, which need not exist.
    """
    table, plane = drawn.table, drawn.plane if model.is_file() else []
    fitted: Any = load(model) if plane else None
    if [*getattr(fitted, "feature_names_in_", plane)] != plane:  # the run left one of them out
        plane = []
    classes = next(iter(drawn.colours.values())).rows if drawn.colours else []
    markers = markers_of(next(iter(drawn.colours.values()), None), len(table))
    planes = {"PCA": ["pca_1", "pca_2"]}
    if decision["model"] != "PCA":
        planes[_words(decision)] = ["component_1", "component_2"]
    exact = {*classes} == {0, 1} and decision["n_components"] == 2
    pictures = {}
    for title, components in planes.items():
        axes = [axis for axis in plane or components if axis in table]
        if not axes:  # PCA of a kernel matrix
            continue
        points = table[axes].to_numpy(float)
        picture = scatter(points, markers, title, MOST_ROWS, ROOM)
        if (plane or exact) and len(axes) == 2:
            X = points
            both = np.vstack([X, *np.dstack(mesh(region(X, ROOM), SIDE))])
            if plane and title == "PCA":
                affine = np.column_stack([both, np.ones(len(both))])
                pca = table[[name for name in components if name in table]].to_numpy()
                both = affine @ np.linalg.lstsq(affine[: len(X)], pca, rcond=None)[0]
            elif plane:
                both = fitted.transform(pd.DataFrame(both, columns=plane))
            heights = _heights(both[: len(X)], both[len(X) :], np.array(classes))
            picture = shaded(picture, heights.reshape(SIDE, SIDE))
        pictures[title] = picture
    return pictures


def _words(decision: Mapping[str, Any]) -> str:
    """Return how many components decided, and whether two of them show the advantage."""
    m = decision["n_components"]
    words = f"{m} component{'s' * (m > 1)}"
    better = decision["vs_pca"] == "better" and m > 2
    hidden = better and not decision["view_score"] - decision["view_pca"] >= decision["gain"] / 2
    return f"{words}; two do not show it" if hidden else words


def _heights(Z: np.ndarray, over: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return what scores over a mesh decide, from -1 to 1, by a classifier of rows Z.

    That is a linear classifier of two classes, else component 1.
    """
    of_two = {*classes.tolist()} == {0, 1}
    heights = separate(Z, classes).distance(over) if of_two else over[:, 0]
    share: np.ndarray = heights / (np.quantile(np.abs(heights), 0.8) or 1.0)
    return share.clip(-1, 1)
