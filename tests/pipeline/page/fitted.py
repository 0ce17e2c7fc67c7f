"""Small datasets with their fits and scores, whose words try to break out of the explorer."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset
from pipeline.fits import fit_arrays
from pipeline.grid import points
from pipeline.store import entry_name, write_store
from tests.pipeline.page.conftest import HOSTILE
from tests.scores import score, table

GRID = {
    "linear": points("linear", {}),
    "rbf": points("rbf", {"median": [0.3, 1, 3]}),
    "poly": points("poly", {"degree": [9]}),  # which no store has
}
SIZES = (1, 2)
SPLITS = ((np.arange(20), np.arange(20, 30)),)


def datasets() -> list[Dataset]:
    """Return rows of the plane with labels, images with a target, and a kernel matrix."""
    rng = np.random.default_rng(0)
    X, images = rng.normal(size=(30, 2)), rng.normal(size=(30, 12))
    plane = Dataset(
        name="plane",
        X=X,
        y=np.arange(30) % 2,
        ids=np.array([HOSTILE] * 30),
        class_names=(HOSTILE, "b"),
        feature_names=(HOSTILE, "width"),
        standardize=True,
        splits=SPLITS,
    )
    pictures = Dataset(name="pictures", X=images, target=X[:, 0], image_shape=(3, 4), splits=SPLITS)
    return [plane, pictures, Dataset(name="kernel", X=X @ X.T, precomputed=True, splits=SPLITS)]


def given(folder: Path) -> dict[str, Any]:
    """Write the stores below a folder, and return what the explorer takes."""
    fits, rows = {}, []
    stored = [*GRID["linear"], *GRID["rbf"]]
    for dataset in datasets()[:2]:
        fits[dataset.name] = str(folder / f"{dataset.name}.npz")
        X = dataset.split(0).X_train
        arrays = {
            entry_name(p, 0): fit_arrays(p, X, n_components=4, variance_share=0.5) for p in stored
        }
        write_store(fits[dataset.name], arrays.items())
        method = "linear_svm" if dataset.name == "plane" else "least_squares"
        pca = {"dataset": dataset.name, "cell": "pca", "kernel": "pca", "method": method}
        rows.append([score(0.55, split=split, n_components=1, **pca) for split in ("cv", "test")])
        for place, point in enumerate(stored):
            cell = {"dataset": dataset.name, "cell": point.id, "kernel": point.kernel}
            cell |= {"method": method}
            rows.append(
                [
                    score(value + place / 10, split=split, n_components=m, C=C, **cell)
                    for m in SIZES
                    for C, worse in ((1.0, 0.0), (10.0, 0.05))
                    for split, value in (("cv", 0.5 + m / 100 - worse), ("test", 0.4 + worse))
                ]
            )
    grid = {kernel: {point.id: point for point in family} for kernel, family in GRID.items()}
    chosen = {"dataset": ["plane", "pictures", "kernel"], "cell": "rbf-median3", "n_components": 2}
    return {
        "datasets": datasets(),
        "fits": fits,
        "grid": grid,
        "scores": table(*rows),
        "decisions": pd.DataFrame(chosen),
    }
