"""Draw what choosing γ by cross-validation loses, and how far the choice is from the best."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.studies.claims.drawn import dataset_axis, draw_intervals
from kpca.pipeline.studies.claims.sweep import UNIT, margin_of

LOOKS: dict[str, dict[str, Any]] = {
    "replicate": {"color": style.BLUE, "marker": "o", "offset": -0.15},
    "mean": {"color": style.ORANGE, "marker": "s", "markerfacecolor": "white", "offset": 0.15},
}
LABELS = {
    "replicate": "against the best γ of each replicate",
    "mean": "against the γ that is best on average",
}
METHODS = {"kmeans": {"color": style.GREEN, "label": "k-means", "unit": "AMI"}}
SVM = {"color": style.BLUE, "label": "linear SVM", "unit": "balanced accuracy"}


def steps(choices: pd.DataFrame) -> pd.DataFrame:
    """Return how many steps of the grid lie between the chosen γ and the best of each replicate.

    Returns
    -------
    DataFrame
        Columns method, step: positive where the chosen γ is larger. Among equally good γ
        the one nearest to the choice counts.
    """
    rows = []
    for (method, *_), group in choices.groupby(["method", *UNIT], sort=False):
        ordered = group.sort_values("gamma")
        at = int(np.flatnonzero(ordered["chosen"])[0])
        best = np.flatnonzero(ordered["test"] >= ordered["test"].max() - 1e-12)
        nearest = best[np.abs(best - at).argmin()]
        rows.append((method, at - int(nearest)))
    return pd.DataFrame(rows, columns=["method", "step"])


def draw_steps(ax: Any, choices: pd.DataFrame) -> None:
    """Draw in how many replicates the choice is how far from the best."""
    found = steps(choices)
    methods = list(found["method"].unique())
    shown = np.arange(found["step"].min(), found["step"].max() + 1)
    width = 0.8 / len(methods)
    for i, method in enumerate(methods):
        look = METHODS.get(method, SVM)
        of_method = found.loc[found["method"] == method, "step"]
        share = [100 * float((of_method == step).mean()) for step in shown]
        place = shown + (i - (len(methods) - 1) / 2) * width
        ax.bar(place, share, width, color=look["color"], label=look["label"])
    ax.set(
        title="distance of the choice",
        xlabel="steps of the grid from the best γ",
        ylabel="% of replicates",
    )
    ax.legend()


def draw(regrets: pd.DataFrame, choices: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the regret of each method, and the distances."""
    if regrets.empty:
        style.note("No dataset has labels: γ is not chosen by cross-validation.", paths)
        return
    methods = list(regrets["method"].unique())
    names = list(regrets["dataset"].unique())
    fig, axes = style.figure(1, len(methods) + 1, height=2.9)
    for ax, method in zip(axes[0], methods, strict=False):
        for hindsight, look in LOOKS.items():
            rows = regrets[(regrets["method"] == method) & (regrets["hindsight"] == hindsight)]
            draw_intervals(ax, rows, names, label=LABELS[hindsight], **look)
        dataset_axis(ax, names, (-margin_of(method), margin_of(method)))
        look = METHODS.get(method, SVM)
        ax.set(title=look["label"], xlabel=f"regret in {look['unit']}")
        ax.locator_params(axis="x", nbins=4)
        ax.xaxis.set_major_formatter("{x:g}")
    for ax in axes[0, 1 : len(methods)]:
        ax.tick_params(labelleft=False)
    draw_steps(axes[0, -1], choices)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[n]) for n in ("regrets", "choices")), snakemake.output)
