"""What is exported of a user's file, and the command on that very file."""

import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline

import kpca
from kpca.command import main
from kpca.command.columns import flat
from kpca.novelty.detector import KernelPCANovelty
from kpca.novelty.statistics import conformal_limit
from pipeline.datasets.dataset import load_dataset, raw_rows
from pipeline.datasets.make import make_dataset
from pipeline.evaluation.methods import PREDICTORS, Options
from pipeline.evaluation.predictors import train
from pipeline.grid import points
from pipeline.ordinary_rows import gaussian
from workflow.scripts.decision import models as module
from workflow.scripts.decision.models import models

FILES = {
    "script": "model.py",
    "embedding": "embedding.csv",
    "model": "model.npz",
    "predictor": "predictor.npz",
    "predictor_script": "predictor.py",
    "novelty": "novelty.npz",
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
    "dat": (lambda f, path: f.to_csv(path, sep=" ", na_rep="NA", index_label=False), {}, []),  # R
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
    frame: pd.DataFrame,
    form: str,
    cell: str = "rbf-median1",
    m: int = 2,
    decided: Mapping[str, Any] | None = None,
    **changes: Any,
) -> list[str]:
    """Write a file and what is exported of it; return the options of the command that it takes."""
    write, spec, options = FORMS[form]
    write(frame, f"own.{form}")
    spec = {"path": f"own.{form}"} | SPEC | changes | spec
    spec = {key: value for key, value in spec.items() if value is not None}
    make_dataset("own", spec, seed=0, replicates=2).save("stored.npz")
    decision = {"dataset": "own", "model": "kernel PCA", "cell": cell, "n_components": m}
    decision |= {"parameters": '{"gamma": 0.5}' if "rbf" in cell else "{}", "C": 1.0}
    decision |= {"view": "", "view_parameters": "", "recommended": "kernel PCA"}
    decision |= {"predictor": "linear_svm", "predictor_parameters": "{}"} | dict(decided or {})
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
        neighbours=True,
        paths=paths,
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
    novel = applied("novelty", options, "novelty.npz")
    np.testing.assert_allclose(novel["novelty"], table["novelty"], atol=1e-8)
    assert len(applied("denoise", options, "model.npz")) == kept


def test_scripts_read_dates_amounts_and_a_title(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def titled(table: pd.DataFrame, path: str) -> None:
        Path(path).write_text("A title\n\n" + table.to_csv(index=False))

    options = {"header": 3, "drop": None, "dates": ["month", "weekday"]}
    monkeypatch.setitem(FORMS, "csv", (titled, options, []))
    days = pd.Series(pd.date_range("2024-01-20", periods=N)[::-1])
    prices = [f"${1000 + i * 7 % 50:,}" for i in range(N)]
    frame = frame.assign(day=days.dt.strftime("%d.%m.%Y"), price=prices)
    exported(frame, "csv")
    again, refitted = (runpy.run_path(FILES[kind]) for kind in ("script", "predictor_script"))
    scores = pd.read_csv("embedding.csv")[["component_1", "component_2"]]
    np.testing.assert_allclose(np.abs(again["embedding"]), np.abs(scores), atol=1e-7)
    frame.to_csv("new.csv", index=False)
    assert main(["predict", "predictor.npz", "new.csv", "-o", "out.csv"]) == 0
    assert "ignored" not in capsys.readouterr().err  # the model makes its features of the day
    predicted = pd.read_csv("out.csv")["prediction"]
    assert (refitted["predictor"].predict(refitted["rows"]) == predicted).all()
    made = frame.assign(day_month=days.dt.month, day_weekday=days.dt.day_of_week)
    made.drop(columns="day").to_csv("new.csv", index=False)
    assert (applied("predict", ["new.csv"])["prediction"] == predicted).all()
    for day, words in (("soon", "'soon' is no date"), ("", "empty, and the model fills in no")):
        frame.assign(day=day).to_csv("new.csv", index=False)
        assert main(["predict", "predictor.npz", "new.csv"]) == 1
        assert words in capsys.readouterr().err
    Path("new.csv").write_text(frame.to_csv(index=False) + "1,2\n")
    assert main(["predict", "predictor.npz", "new.csv"]) == 1
    assert f"line {N + 2} has 2 cells, and must have 6" in capsys.readouterr().err
    frame.drop(columns="day").to_csv("new.csv", index=False)
    assert main(["predict", "predictor.npz", "new.csv"]) == 1
    assert "lacks 'day', of whose dates the model knows" in capsys.readouterr().err


@pytest.mark.parametrize("label", [True, False])
@pytest.mark.parametrize("dates", [True, False])
def test_windows_of_time_tell_probabilities_and_intervals(
    label: bool, dates: bool, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of the file are in disorder, and an error grows with the time."""
    order = np.random.default_rng(1).permutation(N)
    days = pd.Series(pd.date_range("2024-01-20", periods=N)[order]).dt.strftime("%d.%m.%Y")
    noise = np.where(order % 2, 1, -1) * order
    frame = frame.assign(day=days if dates else order / 2, price=frame["a"] + noise)
    spec = {"drop": None, "time": "day", "gap": 2}
    spec |= {"drop": ["price"]} if label else {"label": None, "target": "price", "drop": ["kind"]}
    exported(frame, "csv", decided={} if label else {"predictor": "least_squares"}, **spec)

    model, script = kpca.load("predictor.npz"), runpy.run_path("predictor.py")
    again = script["predictor"]
    text = Path("predictor.py").read_text()
    assert "cv=[(np.arange(28), np.arange(30, 36)), (np.arange(34), np.arange(36, 42))" in text
    *front, detector = (step for _, step in kpca.load("novelty.npz").steps)
    Z = make_pipeline(*front).transform(raw_rows(load_dataset("stored.npz")))
    blocks = KernelPCANovelty(gaussian()).fit(Z, groups=np.repeat(range(20), N // 20))
    np.testing.assert_allclose(detector.calibration_, blocks.calibration_)
    if label:
        np.testing.assert_allclose(again.sigmoids_, model.sigmoids_, rtol=1e-6)
        return
    np.testing.assert_allclose(again.residuals_, model.residuals_, rtol=1e-6)
    assert len(model.residuals_) == N // 2
    assert model.residuals_.mean() > 35  # of the later half of the rows; of all it is 30


@pytest.mark.parametrize("cell", ["linear", "cosine", "rbf-median1"])
def test_a_model_of_landmarks_has_the_threshold_of_its_rows(
    cell: str, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_ROWS", N - 1)
    monkeypatch.setattr(module, "LANDMARKS", 20)
    options = exported(frame, "csv", cell, m=1)

    assert hasattr(kpca.load("model.npz")[-1], "landmark_axes_")
    novel = applied("novelty", options, "model.npz")
    limit = conformal_limit(np.sort(novel["novelty"].to_numpy()), 0.05)
    np.testing.assert_allclose(novel["threshold"], limit, rtol=1e-6)
    assert len(applied("denoise", options)) == N


def test_novelty_has_a_file_if_the_model_keeps_all_of_the_variance(
    frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    options = exported(frame.drop(columns="colour"), "csv", "linear")

    assert main(["novelty", "model.npz", *options]) == 1
    assert "Take the file novelty.npz that a run writes next to it" in capsys.readouterr().err
    novel = applied("novelty", options, "novelty.npz")
    values = pd.read_csv("embedding.csv")["novelty"]
    np.testing.assert_allclose(novel["novelty"], values, atol=1e-8)
    assert set(novel["novel"]) == {"no"}
    frame.assign(b=1e3).to_csv("own.csv")
    assert set(applied("novelty", options, "novelty.npz")["novel"]) == {"yes"}
    notes = kpca.read_notes("novelty.npz")
    assert float(notes["novelty limit"]) == novel["threshold"][0]


RAW = {"recommended": "raw features", "C": 2.0}


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("name", PREDICTORS)
def test_the_predictor_on_raw_features_is_the_one_that_was_scored(
    name: str, standardize: bool, frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    """With groups, from whose folds come probabilities or intervals, and categories."""
    role = {"label": None, "target": "price"} if PREDICTORS[name].gives == "target" else {}
    known = frame.assign(price=frame["a"] * 3 + np.sin(frame["b"]), who=np.arange(N) // 2)
    drop = ["day", "kind"] if role else ["day", "price"]
    decided = RAW | {"predictor": name}
    if PREDICTORS[name].follows == "gaussian":
        decided |= {"predictor_parameters": '{"gamma": 0.3}'}
    if not standardize:
        known = known.drop(columns="colour")
    spec = role | {"drop": drop, "standardize": standardize, "group": "who"}
    options = exported(known, "csv", decided=decided, **spec)
    dataset = load_dataset("stored.npz").whole()

    gamma = json.loads(decided.get("predictor_parameters", "{}")).get("gamma", np.nan)
    truth = dataset.target_train if role else dataset.y_train
    rule = train(name, dataset.X_train, truth, Options(2.0, "balanced", gamma))
    expected = rule.predict(dataset.X_train)
    predictor, rows = kpca.load("predictor.npz"), known.drop(columns=["kind", "price"])
    given = rows[list(predictor.feature_names_in_)]
    found = predictor.predict(given)
    option, columns = ("--interval=0.8", ["low", "high"]) if role else ("--probabilities", [])
    columns = columns or ["probability_nö", "probability_yes"]
    assert main(["predict", "predictor.npz", *options, option, "-o", "out.csv"]) == 0
    table = pd.read_csv("out.csv")
    script = runpy.run_path("predictor.py")
    if role:
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        np.testing.assert_allclose(script["predictor"].predict(script["rows"]), found, rtol=1e-9)
        half = (table["high"] - table["low"]) / 2
        np.testing.assert_allclose(half, conformal_limit(predictor.residuals_, 0.2))
        again = script["predictor"].residuals_, predictor.residuals_
    else:
        assert (found == np.array(["nö", "yes"])[expected]).all()
        assert (script["predictor"].predict(script["rows"]) == found).all()
        np.testing.assert_allclose(table[columns].sum(axis=1), 1)
        np.testing.assert_allclose(table[columns], predictor.predict_proba(given))
        again = script["predictor"].sigmoids_, predictor.sigmoids_
    np.testing.assert_allclose(*again, rtol=1e-6)
    assert (table["prediction"] == found).all() or role
    assert np.isfinite(cross_val_score(clone(predictor), given, found, cv=3)).all()
    assert main(["info", "predictor.npz"]) == 0
    last = flat(predictor)[-1]
    assert type(getattr(last, "regressor", last)).__name__ in capsys.readouterr().out
    assert main(["transform", "predictor.npz", *options]) == 1
    assert "without components: take the file model.npz" in capsys.readouterr().err


def test_a_class_of_three_groups_in_one_fold_costs_the_probabilities_alone(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The groups of the other class are so many that all three may fall into one fold."""
    monkeypatch.setattr(module, "splitter", lambda *_, **__: KFold(2))
    rare = frame.assign(kind=np.where(np.arange(N) < 12, "yes", "nö"), who=np.arange(N) // 4)
    options = exported(rare, "csv", group="who")

    assert set(applied("predict", options)["prediction"]) <= {"yes", "nö"}
    assert main(["predict", "predictor.npz", *options, "--probabilities"]) == 1
    assert "holds nothing for --probabilities" in capsys.readouterr().err
    assert "calibrate" not in Path("predictor.py").read_text()
