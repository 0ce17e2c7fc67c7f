"""The claims about the sweep, made of the tables of a small run: figures, and what is planned."""

import runpy
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.pipeline.grid import points
from kpca.pipeline.studies.claims.claim import claims_table
from tests.workflow.pipeline import ROOT, small_config, snakemake, write_config

CONFIG = yaml.safe_load((ROOT / "config/test.yaml").read_text())
POINTS = {
    kernel: [point.as_dict() for point in points(kernel, axes)]
    for kernel, axes in CONFIG["kernels"].items()
}
LABELLED = ["rings", "digits"]
INPUTS = {
    "gains": ["scores", "selected", "datasets"],
    "sensitivity": ["scores", "selected", "variance_rule", "datasets"],
    "regret": ["scores", "datasets"],
}
ARGUMENTS: dict[str, dict[str, Any]] = {"sensitivity": {"sizes": [1, 2, 8]}}
DRAWN = {
    "variance_share": ["picks", "costs"],
    "gains": ["gains", "equivalence"],
    "sensitivity": ["near", "families"],
    "regret": ["regrets", "choices"],
}


def measured(results: Path, topic: str) -> tuple[list, dict[str, pd.DataFrame]]:
    if topic == "variance_share":
        return shares(results)
    study = import_module(f"kpca.pipeline.studies.claims.{topic}")
    given = {name: pd.read_csv(results / f"tables/{name}.csv") for name in INPUTS[topic]}
    found: tuple[list, dict[str, pd.DataFrame]] = study.measure(**given, **ARGUMENTS.get(topic, {}))
    return found


def shares(results: Path, *methods: str) -> tuple[list, dict[str, pd.DataFrame]]:
    """What the topic measures, of all methods or of some."""
    script = runpy.run_path(str(ROOT / "workflow/scripts/claims_variance_share.py"))
    selected = pd.read_csv(results / "tables/selected.csv")
    found: tuple[list, dict[str, pd.DataFrame]] = script["main"](
        selected[selected["method"].isin(methods)] if methods else selected,
        pd.read_csv(results / "tables/datasets.csv"),
        CONFIG["evaluation"],
        datasets=[str(results / f"datasets/{name}.npz") for name in LABELLED],
        fits=[str(results / f"fits/{n}/{kernel}.npz") for n in LABELLED for kernel in POINTS],
        points=POINTS,
        shares=[0.8, 0.9],
    )
    return found


def drawer(topic: str) -> Callable[..., None]:
    draw: Callable[..., None] = runpy.run_path(
        str(ROOT / f"workflow/scripts/figure_claims_{topic}.py")
    )["draw"]
    return lambda tables, path: draw(*tables, [path])


def test_without_an_svm_no_share_is_scored(swept: Path) -> None:
    claims, tables = shares(swept / "results", "embedding")

    assert claims == []
    assert all(table.empty for table in tables.values())


def test_scores_at_the_share_of_the_sweep_are_its_own(swept: Path) -> None:
    picks = shares(swept / "results")[1]["picks"]
    scores = pd.read_csv(swept / "results/tables/scores.csv")
    scores = scores.query("split == 'test' and metric == 'balanced_accuracy'")
    asked = picks[picks["share"] == CONFIG["evaluation"]["variance_share"]]

    both = asked.merge(
        scores[scores["method"] == "linear_svm"].rename(columns={"n_components": "rule"}),
        on=["dataset", "replicate", "cell", "C", "rule"],
    )

    assert len(both) == len(asked) == 2 * 2 * (len(POINTS) + 1)
    np.testing.assert_allclose(both["value"], both["rule_score"], atol=1e-11)


@pytest.mark.parametrize("topic", DRAWN)
def test_a_run_of_two_labelled_datasets_has_claims_and_a_figure(
    swept: Path, tmp_path: Path, topic: str
) -> None:
    claims, tables = measured(swept / "results", topic)

    table = claims_table(claims)
    assert table["claim"].is_unique
    across = table[table["rule"].str.contains("datasets that a claim across them takes")]
    assert set(across["verdict"]) == {"undecided"}
    for turn in ("first", "second"):
        drawer(topic)([tables[name] for name in DRAWN[topic]], tmp_path / f"{turn}.svg")
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("topic", DRAWN)
def test_where_there_is_nothing_to_draw_the_figure_says_so(topic: str, tmp_path: Path) -> None:
    empty = pd.DataFrame()

    drawer(topic)([empty, empty], tmp_path / "note.svg")

    assert (tmp_path / "note.svg").stat().st_size > 0


@pytest.mark.parametrize("topic", DRAWN)
def test_every_figure_has_a_caption(topic: str) -> None:
    assert (ROOT / f"workflow/report/claims_{topic}.rst").read_text().strip()


@pytest.mark.parametrize(("labels", "planned"), [(True, set(DRAWN)), (False, set())])
def test_without_labels_nothing_is_claimed_about_the_sweep(
    tmp_path: Path, labels: bool, planned: set[str]
) -> None:
    rows = pd.DataFrame({"a": range(30), "b": range(30), "kind": ["x", "y"] * 15})
    rows.to_csv(tmp_path / "mine.csv", index=False)
    source = {"path": "mine.csv", "features": ["a", "b"]} | ({"label": "kind"} if labels else {})
    config = small_config(datasets={"mine": source}, kernels={"rbf": {"median": [1, 3]}})

    run = snakemake(tmp_path, write_config(tmp_path / "c.yaml", config), "--dry-run", "claims")

    assert run.status == 0, run.output
    assert {topic for topic in DRAWN if f"claims_{topic}" in run.jobs} == planned
    assert {topic for topic in DRAWN if f"figure_claims_{topic}" in run.jobs} == planned
