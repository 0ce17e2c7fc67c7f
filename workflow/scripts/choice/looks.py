"""How the criteria look in every figure, and in which order."""

from typing import Any

from pipeline.drawing import style

CRITERIA: dict[str, dict[str, Any]] = {
    "variance": {"color": style.GREY, "marker": "o", "label": "median γ, share of variance"},
    "reconstruction": {"color": style.SKY, "marker": "v", "label": "median γ, reconstruction"},
    "feature_denoising": {
        "color": style.BLUE,
        "marker": "D",
        "label": "median γ, de-noising in feature space",
    },
    "stability": {"color": style.PURPLE, "marker": "P", "label": "median γ, bootstrap angle"},
    "feature_gamma": {
        "color": style.OLIVE,
        "marker": "<",
        "label": "γ by reconstruction in feature space",
    },
    "input_denoising": {
        "color": style.GREEN,
        "marker": "^",
        "label": "γ and m by de-noising in the input space",
    },
    "relevant_dimension": {
        "color": style.ORANGE,
        "marker": "s",
        "label": "relevant dimension (labels)",
    },
    "leave_one_out": {
        "color": style.BROWN,
        "marker": "X",
        "label": "relevant dimension, leave-one-out (labels)",
    },
    "cv": {"color": style.VERMILION, "marker": "*", "label": "cross-validation (labels)"},
    "hindsight": {"color": style.BLACK, "marker": "|", "label": "best test score in hindsight"},
}
