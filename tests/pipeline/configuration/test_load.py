"""The configuration as the rules use it, and data and code of one's own, tried before any job."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from pipeline.configuration.config import resolve
from pipeline.configuration.load import input_problems, load
from pipeline.errors import InputError
from pipeline.grid import method_points, points
from pipeline.own_code import try_kernel, try_method
from pipeline.tasks import grid_of
from tests.pipeline.configuration.test_config import changed
from tests.workflow.pipeline import ROOT

DEFAULT = yaml.safe_load((ROOT / "config/config.yaml").read_text())
ALLOWED = "{} rows, {} in the smallest class, allow {} components ({} left out) and 2 folds in "
ALLOWED += "place of 3"
SAMPLED = "my.csv has 20 rows, of which a sample of 16 stratified by class is swept: max_rows=20 "
SAMPLED += "takes all"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The default configuration with a file of 20 rows, five of them in class b."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},{i * i % 7},{'ab'[i % 4 == 0]}" for i in range(20)]
    (tmp_path / "my.csv").write_text("\n".join(["u,v,y", *rows]))
    return DEFAULT | {"data": "my.csv", "label": "y", "results": "results"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, [ALLOWED.format(20, 5, "2, 5", "12, 32")]),
        ({"max_rows": 16}, [SAMPLED, ALLOWED.format(16, 4, "2", "5, 12, 32")]),
        ({"evaluation": DEFAULT["evaluation"] | {"n_components": [1], "folds": 2}}, []),
    ],
)
def test_a_small_file_gets_what_its_rows_allow(own: dict, changes: dict, words: list) -> None:
    before = copy.deepcopy(own | changes)
    assert load(own | changes).left_out == words
    assert own | changes == before
    assert [path.name for path in Path.cwd().iterdir()] == ["my.csv"]


def test_a_configuration_of_datasets_means_its_numbers(own: dict[str, Any]) -> None:
    evaluation = DEFAULT["evaluation"] | {"n_components": [2]}
    config = DEFAULT | {"datasets": {"my": {"path": "my.csv"}}, "evaluation": evaluation}
    (Path.cwd() / "my.csv").write_text("\n".join(["u,v", *(f"{i},{i * i % 7}" for i in range(40))]))
    loaded = load(config)
    assert (loaded.config, loaded.left_out) == (resolve(config), [])


@pytest.mark.parametrize("quick", [True, "true"])
def test_quick_is_a_small_part_of_the_whole(own: dict[str, Any], quick: Any) -> None:
    rows = [f"{i % 97},{i * i % 101},{'ab'[i % 4 == 0]}" for i in range(3000)]
    Path("my.csv").write_text("\n".join(["u,v,y", *rows]))
    part, whole = load(own | {"quick": quick}), load(own | {"quick": "false"})

    def settings(config: dict[str, Any]) -> int:
        return config["replicates"] * sum(map(len, grid_of(config, "my").values()))

    assert settings(part.config) < settings(whole.config) / 4
    assert part.config["datasets"]["my"]["max_rows"] == 1000
    sample, look = part.left_out
    assert sample.startswith("my.csv has 3000 rows, of which a sample of 1000 stratified by class")
    assert sample.endswith("is swept: leave out quick=true for more")
    assert look.startswith("a quick look: 3 of ")
    assert "3 of 6 kernels (linear, poly, rbf" in look
    assert "leave out quick=true for all of it" in look


def test_quick_takes_any_configuration() -> None:
    kernels = {"mine": {"callable": "math:dist"}}
    datasets = {"rings": {"generator": "rings", "n_train": 99, "n_test": 40, "replicates": 9}}
    part = load(DEFAULT | {"kernels": kernels, "datasets": datasets, "quick": True}).config
    assert part["kernels"] == kernels
    assert part["datasets"]["rings"]["replicates"] == 3
    assert part["studies"] == []


def test_what_is_known_of_datasets_before_any_job(own: dict[str, Any]) -> None:
    np.savez("k.npz", K=np.eye(40), y=np.arange(40) % 2)
    datasets = {
        "rings": {"generator": "rings", "n_train": 40, "n_test": 40},
        "roll": {"generator": "swiss_roll", "n_train": 40, "n_test": 40},
        "iris": {"sklearn": "iris"},
        "flowers": {"openml": 61},
        "kernel": {"path": "k.npz", "kernel_matrix": True},
        "dose": {"path": "my.parquet", "target": "y"},
        "wide": {"path": "my.parquet"},
        "copies": {"path": "copies.csv", "label": "s"},
    }
    Path("copies.csv").write_text("\n".join(["x,é,s", *("1,2,a", "2,2,b") * 20]))
    i = np.arange(40)
    pd.DataFrame({"u": i / 3, "v": i * i % 7, "y": i % 9}).to_parquet("my.parquet")
    evaluation = DEFAULT["evaluation"] | {"n_components": [2]}
    loaded = load(DEFAULT | {"datasets": datasets, "evaluation": evaluation})

    assert loaded.with_source("sklearn", "iris") == ["iris"]
    assert loaded.with_rows() == ["rings", "roll", "iris", "flowers", "dose", "wide", "copies"]
    assert loaded.with_answer("label") == ["rings", "iris", "flowers", "kernel", "copies"]
    assert {*datasets} - {*loaded.with_answer("label", "target")} == {"wide"}
    assert loaded.in_the_plane() == ["rings", "dose", "copies"]
    assert loaded.sweeps("rbf", "median")
    assert not loaded.sweeps("rbf", "gamma")
    constant, copies = loaded.notices
    assert constant.startswith("dataset 'copies': column 'é' is constant")
    assert copies.startswith("dataset 'copies': 40 of 40 rows equal another one")


@pytest.mark.parametrize(
    ("name", "path", "label", "words"),
    [
        ("my", "old/my.csv", "y", "results for old/my.csv; this run overwrites them with those fo"),
        ("my", "my.csv", "kind", "results for label kind; this run overwrites them with those for"),
        ("my", "my.csv", "y", None),
        ("yours", "my.csv", "kind", None),
    ],
)
def test_results_of_another_file_or_answer_are_noticed(
    own: dict[str, Any], name: str, path: str, label: str, words: str | None
) -> None:
    noted = [f'parameter,datasets.{name}.path,"""{path}"""']
    noted += [f'parameter,datasets.{name}.label,"""{label}"""']
    Path("results").mkdir()
    Path("results/provenance.csv").write_text("\n".join(["kind,name,value", *noted]))
    said = [notice for notice in load(own).notices if "overwrites" in notice]
    assert len(said) == bool(words)
    assert (words or "") in "".join(said)


def test_every_problem_is_said_in_the_words_of_the_command_line(own: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        load(own | {"label": "z", "kernels": "rbf,lineer"}, command_line={"kernels": "rbf,lineer"})
    assert "kernels.lineer (command line): unknown kernel" in str(caught.value)
    assert "there is no column 'z'" in str(caught.value)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A sound configuration with data and a kernel of its own."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{i / 2},{i % 7},{i % 2}" for i in range(40)]
    (tmp_path / "my.csv").write_text("\n".join(["x,y,s", *rows]))
    config = {
        "results": "results",
        "datasets": {"mine": {"path": "my.csv", "label": "s"}, "iris": {"sklearn": "iris"}},
        "kernels": {"own": {"callable": f"{__name__}:right"}, "linear": {}},
        "methods": {"pca2": "sklearn.decomposition:PCA"},
        "evaluation": {"n_components": [2, 8], "folds": 2},
    }
    assert list(input_problems(config)) == []
    return config


def right(x: np.ndarray, y: np.ndarray, factor: float = 1) -> float:
    return factor * float(x @ y)


def one_sided(x: np.ndarray, y: np.ndarray) -> float:
    return float(x[0] - y[1])


def five_columns(x: np.ndarray, y: np.ndarray) -> float:
    return float(x[4] * y[4])


def endless(x: np.ndarray, y: np.ndarray) -> float:
    return float("nan")


class Fragile:
    def __init__(self, size: int = 1) -> None:
        if size < 1:
            raise ValueError("size must be positive")

    def fit(self, X: np.ndarray, y: object = None) -> "Fragile":
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return X


def test_what_serves_passes() -> None:
    family = points("own", {"callable": f"{__name__}:right", "parameters": {"factor": [1, 2]}})
    for rows in ({"sklearn": "iris"}, {}, {"path": "no.csv"}):
        try_kernel(family, rows)
    try_method(method_points("m", "sklearn.decomposition:FastICA"))
    try_method(method_points("m", f"{__name__}:Fragile"))


KERNEL, PCA = "kernels.own.callable", {"class": "sklearn.decomposition:PCA"}
SIZED = {"class": f"{__name__}:Fragile", "parameters": {"size": [1, 0]}}


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("datasets.mine.label", "z", "there is no column 'z'"),
        ("datasets.mine.max_rows", 12, "n_components asks for 8"),
        ("datasets.iris.test_share", 0.99, "class '0' (50), '1' (50), '2' (50) has fewer"),
        ("evaluation.folds", 20, "has fewer than the 40 rows that 20 folds need"),
        ("evaluation.n_components", [500], "evaluation.n_components asks for 500"),
        ("kernels.own.parameters", {"fctr": [1]}, "'fctr': a kernel takes two rows"),
        (KERNEL, "math:sqrt", "too many positional arguments: a kernel takes two rows"),
        (KERNEL, "math:no", "check the spelling"),
        (KERNEL, "math:pi", "is no function"),
        (KERNEL, "numpy:multiply", "gave an array of shape (2,) for rows 0 and 0: it must give on"),
        (KERNEL, f"{__name__}:endless", "gave nan for rows 0 and 0: it must give one finite numb"),
        (KERNEL, f"{__name__}:one_sided", "a kernel must be symmetric"),
        (KERNEL, f"{__name__}:five_columns", "IndexError: index 4 is out of bounds"),
        ("methods.m", "sklearn.svm:SVC", "(m): 1 problem\n  - has no `transform`"),
        ("methods.m", "sklearn.svm:no", "check the spelling"),
        ("methods.m", "math:pi", "cannot be made (TypeError"),
        ("methods.m", PCA | {"parameters": {"slver": ["a"]}}, "'slver'"),
        ("methods.m", SIZED, "(m-size0): 1 problem\n  - cannot be made (ValueError: size must be"),
    ],
)
def test_what_is_wrong_with_data_and_code_is_named(
    config: dict[str, Any], place: str, value: Any, problem: str
) -> None:
    assert problem in "\n".join(input_problems(changed(place, value, config)))
