"""How the methods of these studies look in every figure."""

from typing import Any

from pipeline.drawing import style

METHODS: dict[str, dict[str, Any]] = {
    "none": {"color": style.GREY, "marker": "x", "label": "noisy"},
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
    "fixed_point": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, fixed point"},
    "mds": {"color": style.ORANGE, "marker": "^", "label": "kernel PCA, distances"},
    "ridge": {"color": style.GREEN, "marker": "D", "label": "kernel PCA, ridge"},
}
NOISES = {"gaussian": "Gaussian noise", "speckle": "speckle"}
