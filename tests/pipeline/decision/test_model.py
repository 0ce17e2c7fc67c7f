"""The model of all rows, and the script that fits it anew."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kpca
from pipeline.datasets.make import make_dataset
from pipeline.decision import model as module
from pipeline.decision.model import all_rows, embedding, given_rows, unfitted
from pipeline.decision.recipe import reading, recipe, source
from pipeline.grid import Point

RBF = {"parameters": '{"gamma": 0.31}', "n_components": 3}
OWN: dict[str, Any] = {"path": "own.csv", "label": "kind"}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Files of sixty rows in three columns and a label, in the working directory."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 3)) * [1, 10, 0.1]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=["x", "y", "x"] * 20)
    frame.to_csv("own.csv", index=False)
    frame.rename(columns={"a": " a"}).to_csv("spaced.csv", index=False, sep=";")
    frame.to_parquet("own.parquet")
    np.savez("own.npz", X=X, y=frame["kind"].to_numpy(dtype=str), K=X @ X.T)
    return frame


@pytest.mark.parametrize(
    ("spec", "point", "decision"),
    [
        (OWN, Point("rbf"), RBF),
        (OWN | {"standardize": True}, Point("rbf"), RBF),
        (OWN | {"max_rows": 30, "standardize": True}, Point("rbf"), RBF),
        (OWN | {"features": ["c", "a"]}, Point("linear"), {"parameters": "{}", "n_components": 2}),
        (OWN | {"path": "spaced.csv"}, Point("rbf"), RBF),
        (OWN | {"path": "own.parquet", "standardize": True}, Point("rbf"), RBF),
        ({"path": "own.npz", "standardize": True}, Point("rbf"), RBF),
        (
            {"path": "own.npz", "kernel_matrix": True},
            Point("precomputed"),
            {"parameters": "{}", "n_components": 2},
        ),
        (
            {"generator": "rings", "n_train": 30, "n_test": 20},
            Point("poly", {"degree": 3}),
            {"parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}', "n_components": 4},
        ),
        ({"sklearn": "iris", "standardize": True}, Point("rbf"), RBF),
        (
            OWN,
            Point("mine", {"width": 2}, f"{__name__}:overlap"),
            {"parameters": '{"width": 2}', "n_components": 2},
        ),
    ],
    ids=[
        *("csv", "standardised", "sampled", "features", "spaces and semicolons", "parquet", "npz"),
        *("a kernel matrix", "drawn", "of scikit-learn", "an own kernel"),
    ],
)
def test_file_and_script_give_the_embedding(
    spec: dict[str, Any], point: Point, decision: dict[str, Any]
) -> None:
    dataset = make_dataset("own", spec, seed=0, replicates=2)
    dataset.save("stored.npz")
    rows = all_rows(dataset, spec)
    model = unfitted(rows, point, decision).fit(given_rows(rows))

    table = embedding(rows, model)
    Path("again.py").write_text(recipe("own", reading(rows, spec, "stored.npz"), model))
    again = runpy.run_path("again.py")["embedding"]

    scores = table.filter(like="component_").to_numpy()
    assert scores.shape == (len(rows.X), decision["n_components"])
    signs = np.sign((scores * again).sum(axis=0))
    np.testing.assert_allclose(again * signs, scores, atol=1e-7 * np.abs(scores).max())
    assert table["row"].tolist() == list(range(1, len(rows.X) + 1))
    assert table["novelty"].between(-1e-9, np.inf).all()
    if point.callable:
        return
    kpca.save(model, "model.npz")
    np.testing.assert_array_equal(kpca.load("model.npz").transform(given_rows(rows)), scores)


def overlap(x: np.ndarray, y: np.ndarray, width: float) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


def test_a_model_takes_new_rows_as_they_stand_in_a_file(files: pd.DataFrame) -> None:
    dataset = make_dataset("own", OWN | {"standardize": True}, seed=0, replicates=2)
    rows = all_rows(dataset, OWN)
    kpca.save(unfitted(rows, Point("rbf"), RBF).fit(given_rows(rows)), "model.npz")

    new = files[["a", "b", "c"]].head(4) + 0.1
    assert kpca.load("model.npz").transform(new).shape == (4, 3)


def test_what_is_known_of_a_row_stands_beside_its_scores() -> None:
    dataset = make_dataset("own", OWN | {"max_rows": 30}, seed=0, replicates=2)
    rows = all_rows(dataset, OWN)
    table = embedding(rows, unfitted(rows, Point("rbf"), RBF).fit(given_rows(rows)))

    assert table["label"].tolist() == ["x", "y", "x"] * 20
    columns = ["row", "label", "component_1", "component_2", "component_3", "novelty"]
    assert table.columns.tolist() == columns


@pytest.mark.parametrize(
    ("changes", "rows", "ids"),
    [
        ({}, [1, 3], None),
        ({"id": "name"}, [1, 3], ["p", "r"]),
        ({"missing": "median"}, [1, 2, 3], None),
    ],
)
def test_rows_are_known_by_number_and_name_and_new_ones_may_be_messy(
    changes: dict[str, Any], rows: list[int], ids: list[str] | None
) -> None:
    lines = [
        f"{n},{i},{w},{c}"
        for i, (n, w, c) in enumerate(zip("pqr" * 12, [1, "?", 3] * 12, "uvw" * 12, strict=True))
    ]
    Path("messy.csv").write_text("\n".join(["name,size,weight,colour", *lines]))
    spec = {
        "path": "messy.csv",
        "missing": "drop",
        "categorical": ["colour"],
        "features": ["size", "weight", "colour"],
    }
    spec |= {"standardize": True} | changes
    dataset = make_dataset("messy", spec, seed=0, replicates=2)
    model = unfitted(dataset, Point("rbf"), RBF).fit(given_rows(dataset))
    assert dataset.whole().X_test.shape == (0, dataset.whole().X_train.shape[1])

    table = embedding(dataset, model)
    assert table["row"].tolist()[: len(rows)] == rows
    assert ("id" in table) == (ids is not None)
    assert ids is None or table["id"].tolist()[:2] == ids
    kpca.save(model, "model.npz")
    new = pd.DataFrame({"size": [1.0], "weight": [2.0], "colour": ["never seen"]})
    assert kpca.load("model.npz").transform(new).shape == (1, 3)
    Path("again.py").write_text(recipe("messy", reading(dataset, spec, ""), model))
    again = runpy.run_path("again.py")["embedding"]
    np.testing.assert_allclose(np.abs(again), np.abs(table.filter(like="component_")), atol=1e-7)


@pytest.mark.parametrize(("kernel", "solver"), [("rbf", "nystrom"), ("sigmoid", "auto")])
def test_many_rows_are_fitted_by_landmarks_where_the_kernel_allows_it(
    monkeypatch: pytest.MonkeyPatch, kernel: str, solver: str
) -> None:
    monkeypatch.setattr(module, "EXACT_ROWS", 50)
    dataset = make_dataset("own", OWN, seed=0, replicates=2)
    model = unfitted(all_rows(dataset, OWN), Point(kernel), RBF)

    assert model[-1].eigen_solver == solver


def test_rows_that_pandas_reads_in_another_way_are_read_by_the_pipeline() -> None:
    dataset = make_dataset("own", {"path": "spaced.csv", "label": "kind"}, seed=0, replicates=2)
    model = unfitted(dataset, Point("rbf"), RBF)

    text = recipe("own", reading(dataset, {"path": "spaced.csv", "label": "kind"}, ""), model)
    assert "read_rows('own', {'path': 'spaced.csv', 'label': 'kind'})" in text


def test_a_long_call_has_one_argument_per_line() -> None:
    """A line that runs out of the page cannot be read."""
    model = kpca.KernelPCA(
        n_components=32, kernel="rbf", gamma=1 / 3, random_state=0, alpha=0.123456
    )
    text = source(model, set())

    assert max(map(len, text.splitlines())) < 50
    assert eval(text, {"KernelPCA": kpca.KernelPCA}).get_params() == model.get_params()
