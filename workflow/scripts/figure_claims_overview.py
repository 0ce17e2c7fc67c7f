"""Draw the verdict of every claim, a mark a claim, a line a family of claims."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style
from kpca.pipeline.studies.claims.overview import VERDICTS, families

COLUMNS = 3
LINE = 0.135  # inches
LEFT = 0.56  # share of a column that names take
ACROSS = 15  # marks of a line, before it goes on below
LOOKS = {
    "holds": {"color": style.BLUE, "marker": "s", "fillstyle": "full"},
    "undecided": {"color": style.GREY, "marker": "o", "fillstyle": "none"},
    "fails": {"color": style.VERMILION, "marker": "X", "fillstyle": "full"},
}
GROUPS = {
    1: "the formula of centring",
    2: "leaving the centring out",
    3: "PCA and its dual",
    4: "components as functions",
    5: "rings, spirals, Swiss roll",
    6: "width and degree",
    7: "a share of the variance as the rule for k",
    8: "before the SVM and before k-means",
    9: "sensitivity, and which kernel suits which data",
    10: "γ by cross-validation",
    11: "identities, inputs, pre-images",
}
Line = tuple[str, bool, list[str]]


def lines(table: pd.DataFrame) -> list[Line]:
    """Return text, whether it is a heading, and verdicts of every line, from top to bottom."""
    found: list[Line] = []
    for group, rows in table.groupby("group"):
        found.append((f"{group}  {GROUPS.get(int(group), '')}", True, []))
        for row in rows.to_dict("records"):
            verdicts = [verdict for verdict in VERDICTS for _ in range(row[verdict])]
            name = str(row["name"]).replace("-", " ").replace("_", " ")
            for start in range(0, len(verdicts), ACROSS):
                part = verdicts[start : start + ACROSS]
                found.append(("" if start else name, False, part))
    return found


def columns_of(found: Sequence[Line]) -> list[list[Line]]:
    """Cut lines into columns of about equal length, each under the heading of its first line."""
    height = -(-len(found) // COLUMNS) + 1  # a heading more
    columns: list[list[Line]] = [[]]
    heading = found[0]
    for line in found:
        heading = line if line[1] else heading
        if len(columns[-1]) >= height - line[1] and len(columns) < COLUMNS:
            columns.append([] if line[1] else [heading])
        columns[-1].append(line)
    return columns


def draw_column(ax: Axes, column: Sequence[Line], height: int) -> None:
    """Draw one column: names on the left, marks on the right."""
    for y, (text, heading, verdicts) in enumerate(column):
        weight = "bold" if heading else "normal"
        ax.annotate(text, (0 if heading else 0.02, y), fontsize=6, va="center", weight=weight)
        for place, verdict in enumerate(verdicts):
            x = LEFT + (1 - LEFT) * (place + 0.5) / ACROSS
            ax.plot(x, y, markersize=3.6, linestyle="", markeredgewidth=0.7, **LOOKS[verdict])
    ax.set(xlim=(0, 1), ylim=(height - 0.5, -0.5))
    ax.set_axis_off()


def draw(claims: pd.DataFrame, cases: Sequence[str], paths: Sequence[str]) -> None:
    """Draw all claims in columns, with their number in the legend."""
    columns = columns_of(lines(families(claims, set(cases))))
    height = max(map(len, columns))
    fig, axes = style.figure(1, COLUMNS, height=0.4 + LINE * height)
    for ax in axes[0, len(columns) :]:
        ax.set_axis_off()
    for ax, column in zip(axes[0], columns, strict=False):
        draw_column(ax, column, height)
    for verdict, look in LOOKS.items():
        label = f"{verdict} ({(claims['verdict'] == verdict).sum()})"
        axes[0, 0].plot([], [], linestyle="", markersize=4, label=label, **look)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        claims = pd.read_csv(snakemake.input["claims"])
        draw(claims, snakemake.params.arguments["cases"], snakemake.output)
