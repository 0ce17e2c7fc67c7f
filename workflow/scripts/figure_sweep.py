"""Draw training, validation and test scores along one parameter of a kernel."""

from collections.abc import Sequence

import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.curves import curve, overlaps
from kpca.pipeline.selection import MAIN_METRIC

METHODS = ("linear_svm", "least_squares")
AXES = {
    "median": ("multiple of the median heuristic γ", True),
    "degree": ("degree of the polynomial kernel", False),
}


def sweep(scores: pd.DataFrame, kernel: str, parameter: str) -> pd.DataFrame:
    """Return one row per dataset, replicate, split and value of the parameter.

    At every value the number of components and C are those with the best validation
    score of the replicate, so that only the parameter on the abscissa is in question.
    """
    rows = scores[(scores["kernel"] == kernel) & scores["method"].isin(METHODS)]
    rows = rows[rows["metric"] == rows["method"].map(MAIN_METRIC)]
    pattern = rf"-{parameter}([0-9.e+-]+?)(?:-|$)"
    values = rows["cell"].str.extract(pattern)[0].astype(float)
    rows = rows.assign(parameter=values).dropna(subset="parameter")
    unit = ["dataset", "replicate", "cell"]
    best = (
        rows[rows["split"] == "cv"]
        .sort_values(["value", "n_components", "C"], ascending=[False, True, True], kind="stable")
        .drop_duplicates(unit)
    )
    setting = [*unit, "n_components", "C"]
    return rows.fillna({"C": -1.0}).merge(best.fillna({"C": -1.0})[setting], on=setting)


def draw(swept: pd.DataFrame, datasets: pd.DataFrame, parameter: str, paths: Sequence[str]) -> None:
    """Draw one panel a dataset."""
    label, logarithmic = AXES[parameter]
    names = [n for n in datasets["dataset"] if n in set(swept["dataset"])]
    columns = min(4, len(names))
    rows = -(-len(names) // columns)
    fig, axes = style.figure(rows, columns, height=0.4 + 1.6 * rows, sharex=True)
    overlap = overlaps(datasets)
    for ax, name in zip(axes.flat, names, strict=False):
        of_dataset = swept[swept["dataset"] == name]
        for split, look in style.SPLITS.items():
            points = curve(of_dataset[of_dataset["split"] == split], "parameter", overlap[name])
            ax.plot(points["parameter"], points["mean"], **look)
            ax.fill_between(
                points["parameter"], points["low"], points["high"], color=look["color"], alpha=0.15
            )
        metric = of_dataset["metric"].iloc[0]
        ax.set_title(f"{style.title(name)} ({style.METRICS[metric]})")
        if logarithmic:
            ax.set_xscale("log")
    for ax in axes.flat[len(names) :]:
        ax.set_axis_off()
    fig.supxlabel(label, fontsize=8)
    fig.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        described = pd.read_csv(snakemake.input.datasets)
        swept = sweep(
            pd.read_csv(snakemake.input.scores), snakemake.params.kernel, snakemake.params.parameter
        )
        draw(swept, described, snakemake.params.parameter, snakemake.output)
