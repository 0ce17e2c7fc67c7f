"""Draw what kernel PCA gains before the SVM and before k-means, dataset by dataset."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.studies.claims.drawn import dataset_axis, draw_intervals
from kpca.pipeline.studies.claims.gains import BASELINES, CONTENDERS
from kpca.pipeline.studies.claims.sweep import SVMS, margin_of

LOOKS: dict[str, dict[str, Any]] = {
    "tuned": {"color": style.BLUE, "marker": "o", "offset": -0.15},
    "label_free": {
        "color": style.ORANGE,
        "marker": "s",
        "markerfacecolor": "white",
        "offset": 0.15,
    },
}
BEFORE = {"kmeans": "k-means"}
SHORT = dict.fromkeys(SVMS, "balanced accuracy") | {"kmeans": "AMI"}
LINEAR = 0.05  # on either side of zero the scale is linear, beyond it logarithmic
TICKS = [-0.1, 0, 0.1, 0.3, 1]


def draw_panel(ax: Any, rows: pd.DataFrame, names: Sequence[str], margin: float) -> None:
    """Draw the gains of both ways to choose parameters."""
    for contender, look in LOOKS.items():
        of_contender = rows[rows["contender"] == contender]
        if len(of_contender):
            label = CONTENDERS[contender]
            draw_intervals(ax, of_contender, names, label=label, **look)
    dataset_axis(ax, names, (-margin, margin))
    ax.set_xscale("symlog", linthresh=LINEAR)
    ax.margins(x=0.06)
    low, high = ax.get_xlim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    ax.set_xticks(ticks, [f"{tick:g}".replace("-", "−") for tick in ticks])
    ax.set_xticks([], minor=True)


def draw(gains: pd.DataFrame, equivalence: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw a row of panels a method, and beside the SVM its comparison with a Gaussian SVM."""
    if gains.empty:
        style.note("No dataset has labels: there is nothing to gain.", paths)
        return
    methods = list(gains["method"].unique())
    names = list(gains["dataset"].unique())
    fig, axes = style.figure(len(methods), 3, height=0.5 + 2.3 * len(methods), sharey=True)
    for row, method in zip(axes, methods, strict=True):
        margin, before = margin_of(method), BEFORE.get(method, "SVM")
        for ax, (baseline, called) in zip(row, BASELINES.items(), strict=False):
            here = gains[(gains["method"] == method) & (gains["baseline"] == baseline)]
            draw_panel(ax, here, names, margin)
            ax.set(title=f"{before}: gain over {called}", xlabel=f"gain in {SHORT[method]}")
        row[2].set_axis_off()
    if len(equivalence):
        draw_equivalence(axes[0, 2], equivalence, names, margin_of(methods[0]))
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    style.save(fig, paths)


def draw_equivalence(ax: Any, rows: pd.DataFrame, names: Sequence[str], margin: float) -> None:
    """Draw how far a linear SVM on the most components is from a Gaussian SVM."""
    ax.set_axis_on()
    draw_intervals(ax, rows, names, color=style.GREEN, marker="D")
    dataset_axis(ax, names, (-margin, margin))
    ax.set(title="most components − Gaussian SVM", xlabel="difference in balanced accuracy")


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("gains", "equivalence")]
        draw(*tables, paths=snakemake.output)
