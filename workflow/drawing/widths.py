"""What the width of the Gaussian kernel costs: scores below those of the best γ."""

import pandas as pd

from kpca.study.evidence.selection import best_setting, by_first_method, by_main_metric, scores_at
from kpca.study.scoring.methods import ON_SCORES

PCA = "pca"


def tested_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Return mean test scores, dataset in rows and cell in columns.

    The number of components and C are those of the best validation score of each cell.
    """
    rows = by_main_metric(by_first_method(scores, ON_SCORES))
    chosen = scores_at(rows, best_setting(rows, ["dataset", "replicate", "cell"]))
    tested = chosen[chosen["split"] == "test"]
    return tested.groupby(["dataset", "cell"], sort=False)["value"].mean().unstack()


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
        Dataset in rows; `PCA` first, and then values of the parameter, ascending. In units of the
        metric.
    """
    beginning = f"rbf-{parameter}"
    cells = scores["cell"].astype(str)
    means = tested_means(scores[cells.str.startswith(beginning) | (cells == PCA)])
    widths = {float(str(cell).removeprefix(beginning)): cell for cell in means if cell != PCA}
    if not widths:
        return pd.DataFrame()
    ordered = [widths[value] for value in sorted(widths)]
    best = means[ordered].max(axis=1)
    losses = means.reindex(columns=[PCA, *ordered]).rsub(best, axis=0)
    return losses.set_axis([PCA, *sorted(widths)], axis=1)
