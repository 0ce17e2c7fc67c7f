"""A small folder of results whose words try to break out of the page."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from pipeline.drawing import style
from pipeline.page.page import page

HOSTILE = """<script>window.broken = 1</script>"'&<img src=x onerror="window.broken=1">"""
ROLES = {"iris": {"label": HOSTILE}}
FIGURES = [
    {
        "name": name,
        "category": "Claims",
        "title": "test scores",
        "caption": "workflow/scripts/sweep/comparison.rst",
    }
    for name in ("comparison", "heavy")
]


def tables() -> dict[str, pd.DataFrame]:
    """Path → table of a run of one dataset."""
    interval = {"low": 0.8, "high": 1.0, "gain": 0.2, "gain_low": 0.1, "gain_high": 0.3}
    decision: dict[str, Any] = {"dataset": "iris", "measure": "balanced_accuracy", "score": 0.9}
    decision |= {"cell": "linear", "model": "kernel PCA", "kernel": "rbf", "n_components": 2}
    decision |= {"parameters": '{"gamma": 0.5}', "rows": 2, "chance": 0.5, "raw": 0.95, "pca": 0.7}
    decision |= {"raw_gain": -0.05, "raw_low": -0.06, "raw_high": -0.04}
    decision |= {"view": "rbf", "view_score": 0.75, "view_pca": 0.5}
    words = {"sentence": f"It pays. Look: {HOSTILE}", "caveats": f"{HOSTILE} | few rows"}
    verdicts = {"vs_chance": "better", "vs_raw": "worse", "vs_pca": "enough"}
    decision |= interval | verdicts | words
    dataset: dict[str, Any] = {"dataset": "iris", "train": 2, "test": 1, "columns": 4, "classes": 2}
    dataset |= {
        "replicates": 5,
        "draws": "independent",
        "source": "here",
        "left_out": "a quick look: 3 of 6 kernels",
        "warnings": f"{HOSTILE} | odd",
    }
    compared: dict[str, Any] = {"dataset": "iris", "method": "linear_svm", "main": True}
    compared |= {"metric": "balanced_accuracy", "criterion": "cv", "mean": 0.9} | interval
    compared["baseline"] = "pca"
    held_out = {"dataset": "iris", "model": "kernel PCA"}
    points = np.linspace(-1, 1, 3)
    return {
        "tables/decisions.csv": pd.DataFrame([decision]),
        "tables/datasets.csv": pd.DataFrame([dataset]),
        "tables/comparisons.csv": pd.DataFrame(
            [
                compared | {"kernel": kernel, "mean": m}
                for kernel, m in (("pca", 0.85), ("rbf", 0.9))
            ]
        ),
        "tables/held_out.csv": pd.DataFrame(
            [held_out | {"metric": "recall", "class": HOSTILE, "mean": 0.9, "low": 0.8, "high": 1}]
        ),
        "tables/confusion.csv": pd.DataFrame(
            [held_out | {"class": HOSTILE, "predicted": HOSTILE, "rows": 17}]
        ),
        "tables/claims.csv": pd.DataFrame(
            [{"claim": "1-a", "statement": HOSTILE, "verdict": "holds", "figure": "comparison"}]
        ),
        "papers/overview.csv": pd.DataFrame(
            {"paper": ["a", "b", "c"], "cells": [9, 80, 7.5], "note": [None, HOSTILE, "few"]}
        ),
        "provenance.csv": pd.DataFrame(
            [("version", "kpca", "1.0"), ("version", "numpy", "2"), ("parameter", "seed", "1")],
            columns=["kind", "name", "value"],
        ),
        "models/iris.csv": pd.DataFrame(
            {"row": range(3), "id": HOSTILE, HOSTILE: [HOSTILE, HOSTILE, "b"], "size": points / 2}
            | {f"component_{c}": points * c for c in (1, 2, 3)}
            | {"view_1": points, "view_2": points, "pca_1": points, "pca_2": points + 1}
        ),
    }


def write(folder: Path) -> list[str]:
    """Write the files of a run below a folder, and return their paths."""
    for path, table in tables().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(folder / path, index=False)
    (folder / "models/iris.py").write_text(f"# {HOSTILE}\nprint(1)\n")
    (folder / "report").mkdir()
    (folder / "figures").mkdir()
    for name, marks in (("comparison", 3), ("heavy", 9000)):
        fig, axes = style.figure(width=style.COLUMN)
        with mpl.rc_context({"path.simplify": False}):
            axes[0, 0].plot(np.random.default_rng(0).random(marks), "o")
            style.save(fig, [folder / f"figures/{name}.{kind}" for kind in ("svg", "png")])
    return [str(path) for path in sorted(folder.rglob("*.*"))]


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a run with its page. Not to be changed."""
    folder = tmp_path_factory.mktemp("results of a run")
    text = page(folder, write(folder), FIGURES, ROLES)
    (folder / "report/index.html").write_text(text)
    return folder
