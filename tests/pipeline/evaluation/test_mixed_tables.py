"""Tables of several kinds of columns, whose rank differs between folds: each setting can win."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.make import make_dataset
from pipeline.errors import InputError
from pipeline.evaluation import evaluate
from pipeline.evaluation.downstream import Fold
from pipeline.evaluation.evaluate import Problem, evaluate_cell, make_problem
from pipeline.evaluation.settings import Cell, Outcome, Settings
from pipeline.fitted_models import fit_arrays
from pipeline.grid import Point
from pipeline.store import Arrays
from pipeline.tables.scores import scores_table
from pipeline.tables.selection import best_setting

SETTINGS = Settings((2, 5, 12, 32), (1.0,), 3, ("unit",), 1, 0.9)
CELLS = (
    Cell("pca", Point("pca")),
    Cell("kernel", Point("linear")),
    Cell("kernel", Point("poly", {"degree": 2, "scale": 1})),
    Cell("raw", Point("raw")),
)


class Shape(NamedTuple):
    """Rows and columns of a real table; `levels` has the categories of each text column."""

    rows: int
    classes: int
    numbers: int
    levels: tuple[int, ...] = ()
    rare: int = 0  # columns of 0 that are 1 in two rows
    missing: float = 0.0


SHAPES = {
    "cars93": Shape(93, 6, 14, (3, 3, 2, 2, 2, 6), missing=0.01),
    "ecoli": Shape(120, 4, 4, rare=3),
    "zoo": Shape(101, 4, 1, (2, 2, 6), rare=3),
    "hepatitis": Shape(120, 2, 5, (2, 2, 2), rare=2, missing=0.05),
    "flags": Shape(150, 4, 6, (8, 4), rare=2),
    "credit": Shape(160, 2, 4, (5, 4, 10)),
    "titanic": Shape(160, 2, 0, (4, 2, 9)),
    "birthwt": Shape(140, 2, 3, (3,), rare=3),
    "fair": Shape(160, 2, 5, (7,), rare=2),
    "annealing": Shape(150, 3, 4, (7, 3), rare=3),
}


def table(shape: Shape, seed: int = 0) -> pd.DataFrame:
    """Return a table of a shape: full-rank signal in the numbers, and rare categories."""
    rng = np.random.default_rng(seed)
    y = np.arange(shape.rows) % shape.classes
    columns: dict[str, object] = {}
    for j in range(shape.numbers):
        column = rng.normal(size=shape.rows) + (y == j % shape.classes)
        columns[f"n{j}"] = np.where(rng.random(shape.rows) < shape.missing, np.nan, column)
    for j, levels in enumerate(shape.levels):
        often = np.array([1.0, 0.6, 0.3, *[0.01] * (levels - 3)])[:levels]
        drawn = rng.choice(levels, shape.rows, p=often / often.sum())
        drawn[j], drawn[-1 - j] = levels - 1, levels - 1
        columns[f"c{j}"] = np.array([*"abcdefghij"])[drawn]
    for j in range(shape.rare):
        columns[f"r{j}"] = np.isin(np.arange(shape.rows), (7 * j, 11 * j + 5)).astype(int)
    return pd.DataFrame(columns | {"kind": np.array([*"uvwxyz"])[y]})


def problem_of(shape: Shape, folder: Path, seed: int) -> Problem:
    table(shape, seed).to_csv(folder / "own.csv", index=False)
    spec = {"path": str(folder / "own.csv"), "label": "kind", "missing": "median"}
    rows = make_dataset("own", spec | {"standardize": True}, seed=seed, replicates=1)
    return make_problem(rows.split(0), 3, seed=seed)


@pytest.mark.parametrize("name", SHAPES)
def test_every_tested_setting_has_a_validation_score(name: str, tmp_path: Path) -> None:
    entries: dict[str, Arrays] = {}
    for seed in range(2):
        problem = problem_of(SHAPES[name], tmp_path, seed)
        for cell in CELLS:
            sizes = {"n_components": max(SETTINGS.n_components), "variance_share": 0.9}
            is_kernel, X = cell.kind == "kernel", problem.split.X_train
            fit = fit_arrays(cell.point, X, **sizes) if is_kernel else None
            found = evaluate_cell(problem, cell, SETTINGS, fit, only=["linear_svm"])
            share = found.get("components_for_share")  # which is not tuned
            shown = pd.DataFrame({name: found[name] for name in ("n_components", "split")})
            shown = shown[shown["n_components"] != share]
            by_split = {split: {*of["n_components"]} for split, of in shown.groupby("split")}
            assert by_split["test"] == by_split["train"] == by_split["cv"]
            entries[f"{cell.id}/{seed}"] = found
    scores = scores_table({name: entries})
    best = best_setting(scores, ["cell", "replicate"]).set_index(["cell", "replicate"])
    np.testing.assert_allclose(best.loc["pca", "value"], best.loc["linear", "value"], atol=0.02)


def test_a_setting_without_a_validation_score_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = replace(problem_of(SHAPES["cars93"], tmp_path, 0), name="cars93")
    scored = evaluate.outcomes

    def only_outside(fold: Fold, settings: Settings, name: str) -> Iterator[Outcome]:
        if not (name == "linear_svm" and fold.inner and fold.Z_train.shape[1] > 12):
            yield from scored(fold, settings, name)

    monkeypatch.setattr(evaluate, "outcomes", only_outside)
    told = r"dataset 'cars93', setting pca: .*\n.*linear_svm at 2\d components and C = 1.0"
    with pytest.raises(InputError, match=told):
        evaluate_cell(problem, CELLS[0], SETTINGS)
