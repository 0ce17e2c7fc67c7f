"""What is exported of a user's file, and the command on that very file."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kpca
from kpca.command import main
from kpca.novelty.statistics import conformal_limit
from pipeline.datasets.make import make_dataset
from pipeline.grid import points
from workflow.scripts.decision import models as module
from workflow.scripts.decision.models import models

FILES = {
    "script": "model.py",
    "embedding": "embedding.csv",
    "model": "model.npz",
    "predictor": "predictor.npz",
    "predictor_script": "predictor.py",
}
N = 60
GRID = [*points("linear", {}), *points("rbf", {"median": [1]}), *points("cosine", {})]
SPEC: dict[str, Any] = {"label": "kind", "drop": ["day"], "standardize": True}
# Ending → how a frame is written, and options of the pipeline and of the command that it takes.
FORMS: dict[str, tuple[Any, dict[str, Any], list[str]]] = {
    "csv": (pd.DataFrame.to_csv, {}, []),  # with the index
    "tsv": (lambda f, path: f.to_csv(path, sep="\t", decimal=",", index=False), {}, []),
    "txt": (
        lambda f, path: f.to_csv(path, encoding="latin-1", index=False),
        {"encoding": "latin-1"},
        ["--encoding", "latin-1"],
    ),
    "xlsx": (
        lambda f, path: f.to_excel(path, sheet_name="Größe", index=False),
        {"sheet": "Größe"},
        ["--sheet", "Größe"],
    ),
    "parquet": (pd.DataFrame.to_parquet, {}, []),
    "feather": (pd.DataFrame.to_feather, {}, []),
    "arrow": (pd.DataFrame.to_feather, {}, []),
    "npz": (
        lambda f, path: np.savez(path, X=f[["a", "b"]].fillna(0), kind=f["kind"].to_numpy(str)),
        {"drop": None, "missing": None},
        [],
    ),
}


@pytest.fixture
def frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Rows of a user's file; the working folder is a new one."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(N, 2)) * [1, 10]
    frame = pd.DataFrame(X.round(3), columns=["a", "b"])
    frame = frame.assign(kind=np.where(X[:, 0] > 0, "yes", "nö"), day="2024-05-01")
    return frame.assign(colour=["red", "größer", "blue"] * (N // 3))


def exported(
    frame: pd.DataFrame, form: str, cell: str = "rbf-median1", m: int = 2, **changes: Any
) -> list[str]:
    """Write a file and what is exported of it; return the options of the command that it takes."""
    write, spec, options = FORMS[form]
    write(frame, f"own.{form}")
    spec = {"path": f"own.{form}"} | SPEC | changes | spec
    spec = {key: value for key, value in spec.items() if value is not None}
    make_dataset("own", spec, seed=0, replicates=2).save("stored.npz")
    decision = {"dataset": "own", "model": "kernel PCA", "cell": cell, "n_components": m}
    decision |= {"parameters": '{"gamma": 0.5}' if "rbf" in cell else "{}", "C": 1.0}
    decision |= {"scaling": "unit", "view": "", "view_parameters": ""}
    section = {"n_components": [2], "C": [1], "folds": 3, "scaling": ["unit"]}
    section |= {"kmeans_starts": 1, "variance_share": 0.9}
    grid = {"own": [vars(point) for point in GRID]}
    paths = {kind: [file] for kind, file in FILES.items()}
    models(
        ["stored.npz"],
        pd.DataFrame([decision]),
        {"own": spec},
        grid,
        {"own": [*FILES]},
        section,
        paths,
    )
    return [f"own.{form}", *options]


def applied(action: str, options: list[str], file: str = "predictor.npz") -> pd.DataFrame:
    assert main([action, file, *options, "-o", "out.csv"]) == 0
    return pd.read_csv("out.csv")


@pytest.mark.parametrize("missing", [None, "median", "drop"])
@pytest.mark.parametrize("form", FORMS)
def test_a_model_takes_the_file_that_it_was_fitted_to(
    form: str, missing: str | None, frame: pd.DataFrame
) -> None:
    lacking = frame.assign(a=frame["a"].mask(np.arange(N) % 9 == 4)) if missing else frame
    options = exported(lacking, form, missing=missing)
    table, model = pd.read_csv("embedding.csv"), kpca.load("predictor.npz")

    scores = applied("transform", options)
    kept = len(lacking.dropna()) if missing == "drop" and form != "npz" else N
    assert len(scores) == len(table) == kept
    names = ["component_1", "component_2"]
    np.testing.assert_allclose(scores[names], table[names], atol=1e-8)
    predicted = applied("predict", options)["prediction"]
    assert set(predicted) == {"yes", "nö"} == set(model.classes_)
    assert (predicted == table["kind"]).mean() > 0.6
    again, refitted = (runpy.run_path(FILES[kind]) for kind in ("script", "predictor_script"))
    np.testing.assert_allclose(np.abs(again["embedding"]), np.abs(table[names]), atol=1e-7)
    assert (refitted["predictor"].predict(refitted["rows"]) == predicted).all()
    novel = applied("novelty", options, "model.npz")
    np.testing.assert_allclose(novel["novelty"], table["novelty"], atol=1e-8)
    assert len(applied("denoise", options, "model.npz")) == kept


@pytest.mark.parametrize("cell", ["linear", "cosine", "rbf-median1"])
def test_a_model_of_landmarks_has_the_threshold_of_its_rows(
    cell: str, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_ROWS", N - 1)
    monkeypatch.setattr(module, "LANDMARKS", 20)
    options = exported(frame, "csv", cell, m=1)

    assert hasattr(kpca.load("model.npz")[-1], "landmark_axes_")
    novel = applied("novelty", options, "model.npz")
    values = pd.read_csv("embedding.csv")["novelty"]
    np.testing.assert_allclose(novel["novelty"], values, rtol=1e-6)
    limit = conformal_limit(np.sort(values.to_numpy()), 0.05)
    np.testing.assert_allclose(novel["threshold"], limit)
    assert len(applied("denoise", options)) == N


def test_a_model_that_keeps_all_of_the_variance_has_no_novelty(
    frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    options = exported(frame.drop(columns="colour"), "csv", "linear")

    assert "novelty" not in pd.read_csv("embedding.csv")
    assert main(["novelty", "model.npz", *options]) == 1
    assert "The model keeps all of the variance" in capsys.readouterr().err
