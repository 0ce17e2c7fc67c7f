"""What a small file and `quick` leave out of a configuration, and how that is said."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.configuration.config import resolve
from pipeline.configuration.reduced import reduced
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
    run, said = reduced(resolve(own | changes))

    assert said == words
    again, _ = reduced(resolve(own | changes))  # by the note of the first look
    assert again == run
    assert Path("results/logs/checked/dataset-my").is_file()


def test_a_configuration_of_datasets_means_its_numbers(own: dict[str, Any]) -> None:
    resolved = resolve(DEFAULT | {"datasets": {"my": {"path": "my.csv"}}})

    assert reduced(resolved) == (resolved, [])


@pytest.mark.parametrize("quick", [True, "true"])
def test_quick_is_a_small_part_of_the_whole(own: dict[str, Any], quick: Any) -> None:
    part, said = reduced(resolve(own | {"quick": quick}))
    whole, _ = reduced(resolve(own | {"quick": "false"}))

    def settings(config: dict[str, Any]) -> int:
        return config["replicates"] * sum(map(len, grid_of(config, "my").values()))

    assert settings(part) < settings(whole) / 4
    assert said[-1].startswith("a quick look: 3 of ")
    assert "3 of 6 kernels (linear, poly, rbf" in said[-1]
    assert "leave out quick=true for all of it" in said[-1]


def test_quick_takes_at_most_a_thousand_rows(own: dict[str, Any]) -> None:
    rows = [f"{i % 97},{i * i % 101},{'ab'[i % 4 == 0]}" for i in range(3000)]
    Path("my.csv").write_text("\n".join(["u,v,y", *rows]))
    run, said = reduced(resolve(own | {"quick": True}))

    assert run["datasets"]["my"]["max_rows"] == 1000
    assert said[0] == (
        "my.csv has 3000 rows, of which a sample of 1000 stratified by class is swept: leave out "
        "quick=true for more"
    )


def test_quick_takes_any_configuration() -> None:
    kernels = {"mine": {"callable": "math:dist"}}
    datasets = {"rings": {"generator": "rings", "n_train": 40, "n_test": 40, "replicates": 9}}
    part, _ = reduced(resolve(DEFAULT | {"kernels": kernels, "datasets": datasets, "quick": True}))

    assert part["kernels"] == kernels
    assert part["datasets"]["rings"]["replicates"] == 3
    assert part["studies"] == []
