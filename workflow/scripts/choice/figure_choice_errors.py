"""Draw held-out errors over γ: in feature space they always prefer the widest kernel."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.drawing import style
from workflow.scripts.choice.looks import CRITERIA

COLUMNS = 4
LEAST = 1e-3
CURVES = {
    "feature": {"color": style.OLIVE, "linestyle": "--", "label": "reconstruction, feature space"},
    "input": {"color": style.GREEN, "linestyle": "-", "label": "de-noising, input space"},
}
CHOSEN = "input_denoising"


def means(measures: pd.DataFrame) -> pd.DataFrame:
    """Return the mean over replicates of both errors at the sizes of the grid."""
    sizes = set(measures.loc[measures["measure"] == "input", "n_components"])
    rows = measures[measures["measure"].isin(list(CURVES)) & measures["n_components"].isin(sizes)]
    unit = ["dataset", "measure", "n_components", "multiple"]
    return rows.groupby(unit, as_index=False)["value"].mean()


def draw_panel(ax: Any, rows: pd.DataFrame) -> None:
    """Draw one line a measure and number of components, the thicker the more components."""
    sizes = sorted(set(rows["n_components"]))
    for (measure, m), line in rows.groupby(["measure", "n_components"]):
        look = {name: CURVES[measure][name] for name in ("color", "linestyle")}
        width = 0.6 + 1.2 * sizes.index(m) / max(1, len(sizes) - 1)
        ax.plot(line["multiple"], line["value"].clip(lower=LEAST / 10), linewidth=width, **look)
    best = rows[rows["measure"] == "input"].sort_values("value").iloc[0]
    look = CRITERIA[CHOSEN]
    ax.plot(best["multiple"], best["value"], color=look["color"], marker=look["marker"], ms=6)
    ax.set_title(f"{style.title(best['dataset'])}: m = {best['n_components']}")


def legend(fig: Any, sizes: Sequence[int]) -> None:
    """Explain colours, and which line is thick."""
    from matplotlib.lines import Line2D

    look = CRITERIA[CHOSEN]
    handles = [Line2D([], [], linewidth=1.2, **curve) for curve in CURVES.values()]
    handles.append(
        Line2D([], [], color=look["color"], marker=look["marker"], ms=6, ls="", label="least")
    )
    handles.append(Line2D([], [], color=style.GREY, lw=0.8, ls=":", label="noise left as it is"))
    listed = ", ".join(map(str, sizes))
    handles.append(Line2D([], [], ls="", label=f"thin to thick: m = {listed}"))
    style.legend_above(fig, handles, columns=5)


def draw(
    measures: pd.DataFrame, datasets: pd.DataFrame, noise: float, paths: Sequence[str]
) -> None:
    """Draw one panel a dataset, and the error of leaving the noise where it is."""
    rows = means(measures)
    shown = [name for name in datasets["dataset"] if name in set(rows["dataset"])]
    fig, axes = style.panels(len(shown), columns=COLUMNS, height=1.35, sharex=True, sharey=True)
    for ax, name in zip(axes, shown, strict=True):
        draw_panel(ax, rows[rows["dataset"] == name])
        ax.axhline(noise**2, color=style.GREY, linewidth=0.8, linestyle=":", zorder=0)
        ax.set_yscale("log")
        ax.set_ylim(LEAST, 2)
        ax.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
        ax.minorticks_off()
        style.plain_log(ax)
    fig.supxlabel("γ in multiples of the median heuristic", fontsize=8)
    fig.supylabel("error of held-out rows,\nover their variance", fontsize=8)
    legend(fig, sorted(set(rows["n_components"])))
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        tables = map(pd.read_csv, snakemake.input)
        draw(*tables, **snakemake.params.arguments, paths=snakemake.output)
