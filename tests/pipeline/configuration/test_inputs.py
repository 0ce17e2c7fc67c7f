"""Data and code of one's own, tried before any job and not again before they change."""

import copy
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline import fingerprint
from pipeline.configuration.inputs import input_problems
from pipeline.datasets import make

CODE = "def product(x, y, factor=1):\n    return factor * float(x @ y)\n"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A sound configuration with data and a kernel of its own, tried once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_kernel", raising=False)
    (tmp_path / "own_kernel.py").write_text(CODE)
    (tmp_path / "my.csv").write_text(
        "\n".join(["x,y,s", *(f"{i / 2},{i % 7},{i % 2}" for i in range(40))])
    )
    config = {
        "results": "results",
        "datasets": {"mine": {"path": "my.csv", "label": "s"}, "iris": {"sklearn": "iris"}},
        "kernels": {"own": {"callable": "own_kernel:product"}, "linear": {}},
        "methods": {"pca2": "sklearn.decomposition:PCA"},
        "evaluation": {"n_components": [2, 8], "folds": 2},
    }
    assert list(input_problems(config)) == []
    return config


def changed(config: dict[str, Any], *places: str, value: Any) -> dict[str, Any]:
    config = copy.deepcopy(config)
    section = config
    for place in places[:-1]:
        section = section[place]
    section[places[-1]] = value
    return config


def test_what_has_not_changed_is_not_tried_again(
    config: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "check_dataset", None)
    monkeypatch.setitem(sys.modules, "pipeline.own_code", None)

    assert list(input_problems(config)) == []


@pytest.mark.parametrize(
    ("places", "value", "problem"),
    [
        (("datasets", "mine", "label"), "z", "there is no column 'z'"),
        (("datasets", "mine", "max_rows"), 12, "n_components asks for 8"),
        (("datasets", "iris", "test_share"), 0.99, "class '0' (50), '1' (50), '2' (50) has fewer"),
        (("evaluation", "folds"), 20, "has fewer than the 40 rows that 20 folds need"),
        (("evaluation", "n_components"), [500], "evaluation.n_components asks for 500"),
        (("kernels", "own", "parameters"), {"fctr": [1]}, "'fctr': a kernel takes two rows"),
        (("methods", "pca2"), "sklearn.svm:SVC", "has no `transform`"),
    ],
)
def test_what_has_changed_is_tried_again(
    config: dict[str, Any], places: tuple[str, ...], value: Any, problem: str
) -> None:
    assert problem in "\n".join(input_problems(changed(config, *places, value=value)))
    assert list(input_problems(config)) == []


def test_warnings_are_said_again_without_another_look(
    config: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("my.csv").write_text("\n".join(["x,é,s", *("1,2,a", "2,2,b") * 20]))
    config["methods"], config["kernels"] = {}, {}
    config["evaluation"]["n_components"] = [2]
    config["datasets"] = {"mine": {"path": "my.csv", "label": "s"}}
    first: list[str] = []
    again: list[str] = []

    assert list(input_problems(config, first.append)) == []
    monkeypatch.setattr(make, "check_dataset", None)
    assert list(input_problems(config, again.append)) == []
    assert first == again
    assert "dataset 'mine': column 'é' is constant" in first[0]
    assert "40 of 40 rows equal another one" in first[1]


def test_an_edited_file_is_tried_again(config: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text("x,y,s\n1,2,a\n")

    assert "label column 's' holds one class only" in "\n".join(input_problems(config))


def test_edited_code_is_tried_again(config: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "own_kernel.py").write_text("def product(x, y):\n    return x\n")
    for known in (fingerprint._code, fingerprint._compiled):  # another process knows nothing
        known.cache_clear()
    del sys.modules["own_kernel"]

    assert "returns an array of shape (2,)" in "\n".join(input_problems(config))


def test_without_a_place_for_notes_everything_is_tried(config: dict[str, Any]) -> None:
    del config["results"]

    config["datasets"]["mine"]["label"] = "z"

    assert "there is no column 'z'" in "\n".join(input_problems(config))
