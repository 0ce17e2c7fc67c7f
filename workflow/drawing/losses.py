"""How much settings lose against the best setting of a dataset, and a map of these losses."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kpca.study.evidence.selection import best_setting, by_first_method, by_main_metric, scores_at
from kpca.study.scoring.methods import ON_SCORES
from workflow.drawing import style
from workflow.drawing.finding import amount

PCA = "pca"
NOT_CURVED = ("raw", "linear", PCA)
WORST = 40  # loss in hundredths at which the colour scale ends
DARK = 20  # loss in hundredths above which the number is white
ROW = 0.24  # height of a row in inches


def tested_means(scores: pd.DataFrame, unit: str) -> pd.DataFrame:
    """Return mean test scores: a row per dataset, and a column per value of the column ``unit``.

    For each value, other parameters (such as the number of components and C) are those with the
    best validation score.
    """
    rows = by_main_metric(by_first_method(scores, ON_SCORES))
    chosen = scores_at(rows, best_setting(rows, ["dataset", "replicate", unit]))
    tested = chosen[chosen["split"] == "test"]
    return tested.groupby(["dataset", unit], sort=False)["value"].mean().unstack()


def losses_by_width(scores: pd.DataFrame, parameter: str = "median") -> pd.DataFrame:
    """Return how far PCA and each width are below the best width.

    Parameters
    ----------
    scores : DataFrame
        Rows of ``tables/scores.csv``.
    parameter : str, default="median"
        Which of "median", "gamma" and "sigma" gives the width.

    Returns
    -------
    DataFrame
        Losses in units of the metric, with datasets in rows. Columns are `PCA` and the values of
        the parameter in ascending order.
    """
    beginning = f"rbf-{parameter}"
    cells = scores["cell"].astype(str)
    means = tested_means(scores[cells.str.startswith(beginning) | (cells == PCA)], "cell")
    widths = {float(str(cell).removeprefix(beginning)): cell for cell in means if cell != PCA}
    if not widths:
        return pd.DataFrame()
    ordered = [widths[value] for value in sorted(widths)]
    best = means[ordered].max(axis=1)
    losses = means.reindex(columns=[PCA, *ordered]).rsub(best, axis=0)
    return losses.set_axis([PCA, *sorted(widths)], axis=1)


def losses_by_kernel(scores: pd.DataFrame, sizes: Sequence[int]) -> pd.DataFrame:
    """Return how far PCA, each kernel and each number of components are below the best of them.

    Parameters
    ----------
    scores : DataFrame
        Rows of ``tables/scores.csv``.
    sizes : sequence of int
        Numbers of components in the grid of nonlinear kernels.

    Returns
    -------
    DataFrame
        Losses in units of the metric, with datasets in rows. Columns are `PCA`, nonlinear kernels
        in ascending order of their largest loss, and numbers of components.
    """
    curved = scores[~scores["kernel"].isin(NOT_CURVED)]
    kernels = tested_means(curved, "kernel")
    of_pca = tested_means(scores[scores["kernel"] == PCA], "kernel")
    by_size = tested_means(curved[curved["n_components"].isin(sizes)], "n_components")
    by_size = by_size.reindex(columns=sorted(by_size)).rename(columns=int)
    best = pd.concat([kernels, by_size], axis=1).max(axis=1)
    safest_first = kernels.rsub(best, axis=0).max().sort_values(kind="stable").index
    means = pd.concat([of_pca, kernels[safest_first], by_size], axis=1)
    return means.rsub(best, axis=0)


def metrics_of(scores: pd.DataFrame) -> pd.Series:
    """Return the metric of each dataset, by name, in which its losses are measured."""
    rows = by_main_metric(by_first_method(scores, ON_SCORES))
    return rows.groupby("dataset")["metric"].first()


def largest_loss(losses: pd.DataFrame, metrics: pd.Series) -> str:
    """Return the largest of some losses in words, in the unit of its dataset.

    ``losses`` are in units of the metric, and ``metrics`` come from `metrics_of`.
    """
    of_datasets = losses.max(axis=1)
    worst = str(of_datasets.idxmax())
    return amount(of_datasets[worst], metrics[worst])


def in_hundredths(losses: pd.DataFrame, datasets: pd.DataFrame) -> pd.DataFrame:
    """Return losses in hundredths, with the dataset on which PCA loses most in the first row.

    Datasets with equal losses are in the order of the table ``datasets``.
    """
    names = [name for name in datasets["dataset"] if name in losses.index]
    return 100 * losses.loc[names].sort_values(PCA, ascending=False, kind="stable")


def draw_losses(losses: pd.DataFrame, labels: Sequence[str], best: str) -> style.Figure:
    """Draw losses in hundredths as a map with numbers, with a gap after the column of PCA.

    ``labels`` name the columns, and ``best`` names what the losses are measured against.
    """
    fig, ((ax,),) = style.figure(width=style.NARROW, height=0.9 + ROW * len(losses))
    ax.imshow(losses.clip(lower=0), aspect="auto", cmap="Blues", vmin=0, vmax=WORST)
    for (row, column), loss in np.ndenumerate(losses.to_numpy()):
        if np.isfinite(loss):
            text = ax.text(column, row, f"{abs(loss):.0f}", ha="center", va="center")
            text.set_color("white" if loss > DARK else style.INK)
    ax.axvline(0.5, color="white", linewidth=4)
    ax.set_yticks(range(len(losses)), [style.title(name) for name in losses.index])
    ax.set_xticks(range(losses.shape[1]), labels)
    ax.set_title(f"points, or 0.01 of correlation, below the best {best}", loc="left")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return fig
