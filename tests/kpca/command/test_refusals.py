"""What cannot be used is refused in one line that says what and where; nothing half remains."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from kpca import KernelPCA, save
from kpca.command import main
from tests.kpca.command.models import FULL, FULL_NEW, MIXED, NEW, NUMBERS, ROWS, UNNAMED, rbf

SCALED = make_pipeline(StandardScaler(), rbf()).fit(FULL)
CLOSED = make_pipeline(
    ColumnTransformer([("words", OneHotEncoder(), ["colour"]), ("rest", "passthrough", NUMBERS)]),
    rbf(),
).fit(ROWS[[*NUMBERS, "colour"]].dropna())


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Apply a model to a text in vain, and give the message."""

    def message(model: Any, text: str | bytes, *options: str, code: int = 1) -> str:
        save(model, tmp_path / "m")
        data = text.encode() if isinstance(text, str) else text
        (tmp_path / "new.csv").write_bytes(data)
        out = ["-o", str(tmp_path / "out.csv")]
        assert (
            main(["transform", str(tmp_path / "m"), str(tmp_path / "new.csv"), *out, *options])
            == code
        )
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        assert {file.name for file in tmp_path.iterdir()} == {"m", "new.csv"}
        return printed.err.strip()

    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
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
        ("height;weight\n1.000,5;2\n", "'1.000,5' is not a finite number"),
        ("", "the file is empty"),
        (b"height,weight\n1,\xff\n", "not text in UTF-8: name its encoding, such as --encoding la"),
        (b"\xff\xfeh\x00", "not text in UTF-8"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc", "line 1 or after it: "),
    ],
)
def test_rows_that_do_not_fit(text: str | bytes, message: str, refused: Any) -> None:
    found = refused(SCALED, text)
    assert message in found
    assert found.startswith("kpca: /")
    assert "new.csv: " in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3\n", "3 columns, and the model takes 2"),
        ("a,b,c\n1,2,3\n", "3 columns ('a', 'b', 'c'), and the model takes 2 in order: leave out"),
        ("1,2\n3,x\n", "line 2, column 2: 'x' is not"),
    ],
)
def test_columns_in_order_that_do_not_fit(text: str, message: str, refused: Any) -> None:
    assert message in refused(UNNAMED["double"], text)


def test_columns_have_the_names_of_a_header_and_none_of_scores(refused: Any) -> None:
    assert "there is no header" in refused(UNNAMED["double"], "1,2,3\n", "--keep", "id")
    text = "height,weight,component_1\n1,2,3\n"
    assert "'component_1' has the name" in refused(SCALED, text, "--keep", "component_1")


@pytest.mark.parametrize("option", ["--keep", "--ignore"])
def test_options_name_columns_that_are_there(option: str, refused: Any) -> None:
    found = refused(SCALED, "height,weight,Label\n1,2,3\n", option, "label")
    assert "no column 'label' (did you mean 'Label'?)" in found


def test_a_category_that_the_encoder_refuses_is_named_with_its_place(refused: Any) -> None:
    found = refused(CLOSED, "height,weight,colour\n1,2, blue\n1,2,violet\n")
    assert "line 3, column 'colour': 'violet' is none of the categories ' blue', 'gr" in found


def test_a_failure_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    save(MIXED, tmp_path / "m")
    long = pd.concat([NEW] * 20)  # several batches
    long.to_csv(tmp_path / "new.csv", index=False)
    with (tmp_path / "new.csv").open("a") as file:
        file.write("tall,1,2,red\n")
    (tmp_path / "out.csv").write_text("of before")
    names = [str(tmp_path / name) for name in ("m", "new.csv", "out.csv")]
    assert main(["transform", *names[:2], "-o", names[2]]) == 1
    assert (tmp_path / "out.csv").read_text() == "of before"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_damaged_model_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(MIXED, tmp_path / "m")
    (tmp_path / "m").write_bytes((tmp_path / "m").read_bytes()[:-99])
    assert main(["info", str(tmp_path / "m")]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1


def test_a_model_that_is_not_what_it_seems_is_one_line(refused: Any) -> None:
    model = KernelPCA(2, kernel="rbf").fit(FULL_NEW)
    model.kernel_means_ = np.array(["a"] * len(FULL_NEW))
    assert "UFuncTypeError: ufunc" in refused(model, "height,weight\n1,2\n")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["transform"],
        ["transform", "m", "new.csv", "-o", "new.csv"],
        ["transform", "m", "new.csv", "-o", "m"],
        ["transform", "m", "new.csv", "-o", "out.xlsx"],
        ["transform", "m", "new.csv", "-o", "nowhere/out.csv"],
        ["transform", "m", "new.csv", "--keep", "a,b", "--ignore", "b"],
        ["novelty", "m", "new.csv", "--false-alarm", "2"],
        ["denoise", "m", "new.csv", "--preimage", "magic"],
    ],
)
def test_wrong_arguments_end_with_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(SCALED, "m")
    FULL_NEW.to_csv("new.csv", index=False)
    before = (tmp_path / "new.csv").read_bytes()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert (tmp_path / "new.csv").read_bytes() == before
