"""Draw the verdict of every statement, and of how many of its cases it is true."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.claims.looks import VERDICTS

COLUMNS = 3
LINE = 0.15  # inches
BAR = (0.64, 0.27)  # where the bar of the cases begins, and its length
SHADES = {"holds": style.BLUE, "inconclusive": "#D9D9D9", "fails": style.VERMILION}
GROUPS = {
    1: "the formula of centring",
    2: "leaving the centring out",
    3: "PCA and its dual",
    4: "components as functions",
    5: "rings, spirals, Swiss roll",
    6: "width and degree",
    7: "explained variance as the rule for m",
    8: "before the SVM and before k-means",
    9: "sensitivity, and which kernel suits",
    10: "γ by cross-validation",
    11: "identities, inputs, pre-images",
}


class Line(NamedTuple):
    """A line of the figure: a heading, which has no verdict, or a statement with its cases."""

    text: str
    verdict: str = ""
    cases: tuple[int, ...] = ()


def lines(claims: pd.DataFrame, cases: pd.DataFrame) -> list[Line]:
    """Return every line from top to bottom; cases are counted in the order of `VERDICTS`."""
    counts = pd.crosstab(cases["claim"], cases["verdict"]).reindex(
        columns=[*VERDICTS], fill_value=0
    )
    named = claims["claim"].str.partition("-")
    found: list[Line] = []
    for group, rows in claims.groupby(named[0].astype(int)):
        found.append(Line(f"{group}  {GROUPS.get(int(str(group)), '')}"))
        for row in rows.to_dict("records"):
            name = str(row["claim"]).partition("-")[2].replace("-", " ").replace("_", " ")
            found.append(Line(name, row["verdict"], tuple(counts.loc[row["claim"]])))
    return found


def columns_of(found: Sequence[Line]) -> list[list[Line]]:
    """Cut lines into columns of about equal length, each beginning with a heading."""
    columns: list[list[Line]] = [[] for _ in range(COLUMNS)]
    at = 0
    for i, line in enumerate(found):
        at = at if line.verdict else COLUMNS * i // len(found)
        columns[at].append(line)
    return columns


def draw_column(ax: Axes, column: Sequence[Line], height: int) -> None:
    """Draw one column: the verdict and the name of a statement, and the shares of its cases."""
    for y, (text, verdict, cases) in enumerate(column):
        weight = "normal" if verdict else "bold"
        ax.annotate(text, (0.06 if verdict else 0, y), fontsize=6, va="center", weight=weight)
        if verdict:
            look = VERDICTS[verdict]
            ax.plot(0.025, y, markersize=4, linestyle="", markeredgewidth=0.7, **look)
        if (n := sum(cases)) > 1:
            left = BAR[0]
            for name, count in zip(VERDICTS, cases, strict=True):
                ax.barh(y, BAR[1] * count / n, 0.5, left, color=SHADES[name], linewidth=0)
                left += BAR[1] * count / n
            ax.annotate(str(n), (left + 0.02, y), fontsize=6, va="center")
    ax.set(xlim=(0, 1), ylim=(height - 0.5, -0.5))
    ax.set_axis_off()


def draw(claims: pd.DataFrame, claims_cases: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw all statements in columns, with their number in the legend."""
    columns = columns_of(lines(claims, claims_cases))
    height = max(map(len, columns))
    fig, axes = style.figure(1, COLUMNS, height=0.5 + LINE * height)
    for ax, column in zip(axes[0], columns, strict=True):
        draw_column(ax, column, height)
    for verdict, look in VERDICTS.items():
        of_statements, of_cases = ((t["verdict"] == verdict).sum() for t in (claims, claims_cases))
        label = f"{verdict}: {of_statements} statements, {of_cases} cases"
        axes[0, 0].plot([], [], linestyle="", markersize=4, label=label, **look)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
