"""Figures of the sweep: what they compute, that they can be drawn again, and their captions."""

import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.grid import points
from tests.scores import score
from tests.scripts.drawing import assert_caption_is_short
from tests.test_writing import CAPTIONS
from tests.workflow.pipeline import ROOT, small_config, succeeded, write_config
from workflow.drawing import style
from workflow.drawing.display_choice import Swept
from workflow.drawing.losses import largest_loss, losses_by_kernel, losses_by_width
from workflow.scripts.sweep.provenance import provenance
from workflow.scripts.sweep_figures import (
    figure_bandwidth,
    figure_comparison,
    figure_components,
    figure_contours,
    figure_kernels,
    figure_rings,
    figure_spectrum,
)

CONFIG = yaml.safe_load((ROOT / "config/test.yaml").read_text())
GRID = {name: [*map(vars, points(name, axes))] for name, axes in CONFIG["kernels"].items()}


def files(results, datasets):
    """Return the files of datasets and of their fits."""
    return {
        "datasets": [str(results / f"datasets/{name}.npz") for name in datasets],
        "fits": [str(results / f"fits/{name}") for name in datasets],
    }


def table(results, name):
    return pd.read_csv(results / f"tables/{name}.csv")


def spectrum_again(results):
    return figure_spectrum.spectrum(**files(results, CONFIG["datasets"]), points=GRID)


def kernels_again(results):
    sizes = CONFIG["evaluation"]["n_components"]
    return figure_kernels.draw(table(results, "scores"), table(results, "datasets"), sizes)


def gain_again(results):
    return figure_comparison.draw(table(results, "comparisons"), clustering=True)


def rings_again(results):
    """Draw rings of their own scores, not of those of all datasets."""
    scores = [str(results / "scores/rings/scores.csv")]
    return figure_rings.rings(**files(results, ["rings"]), scores=scores, points=GRID)


AGAIN = {
    "spectrum": spectrum_again,
    "kernels": kernels_again,
    "gain_clustering": gain_again,
    "rings": rings_again,
}


@pytest.mark.parametrize("name", AGAIN)
def test_a_figure_drawn_again_is_the_same_bytes(swept, tmp_path, name):
    style.save(AGAIN[name](swept / "results"), [tmp_path / "again.svg"])
    drawn = swept / f"results/figures/{name}.svg"
    assert (tmp_path / "again.svg").read_bytes() == drawn.read_bytes()


def test_captions_with_what_their_figures_found_are_short(swept):
    for svg in (swept / "results/figures").glob("*.svg"):
        titles = re.findall(r"<title>(.*?)</title>", svg.read_text()[:5000], flags=re.S)
        if svg.stem in {path.stem for path in CAPTIONS}:
            assert_caption_is_short(svg.stem, " ".join(titles))


def test_rows_without_labels_get_figures_that_need_none(tmp_path, planned):
    rows = (f"{i % 11},{i % 7},{i % 5}" for i in range(30))
    (tmp_path / "mine.csv").write_text("\n".join(["a,b,c", *rows]))
    source = {"mine": {"path": "mine.csv"}}
    kernels = {"rbf": {"median": [1, 3]}}
    config = write_config(tmp_path / "c.yaml", small_config(datasets=source, kernels=kernels))
    run = succeeded(tmp_path, config, "--dry-run", "all", "claims")

    figures = {name for name in run.figures if not name.startswith("claims")}
    assert figures == {"spectrum", "gain"}
    assert "claims_sweep_cases" in planned.jobs
    assert "claims_sweep_cases" not in run.jobs


def test_without_multiples_of_the_median_a_line_says_why_nothing_is_chosen(tmp_path):
    kernels = {"rbf": {"sigma": [1, 3], "gamma": [1]}}
    run = succeeded(
        tmp_path, write_config(tmp_path / "c.yaml", small_config(kernels=kernels)), "--dry-run"
    )
    assert "bandwidth" in run.jobs
    assert "label_free" not in run.jobs
    assert "γ is not chosen without labels" in run.output


@pytest.mark.parametrize("parameter", ["median", "gamma", "sigma"])
def test_the_width_map_shows_what_is_lost_below_the_best(parameter):
    cells = {f"rbf-{parameter}1": 0.9, f"rbf-{parameter}0.1": 0.8, "pca": 0.5}
    scores = settings(*({"cell": cell, "value": -value} for cell, value in cells.items()))
    losses = losses_by_width(scores, parameter)
    assert losses.columns.tolist() == ["pca", 0.1, 1.0]
    np.testing.assert_allclose(losses.loc["rings"], [0.4, 0.1, 0.0])
    drawn = figure_bandwidth.draw(scores, pd.DataFrame({"dataset": ["rings"]}), parameter)
    assert [text.get_text() for text in drawn.axes[0].texts] == ["40", "10", "0"]
    assert "at most 0.0 points are lost. At 0.1 it is up to 10.0 points" in drawn.get_label()


def test_gains_of_several_datasets_share_an_axis():
    gains = pd.read_csv(Path(__file__).with_name("gains.csv"))
    drawn = figure_comparison.draw(gains, clustering=False)
    [ax] = drawn.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rings", "wine"]
    # No interval reaches beyond an accuracy of 1.
    assert max(max(line.get_xdata()) for line in ax.lines) == pytest.approx(40)
    assert drawn.get_label() == (
        "Kernel PCA is better than PCA on 1 of 2 datasets, each judged alone: rings."
    )
    unjudged = figure_comparison.draw(gains.assign(verdict="no comparison"), clustering=False)
    assert unjudged.get_label() == ""
    alone = figure_comparison.draw(gains[:2], clustering=False)
    assert len(alone.axes[0].get_yticklabels()) == 2


def test_a_second_method_on_scores_has_lines_of_its_own():
    gains = pd.read_csv(Path(__file__).with_name("gains.csv"))
    both = pd.concat([gains, gains.assign(method="ridge", gain=0.1)], ignore_index=True)
    [ax] = figure_comparison.draw(both, clustering=False).axes
    [alone] = figure_comparison.draw(gains, clustering=False).axes
    assert [line.get_xdata().tolist() for line in ax.lines if line.get_color() != style.GREY] == [
        line.get_xdata().tolist() for line in alone.lines if line.get_color() != style.GREY
    ]
    [ax] = figure_comparison.draw(both[both["dataset"] == "rings"], clustering=False).axes
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert "best kernel by CV, ridge" in labels
    assert len({*labels}) == len(labels)


def settings(*rows):
    """The validation score of each setting, and its test score: its negative."""
    listed = [score(**row, split="cv") for row in rows]
    outer = [score(**(row | {"value": -row["value"]})) for row in rows]
    return pd.DataFrame(listed + outer)


def test_the_kernel_map_shows_what_each_choice_loses():
    """A kernel has the number of components, and a number the kernel, that validation prefers."""
    scores = settings(
        {"value": -0.5, "kernel": "pca", "cell": "pca"},
        {"value": -0.9, "n_components": 4},
        {"value": -0.6},
        {"value": -0.8, "kernel": "poly", "cell": "poly-degree2"},
        {"value": -0.7, "kernel": "poly", "cell": "poly-degree2", "n_components": 3},
    )
    losses = losses_by_kernel(scores, [2, 4])
    assert losses.columns.tolist() == ["pca", "poly", "rbf", 2, 4]
    np.testing.assert_allclose(losses.loc["rings"], [0.4, 0.2, 0.3, 0.3, 0.0])
    drawn = figure_kernels.draw(scores, pd.DataFrame({"dataset": ["rings"]}), [2, 4])
    assert "The polynomial kernel loses least: at most 20.0 points" in drawn.get_label()
    assert "With 4 components at most 0.0 points are lost, and with 2 up to 30.0 points." in (
        drawn.get_label()
    )


def test_the_kernel_map_of_one_kernel_and_one_size_compares_nothing():
    scores = settings(
        {"value": -0.5, "kernel": "pca", "cell": "pca"}, {"value": -0.9, "n_components": 4}
    )
    drawn = figure_kernels.draw(scores, pd.DataFrame({"dataset": ["rings"]}), [4])
    message = (
        "The Gaussian kernel loses at most 0.0 points below the best. With 4 components at most"
    )
    assert f"{message} 0.0 points are lost." in drawn.get_label()


def test_a_grid_of_the_linear_kernel_alone_has_figures_that_say_so():
    scores = settings({"value": -0.5, "kernel": "pca", "cell": "pca"})
    scores = scores[scores["kernel"] == "pca"]
    noted = [figure_kernels.draw(scores, pd.DataFrame({"dataset": ["rings"]}), [4])]
    scored = pd.DataFrame({"dataset": [], "metric": []})
    noted.append(figure_components.draw(scored, pd.DataFrame({"model": []})))
    for fig in noted:
        [text] = fig.axes[0].texts
        assert "than the linear one" in text.get_text()


def test_the_finding_on_components_names_the_datasets_with_a_gain():
    gains = {"dataset": ["wine", "rings", "rings"], "gain_low": [-0.1, 0.2, 0.3], "gain": 0.3}
    drawn = pd.DataFrame(gains)
    assert figure_components.finding(drawn).endswith("on 1 of 2 datasets: rings.")
    assert figure_components.finding(drawn.assign(gain=np.nan)) == ""


def test_the_finding_on_the_spectrum_compares_two_kernels():
    counts = pd.DataFrame({"linear": [2, 2, np.nan], "rbf": [7, 2, 30]})
    assert "Gaussian kernel needs more components than PCA on 1 of 2" in (
        figure_spectrum.finding(counts)
    )
    assert figure_spectrum.finding(counts[["rbf"]]) == ""


@pytest.mark.parametrize(("missing", "words"), [(["roll"], "1 dataset,"), ([], "lost, and")])
def test_the_finding_on_kernels_counts_the_datasets_with_many_components(missing, words):
    losses = pd.DataFrame({"rbf": 0.0, 2: 0.1, 64: 0.0}, index=["rings", "roll"])
    losses.loc[missing, 64] = np.nan
    metrics = pd.Series("balanced_accuracy", index=losses.index)
    assert words in figure_kernels.finding(losses, metrics)
    assert figure_kernels.finding(losses[["rbf"]], metrics).endswith("below the best.")


def test_losses_are_stated_in_the_unit_of_their_dataset():
    losses = pd.DataFrame({1: [0.1, 0.7]}, index=["rings", "roll"])
    metrics = pd.Series({"rings": "balanced_accuracy", "roll": "correlation"})
    assert largest_loss(losses, metrics) == "0.700 of correlation"
    assert largest_loss(losses[:1], metrics) == "10.0 points"


def test_contours_without_a_dataset_in_the_plane_say_so(monkeypatch):
    wine = make_dataset("wine", {"sklearn": "wine"}, seed=0, replicates=2)
    swept = [Swept(wine, "", {})]
    monkeypatch.setattr(figure_contours, "read_sweep", lambda *files: swept)
    fig = figure_contours.contours([], [], {})
    [text] = fig.axes[0].texts
    assert text.get_text() == "no dataset of this run has two columns"


def test_versions_code_and_every_parameter_have_a_row_of_their_own():
    config = {"seed": 1, "kernels": {"linear": {}, "rbf": {"gamma": [0.1, 1]}}}
    table = provenance(config)
    values = table.set_index(["kind", "name"])["value"]
    assert table["name"].is_unique
    assert values["version", "numpy"] == version("numpy")
    assert values["parameter", "kernels.rbf.gamma"] == "[0.1, 1]"
    assert values["parameter", "kernels.linear"] == "{}"
    assert len(values["code", "kpca/"]) == 64
