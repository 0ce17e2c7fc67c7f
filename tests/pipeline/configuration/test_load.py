"""The configuration as the rules use it: what is known of its datasets, and what is left out."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from pipeline.configuration.config import resolve
from pipeline.configuration.load import load
from pipeline.errors import InputError
from pipeline.tasks import grid_of
from tests.workflow.pipeline import ROOT

DEFAULT = yaml.safe_load((ROOT / "config/config.yaml").read_text())
SMALL = "allow 2, 5 components (12, 32 left out) and 2 folds in place of 3"


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
        ({}, [f"20 rows, 5 in the smallest class, {SMALL}"]),
        (
            {"max_rows": 16},
            [
                "my.csv has 20 rows, of which a sample of 16 stratified by class is swept: "
                "max_rows=20 takes all",
                "16 rows, 4 in the smallest class, allow 2 components (5, 12, 32 left out) and 2 "
                "folds in place of 3",
            ],
        ),
        ({"evaluation": DEFAULT["evaluation"] | {"n_components": [1], "folds": 2}}, []),
    ],
    ids=["rows", "a sample", "nothing"],
)
def test_a_small_file_gets_what_its_rows_allow(
    own: dict[str, Any], changes: dict[str, Any], words: list[str]
) -> None:
    before = copy.deepcopy(own | changes)
    loaded = load(own | changes)
    assert loaded.left_out == words
    assert own | changes == before
    assert [path.name for path in Path.cwd().iterdir()] == ["my.csv"]


def test_a_configuration_of_datasets_means_its_numbers(own: dict[str, Any]) -> None:
    evaluation = DEFAULT["evaluation"] | {"n_components": [2]}
    config = DEFAULT | {"datasets": {"my": {"path": "my.csv"}}, "evaluation": evaluation}
    (Path.cwd() / "my.csv").write_text("\n".join(["u,v", *(f"{i},{i * i % 7}" for i in range(40))]))
    loaded = load(config)
    assert (loaded.config, loaded.left_out) == (resolve(config), [])


def run_and_words(config: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    loaded = load(config)
    return loaded.config, loaded.left_out


@pytest.mark.parametrize("quick", [True, "true"])
def test_quick_is_a_small_part_of_the_whole(own: dict[str, Any], quick: Any) -> None:
    part, said = run_and_words(own | {"quick": quick})
    whole, _ = run_and_words(own | {"quick": "false"})

    def settings(config: dict[str, Any]) -> int:
        return config["replicates"] * sum(map(len, grid_of(config, "my").values()))

    assert settings(part) < settings(whole) / 4
    assert said[-1].startswith("a quick look: 3 of ")
    assert "3 of 6 kernels (linear, poly, rbf" in said[-1]
    assert "leave out quick=true for all of it" in said[-1]


def test_quick_takes_at_most_a_thousand_rows(own: dict[str, Any]) -> None:
    rows = [f"{i % 97},{i * i % 101},{'ab'[i % 4 == 0]}" for i in range(3000)]
    Path("my.csv").write_text("\n".join(["u,v,y", *rows]))
    run, said = run_and_words(own | {"quick": True})
    assert run["datasets"]["my"]["max_rows"] == 1000
    assert said[0] == (
        "my.csv has 3000 rows, of which a sample of 1000 stratified by class is swept: leave out "
        "quick=true for more"
    )


def test_quick_takes_any_configuration() -> None:
    kernels = {"mine": {"callable": "math:dist"}}
    datasets = {"rings": {"generator": "rings", "n_train": 99, "n_test": 40, "replicates": 9}}
    part, _ = run_and_words(DEFAULT | {"kernels": kernels, "datasets": datasets, "quick": True})
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
    }
    i = np.arange(40)
    pd.DataFrame({"u": i / 3, "v": i * i % 7, "y": i % 9}).to_parquet("my.parquet")
    evaluation = DEFAULT["evaluation"] | {"n_components": [2]}
    loaded = load(DEFAULT | {"datasets": datasets, "evaluation": evaluation})

    assert loaded.with_source("sklearn", "iris") == ["iris"]
    assert loaded.with_rows() == ["rings", "roll", "iris", "flowers", "dose", "wide"]
    assert loaded.with_answer("label") == ["rings", "iris", "flowers", "kernel"]
    assert loaded.with_answer("label", "target") == [*datasets][:-1]
    assert loaded.in_the_plane() == ["rings", "dose"]
    assert loaded.sweeps("rbf", "median")
    assert not loaded.sweeps("rbf", "gamma")


def test_results_of_another_file_of_the_same_name_are_noticed(own: dict[str, Any]) -> None:
    Path("results").mkdir()
    text = 'kind,name,value\nparameter,datasets.my.path,"""old/my.csv"""\n'
    Path("results/provenance.csv").write_text(text)
    assert load(own).notices[-1].startswith("results has results of old/my.csv, which those of")


def test_every_problem_is_said_in_the_words_of_the_command_line(own: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        load(own | {"label": "z", "kernels": "rbf,lineer"}, command_line={"kernels": "rbf,lineer"})
    assert "kernels.lineer (command line): unknown kernel" in str(caught.value)
    assert "there is no column 'z'" in str(caught.value)
