"""Draw how far each setting is below the best, kernel × number of components, and the choices."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from kpca.study.evidence.selection import best_setting, by_first_method, scores_at
from workflow.drawing import style
from workflow.drawing.display_choice import Grid, Points, constants, point_label, points_by_id

ROW = 0.125  # inches
COLUMNS = 4
WORST = 20  # hundredths below the best setting, at which the scale of colours ends
CHOSEN: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": style.BLACK}
BEST: dict[str, Any] = {"marker": "s", "fillstyle": "none", "markeredgecolor": style.VERMILION}


def on_grid(rows: pd.DataFrame, metrics: Mapping[str, str], sizes: Sequence[int]) -> pd.DataFrame:
    """Return test scores by the metric of their method, for numbers of components of the grid.

    A fit of lower rank has fewer components: the number is the least of the grid that is enough.
    """
    kept = rows[(rows["split"] == "test") & (rows["metric"] == rows["method"].map(metrics))]
    ordered = np.sort(sizes)
    place = np.searchsorted(ordered, kept["n_components"]).clip(max=len(ordered) - 1)
    return kept.assign(n_components=ordered[place])


def means(scores: pd.DataFrame, metrics: Mapping[str, str], sizes: Sequence[int]) -> pd.DataFrame:
    """Return the mean test score of every dataset, cell and number of components, at the best C.

    ``metrics`` maps downstream methods to metrics, the preferred method first.
    """
    rows = by_first_method(scores, [*metrics])
    unit = ["dataset", "kernel", "replicate", "cell", "n_components", "method"]
    test = on_grid(scores_at(rows, best_setting(rows, unit)), metrics, sizes)
    keys = ["dataset", "metric", "cell", "n_components"]
    return test.groupby(keys, sort=False)["value"].mean().reset_index()


def choices(
    selected: pd.DataFrame, metrics: Mapping[str, str], sizes: Sequence[int]
) -> pd.DataFrame:
    """Return how many replicates chose each cell and number of components over all kernels."""
    rows = selected[selected["criterion"] == "cv_over_kernels"]
    rows = on_grid(by_first_method(rows, [*metrics]), metrics, sizes)
    return rows.groupby(["dataset", "cell", "n_components"]).size().rename("chosen").reset_index()


def labels(grid: Grid) -> dict[str, str]:
    """Return the label of every cell: the kernel, then what varies within its family."""
    found = {}
    for kernel, points in grid.items():
        fixed = constants(points.values()) if len(points) > 1 else []
        name = style.kernel_style(kernel)["label"]
        for cell, point in points.items():
            found[cell] = f"{name} {point_label(point, leave_out=fixed)}".strip()
    return found


def matrix(values: pd.DataFrame, cells: Sequence[str], sizes: Sequence[int]) -> np.ndarray:
    """Arrange means as (cells, numbers of components), NaN if there is none."""
    table = values.pivot_table(index="cell", columns="n_components", values="value")
    return table.reindex(index=list(cells), columns=list(sizes)).to_numpy()


@style.script
def draw(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    points: Points,
    metrics: Mapping[str, str],
    sizes: Sequence[int],
) -> style.Figure:
    """Draw one panel per dataset: hundredths below the best setting, and the choices."""
    sizes = sorted(sizes)
    values, chosen = means(scores, metrics, sizes), choices(selected, metrics, sizes)
    if values["value"].isna().all():
        return style.note("No dataset has labels or a target: there is no score to draw.")
    common = values["metric"].mode()[0]
    names = labels(points_by_id(points))
    cells = [cell for cell in names if cell in set(values["cell"])]
    values = values[values["cell"].isin(cells)]
    datasets = list(dict.fromkeys(values.dropna()["dataset"]))
    size: dict[str, Any] = {"height": 0.4 + ROW * len(cells), "extra": 0.9}
    fig, axes = style.panels(len(datasets), columns=COLUMNS, sharey=True, **size)
    for ax, name in zip(axes, datasets, strict=True):
        of_dataset = values[values["dataset"] == name]
        Z = matrix(of_dataset, cells, sizes)
        lost = 100 * (np.nanmax(Z) - Z)
        image = ax.imshow(lost, aspect="auto", cmap=f"{style.SEQUENTIAL}_r", vmin=0, vmax=WORST)
        for row in chosen[chosen["dataset"] == name].to_dict("records"):
            place = sizes.index(row["n_components"]), cells.index(row["cell"])
            ax.plot(*place, markersize=2 + row["chosen"] ** 0.5, markeredgewidth=0.6, **CHOSEN)
        i, j = np.unravel_index(np.nanargmax(Z), Z.shape)
        ax.plot(j, i, markersize=5.5, markeredgewidth=1, **BEST)
        metric = of_dataset["metric"].iloc[0]
        ax.set_title(f"{style.panel_title(name, metric, common)}\nbest {np.nanmax(Z):.3f}")
        ax.set_xticks(range(len(sizes)), map(str, sizes))
        ax.set_yticks(range(len(cells)), [names[cell] for cell in cells])
        ax.tick_params(length=0, pad=2)
        ax.spines[:].set_visible(False)
    handles = [
        Line2D([], [], linestyle="", label="chosen by cross-validation", **CHOSEN),
        Line2D([], [], linestyle="", label="best on the test set", **BEST),
    ]
    style.legend_above(fig, handles, columns=2)
    for ax in axes[-COLUMNS:]:
        ax.set_xlabel("components m")
    bar = fig.colorbar(image, ax=axes, location="bottom", aspect=50, extend="max", pad=0.01)
    words = style.metric_words(values["metric"], common, difference=True)
    bar.set_label(f"below the best setting:\n{words}")
    bar.outline.set_visible(False)
    return fig
