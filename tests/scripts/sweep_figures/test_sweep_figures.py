"""Figures of the sweep: what they compute, that they can be drawn again, and their captions."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.grid import points
from kpca.study.scoring.methods import METHODS, ON_SCORES
from tests.scores import score
from tests.workflow.pipeline import ROOT, Run, small_config, succeeded, write_config
from workflow.drawing import style
from workflow.drawing.display_choice import Swept, best_cells
from workflow.drawing.widths import losses_by_width
from workflow.scripts.choice import figure_scores
from workflow.scripts.sweep.provenance import provenance
from workflow.scripts.sweep_figures import (
    contours,
    figure_bandwidth,
    figure_comparison,
    figure_heatmap,
    figure_sweep,
    rings,
    spectrum,
)

CONFIG = yaml.safe_load((ROOT / "config/test.yaml").read_text())
GRID = {name: [*map(vars, points(name, axes))] for name, axes in CONFIG["kernels"].items()}
POINTS = {"points": GRID}
METRIC = {name: METHODS[name].metric for name in ON_SCORES}
HEATMAP = {"metrics": METRIC, "sizes": CONFIG["evaluation"]["n_components"]}
DEGREE = {"kernel": "poly", "parameter": "degree"}
GAIN = {"clustering": True}
ALL = list(CONFIG["datasets"])
# Figure: its function, the datasets and tables that it reads, and its arguments.
DRAWN: dict[str, tuple[Any, list[str], list[str], dict[str, Any]]] = {
    "spectrum": (spectrum.spectrum, ALL, ["components", "decisions"], POINTS),
    "grid_accuracy": (figure_heatmap.draw, [], ["scores", "selected"], POINTS | HEATMAP),
    "degree": (figure_sweep.draw, [], ["scores", "datasets"], POINTS | DEGREE),
    "gain_clustering": (figure_comparison.draw, [], ["comparisons", "datasets"], GAIN),
    "choice_scores": (figure_scores.draw, [], ["label_free", "datasets"], {}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_figure_drawn_again_is_the_same_bytes(swept: Path, tmp_path: Path, name: str) -> None:
    results, again = swept / "results", tmp_path / f"{name}.svg"

    draw, datasets, names, given = DRAWN[name]
    for kind, ending in (("datasets", ".npz"), ("fits", "")) if datasets else ():
        files = [str(results / f"{kind}/{dataset}{ending}") for dataset in datasets]
        given = given | {kind: files}
    tables = {table: pd.read_csv(results / f"tables/{table}.csv") for table in names}
    style.save(draw(**tables, **given), [again])

    assert again.read_bytes() == (results / f"figures/{name}.svg").read_bytes()


def test_the_rings_drawn_again_are_the_same_bytes(swept: Path, tmp_path: Path) -> None:
    """Their tables are those of the dataset."""
    results = swept / "results"
    tables = {n: [str(results / f"scores/rings/{n}.csv")] for n in ("scores", "comparisons")}
    files = [str(results / "datasets/rings.npz")], [str(results / "fits/rings")]
    style.save(rings.rings(*files, **tables, **POINTS), [tmp_path / "rings.svg"])
    assert (tmp_path / "rings.svg").read_bytes() == (results / "figures/rings.svg").read_bytes()


def test_rows_without_labels_get_figures_that_need_none(tmp_path: Path, planned: Run) -> None:
    rows = (f"{i % 11},{i % 7},{i % 5}" for i in range(30))
    (tmp_path / "mine.csv").write_text("\n".join(["a,b,c", *rows]))
    source, kernels = {"mine": {"path": "mine.csv"}}, {"rbf": {"median": [1, 3]}}
    config = write_config(tmp_path / "c.yaml", small_config(datasets=source, kernels=kernels))
    run = succeeded(tmp_path, config, "--dry-run", "all", "claims")

    shown = {name for name in run.figures if not name.startswith("claims")}
    assert shown == {"spectrum", "gain"}
    assert "claims_sweep_cases" in planned.jobs
    assert "claims_sweep_cases" not in run.jobs


def test_without_multiples_of_the_median_a_line_says_why_nothing_is_chosen(tmp_path: Path) -> None:
    kernels = {"rbf": {"sigma": [1, 3], "gamma": [1]}}
    run = succeeded(
        tmp_path, write_config(tmp_path / "c.yaml", small_config(kernels=kernels)), "--dry-run"
    )
    assert "bandwidth" in run.jobs
    assert not {"label_free", "choice_scores"} & set(run.jobs)
    assert "γ is not chosen without labels" in run.output


@pytest.mark.parametrize("parameter", ["median", "gamma", "sigma"])
def test_the_width_map_shows_what_is_lost_below_the_best(parameter: str) -> None:
    cells = {f"rbf-{parameter}1": 0.9, f"rbf-{parameter}0.1": 0.8, "pca": 0.5}
    scores = settings(*({"cell": cell, "value": -value} for cell, value in cells.items()))
    losses = losses_by_width(scores, parameter)
    assert losses.columns.tolist() == ["pca", 0.1, 1.0]
    np.testing.assert_allclose(losses.loc["rings"], [0.4, 0.1, 0.0])
    drawn = figure_bandwidth.draw(scores, pd.DataFrame({"dataset": ["rings"]}), parameter)
    assert [text.get_text() for text in drawn.axes[0].texts] == ["40", "10", "0"]
    assert "at most 0.0 points are lost. At 0.1 it is up to 10.0 points" in drawn.get_label()


def test_gains_of_several_datasets_share_an_axis() -> None:
    row = {"method": "linear_svm", "metric": "balanced_accuracy", "main": True, "baseline": "pca"}
    rows = [
        row
        | {"dataset": name, "kernel": kernel, "criterion": criterion, "mean": 0.6 + gain}
        | {"gain": gain, "gain_low": gain - 0.1, "gain_high": gain + 0.6, "verdict": verdict}
        for name, gain, verdict in (("rings", 0.3, "better"), ("wine", 0.0, "inconclusive"))
        for kernel, criterion in (("best kernel", "cv_over_kernels"), ("best raw", "cv_over_raw"))
    ]
    datasets = pd.DataFrame({"dataset": ["wine", "rings"]})
    drawn = figure_comparison.draw(pd.DataFrame(rows), datasets, clustering=False)
    [ax] = drawn.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rings", "wine"]
    # No interval reaches beyond an accuracy of 1.
    assert max(max(line.get_xdata()) for line in ax.lines) == pytest.approx(40)
    assert drawn.get_label() == "Kernel PCA is better than PCA on 1 of 2 datasets: rings."
    alone = figure_comparison.draw(pd.DataFrame(rows[:2]), datasets[1:], clustering=False)
    assert len(alone.axes[0].get_yticklabels()) == 2


def settings(*rows: dict[str, Any]) -> pd.DataFrame:
    """The validation score of each setting, and its test score: its negative."""
    listed = [score(**row, split="cv") for row in rows]
    outer = [score(**(row | {"value": -row["value"]})) for row in rows]
    return pd.DataFrame(listed + outer)


def test_a_sweep_leaves_only_its_parameter_in_question() -> None:
    grid = {"rbf": {point.id: point for point in points("rbf", {"median": [1, 3], "gamma": [2]})}}
    scores = settings(
        {"value": 0.7},
        {"value": 0.9, "n_components": 4},
        {"value": 0.8, "cell": "rbf-median3"},
        {"value": 1.0, "cell": "rbf-gamma2"},
        {"value": 1.0, "kernel": "pca", "cell": "pca"},
    )

    swept = figure_sweep.sweep(scores, grid, "rbf", "median")
    test = swept[swept["split"] == "test"]
    assert dict(zip(test["along"], test["value"], strict=True)) == {1: -0.9, 3: -0.8}


def test_a_rank_below_the_grid_counts_for_the_number_that_was_asked_for() -> None:
    rows = pd.DataFrame([score(1.0, n_components=m) for m in (1, 3, 8, 9, 40)])
    found = figure_heatmap.on_grid(rows, {"linear_svm": "balanced_accuracy"}, [1, 2, 8, 32])
    assert found["n_components"].tolist() == [1, 8, 8, 32, 32]


def test_a_heatmap_shows_means_over_replicates_with_c_by_validation() -> None:
    scores = settings(
        {"value": 0.6, "C": 10.0},
        {"value": 0.8},
        {"value": 0.4, "replicate": 1},
        {"value": 0.9, "metric": "ami"},
    )

    means = figure_heatmap.means(scores, {"linear_svm": "balanced_accuracy"}, [2, 4])
    shown = figure_heatmap.matrix(means, ["rbf-median1", "absent"], [2, 4])

    np.testing.assert_allclose(shown, [[-0.6, np.nan], [np.nan, np.nan]])


def test_whitened_scores_alone_are_shown_like_those_scaled_to_unit_variance() -> None:
    rows = [{"value": 0.6}, {"value": 0.8, "cell": "rbf-median3"}]
    whitened = [row | {"method": "linear_svm_whitened"} for row in rows]
    grid = {"rbf": {point.id: point for point in points("rbf", {"median": [1, 3]})}}
    metrics = dict.fromkeys(("linear_svm", "linear_svm_whitened"), "balanced_accuracy")
    worse = [row | {"value": 0.1} for row in whitened]

    for scores in (settings(*rows), settings(*whitened), settings(*rows, *worse)):
        test = figure_sweep.sweep(scores, grid, "rbf", "median").query("split == 'test'")
        assert test["value"].tolist() == [-0.6, -0.8]
        assert sorted(figure_heatmap.means(scores, metrics, [2])["value"]) == [-0.8, -0.6]
        assert best_cells(scores, components=2)["value"].tolist() == [0.8]


def test_choices_are_counted_over_replicates() -> None:
    rows = pd.DataFrame(
        [score(1.0, replicate=r, criterion="cv_over_kernels") for r in range(3)]
        + [score(1.0, replicate=3, n_components=3, criterion="cv_over_kernels")]
        + [score(1.0, criterion="cv"), score(1.0, split="cv", criterion="cv_over_kernels")]
    )
    chosen = figure_heatmap.choices(rows, {"linear_svm": "balanced_accuracy"}, [2, 4])
    assert dict(zip(chosen["n_components"], chosen["chosen"], strict=True)) == {2: 3, 4: 1}


def test_contours_without_a_dataset_in_the_plane_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    wine = make_dataset("wine", {"sklearn": "wine"}, seed=0, replicates=2)
    swept = [Swept(wine, "", {})]
    monkeypatch.setattr(contours, "read_sweep", lambda *files: swept)
    fig = contours.contours([], [], {})
    [text] = fig.axes[0].texts
    assert text.get_text() == "no dataset of this run has two columns"


def test_versions_code_and_every_parameter_have_a_row_of_their_own() -> None:
    config = {"seed": 1, "kernels": {"linear": {}, "rbf": {"gamma": [0.1, 1]}}}
    table = provenance(config)
    values = table.set_index(["kind", "name"])["value"]
    assert table["name"].is_unique
    assert values["version", "numpy"] == version("numpy")
    assert values["parameter", "kernels.rbf.gamma"] == "[0.1, 1]"
    assert values["parameter", "kernels.linear"] == "{}"
    assert len(values["code", "kpca/"]) == 64
