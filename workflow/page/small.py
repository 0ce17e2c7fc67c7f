"""Small pictures of rows by PCA and by the final model, drawn over a shaded decision function."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from sklearn.linear_model import LinearRegression

from kpca.persistence import load
from workflow.drawing.plane import mesh, region, separate
from workflow.page.embedding import Embedding
from workflow.page.scatter import ROOM, scatter, shaded

SIDE = 28  # number of points along a side of the mesh that is shaded
MOST_ROWS = 150  # largest number of rows in a small picture


def small(drawn: Embedding, decision: Mapping[str, Any], model: Path) -> dict[str, Markup]:
    """Return small pictures of PCA, and of kernel PCA if it is the final model, by their titles.

    If a dataset has two numeric features, these are the axes. The shades then show the decision
    function of a linear SVM on the components if there are two classes, and component 1 otherwise.
    Other datasets are drawn in the plane of two components. Their pictures have shades only if the
    model has no more than two components, since the decision function is exact only then.
    ``model`` is the file of the final model, which need not exist.
    """
    table = drawn.table
    plane = drawn.plane if model.is_file() else []
    fitted: Any = load(model) if plane else None
    if [*getattr(fitted, "feature_names_in_", plane)] != plane:  # The run left out a feature.
        plane = []
    classes = np.array(drawn.first.rows)
    markers = drawn.first.markers()
    of_two_classes = set(classes.tolist()) == {0, 1}
    exact = of_two_classes and decision["n_components"] == 2
    planes = {"PCA": ["pca_1", "pca_2"]}
    if decision["model"] != "PCA":
        planes[_words(decision)] = ["component_1", "component_2"]
    pictures = {}
    for title, components in planes.items():
        axes = [axis for axis in plane or components if axis in table]
        if not axes:  # There are no scores of PCA for a kernel matrix.
            continue
        points = table[axes].to_numpy(float)
        pictures[title] = scatter(points, markers, title, MOST_ROWS)
        if not (plane or exact) or len(axes) < 2:
            continue
        # Stack the rows and the points of the mesh, as features. Then compute their components.
        scores = np.vstack([points, *np.dstack(mesh(region(points, ROOM), SIDE))])
        if plane and title == "PCA":
            pca = table[[name for name in components if name in table]]
            scores = LinearRegression().fit(points, pca).predict(scores)
        elif plane:
            scores = fitted.transform(pd.DataFrame(scores, columns=plane))
        over = scores[len(points) :]
        heights = over[:, 0]
        if of_two_classes:
            heights = separate(scores[: len(points)], classes).distance(over)
        share = heights / (np.quantile(np.abs(heights), 0.8) or 1.0)
        pictures[title] = shaded(pictures[title], share.clip(-1, 1).reshape(SIDE, SIDE))
    return pictures


def _words(decision: Mapping[str, Any]) -> str:
    """Return the title: how many components there are, and whether two show the gain over PCA."""
    m = decision["n_components"]
    words = f"{m} component{'s' * (m > 1)}"
    better = decision["vs_pca"] == "better" and m > 2
    hidden = better and not decision["view_score"] - decision["view_pca"] >= decision["gain"] / 2
    return f"{words}; two do not show it" if hidden else words
