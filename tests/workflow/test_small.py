"""Small files of one's own with the grid that fits them, and a grid that is small itself."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.workflow.pipeline import small_config, succeeded, write_config

pytestmark = pytest.mark.slow

ROWS = [f"{i},{i * i % 7},{'ab'[i % 2]},{i / 3},{i % 7}" for i in range(20)]
KERNELS = {"linear": {}, "rbf": {"median": [0.1, 1, 3]}, "cosine": {}}
OWN = {"own_features", "own_novelty", "own_denoising"}


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with a file of twenty rows."""
    (tmp_path / "few.csv").write_text("\n".join(["u,v,y,t,g", *ROWS]))
    return tmp_path


def config_file(folder: Path, **evaluation: Any) -> str:
    """Write a small configuration that asks for more components than twenty rows have."""
    config = small_config(replicates=3, kernels=KERNELS)
    config["evaluation"] |= {"n_components": [1, 3, 30]} | evaluation
    return write_config(folder / "config.yaml", config)


@pytest.mark.parametrize(
    ("roles", "figures"),
    [
        (["label=y"], {"grid_ami", "choice_scores"}),
        ([], {"gallery", "landmarks"}),
        (["target=t"], {"grid_accuracy", "choice_scores"}),
        (["label=y", "group=g"], {"grid_ami", "choice_scores"}),
    ],
    ids=["labels", "no labels", "a target", "groups"],
)
def test_twenty_rows_get_figures_that_apply(few: Path, roles: list[str], figures: set[str]) -> None:
    text = [line.rsplit(",", 3) for line in ["u,v,y,t,g", *ROWS]]
    if not roles or "target=t" in roles:  # a column of text is no feature
        kept = 2 if roles else 1
        (few / "few.csv").write_text("\n".join(",".join([t[0], *t[2 : 1 + kept]]) for t in text))
    run = succeeded(few, "--dry-run", "--config", "data=few.csv", *roles)
    assert "20 rows allow 2, 5 components (12, 32 left out) and 3 folds" in run.output
    assert run.figures > OWN | figures


def test_twenty_rows_without_labels_come_to_an_end(few: Path) -> None:
    numbers = [",".join(line.split(",")[:2]) for line in ["u,v", *ROWS]]
    (few / "few.csv").write_text("\n".join(numbers))

    run = succeeded(few, config_file(few), "--config", "data=few.csv")

    words = "20 rows allow 1, 3 components (30 left out) and 2 folds"
    assert words in run.output
    tables = few / "results/tables"
    assert pd.read_csv(tables / "datasets.csv")["left_out"].tolist() == [words]
    assert set(pd.read_csv(tables / "label_free.csv")["method"]) == {"embedding"}
    assert {path.stem for path in tables.glob("own_*")} == OWN


def test_whitened_scores_of_one_component_come_to_a_page(tmp_path: Path) -> None:
    """Figures of other settings are drawn too, each of two components."""
    datasets = {
        "rings": {"generator": "rings", "n_train": 20, "n_test": 20},
        "roll": {"generator": "swiss_roll", "n_train": 20, "n_test": 20},
        "digits": {"sklearn": "digits", "max_rows": 100},
    }
    config = small_config(datasets=datasets, kernels=KERNELS)
    changes = {"n_components": [1], "scaling": ["whiten"], "variance_share": 0.2}
    config["evaluation"] |= changes

    succeeded(tmp_path, write_config(tmp_path / "config.yaml", config))

    drawn = {path.stem for path in (tmp_path / "results/figures").iterdir()}
    assert {"rings", "swiss_roll", "digits", "grid_accuracy", "bandwidth"} <= drawn
    assert (tmp_path / "results/report/index.html").is_file()
