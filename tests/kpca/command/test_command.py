"""What the command writes is what the model says, bit for bit, or a refusal that says where."""

import gzip
import io
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC

from kpca import PCA, KernelPCA, KernelPCANovelty, LandmarkKernelPCA, SparsePCA, save
from kpca.command import main
from kpca.novelty.statistics import conformal_limit, novelty_scores
from kpca.preimage import WITH_FORMULA, PreImageWarning
from kpca.reading.columns import Column, ColumnReader
from kpca.reading.formats import read_table
from tests.kpca.command.models import FULL, FULL_NEW, NAMED, NEW, NUMBERS, ROWS, UNNAMED, rbf, run
from tests.kpca.naive import SEMIDEFINITE

MIXED = NAMED["mixed"][0]
LINEAR = NAMED["linear"][0]
DOUBLE = UNNAMED["double"]
DETECTOR = UNNAMED["detector"]
UNNAMED_NEW = pd.DataFrame(FULL_NEW.to_numpy())
SCALED = make_pipeline(StandardScaler(), rbf()).fit(FULL)
CLOSED = make_pipeline(
    ColumnTransformer([("words", OneHotEncoder(), ["colour"]), ("rest", "passthrough", NUMBERS)]),
    rbf(),
).fit(ROWS[[*NUMBERS, "colour"]].dropna())
UNKNOWN = "line 3, column 'colour': 'violet' is none of the categories ' blue', 'größer, than'"
LONG = FULL.iloc[:, :1].set_axis(["alcalinity of the ash"], axis=1)
OF_MIXED = rf"""model         ColumnTransformer → StandardScaler → KernelPCA
kernel        rbf, gamma {MIXED[-1].gamma_:.6g}
components    3, with {100 * MIXED[-1].explained_variance_ratio_.sum():.1f} % of the variance
rows fitted   120
columns       4, by name
  height      number; may be missing
  dose        category: 0.0, 1.0, 2.0; may be missing
note id       patient
note dataset  'a\x1b[31m'"""
PRODUCTS = FULL.to_numpy() @ FULL.to_numpy().T
GIVEN = KernelPCA(1, kernel="precomputed").fit(PRODUCTS)
ALL_KEPT = "The model keeps all of the variance; there is no residual to test."
WIDE = KernelPCA(0.9, kernel="rbf", gamma="median").fit(FULL)
PLANE = KernelPCA(2).fit(FULL)
FAR = pd.concat([FULL_NEW, FULL_NEW[:1] * 3])
LABELS = np.where(ROWS["height"].fillna(0) > 165, "tall", "short").astype(object)


def scores(folder, model, rows, *options, **notes):
    output, messages = run(folder, "transform", model, rows, *options, **notes)
    assert output is not None, messages
    return pd.read_csv(folder / "out.csv", dtype=str)  # Text is not rounded by a reader.


def check(found, expected):
    names = [f"component_{j + 1}" for j in range(expected.shape[1])]
    assert list(found.columns[-len(names) :]) == names
    assert_array_equal(found[names].to_numpy(float), np.asarray(expected, np.float64))


@pytest.mark.parametrize("kind", NAMED)
def test_named_columns_in_any_order_among_others(kind, tmp_path):
    model, new = NAMED[kind]
    names = [f"Zoë, {i}" for i in range(len(new))]
    mixed_up = new[new.columns[::-1]].assign(name=names, note="x").reset_index(names="id")
    output = scores(
        tmp_path, model, mixed_up, "--keep", "name", "--ignore", "note", id="id", label="note"
    )
    check(output, model.transform(new))
    assert list(output.columns[:3]) == ["id", "name", "component_1"]
    assert list(output["id"]) == [str(number) for number in new.index]
    assert list(output["name"]) == names


@pytest.mark.parametrize("written", [{}, {"header": ["a", "b"]}, {"sep": ";", "decimal": ","}])
@pytest.mark.parametrize("kind", ["double", "single"])
def test_unnamed_columns_in_their_order(kind, written, tmp_path):
    new = FULL_NEW.to_numpy() / (1 if kind == "double" else 8)
    text = pd.DataFrame(new).to_csv(**{"index": False, "header": False} | written).encode()
    check(scores(tmp_path, UNNAMED[kind], text), UNNAMED[kind].transform(new))


def test_names_that_pandas_counts_are_no_row(tmp_path):
    expected = DOUBLE.transform(FULL_NEW.to_numpy())
    text = UNNAMED_NEW.to_csv().encode()
    output, messages = run(tmp_path, "transform", DOUBLE, text)
    check(output, expected)
    assert "line 1 holds 0, 1, which pandas writes as names, and is read as such" in messages
    assert "the model does not take a column without a name: ignored" in messages
    message = "1 columns ('0'), and the model takes 2 in order"
    assert message in run(tmp_path, "transform", DOUBLE, text, "--ignore", "1")[1]
    # Without an empty name before them, 0 and 1 may be a row.
    check(scores(tmp_path, DOUBLE, b"0,1\n1,0\n"), DOUBLE.transform([[0, 1], [1, 0]]))
    rows = FULL_NEW.to_csv(index=False).replace("height,weight", "a,b\n0,1").encode()
    check(scores(tmp_path, DOUBLE, rows)[1:].reset_index(drop=True), expected)


def test_batches_of_a_long_file_are_the_whole(tmp_path):
    rng = np.random.default_rng(3)
    for shape in ((4200, 3), (300, 1100)):  # batches of 4096 rows, and of 256
        X = rng.integers(0, 99, shape).astype(float)
        model = KernelPCA(3, kernel="rbf", gamma="median").fit(X[:50])
        check(scores(tmp_path, model, pd.DataFrame(X)), model.transform(X))
    assert len(scores(tmp_path, MIXED, NEW[:0])) == 0


WRITERS = {
    "comma.csv": lambda path: NEW.to_csv(path, index=False, sep=";", decimal=","),
    "new.parquet": NEW.to_parquet,
    "new.xlsx": lambda path: NEW.to_excel(path, index=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_every_kind(name, tmp_path):
    WRITERS[name](tmp_path / name)
    new = pd.read_excel(tmp_path / name) if name == "new.xlsx" else NEW  # it has 16 digits
    check(scores(tmp_path, MIXED, tmp_path / name), MIXED.transform(new))


def test_a_sheet_by_name_and_by_number(tmp_path):
    path = tmp_path / "new.xlsx"
    rounded = FULL_NEW.round(3)
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="2")
        rounded.to_excel(book, sheet_name="Rows", index=False)
        FULL_NEW[:5].to_excel(book, sheet_name="More", index=False)
    with pd.ExcelWriter(tmp_path / "first.xlsx") as book:
        rounded.to_excel(book, sheet_name="Rows", index=False)
        FULL_NEW[:5].to_excel(book, sheet_name="1", index=False)
    check(scores(tmp_path, LINEAR, tmp_path / "first.xlsx"), LINEAR.transform(rounded))
    check(scores(tmp_path, LINEAR, path, "--sheet", "Rows"), LINEAR.transform(rounded))
    assert len(scores(tmp_path, LINEAR, path, "--sheet", "3")) == 5


def test_arrays_of_an_npz(tmp_path):
    X = FULL_NEW.to_numpy()
    np.savez(tmp_path / "new.npz", X=X, y=np.arange(len(X)))
    check(scores(tmp_path, DOUBLE, tmp_path / "new.npz"), DOUBLE.transform(X))
    frame = pd.DataFrame(X, columns=["x1", "x2"])
    named = rbf().fit(frame)
    check(scores(tmp_path, named, tmp_path / "new.npz"), named.transform(frame))


def test_a_turned_file_below_a_title_is_read_as_the_first_one(tmp_path):
    new = FULL_NEW[:5]
    turned = new.T.reset_index(names="name").to_csv(index=False)
    named, *variables = turned.splitlines(keepends=True)
    units = "unit," + ",".join(["cm"] * len(new)) + "\n"
    text = "".join(["Sizes of 2024, in two rows\n", "\n", named, units, *variables])
    notes = {"transpose": "true", "header": "3", "skip": "4"}
    check(scores(tmp_path, LINEAR, text.encode(), **notes), LINEAR.transform(new))
    # Without a turn, rows stand below the same title, or below none.
    for title in ("Sizes of 2024, in two columns\n\n", ""):
        text = title + new.to_csv(index=False, sep=";", decimal=",")
        check(scores(tmp_path, LINEAR, text.encode(), header="3"), LINEAR.transform(new))
    for header in ("3", "none"):
        assert "the file is empty" in run(tmp_path, "transform", LINEAR, b"", header=header)[1]
    assert "`header: 0` is no line" in run(tmp_path, "transform", LINEAR, b"a\n1\n", header="0")[1]


def test_the_command_and_a_model_in_python_call_a_row_by_the_same_name(tmp_path):
    reader = ColumnReader([*map(Column, NUMBERS)])
    model = make_pipeline(reader, LINEAR).fit(FULL)
    rows = FULL_NEW[:3].astype(object)
    rows.iloc[1, 0] = "tall"
    rows.astype(str).to_parquet(tmp_path / "new.parquet")
    message = "row 2, column 'height': 'tall' is not a finite number"
    assert message in run(tmp_path, "transform", model, tmp_path / "new.parquet")[1]
    for frame in (rows, read_table(tmp_path / "new.parquet"), rows[1:].set_axis(["row 2", "c"])):
        with pytest.raises(ValueError, match=message):
            model.transform(frame)


def test_new_rows_without_the_title_of_the_first_file_are_all_read(tmp_path):
    book = tmp_path / "new.xlsx"
    rounded = FULL_NEW[:2].round(3)
    rounded.to_excel(book, index=False)
    check(scores(tmp_path, LINEAR, book, header="5"), LINEAR.transform(rounded))
    # A model of a kernel matrix knows no names by which a title could be told.
    gram = FULL[:5].to_numpy() @ FULL[:5].to_numpy().T
    model = KernelPCA(2, kernel="precomputed").fit(gram)
    text = pd.DataFrame(gram, columns=[*"abcde"]).to_csv(index=False)
    for above in ("", "Kernel values\n\n"):
        check(scores(tmp_path, model, (above + text).encode(), header="3"), model.transform(gram))


def test_a_file_without_names_may_have_the_columns_that_the_fit_left_out(tmp_path):
    model = rbf().fit(FULL.set_axis(["x1", "x3"], axis=1))
    rows = pd.DataFrame({"x1": FULL_NEW["height"], "x2": "left out", "x3": FULL_NEW["weight"]})
    expected = model.transform(rows[["x1", "x3"]])
    for columns in (["x1", "x3"], ["x1", "x2", "x3"]):
        text = rows[columns].to_csv(index=False, header=False).encode()
        check(scores(tmp_path, model, text, header="none"), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(packed, monkeypatch, tmp_path):
    data = NEW.to_csv(index=False).encode()
    raw = io.BufferedReader(io.BytesIO(gzip.compress(data) if packed else data))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
    check(scores(tmp_path, MIXED, "-"), MIXED.transform(NEW))
    (tmp_path / "new.csv").write_bytes(data)
    names = [str(tmp_path / name) for name in ("m", "new.csv", "scores.csv.gz")]
    assert main(["transform", *names[:2], "-o", names[2]]) == 0
    assert gzip.decompress(Path(names[2]).read_bytes()) == (tmp_path / "out.csv").read_bytes()


def test_blanks_around_names(tmp_path):
    new = FULL_NEW.rename(columns={"height": " height"})
    model = rbf().fit(new)
    # The file gets a column of row numbers.
    text = new.rename(columns={"weight": " weight "}).to_csv().encode()
    check(scores(tmp_path, model, text, "--ignore", ""), model.transform(new))


GROUPED = ("height;weight\n12,345;2\n985;3\n", "height;weight\n12.345;2\n985;3\n")


def test_new_rows_are_read_in_the_notation_of_the_file_or_of_the_model(tmp_path):
    by_point = LINEAR.transform(FULL_NEW[:2].assign(height=[12_345.0, 985], weight=[2.0, 3]))
    by_comma = LINEAR.transform(FULL_NEW[:2].assign(height=[12.345, 985], weight=[2.0, 3]))
    for text, mark, other in zip(GROUPED, (".", ","), (",", "."), strict=True):
        reader = ColumnReader([Column(name, decimal=mark) for name in NUMBERS])
        model = make_pipeline(reader.fit(FULL), LINEAR)
        output, _ = run(tmp_path, "transform", model, text.encode())
        check(output, by_point)
        check(scores(tmp_path, LINEAR, text.encode(), "--decimal", mark), by_point)
        check(scores(tmp_path, LINEAR, text.encode(), "--decimal", other), by_comma)
    # Cells that show another notation than the model's are read by theirs.
    with_decimals = GROUPED[0].replace("985", "985,5").encode()
    output, _ = run(tmp_path, "transform", model, with_decimals)
    check(output[:1], by_comma[:1])


def refused(folder, model, text, *options):
    """Apply a model to a text in vain, and return the message."""
    data = text.encode() if isinstance(text, str) else text
    output, messages = run(folder, "transform", model, data, *options)
    assert output is None
    assert messages.count("\n") == 1
    assert {file.name for file in folder.iterdir()} == {"m", "new.csv"}
    return messages


ROWS_REFUSED = [
    ("height,wieght\n1,2\n", "the file lacks 'weight' (did you mean 'wieght'?)"),
    ("height\n1\n", "the file lacks 'weight'"),
    ("height,weight,height\n", "'height' stands twice"),
    ("1,2\n3,4\n", "line 1 holds numbers only, and the model finds columns by name"),
    ("height,weight\n1,2\n1,tall\n", "line 3, column 'weight': 'tall' is not a finite number"),
    ("height,weight\n1,inf\n", "'inf' is not a finite number"),
    ("height,weight\n1,1_5\n", "'1_5' is not a finite number"),
    ("height,weight\n\n\n1,\n", "line 4, column 'weight': empty, and the model fills in no"),
    ("height,weight\n1,NA\n", "line 2, column 'weight': empty"),
    ("height,weight\n1\n", "line 2 has 1 cells, and must have 2"),
    ('height,weight\n"1\n', "unexpected end of data"),
    ("height;weight\n1,5;2\n2.5;2\n", "line 3, column 'height': '2.5': numbers of this column"),
    (
        "height;weight\n12,345;2\n",
        "'12,345' can be 12.345 or 12345: --decimal , or --decimal . says",
    ),
    ("", "the file is empty"),
    (b"height,weight\n1,\xff\n", "not text in UTF-8: name its encoding, such as --encoding cp"),
    (b"\xff\xfeh\x00", "not text in UTF-8"),
    (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc", "line 1 or after it: "),
]
COLUMNS_REFUSED = [
    (DOUBLE, "1,2,3\n", "", "3 columns ('1', '2', '3'), and the model takes 2"),
    (DOUBLE, "a,b,c\n1,2,3\n", "", "3 columns ('a', 'b', 'c'), and the model takes 2"),
    (DOUBLE, "1,2\n3,x\n", "", "line 2, column '2': 'x' is not"),
    (
        DOUBLE,
        "1,2,3\n",
        "--keep id",
        "no column 'id', as --keep or --ignore has it; there are '1', '2', '3'",
    ),
    (SCALED, "height,weight,component_1\n", "--keep component_1", "'component_1' has the name"),
    (
        SCALED,
        "height,weight,Id\n",
        "--ignore id",
        "as --keep or --ignore has it; did you mean 'Id'?",
    ),
    (CLOSED, "height,weight,colour\n1,2, blue\n1,2,violet\n", "", UNKNOWN),
]


@pytest.mark.parametrize(
    ("model", "text", "options", "message"),
    [*((SCALED, text, "", phrase) for text, phrase in ROWS_REFUSED), *COLUMNS_REFUSED],
)
def test_refused_rows(model, text, options, message, tmp_path):
    refusal = refused(tmp_path, model, text, *options.split())
    assert message in refusal
    assert refusal.startswith(f"kpca: {tmp_path}/new.csv: ")


def test_a_failure_in_the_middle_leaves_what_was_there(tmp_path):
    long = pd.concat([NEW] * 20).to_csv(index=False)  # several batches
    (tmp_path / "out.csv").write_text("of before")
    output, _ = run(tmp_path, "transform", MIXED, f"{long}tall,1,2,red\n".encode())
    assert output is None
    assert (tmp_path / "out.csv").read_text() == "of before"
    assert len(list(tmp_path.iterdir())) == 3


def test_damaged_models_are_refused_in_one_line(tmp_path, capsys):
    save(MIXED, tmp_path / "damaged")
    (tmp_path / "damaged").write_bytes((tmp_path / "damaged").read_bytes()[:-99])
    assert main(["info", str(tmp_path / "damaged")]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    (tmp_path / "damaged").unlink()
    model = KernelPCA(2, kernel="rbf").fit(FULL_NEW)
    model.kernel_means_ = np.array(["a"] * len(FULL_NEW))
    assert "UFuncTypeError: ufunc" in refused(tmp_path, model, "height,weight\n1,2\n")


@pytest.mark.parametrize(
    "words",
    [
        "",
        *(f"transform m new.csv -o {out}" for out in ("new.csv", "m", "out.xlsx", "none/out.csv")),
        "transform m new.csv --keep a,b --ignore b",
        "novelty m m --reference new.csv -o new.csv",
        "novelty m new.csv --false-alarm 2",
        "denoise m new.csv --preimage magic",
    ],
)
def test_wrong_usage(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(SCALED, "m")
    FULL_NEW.to_csv("new.csv", index=False)
    before = (tmp_path / "new.csv").read_bytes()
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert (tmp_path / "new.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("model", "rows", "options", "detector", "prepared"),
    [
        (WIDE, FAR, "--false-alarm 0.1", KernelPCANovelty(WIDE, false_alarm=0.1).fit(FULL), FAR),
        (
            PLANE,
            FAR,
            "--statistic hotelling",
            KernelPCANovelty(PLANE, statistic="hotelling").fit(FULL),
            FAR,
        ),
        (DETECTOR, UNNAMED_NEW, "", DETECTOR[-1], DETECTOR[:-1].transform(UNNAMED_NEW)),
    ],
)
def test_novelty_scores(model, rows, options, detector, prepared, tmp_path):
    output, messages = run(tmp_path, "novelty", model, rows, *options.split())
    explained = detector.explain(prepared)
    assert_array_equal(output["novelty"], explained["novelty"])
    for name in ("threshold", "p_value", "hotelling", "part_1"):
        assert_allclose(output[name].astype(float), explained[name])
    assert_array_equal(output["novel"] == "yes", explained["novel"])
    novel = sum(explained["novel"])
    assert f"kpca: {novel} of {len(rows)} rows are novel: their {detector.statistic}" in messages
    assert "of new persons, patients or batches more rows can exceed it" in messages
    assert (
        f"which at most {detector.false_alarm} of the rows fitted exceed under models" in messages
    )
    assert "warning" not in messages


def test_novelty_of_other_levels_statistics_and_numbers_of_rows(tmp_path):
    novelty = partial(run, tmp_path, "novelty")
    wider, _ = novelty(DETECTOR, UNNAMED_NEW, "--false-alarm", "0.1")
    assert set(wider["threshold"]) == {conformal_limit(DETECTOR[-1].calibration_, 0.1)}
    expected = DETECTOR[-1].estimator_.transform(DETECTOR[:-1].transform(UNNAMED_NEW))
    check(scores(tmp_path, DETECTOR, UNNAMED_NEW), expected)
    messages = novelty(rbf().fit(FULL), FULL_NEW, "--statistic", "hotelling")[1]
    assert "warning: Hotelling's T² finds no far" in messages
    output, _ = novelty(GIVEN, pd.DataFrame(PRODUCTS), "--statistic", "hotelling")
    assert len(output) == len(PRODUCTS)
    messages = novelty(rbf().fit(FULL[:12]), FULL_NEW)[1]
    assert "12 rows set no threshold that 0.05 of ordinary rows exceed: take 19 rows" in messages


@pytest.mark.parametrize(
    ("model", "options", "holds"),
    [
        (DETECTOR, "", True),
        (DETECTOR, "--statistic residual --false-alarm 0.1", True),
        (DETECTOR, "--statistic hotelling", False),
        (DETECTOR, "--reference new.csv", False),
        (UNNAMED["double"], "", False),
    ],
)
def test_only_a_stored_threshold_holds_for_new_groups(model, options, holds, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, messages = run(tmp_path, "novelty", model, UNNAMED_NEW, *options.split(), group="patient")
    assert ("this holds for rows of a new 'patient'" in messages) == holds
    assert ("of new persons, patients or batches more rows can exceed it" in messages) != holds


def test_a_function_that_does_not_name_its_columns_keeps_their_names(tmp_path):
    detector = KernelPCANovelty()
    model = make_pipeline(FunctionTransformer(np.log), detector).fit(FULL)
    far = FULL_NEW[:1] * [50, 1]
    output, messages = run(tmp_path, "novelty", model, far)
    assert "1 of 1 rows are novel" in messages
    assert output["variable_1"].tolist() == ["height"]


@pytest.mark.parametrize("action", ["ignore", "error"])
def test_novelty_warns_of_rows_that_are_alike_under_any_filter_of_warnings(action, tmp_path):
    steps = np.random.default_rng(0).normal(size=(300, 2))
    walk = pd.DataFrame(steps.cumsum(axis=0), columns=["a", "b"])
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        output, messages = run(tmp_path, "novelty", rbf().fit(walk), walk)
    assert len(output) == len(walk)
    assert "warning: Samples next to each other are alike" in messages


def test_reference_rows_lack_what_the_new_rows_keep_or_ignore(tmp_path):
    model = UNNAMED["double"]
    named = UNNAMED_NEW.set_axis(NUMBERS, axis=1).assign(id="x", note=1)
    options = ["--keep", "id", "--ignore", "note", "--reference", str(tmp_path / "ref.csv")]
    thresholds = set()
    for columns in ([], ["id"], ["note", "id"]):
        named[[*columns, *NUMBERS]].to_csv(tmp_path / "ref.csv", index=False)
        output, messages = run(tmp_path, "novelty", model, named, *options)
        assert output is not None, messages
        thresholds |= {*output["threshold"]}
    assert len(thresholds) == 1
    named.assign(more=1).to_csv(tmp_path / "ref.csv", index=False)
    messages = run(tmp_path, "novelty", model, named, *options)[1]
    assert messages.startswith(f"kpca: {tmp_path}/ref.csv: 3 columns ('height', 'weight', 'more')")


def test_reference_rows_or_a_note_set_the_threshold_of_a_model_of_landmarks(tmp_path):
    model, new = NAMED["landmarks"]
    novelty = partial(run, tmp_path, "novelty", model, new)
    note = {"novelty limit": "0.25"}
    for messages in (novelty()[1], novelty("--false-alarm", "0.1", **note)[1]):
        assert "give rows that set the threshold" in messages
    FULL.assign(more=1).to_csv(tmp_path / "fitted.csv")
    fitted, expected = (novelty_scores(model, rows, statistic="residual") for rows in (FULL, new))
    output, messages = novelty("--reference", str(tmp_path / "fitted.csv"))
    assert_array_equal(output["novelty"], expected)
    assert set(output["threshold"]) == {conformal_limit(np.sort(fitted), 0.05)}
    assert "at most 0.05 of the rows of " in messages
    output, messages = novelty(**note)
    assert set(output["threshold"]) == {0.25}
    assert_array_equal(output["novel"] == "yes", expected > 0.25)
    assert output["p_value"].isna().all()
    assert "above 0.25, which at most 0.05 of the rows fitted exceed" in messages


@pytest.mark.parametrize(
    ("prepare", "last", "answer", "info"),
    [
        ([], SVC(kernel="linear", class_weight="balanced"), LABELS, "short, tall"),
        ([StandardScaler()], SVC(kernel="linear"), np.arange(len(ROWS)) % 3, "0, 1, 2"),
        ([], LinearRegression(), np.arange(len(ROWS)) / 7, "a number"),
    ],
)
def test_what_a_pipeline_predicts(prepare, last, answer, info, tmp_path, capsys):
    model = make_pipeline(SimpleImputer(), rbf(), *prepare, last).fit(ROWS[NUMBERS], answer)
    output, messages = run(tmp_path, "predict", model, NEW.assign(kind="x"), label="kind")
    assert list(output) == ["kind", "prediction"]
    assert_array_equal(output["prediction"], model.predict(NEW[NUMBERS]))
    check(scores(tmp_path, model, NEW[NUMBERS]), model[:2].transform(NEW[NUMBERS]))
    assert main(["info", str(tmp_path / "m")]) == 0
    assert f"predicts      {info}" in capsys.readouterr().out
    assert "the model does not take 'dose', 'colour'" in messages


def test_rows_with_missing_cells_are_left_out_as_by_the_fit(tmp_path):
    model = rbf().fit(FULL)
    new = NEW[NUMBERS]
    empty = "empty, and the model fills in no missing value here"
    assert empty in run(tmp_path, "transform", model, new)[1]
    output, messages = run(tmp_path, "transform", model, new, missing="drop")
    assert_array_equal(output, model.transform(new.dropna()))
    assert f"{new.isna().any(axis=1).sum()} rows have missing cells" in messages


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler(), RobustScaler()])
def test_pre_images_are_in_the_units_of_the_file(scaler, tmp_path):
    model = make_pipeline(SimpleImputer(), scaler, rbf()).fit(FULL)
    rows = NEW[NUMBERS].assign(id=range(len(NEW)))[["weight", "id", "height"]]
    output, messages = run(tmp_path, "denoise", model, rows, "--keep", "id")
    expected = scaler.inverse_transform(model[-1].denoise(model[:-1].transform(NEW[NUMBERS])))
    assert list(output.columns) == list(rows.columns)
    assert_array_equal(output[NUMBERS], expected)
    assert list(output["id"]) == list(rows["id"])
    assert messages == ""
    restored, _ = run(tmp_path, "denoise", model, rows, "--keep", "id", "--ignore", "height")
    pd.testing.assert_frame_equal(restored, output.drop(columns="height"))


def test_unknown_categories_are_reported_and_all_are_written_as_they_came(tmp_path):
    unknown = NEW.assign(colour=["Red", "violet", *NEW["colour"][2:]])
    output, messages = run(tmp_path, "transform", MIXED, unknown)
    assert_array_equal(output, MIXED.transform(unknown))
    listed = "'Red' (did you mean 'red'?), 'violet'"
    assert f"warning: column 'colour' holds no category of the model in {listed}\n" in messages
    assert run(tmp_path, "transform", MIXED, NEW)[1] == ""
    output, messages = run(tmp_path, "denoise", MIXED, NEW)
    assert "written as they came, since they cannot be had back: 'colour', 'dose'" in messages
    unchanged = (frame[["dose", "colour"]] for frame in (output, NEW))
    pd.testing.assert_frame_equal(*unchanged, check_dtype=False)
    scaled = MIXED[1].inverse_transform(MIXED[-1].denoise(MIXED[:-1].transform(NEW)))
    assert_array_equal(output[NUMBERS], scaled[:, :2])


@pytest.mark.filterwarnings("ignore:Skipping features")
def test_branches_weights_and_empty_columns_are_undone(tmp_path):
    fitted = FULL.assign(gone=np.nan, more=FULL["height"] ** 2, other=1.0)
    filled = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    rows = ColumnTransformer(
        [("more", filled, ["gone", "more", "weight"]), ("height", "passthrough", ["height"])],
        transformer_weights={"more": 2.0},
    )
    model = make_pipeline(rows, KernelPCA(4, preimage="fixed_point")).fit(fitted)
    new = FULL_NEW.assign(gone=np.nan, more=FULL_NEW["height"] ** 2)
    output, messages = run(tmp_path, "denoise", model, new)
    # As many components as columns: the rows themselves.
    columns = ["height", "weight", "more"]
    assert_allclose(output[columns], new[columns])
    assert output["gone"].isna().all()
    assert "'gone'" in messages


@pytest.mark.parametrize("landmarks", [False, True])
@pytest.mark.parametrize("kernel", SEMIDEFINITE)
def test_denoise_learns_no_way_back(kernel, landmarks, tmp_path):
    last = KernelPCA(2, kernel=kernel)
    if landmarks:
        last = LandmarkKernelPCA(2, kernel=kernel, n_landmarks=40)
    model = make_pipeline(StandardScaler(), last).fit(FULL)
    output, messages = run(tmp_path, "denoise", model, FULL_NEW)
    if kernel not in WITH_FORMULA:
        assert np.isfinite(output.to_numpy()).all()
        assert messages == ""
        return
    model[-1].set_params(preimage="fixed_point")
    with warnings.catch_warnings(action="ignore", category=PreImageWarning):
        expected = model[0].inverse_transform(model[-1].denoise(model[0].transform(FULL_NEW)))
    assert_array_equal(output, expected)
    if kernel == "linear":  # With as many components as columns, the way back is exact.
        assert_allclose(output, FULL_NEW)


def test_a_learned_way_back_is_that_of_fit_and_another_is_taken_on_request(tmp_path):
    model = KernelPCA(2, kernel="laplacian").fit(FULL)
    learned = KernelPCA(2, kernel="laplacian", fit_inverse_transform=True).fit(FULL)
    output, _ = run(tmp_path, "denoise", model, FULL_NEW)
    assert_array_equal(output, learned.denoise(FULL_NEW))
    model.set_params(kernel="rbf").fit(FULL)
    output, _ = run(tmp_path, "denoise", model, FULL_NEW, "--preimage", "mds")
    assert_array_equal(output, model.set_params(preimage="mds").denoise(FULL_NEW))


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
def test_refused_actions(action, model, rows, message, tmp_path):
    output, messages = run(tmp_path, action, model, rows)
    assert output is None
    assert message in messages


@pytest.mark.parametrize("action", ["denoise", "novelty"])
def test_features_of_dates_belong_to_their_column(action, tmp_path):
    rows = FULL.assign(day=pd.date_range("2024-01-01", periods=len(FULL)).astype(str))
    reader = ColumnReader([Column("day", "date", parts=("month", "day")), *map(Column, NUMBERS)])
    output, messages = run(
        tmp_path, action, make_pipeline(reader, StandardScaler(), rbf()).fit(rows), rows
    )
    if action == "denoise":
        assert list(output["day"]) == list(rows["day"])
        assert "cannot be had back: 'day'" in messages
    else:
        assert {*output["variable_1"].dropna()} <= {"day_month", "day_day", *NUMBERS}


def test_unconverged_images_are_counted(tmp_path, monkeypatch):
    find_preimages = KernelPCA.find_preimages

    def failing(model, *points):
        images = find_preimages(model, *points)
        images.converged[:3] = False
        return images

    monkeypatch.setattr(KernelPCA, "find_preimages", failing)
    messages = run(tmp_path, "denoise", rbf().fit(FULL), FULL_NEW)[1]
    assert messages == "kpca: warning: the pre-images of 3 rows did not converge\n"


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (MIXED, OF_MIXED),
        (NAMED["landmarks"][0], "rows fitted   110, by 20 landmarks\n  weight      number"),
        (NAMED["codes"][0], "  colour      category:  blue, größer, than, red"),
        (UNNAMED["detector"], "columns       2, in order\n  1           number"),
        (SparsePCA(2, l1_penalty=0.1).fit(FULL), "model         SparsePCA"),
        (KernelPCA(1).fit(LONG), "  alcalinity of the ash  number"),
        (NAMED["bare"][0], "kernel        poly, gamma 0.5, degree 2, coef0 1"),
    ],
)
def test_what_is_in_a_model(model, text, tmp_path, capsys):
    save(model, tmp_path / "m", notes={"id": "patient", "dataset": "a\x1b[31m"})
    assert main(["info", str(tmp_path / "m")]) == 0
    assert set(text.splitlines()) <= set(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("action", ["transform", "denoise", "novelty"])
def test_columns_not_taken_are_ignored_with_a_notice(action, tmp_path):
    model = rbf().fit(FULL)
    new = FULL_NEW.assign(year=1999, note="x")
    expected, _ = run(tmp_path, action, model, FULL_NEW)
    for name, named in (("Unnamed: 0", "'Unnamed: 0'"), ("", "a column without a name")):
        output, messages = run(tmp_path, action, model, new.reset_index(names=name))
        pd.testing.assert_frame_equal(output, expected)
        assert f"kpca: the model does not take {named}, 'year', 'note': ignored\n" in messages


def test_columns_that_are_dropped_or_taken_twice(tmp_path):
    rows = ColumnTransformer([("numbers", SimpleImputer(), NUMBERS), ("no", "drop", ["dose"])])
    model = make_pipeline(rows, rbf()).fit(ROWS)
    for new in (NEW[NUMBERS], NEW):
        check(scores(tmp_path, model, new), model.transform(NEW))
    codes = make_pipeline(OneHotEncoder(handle_unknown="ignore"))
    rows = ColumnTransformer([("n", SimpleImputer(), ["dose"]), ("c", codes, ["dose"])])
    model = make_pipeline(rows, KernelPCA(2)).fit(ROWS.dropna())
    # What one branch refuses is refused.
    assert "column 'dose': empty" in run(tmp_path, "transform", model, NEW[["dose"]])[1]
    new = NEW[["dose"]].dropna()
    check(scores(tmp_path, model, new), model.transform(new))
