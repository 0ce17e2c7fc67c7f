"""Models, and scripts for every fit of the grid."""

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

from pipeline.datasets.make import make_dataset
from pipeline.grid import points
from pipeline.kernels import estimator, resolve_gamma
from workflow.scripts.decision.models import models

SPEC = {"path": "own.csv", "label": "kind", "standardize": True}
GRID = [
    *points("linear", {}),
    *points("poly", {"degree": [2, 3], "scale": [1], "coef0": [1]}),
    *points("rbf", {"median": [0.3, 1]}),
    *points("sigmoid", {"scale": [0.1], "coef0": [0]}),
]
M = 2


@pytest.fixture
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Scripts of sixty rows in a file, in the working directory, by cell."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 3)) * [1, 10, 0.1]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=["x", "y", "x"] * 20)
    frame.to_csv("own.csv", index=False)
    make_dataset("own", SPEC, seed=0, replicates=2).save("own.npz")
    chosen: dict[str, Any] = {
        "dataset": "own",
        "model": "PCA",
        "cell": "linear",
        "parameters": "{}",
    }
    files = {"script": "own.py", "embedding": "embedding.csv", "model": "model.npz"}
    models(
        ["own.npz"],
        pd.DataFrame([chosen | {"n_components": M}]),
        {"own": SPEC},
        {"own": [point.as_dict() for point in GRID]},
        {"own": [*files]},
        {kind: [file] for kind, file in files.items()} | {"recipes": "recipes.json"},
    )
    found: dict[str, str] = json.loads(Path("recipes.json").read_text())["own"]
    return found


def test_every_cell_has_a_script_that_gives_its_fit(recipes: dict[str, str]) -> None:
    X = StandardScaler().fit_transform(pd.read_csv("own.csv")[["a", "b", "c"]])
    assert list(recipes) == [point.id for point in GRID]
    assert recipes["linear"] == Path("own.py").read_text()

    for point in GRID:
        Path("again.py").write_text(recipes[point.id])
        found = runpy.run_path("again.py")["embedding"]
        expected = estimator(point, resolve_gamma(point, X), n_components=M).fit_transform(X)
        signs = np.sign((found * expected).sum(axis=0))
        np.testing.assert_allclose(found * signs, expected, atol=1e-7 * np.abs(expected).max())
