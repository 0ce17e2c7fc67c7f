"""What is exported of a dataset: tables and models; and the command."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

import kpca
from kpca.command import main
from kpca.novelty.detector import KernelPCANovelty
from kpca.novelty.statistics import conformal_limit
from kpca.reading.formats import read_table
from kpca.study.datasets.dataset import load_dataset, raw_rows
from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.grid import Point, points
from kpca.study.monitoring.ordinary_rows import gaussian
from kpca.study.scoring.methods import PREDICTORS, Options
from kpca.study.scoring.predictors import train
from kpca.study.store import as_stored
from tests.decisions import decision_of
from tests.kpca.study.fitting.test_kernels import OWN
from workflow.scripts.decision import models as module
from workflow.scripts.decision.models import all_rows, export, models, views

FILES = {
    "embedding": "embedding.csv",
    "model": "model.npz",
    "predictor": "predictor.npz",
    "novelty": "novelty.npz",
}
N = 60
GRID = [*points("linear", {}), *points("rbf", {"median": [1]}), *points("cosine", {})]
GRID += [Point("poly", {"degree": 3}), OWN]
GRID += [Point("precomputed"), Point("sigmoid")]
CELLS = {point.kernel: point.id for point in GRID}
PARAMETERS = {
    "rbf": {"gamma": 0.5},
    "poly": {"gamma": 0.5, "degree": 3, "coef0": 1},
    OWN.kernel: OWN.parameters,
}
MESSY = {"encoding": "latin-1", "log": ["a"], "min_class_size": 4, "drop": ["day", "nr"]}
SPEC = {"label": "kind", "drop": ["day"], "standardize": True}
NAMES = ["component_1", "component_2"]


def write_messy(frame, path):
    """Write positive numbers, a rare class and an index that has a name, as no one should."""
    frame = frame.assign(a=np.exp(frame["a"]), kind=[*frame["kind"][:-2], "rare", "rare"])
    options = {"sep": ";", "decimal": ",", "encoding": "latin-1", "na_rep": "?"}
    frame.rename(columns={"b": "größe"}).rename_axis("nr").to_csv(path, **options)


def write_npz(frame, path):
    np.savez(path, X=frame[["a", "b"]].fillna(0), kind=frame["kind"].to_numpy(str))


LATIN = {"encoding": "latin-1"}
# Ending → how a frame is written, and options of the pipeline.
FORMS = {
    "csv": (pd.DataFrame.to_csv, {}, {}),  # The index is written.
    "messy.csv": (write_messy, {}, MESSY),
    "tsv": (pd.DataFrame.to_csv, {"sep": "\t", "decimal": ",", "index": False}, {}),
    "semicolons.csv": (pd.DataFrame.to_csv, {"sep": ";", "decimal": ",", "index": False}, {}),
    "txt": (pd.DataFrame.to_csv, LATIN | {"index": False}, LATIN),
    "xlsx": (pd.DataFrame.to_excel, {"sheet_name": "Größe", "index": False}, {"sheet": "Größe"}),
    "dat": (pd.DataFrame.to_csv, {"sep": " ", "na_rep": "NA", "index_label": False}, {}),  # R
    "parquet": (pd.DataFrame.to_parquet, {}, {}),
    "feather": (pd.DataFrame.to_feather, {}, {}),
    "arrow": (pd.DataFrame.to_feather, {}, {}),
    "npz": (write_npz, {}, {"drop": None, "missing": None}),
}


@pytest.fixture
def frame(tmp_path, monkeypatch):
    """Rows of a user's file; the working folder is a new one."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(N, 2)) * [1, 10]
    frame = pd.DataFrame(X.round(3), columns=["a", "b"])
    frame = frame.assign(kind=np.where(X[:, 0] > 0, "yes", "nö"), day="2024-05-01")
    return frame.assign(colour=["red", "größer", "blue"] * (N // 3))


def decision(kernel, m=2, **decided):
    parameters = json.dumps(PARAMETERS.get(kernel, {}))
    row = {"dataset": "own", "model": "kernel PCA", "cell": CELLS[kernel], "n_components": m}
    row |= {"parameters": parameters, "C": 1.0}
    row |= {"recommended": "kernel PCA", "predictor": "linear_svm"}
    return decision_of(**(row | decided))


def exported(
    frame,
    form,
    kernel="rbf",
    m=2,
    decided=None,
    **changes,
):
    """Write a file and what is exported of it; return the options of the command that it takes."""
    write, how, spec = FORMS[form]
    write(frame, f"own.{form}", **how)
    spec = {"path": f"own.{form}"} | SPEC | changes | spec
    spec = {key: value for key, value in spec.items() if value is not None}
    made(spec, decision(kernel, m, **(decided or {})))
    read = [f"--{name}={spec[name]}" for name in ("encoding", "sheet") if name in spec]
    return [f"own.{form}", *read]


def made(spec, decided, kinds=FILES, *, neighbours=False):
    stored = Path.cwd() / "stored.npz"
    make_dataset("own", spec, seed=0, replicates=2).save(stored)
    section = {"n_components": [2], "C": [1], "folds": 3, "scaling": ["unit"]}
    section |= {"kmeans_starts": 1, "variance_share": 0.9}
    paths = [FILES[kind] for kind in kinds]
    grid = {"own": [vars(point) for point in GRID]}
    table = as_stored(pd.DataFrame([asdict(decided)]))
    written = [("own", kind) for kind in kinds]
    options = {"neighbours": neighbours, "paths": paths}
    models([str(stored)], table, {"own": spec}, grid, written, section, **options)


def applied(action, options, file="predictor.npz"):
    assert main([action, file, *options, "-o", "out.csv"]) == 0
    return pd.read_csv("out.csv")


def assert_predicted(predicted, rule, Z, rows):
    """Compare predictions with those of a trained rule, which numbers the classes of rows."""
    expected = rule.predict(Z)
    if rows.y is None:
        np.testing.assert_allclose(predicted, expected, rtol=1e-9, atol=1e-9)
    else:
        assert (predicted == np.array(rows.class_names)[expected]).all()


MISSING = [(form, "drop") for form in FORMS] + [("csv", None), ("messy.csv", "median")]


@pytest.mark.parametrize(("form", "missing"), MISSING)
def test_a_model_takes_the_file_that_it_was_fitted_to(form, missing, frame):
    lacking = frame.assign(a=frame["a"].mask(np.arange(N) % 9 == 4)) if missing else frame
    options = exported(lacking, form, missing=missing)
    table = pd.read_csv("embedding.csv")
    model = kpca.load("predictor.npz")

    scores = applied("transform", options)
    complete = lacking.dropna() if missing == "drop" and form != "npz" else lacking
    assert len(scores) == len(complete)
    # Two rows of a rare class are left out.
    assert len(table) == (complete.index < N - 2 * (form == "messy.csv")).sum()
    np.testing.assert_allclose(scores[NAMES][: len(table)], table[NAMES], atol=1e-8)
    predicted = applied("predict", options)["prediction"][: len(table)]
    assert set(predicted) == {"yes", "nö"} == set(model.classes_)
    assert (predicted == table["kind"]).mean() > 0.6
    novel = applied("novelty", options, "novelty.npz")["novelty"][: len(table)]
    np.testing.assert_allclose(novel, table["novelty"], atol=1e-8)
    assert len(applied("denoise", options, "model.npz")) == len(complete)


TARGET = {"predictor": "least_squares"}
OF_FILE = {"path": "own.csv"} | SPEC
CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text())


@pytest.mark.parametrize("case", CASES)
def test_the_predictor_is_the_one_that_was_scored(case, frame):
    """A sample is taken of more than twice its rows."""
    spec = CASES[case]["spec"]
    kernel = CASES[case].get("kernel", "rbf")
    decided = CASES[case].get("decided", {})
    columns = CASES[case].get("columns", "nr,a,b,kind,day,colour,price")
    X = frame[["a", "b"]]
    frame = frame.assign(price=X @ [1, 3]).rename_axis("nr")
    frame.to_csv("own.csv")
    frame[["kind"]].join(pd.DataFrame(np.outer(X["b"], np.arange(60)) % 7)).to_csv("wide.csv")
    named = frame[["a", "kind"]].assign(who=np.arange(N) // 2, view_1=X["b"], nr=np.arange(N)[::-1])
    named.to_csv("named.csv", index=False)
    write_messy(frame.assign(b=X["b"].mask(np.arange(N) % 9 == 4)), "messy.csv")
    np.savez("own.npz", K=X @ X.T, y=frame["kind"] == "yes")
    left_out = {"model", "predictor"} if kernel == OWN.kernel else set()
    kinds = FILES.keys() - left_out - {"novelty"}
    made(spec, decision(kernel, **decided), kinds, neighbours=case == "features")

    dataset = load_dataset("stored.npz")
    rows = all_rows(dataset, spec)
    table = pd.read_csv("embedding.csv")
    before = [*table][: [*table].index("component_1")]
    assert before == ["row", *columns.split(",")]
    assert ("tsne_1" in table) == (case == "features")
    if "who" in table:
        assert table[["row", "view_1_", "nr"]].to_numpy() == pytest.approx(
            np.column_stack([np.arange(1, N + 1), named[["view_1", "nr"]]])
        )
    if kernel == OWN.kernel:
        return
    Z = table[NAMES].to_numpy()
    answer = rows.target if rows.y is None else rows.y
    sampled = np.arange(len(Z))
    if case == "a sample of many rows":
        sampled, _ = train_test_split(sampled, train_size=29, stratify=answer, random_state=0)
    name = decided.get("predictor", "linear_svm")
    rule = train(name, Z[sampled], answer[sampled], Options(1.0, "balanced"))
    predicted = kpca.load("predictor.npz").predict(module.given_rows(rows))
    assert_predicted(predicted, rule, Z, rows)


def test_views_are_of_the_setting_chosen_for_viewing_and_of_pca(frame):
    frame.to_csv("own.csv")
    dataset = make_dataset("own", OF_FILE, seed=0, replicates=2)
    rows = all_rows(dataset, OF_FILE)
    poly = Point("poly", {"degree": 2})
    best = {"view": "poly", "view_parameters": '{"gamma": 0.5, "degree": 2, "coef0": 1}'}
    of_rbf, linear = (
        export(rows, Point(kernel), decision(kernel, 3)) for kernel in ("rbf", "linear")
    )
    computed = views(of_rbf, poly, decision("rbf", **best))
    expected = kpca.KernelPCA(2, kernel="poly", gamma=0.5, degree=2).fit_transform(of_rbf.prepared)
    np.testing.assert_allclose(computed["view"], expected, atol=1e-8)
    pca = kpca.PCA(2).fit_transform(of_rbf.prepared)
    np.testing.assert_array_equal(computed["pca"], pca)
    same = views(of_rbf, Point("rbf"), decision("rbf"))
    np.testing.assert_array_equal(same["view"], of_rbf.scores[:, :2])
    computed = views(linear, poly, decision("linear"))
    np.testing.assert_allclose(np.abs(computed["pca"]), np.abs(pca), atol=1e-8)
    of_column = replace(of_rbf, prepared=of_rbf.prepared[:, :1])
    assert views(of_column, Point("rbf"), decision("rbf"))["pca"].shape == (N, 1)


def test_new_rows_have_dates_amounts_and_a_title(frame, monkeypatch, capsys):
    def titled(table, path):
        Path(path).write_text("A title\n\n" + table.to_csv(index=False))

    options = {"header": 3, "drop": None, "dates": ["month", "weekday"]}
    monkeypatch.setitem(FORMS, "csv", (titled, {}, options))
    days = pd.Series(pd.date_range("2024-01-20", periods=N)[::-1])
    prices = [f"${1000 + i * 7 % 50:,}" for i in range(N)]
    frame = frame.assign(day=days.dt.strftime("%d.%m.%Y"), price=prices)
    exported(frame, "csv")
    frame.to_csv("new.csv", index=False)
    assert main(["predict", "predictor.npz", "new.csv", "-o", "out.csv"]) == 0
    assert "ignored" not in capsys.readouterr().err  # the model makes its features of the day
    predicted = pd.read_csv("out.csv")["prediction"]
    # The header stands below a title.
    assert (applied("predict", ["own.csv"])["prediction"] == predicted).all()
    iso = frame.assign(day=days.dt.strftime("%Y-%m-%d"))
    assert (kpca.load("predictor.npz").predict(iso) == predicted).all()
    lacking = {"'soon' is no date": frame.assign(day="soon")}
    lacking["the file lacks 'day'"] = frame.drop(columns="day")
    for message, rows in lacking.items():
        rows.to_csv("new.csv", index=False)
        assert main(["predict", "predictor.npz", "new.csv"]) == 1
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("label", [True, False])
@pytest.mark.parametrize("dates", [True, False])
def test_windows_of_time_tell_probabilities_and_intervals(label, dates, frame):
    """The rows of the file are in disorder, and an error grows with the time."""
    order = np.random.default_rng(1).permutation(N)
    days = pd.Series(pd.date_range("2024-01-20", periods=N)[order]).dt.strftime("%d.%m.%Y")
    noise = np.where(order % 2, 1, -1) * order
    frame = frame.assign(day=days if dates else order / 2, price=frame["a"] + noise)
    spec = {"drop": None, "time": "day", "gap": 2}
    spec |= {"drop": ["price"]} if label else {"label": None, "target": "price", "drop": ["kind"]}
    exported(frame, "csv", decided={} if label else {"predictor": "least_squares"}, **spec)

    model = kpca.load("predictor.npz")
    again = clone(model)
    rows_in_time = module.all_rows(load_dataset("stored.npz"), {"path": "own.csv"} | SPEC | spec)
    rows_given = module.given_rows(rows_in_time)
    answer = module.answer_of(rows_in_time)
    windows = [(np.arange(28 + 6 * k), np.arange(30 + 6 * k, 36 + 6 * k)) for k in range(5)]
    again.fit(rows_given, answer).calibrate(rows_given, answer, cv=windows)
    *front, detector = (step for _, step in kpca.load("novelty.npz").steps)
    Z = make_pipeline(*front).transform(raw_rows(load_dataset("stored.npz")))
    rows = np.arange(N)
    blocks = np.repeat(range(20), N // 20)
    for fitted, out in (folds := detector.folds):  # The gap is left out, and is at most a block.
        near = np.abs(rows[:, None] - out).min(axis=1)
        assert fitted.tolist() == rows[near > min(2, N // 20)].tolist()
        assert len({*blocks[out]}) == 4
    refitted = KernelPCANovelty(gaussian(), folds=folds).fit(Z)
    np.testing.assert_allclose(detector.calibration_, refitted.calibration_)
    if label:
        np.testing.assert_allclose(again.sigmoids_, model.sigmoids_, rtol=1e-6)
        return
    np.testing.assert_allclose(again.residuals_, model.residuals_, rtol=1e-6)
    assert len(model.residuals_) == N // 2
    # This is the later half of the rows; for all rows it is 30.
    assert model.residuals_.mean() > 35


@pytest.mark.filterwarnings("ignore:The centred kernel matrix is indefinite")
@pytest.mark.parametrize("kernel", ["linear", "cosine", "rbf", "sigmoid"])
def test_a_model_of_landmarks_has_the_threshold_of_its_rows(kernel, frame, monkeypatch):
    monkeypatch.setattr(module, "EXACT_ROWS", N - 1)
    monkeypatch.setattr(module, "LANDMARKS", 20)
    options = exported(frame, "csv", kernel, m=1)
    landmarks = hasattr(kpca.load("model.npz")[-1], "landmark_axes_")
    assert landmarks == (kernel != "sigmoid")  # The sigmoid matrix may be indefinite.
    if not landmarks:
        return
    novel = applied("novelty", options, "model.npz")
    limit = conformal_limit(np.sort(novel["novelty"].to_numpy()), 0.05)
    np.testing.assert_allclose(novel["threshold"], limit, rtol=1e-6)
    assert len(applied("denoise", options)) == N


def test_novelty_has_a_file_if_the_model_keeps_all_of_the_variance(frame, capsys):
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


@pytest.mark.parametrize(
    ("name", "standardize"), [*((name, True) for name in PREDICTORS), ("ridge", False)]
)
def test_the_predictor_on_raw_features_is_the_one_that_was_scored(name, standardize, frame, capsys):
    """With groups, from whose folds come probabilities or intervals, and categories."""
    role = {"label": None, "target": "price"} if PREDICTORS[name].gives == "target" else {}
    labelled = frame.assign(price=frame["a"] * 3 + np.sin(frame["b"]), who=np.arange(N) // 2)
    drop = ["day", "kind"] if role else ["day", "price"]
    decided = RAW | {"predictor": name}
    if PREDICTORS[name].follows == "gaussian":
        decided |= {"predictor_parameters": '{"gamma": 0.3}'}
    if not standardize:
        labelled = labelled.drop(columns="colour")
    spec = role | {"drop": drop, "standardize": standardize, "group": "who"}
    options = exported(labelled, "csv", decided=decided, **spec)
    dataset = load_dataset("stored.npz")
    whole = dataset.whole()

    gamma = json.loads(decided.get("predictor_parameters", "{}")).get("gamma", np.nan)
    truth = whole.target_train if role else whole.y_train
    rule = train(name, whole.X_train, truth, Options(2.0, "balanced", gamma))
    predictor = kpca.load("predictor.npz")
    rows = labelled.drop(columns=["kind", "price"])
    features = rows[list(predictor.feature_names_in_)]
    predicted = predictor.predict(features)
    columns = ["probability_nö", "probability_yes"]
    option = "--interval=0.8" if role else "--probabilities"
    assert main(["predict", "predictor.npz", *options, option, "-o", "out.csv"]) == 0
    table = pd.read_csv("out.csv")
    assert_predicted(predicted, rule, whole.X_train, dataset)
    if role:
        half = (table["high"] - table["low"]) / 2
        np.testing.assert_allclose(half, conformal_limit(predictor.residuals_, 0.2))
    else:
        np.testing.assert_allclose(table[columns], predictor.predict_proba(features))
        assert (table["prediction"] == predicted).all()
    assert np.isfinite(cross_val_score(clone(predictor), features, predicted, cv=2)).all()
    if "pca" not in name:
        assert main(["transform", "predictor.npz", *options]) == 1
        assert "without components: take the file model.npz" in capsys.readouterr().err


def test_a_class_of_three_groups_in_one_fold_costs_the_probabilities_alone(
    frame, monkeypatch, capsys
):
    """The groups of the other class are so many that all three may fall into one fold."""
    halves = [*KFold(2).split(np.arange(N))]
    monkeypatch.setattr(module, "draw_folds", lambda *_, **__: halves)
    rare = frame.assign(kind=np.where(np.arange(N) < 12, "yes", "nö"), who=np.arange(N) // 4)
    options = exported(rare, "csv", group="who")

    assert set(applied("predict", options)["prediction"]) <= {"yes", "nö"}
    assert main(["predict", "predictor.npz", *options, "--probabilities"]) == 1
    assert "holds nothing for --probabilities" in capsys.readouterr().err


SAME = [f"own.{form}" for form in ("csv", "tsv", "semicolons.csv", "xlsx", "parquet", "feather")]


@pytest.mark.parametrize("fitted", [*SAME, "a data frame"])
def test_rows_are_predicted_alike_from_every_format(fitted, frame):
    """Categories None and 1.0, missing cells, truth values, dates and words in another form."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "a": frame["a"].round(3),
            "b": frame["b"].mask(np.arange(N) % 9 == 4),
            "code": np.where(np.arange(N) % 11 == 3, np.nan, np.arange(N) % 4),
            "veneer": np.array(["Brick", "None", "the\u0301"], dtype=object)[np.arange(N) % 3],
            "tall": rng.random(N) > 0.5,
            "half": rng.integers(0, 4, N) / 2,
            "day": pd.Timestamp("2024-03-01") + pd.to_timedelta(rng.integers(0, 400, N), unit="D"),
            "price": 3 * frame["a"] + 50 * (np.arange(N) % 3 == 1),
        }
    )
    for form, (write, options, _) in FORMS.items():
        if f"own.{form}" in SAME:
            write(table, f"own.{form}", **options)
    source = {"path": fitted} if fitted in SAME else {"frame": table}
    spec = source | {"target": "price", "missing": "median", "standardize": True}
    spec |= {"categorical": ["code", "half"], "dates": ["month", "weekday"]}
    made(spec, decision("rbf", **TARGET))
    predictor = kpca.load("predictor.npz")
    expected = predictor.predict(table)
    assert np.ptp(expected) > 10
    for name in SAME:
        python = predictor.predict(read_table(name))
        command = applied("predict", [name])["prediction"]
        np.testing.assert_allclose([python, command], [expected] * 2, rtol=1e-9, err_msg=name)
    rows = load_dataset("stored.npz")
    assert rows.categories["code"] == [*"0123"]
    assert rows.categories["half"] == ["0", "0.5", "1", "1.5"]
    assert rows.categories["tall"] == ["False", "True"]
    assert {"None", "th\u00e9"} < {*rows.categories["veneer"]}
