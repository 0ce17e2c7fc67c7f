"""The datasets that come with scikit-learn."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset

# Rows of each class, so that a configuration can be checked without loading the data.
CLASS_SIZES: dict[str, tuple[int, ...]] = {
    "digits": (178, 182, 177, 183, 181, 182, 181, 179, 174, 180),
    "iris": (50, 50, 50),
    "wine": (59, 71, 48),
    "breast_cancer": (212, 357),
}


def read_builtin(name: str, spec: Mapping[str, Any]) -> Dataset:
    """Load ``spec["sklearn"]``: digits, iris, wine or breast_cancer, with its labels."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{spec['sklearn']}")()
    return Dataset(
        name=name,
        X=np.ascontiguousarray(bunch.data, dtype=np.float64),
        y=np.asarray(bunch.target, dtype=np.int64),
        feature_names=tuple(map(str, bunch.feature_names)),
        class_names=tuple(map(str, bunch.target_names)),
        image_shape=bunch.images.shape[1:] if "images" in bunch else None,
        source=f"scikit-learn {spec['sklearn']}",
    )
