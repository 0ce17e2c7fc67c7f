"""The model of all rows, every row under it, the predictor, and the scripts that fit them anew."""

import re
import runpy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

import kpca
from pipeline.datasets.make import make_dataset
from pipeline.decision.recipe import refit_script, source
from pipeline.evaluation.methods import Options
from pipeline.evaluation.predictors import train
from pipeline.grid import Point
from workflow.scripts.decision import models as module
from workflow.scripts.decision.models import Exported, embedding, given_rows, known_columns, views

RBF: dict[str, Any] = {"parameters": '{"gamma": 0.31}', "n_components": 3, "C": 10.0}
RBF |= {"cell": "rbf", "view": "", "recommended": "kernel PCA", "predictor_parameters": "{}"}
RBF |= {"predictor": "linear_svm"}
WHITENED = RBF | {"predictor": "linear_svm_whitened"}
REGRESSION = RBF | {"predictor": "least_squares"}
LINEAR = RBF | {"parameters": "{}", "n_components": 2, "cell": "linear"}
POLY = RBF | {"parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}'}
MINE = LINEAR | {"parameters": '{"width": 2}'}
DRAWN = {"n_train": 30, "n_test": 20}
OWN: dict[str, Any] = {"path": "own.csv", "label": "kind", "standardize": True}
MESSY = ["nr", "width", "größe", "length", "colour", "Art", "price"]


def overlap(x: np.ndarray, y: np.ndarray, width: float) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of sixty rows with all that a script has to mind, in the working folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1, 10, 0.1]
    label = np.array(["x", "y", "zz"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 9)]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=label, price=X @ [1, 1, 3])
    frame.drop(columns="price").to_csv("own.csv", index=False)
    np.savez("own.npz", X=X, y=(label == "y").astype(float), K=X @ X.T)
    messy = frame.assign(a=np.exp(frame["a"]), colour=["red", " blue", "NA"] * 20)
    messy["b"] = messy["b"].mask(np.arange(60) % 9 == 4)
    messy["kind"] = [*messy["kind"][:-2], "rare", "rare"]
    messy = messy.rename(columns={"a": "width", "b": "größe", "c": "length", "kind": "Art"})
    messy = messy.rename_axis("nr").reset_index()[MESSY]
    messy.to_csv("messy.csv", index=False, sep=";", decimal=",", encoding="latin-1", na_rep="?")


DROP: dict[str, Any] = {"path": "messy.csv", "encoding": "latin-1", "standardize": True}
DROP |= {"log": ["width"], "missing": "drop", "target": "price", "drop": ["nr", "Art"]}
MEDIAN = DROP | {"missing": "median", "label": "Art", "drop": ["nr", "price"], "min_class_size": 4}
del MEDIAN["target"]
CASES: dict[str, tuple[dict[str, Any], Point, dict[str, Any]]] = {
    "csv": (OWN | {"standardize": False}, Point("rbf"), RBF),
    "whitened": (OWN, Point("rbf"), WHITENED),
    "a sample": (OWN | {"max_rows": 30}, Point("rbf"), RBF),
    "features": (OWN | {"features": ["c", "a"]}, Point("linear"), LINEAR),
    "missing cells filled in": (MEDIAN, Point("rbf"), RBF),
    "missing cells left out": (DROP, Point("rbf"), REGRESSION),
    "npz": ({"path": "own.npz", "standardize": True}, Point("rbf"), RBF),
    "a kernel matrix": ({"path": "own.npz", "kernel_matrix": True}, Point("precomputed"), LINEAR),
    "drawn": (DRAWN | {"generator": "rings"}, Point("poly", {"degree": 3}), POLY),
    "drawn with a target": (DRAWN | {"generator": "swiss_roll"}, Point("rbf"), REGRESSION),
    "of scikit-learn": ({"sklearn": "iris", "standardize": True}, Point("rbf"), RBF),
    "a custom kernel": (OWN, Point("mine", {"width": 2}, f"{__name__}:overlap"), MINE),
}


def export(spec: dict[str, Any], point: Point, decision: dict[str, Any]) -> Exported:
    dataset = make_dataset("own", spec, seed=0, replicates=2)
    dataset.save("stored.npz")
    return module.export(module.all_rows(dataset, spec), point, decision)


@pytest.mark.parametrize("case", CASES)
def test_scripts_fit_model_and_predictor_anew(case: str, tmp_path: Path) -> None:
    spec, point, decision = CASES[case]
    exported = export(spec, point, decision)
    most = 30 if case == "a sample" else 0
    predictor, cv = module.predictor(exported, decision, "balanced", most=most, calibrated=True)
    refit = partial(refit_script, exported.rows, spec, str(tmp_path / "stored.npz"))
    front, last = (step for _, step in predictor.steps)
    text = refit(front, last=last, notes={"label": "kind"}, fitted=most, most=most, cv=cv)
    Path("model.py").write_text(refit(exported.model))
    Path("predictor.py").write_text(text)

    assert re.findall(r"^(?:from|import) (?!kpca|numpy|pandas|sklearn|tests)", text, re.M) == []
    assert str(tmp_path) not in text
    again, scores = runpy.run_path("model.py")["embedding"], exported.scores
    signs = np.sign((scores * again).sum(axis=0))
    np.testing.assert_allclose(again * signs, scores, atol=1e-7 * np.abs(scores).max())
    found = runpy.run_path("predictor.py")
    given = given_rows(exported.rows)
    predicted = [found["predictor"].predict(found["rows"]), predictor.predict(given)]
    if not point.callable:
        predicted.append(kpca.load("predictor.npz").predict(given))
    for other in predicted[1:]:
        if exported.rows.y is None:
            np.testing.assert_allclose(predicted[0], other)
        else:
            assert (predicted[0] == other).all()
            assert set(other) <= set(exported.rows.class_names)


@pytest.mark.parametrize("decision", [RBF, WHITENED])
@pytest.mark.parametrize("most", [0, 40])
def test_the_classifier_is_the_one_that_was_scored(decision: dict[str, Any], most: int) -> None:
    exported = export(OWN, Point("rbf"), RBF)
    given, names = given_rows(exported.rows), np.array(exported.rows.class_names)
    found, _ = module.predictor(exported, decision, "balanced", most=most)
    Z, y = exported.scores, exported.rows.y
    assert y is not None
    if most:
        Z, _, y, _ = train_test_split(Z, y, train_size=most, stratify=y, random_state=0)
    rule = train(decision["predictor"], Z, y, Options(10.0, "balanced"))
    assert (found.predict(given) == names[rule.predict(exported.scores)]).all()
    assert 0.6 < found.score(given, names[exported.rows.y]) < 1


@pytest.mark.parametrize(("most", "sample"), [(29, 29), (30, 0), (59, 0), (60, 0)])
def test_a_classifier_is_trained_on_a_sample_of_many_rows(most: int, sample: int) -> None:
    dataset = make_dataset("own", OWN | {"max_rows": most}, seed=0, replicates=2)
    rows = module.all_rows(dataset, OWN)
    assert module.trained_on(dataset, rows) == sample


def test_the_regressor_is_the_one_that_was_scored() -> None:
    exported = export({"path": "own.npz", "target": "y"}, Point("rbf"), RBF)
    rule = train("least_squares", exported.scores, exported.rows.target, Options())
    found = module.predictor(exported, REGRESSION, "balanced")[0].predict(given_rows(exported.rows))
    np.testing.assert_allclose(found, rule.predict(exported.scores), atol=1e-12)


def test_rows_keep_the_columns_of_their_file() -> None:
    spec = MEDIAN | {"id": "nr", "group": "price", "drop": [], "log": []}
    text = Path("messy.csv").read_text(encoding="latin-1").replace("width", "view_1", 1)
    Path("messy.csv").write_text(text, encoding="latin-1")
    exported = export(spec, Point("rbf"), RBF)
    known = known_columns(exported.rows, spec)
    table = embedding(exported, known, {"view": np.eye(58)[:, :2]}, None)

    own = [name if name != "width" else "view_1_" for name in MESSY]
    computed = [f"component_{j}" for j in (1, 2, 3)] + ["view_1", "view_2"]
    assert [*table] == ["row", *own, *computed]
    assert table["row"].tolist() == list(range(1, 59))
    assert set(table["colour"].dropna()) == {"red", " blue"}
    assert table["price"].astype(float).dtype == float
    assert (table["nr"].astype(int) == table["row"] - 1).all()


def test_a_wide_file_has_its_label_alone_in_the_embedding() -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 60))).add_prefix("x")
    frame.assign(kind=["a", "b"] * 15).to_csv("wide.csv", index=False)
    spec = {"path": "wide.csv", "label": "kind"}
    exported = export(spec, Point("rbf"), RBF)
    assert [*known_columns(exported.rows, spec)] == ["kind"]
    text = refit_script(exported.rows, spec, "", exported.model)
    assert "columns = table.columns.drop(['kind'])" in text
    Path("again.py").write_text(text)
    again = runpy.run_path("again.py")["embedding"]
    np.testing.assert_allclose(np.abs(again), np.abs(exported.scores), atol=1e-7)


def test_rows_that_are_in_no_file_have_label_and_features() -> None:
    spec = {"sklearn": "iris"}
    exported = export(spec, Point("rbf"), RBF)
    known = known_columns(exported.rows, spec)
    assert [*known] == ["label", *exported.rows.feature_names]
    assert known["label"].tolist()[::50] == ["setosa", "versicolor", "virginica"]


@pytest.mark.parametrize("standardize", [True, False])
def test_views_are_of_the_setting_chosen_for_viewing_and_of_pca(standardize: bool) -> None:
    best = {"view": "poly", "view_parameters": '{"gamma": 0.5, "degree": 2, "coef0": 1}'}
    point = Point("poly", {"degree": 2})
    exported = export(OWN | {"standardize": standardize}, Point("rbf"), RBF)
    found = views(exported, point, RBF | best)
    poly = kpca.KernelPCA(2, kernel="poly", gamma=0.5, degree=2)
    expected = poly.fit_transform(exported.prepared)
    np.testing.assert_allclose(found["view"], expected, atol=1e-8)
    pca = kpca.PCA(2).fit_transform(exported.prepared)
    np.testing.assert_array_equal(found["pca"], pca)
    same = views(exported, Point("rbf"), RBF)
    np.testing.assert_array_equal(same["view"], exported.scores[:, :2])
    linear = export(OWN | {"standardize": standardize}, Point("linear"), LINEAR)
    found = views(linear, point, LINEAR)["pca"]
    np.testing.assert_allclose(np.abs(found), np.abs(pca), atol=1e-8)


@pytest.mark.parametrize(("kernel", "solver"), [("rbf", "nystrom"), ("sigmoid", "auto")])
def test_many_rows_are_fitted_by_landmarks_where_the_kernel_allows_it(
    monkeypatch: pytest.MonkeyPatch, kernel: str, solver: str
) -> None:
    monkeypatch.setattr(module, "EXACT_ROWS", 50)
    assert export(OWN, Point(kernel), RBF).model[-1].eigen_solver == solver


def test_a_long_call_has_one_argument_per_line() -> None:
    """A line that runs out of the page cannot be read."""
    model = kpca.KernelPCA(32, kernel="rbf", gamma=1 / 3, random_state=0, alpha=0.123456)
    text = source(model, set())

    assert max(map(len, text.splitlines())) < 50
    assert eval(text, {"KernelPCA": kpca.KernelPCA}).get_params() == model.get_params()
