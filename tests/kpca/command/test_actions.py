"""Novelty, pre-images and the description of a model, as the library gives them."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, RobustScaler, StandardScaler
from sklearn.svm import SVC

from kpca import PCA, KernelPCA, KernelPCANovelty, SparsePCA, save
from kpca.command import main
from kpca.novelty.statistics import conformal_limit, novelty_scores
from kpca.preimage import WITH_FORMULA, PreImageWarning
from tests.kpca.command.models import (
    FULL,
    FULL_NEW,
    MIXED,
    NAMED,
    NEW,
    NUMBERS,
    ROWS,
    UNNAMED,
    rbf,
    run,
)
from tests.kpca.naive import SEMIDEFINITE

PRODUCTS = FULL.to_numpy() @ FULL.to_numpy().T
GIVEN = KernelPCA(1, kernel="precomputed").fit(PRODUCTS)
ALL_KEPT = "The model keeps all of the variance; there is no residual to test."


def test_novelty_of_a_model_has_the_threshold_of_a_detector(tmp_path: Path) -> None:
    model = KernelPCA(0.9, kernel="rbf", gamma="median").fit(FULL)
    detector = KernelPCANovelty(model, false_alarm=0.1).fit(FULL)
    far = pd.concat([FULL_NEW, FULL_NEW[:1] * 3])
    found, said = run(tmp_path, "novelty", model, far, "--false-alarm", "0.1")
    np.testing.assert_array_equal(found["novelty"], -detector.score_samples(far))
    assert set(found["threshold"]) == {detector.limit_}
    assert list(found["novel"] == "yes") == list(detector.predict(far) == -1)
    assert found["novel"].iloc[-1] == "yes"
    assert f"kpca: {(found['novel'] == 'yes').sum()} of 701 rows are novel: their residual" in said
    assert "which at most 0.1 of the rows fitted exceed" in said
    said = run(tmp_path, "novelty", model.fit(FULL[:12]), FULL_NEW)[1]
    assert "12 rows set no threshold that 0.05 of ordinary rows exceed: take 19 rows" in said


def test_a_detector_in_the_file_is_obeyed(tmp_path: Path) -> None:
    detector, new = UNNAMED["detector"], FULL_NEW.to_numpy()
    found, said = run(tmp_path, "novelty", detector, pd.DataFrame(new))
    np.testing.assert_array_equal(found["novelty"], -detector.score_samples(new))
    assert list(found["novel"] == "yes") == list(detector.predict(new) == -1)
    assert set(found["threshold"]) == {detector[-1].limit_}
    wider, said = run(tmp_path, "novelty", detector, pd.DataFrame(new), "--false-alarm", "0.1")
    assert set(wider["threshold"]) == {conformal_limit(detector[-1].calibration_, 0.1)}
    assert "which at most 0.1 of the rows fitted exceed under models fitted without them" in said
    found, _ = run(tmp_path, "transform", detector, pd.DataFrame(new))
    scores = detector[-1].estimator_.transform(detector[:-1].transform(new))
    np.testing.assert_array_equal(found, scores)


def test_hotelling_and_its_warning(tmp_path: Path) -> None:
    model = KernelPCA(2).fit(FULL)
    found, said = run(tmp_path, "novelty", model, FULL_NEW, "--statistic", "hotelling")
    detector = KernelPCANovelty(model, statistic="hotelling").fit(FULL)
    np.testing.assert_array_equal(found["novelty"], -detector.score_samples(FULL_NEW))
    assert "warning" not in said
    said = run(tmp_path, "novelty", rbf().fit(FULL), FULL_NEW, "--statistic", "hotelling")[1]
    assert "warning: Hotelling's T² finds no far" in said
    found, _ = run(tmp_path, "novelty", GIVEN, pd.DataFrame(PRODUCTS), "--statistic", "hotelling")
    assert len(found) == len(PRODUCTS)


def test_reference_rows_or_a_note_set_the_threshold_of_a_model_of_landmarks(tmp_path: Path) -> None:
    model, new = NAMED["landmarks"]
    note, asked = {"novelty limit": "0.25"}, ("--false-alarm", "0.1")
    for options, notes in (((), {}), (asked, note)):
        said = run(tmp_path, "novelty", model, new, *options, **notes)[1]
        assert "give rows that set the threshold" in said
    FULL.assign(more=1).to_csv(tmp_path / "fitted.csv")
    fitted, scores = (novelty_scores(model, rows, statistic="residual") for rows in (FULL, new))
    found, said = run(tmp_path, "novelty", model, new, "--reference", str(tmp_path / "fitted.csv"))
    np.testing.assert_array_equal(found["novelty"], scores)
    assert set(found["threshold"]) == {conformal_limit(np.sort(fitted), 0.05)}
    assert "at most 0.05 of the rows of " in said
    found, said = run(tmp_path, "novelty", model, new, **note)
    assert set(found["threshold"]) == {0.25}
    assert list(found["novel"] == "yes") == list(scores > 0.25)
    assert "above 0.25, which at most 0.05 of the rows fitted exceed" in said


LABELS = np.where(ROWS["height"].fillna(0) > 165, "tall", "short").astype(object)


@pytest.mark.parametrize(
    ("prepare", "last", "answer", "info"),
    [
        ([], SVC(kernel="linear", class_weight="balanced"), LABELS, "short, tall"),
        ([StandardScaler()], SVC(kernel="linear"), np.arange(len(ROWS)) % 3, "0, 1, 2"),
        ([], LinearRegression(), np.arange(len(ROWS)) / 7, "a number"),
    ],
)
def test_what_a_pipeline_predicts(
    prepare: list[Any], last: Any, answer: Any, info: str, tmp_path: Path, capsys: Any
) -> None:
    model = make_pipeline(SimpleImputer(), rbf(), *prepare, last).fit(ROWS[NUMBERS], answer)
    found, said = run(tmp_path, "predict", model, NEW.assign(kind="x"), label="kind")
    assert list(found) == ["kind", "prediction"]
    np.testing.assert_array_equal(found["prediction"], model.predict(NEW[NUMBERS]))
    scores, _ = run(tmp_path, "transform", model, NEW[NUMBERS])
    np.testing.assert_array_equal(scores, model[:2].transform(NEW[NUMBERS]))
    assert main(["info", str(tmp_path / "m")]) == 0
    assert f"predicts      {info}" in capsys.readouterr().out
    assert "the model does not take 'dose', 'colour'" in said


def test_rows_with_missing_cells_are_left_out_as_by_the_fit(tmp_path: Path) -> None:
    model, new = rbf().fit(FULL), NEW[NUMBERS]
    said = run(tmp_path, "transform", model, new)[1]
    assert "empty, and the model fills in no missing value here" in said
    found, said = run(tmp_path, "transform", model, new, missing="drop")
    np.testing.assert_array_equal(found, model.transform(new.dropna()))
    assert f"{new.isna().any(axis=1).sum()} rows have missing cells" in said


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler(), RobustScaler()])
def test_pre_images_are_in_the_units_of_the_file(scaler: Any, tmp_path: Path) -> None:
    model = make_pipeline(SimpleImputer(), scaler, rbf()).fit(FULL)
    rows = NEW[NUMBERS].assign(id=range(len(NEW)))[["weight", "id", "height"]]
    found, said = run(tmp_path, "denoise", model, rows, "--keep", "id")
    expected = scaler.inverse_transform(model[-1].denoise(model[:-1].transform(NEW[NUMBERS])))
    assert list(found.columns) == list(rows.columns)
    np.testing.assert_array_equal(found[NUMBERS], expected)
    assert list(found["id"]) == list(rows["id"])
    assert said == ""


def test_unknown_categories_are_reported_and_all_are_written_as_they_came(tmp_path: Path) -> None:
    unknown = NEW.assign(colour=["Red", "violet", *NEW["colour"][2:]])
    found, said = run(tmp_path, "transform", MIXED, unknown)
    np.testing.assert_array_equal(found, MIXED.transform(unknown))
    listed = "'Red' (did you mean 'red'?), 'violet'"
    assert f"warning: column 'colour' holds no category of the model in {listed}\n" in said
    assert run(tmp_path, "transform", MIXED, NEW)[1] == ""
    found, said = run(tmp_path, "denoise", MIXED, NEW)
    assert "written as they came, since they cannot be had back: 'colour', 'dose'" in said
    pd.testing.assert_frame_equal(
        found[["dose", "colour"]], NEW[["dose", "colour"]], check_dtype=False
    )
    prepared = MIXED[:-1].transform(NEW)
    scaled = MIXED[1].inverse_transform(MIXED[-1].denoise(prepared))
    np.testing.assert_array_equal(found[NUMBERS], scaled[:, :2])


@pytest.mark.filterwarnings("ignore:Skipping features")
def test_branches_weights_and_empty_columns_are_undone(tmp_path: Path) -> None:
    fitted = FULL.assign(gone=np.nan, more=FULL["height"] ** 2, other=1.0)
    filled = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    rows = ColumnTransformer(
        [("more", filled, ["gone", "more", "weight"]), ("height", "passthrough", ["height"])],
        transformer_weights={"more": 2.0},
    )
    model = make_pipeline(rows, KernelPCA(4, preimage="fixed_point")).fit(fitted)
    new = FULL_NEW.assign(gone=np.nan, more=FULL_NEW["height"] ** 2)
    found, said = run(tmp_path, "denoise", model, new)
    # As many components as columns: the rows themselves.
    kept = ["height", "weight", "more"]
    np.testing.assert_allclose(found[kept], new[kept])
    assert found["gone"].isna().all()
    assert "'gone'" in said


@pytest.mark.parametrize("landmarks", [False, True])
@pytest.mark.parametrize("kernel", SEMIDEFINITE)
def test_denoise_learns_no_way_back(kernel: str, landmarks: bool, tmp_path: Path) -> None:
    options: dict[str, Any] = {"eigen_solver": "nystrom", "n_landmarks": 40} if landmarks else {}
    model = make_pipeline(StandardScaler(), KernelPCA(2, kernel=kernel, **options)).fit(FULL)
    found, said = run(tmp_path, "denoise", model, FULL_NEW)
    if kernel not in WITH_FORMULA:
        assert np.isfinite(found.to_numpy()).all()
        assert said == ""
        return
    model[-1].set_params(preimage="fixed_point")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PreImageWarning)
        expected = model[0].inverse_transform(model[-1].denoise(model[0].transform(FULL_NEW)))
    np.testing.assert_array_equal(found, expected)
    if kernel == "linear":  # with as many components as columns the way back is exact
        np.testing.assert_allclose(found, FULL_NEW)


def test_a_learned_way_back_is_that_of_fit_and_another_is_taken_on_request(tmp_path: Path) -> None:
    model = KernelPCA(2, kernel="laplacian").fit(FULL)
    learned = KernelPCA(2, kernel="laplacian", fit_inverse_transform=True).fit(FULL)
    found, _ = run(tmp_path, "denoise", model, FULL_NEW)
    np.testing.assert_array_equal(found, learned.denoise(FULL_NEW))
    model.set_params(kernel="rbf").fit(FULL)
    found, _ = run(tmp_path, "denoise", model, FULL_NEW, "--preimage", "mds")
    np.testing.assert_array_equal(found, model.set_params(preimage="mds").denoise(FULL_NEW))


@pytest.mark.parametrize(
    ("action", "model", "rows", "message"),
    [
        ("novelty", PCA(2).fit(FULL), FULL_NEW, "takes a KernelPCA, and this model is a PCA"),
        ("denoise", PCA(2).fit(FULL), FULL_NEW, "takes a KernelPCA, and this model is a PCA"),
        ("novelty", KernelPCA(2).fit(FULL), FULL_NEW, ALL_KEPT),
        ("novelty", KernelPCANovelty(KernelPCA(2)).fit(FULL), FULL_NEW, ALL_KEPT),
        ("predict", NAMED["linear"][0], FULL_NEW, "no classifier or regressor: take the file pred"),
        ("denoise", GIVEN, pd.DataFrame(PRODUCTS), "has no rows to go back to"),
        ("novelty", GIVEN, pd.DataFrame(PRODUCTS), "a precomputed kernel does not say"),
    ],
)
def test_what_a_model_cannot_do_is_said(
    action: str, model: Any, rows: pd.DataFrame, message: str, tmp_path: Path
) -> None:
    found, said = run(tmp_path, action, model, rows)
    assert found is None
    assert message in said


def test_unconverged_images_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = KernelPCA.find_preimages

    def failing(model: KernelPCA, *points: Any) -> Any:
        images = found(model, *points)
        images.converged[:3] = False
        return images

    monkeypatch.setattr(KernelPCA, "find_preimages", failing)
    said = run(tmp_path, "denoise", rbf().fit(FULL), FULL_NEW)[1]
    assert said == "kpca: warning: the pre-images of 3 rows did not converge\n"


SHARE = 100 * MIXED[-1].explained_variance_ratio_.sum()
LONG = FULL.iloc[:, :1].set_axis(["alcalinity of the ash"], axis=1)


@pytest.mark.parametrize(
    ("model", "lines"),
    [
        (
            MIXED,
            [
                "model         ColumnTransformer → StandardScaler → KernelPCA",
                f"kernel        rbf, gamma {MIXED[-1].gamma_:.6g}",
                f"components    3, with {SHARE:.1f} % of the variance",
                "rows fitted   120",
                "columns       4, by name",
                "  height      number; may be missing",
                "  dose        category: 0.0, 1.0, 2.0; may be missing",
                "note id       patient",
                r"note dataset  'a\x1b[31m'",
            ],
        ),
        (NAMED["landmarks"][0], ["rows fitted   110, by 20 landmarks", "  weight      number"]),
        (NAMED["codes"][0], ["  colour      category:  blue, größer, than, red"]),
        (UNNAMED["detector"], ["columns       2, in order", "  1           number"]),
        (SparsePCA(2, l1_penalty=0.1).fit(FULL), ["model         SparsePCA"]),
        (KernelPCA(1).fit(LONG), ["  alcalinity of the ash  number"]),
        (
            KernelPCA(2, kernel="poly", degree=2).fit(FULL),
            ["kernel        poly, gamma 0.5, degree 2, coef0 1"],
        ),
    ],
)
def test_what_is_in_a_model(model: Any, lines: list[str], tmp_path: Path, capsys: Any) -> None:
    save(model, tmp_path / "m", notes={"id": "patient", "dataset": "a\x1b[31m"})
    assert main(["info", str(tmp_path / "m")]) == 0
    assert set(lines) <= set(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("action", ["transform", "denoise", "novelty"])
def test_columns_not_taken_are_ignored_with_a_notice(action: str, tmp_path: Path) -> None:
    model, new = rbf().fit(FULL), FULL_NEW.assign(year=1999, note="x")
    expected, _ = run(tmp_path, action, model, FULL_NEW)
    for name, named in (("Unnamed: 0", "'Unnamed: 0'"), ("", "a column without a name")):
        found, said = run(tmp_path, action, model, new.reset_index(names=name))
        pd.testing.assert_frame_equal(found, expected)
        assert f"kpca: the model does not take {named}, 'year', 'note': ignored\n" in said


def test_columns_that_are_dropped_or_taken_twice(tmp_path: Path) -> None:
    rows = ColumnTransformer([("numbers", SimpleImputer(), NUMBERS), ("no", "drop", ["dose"])])
    model = make_pipeline(rows, rbf()).fit(ROWS)
    for new in (NEW[NUMBERS], NEW):
        found, _ = run(tmp_path, "transform", model, new)
        np.testing.assert_array_equal(found, model.transform(NEW))
    codes = make_pipeline(OneHotEncoder(handle_unknown="ignore"))
    rows = ColumnTransformer([("n", SimpleImputer(), ["dose"]), ("c", codes, ["dose"])])
    model = make_pipeline(rows, KernelPCA(2)).fit(ROWS.dropna())
    # What one branch refuses is refused.
    assert "column 'dose': empty" in run(tmp_path, "transform", model, NEW[["dose"]])[1]
    new = NEW[["dose"]].dropna()
    found, _ = run(tmp_path, "transform", model, new)
    np.testing.assert_array_equal(found, model.transform(new))
