"""Draw sparsity against adjusted variance, and the distance from the exact reference."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from kpca.pipeline import style

METHODS = {
    "deflation": {"color": style.ORANGE, "marker": "^", "label": "deflation, L1 bound"},
    "two_step": {"color": style.GREY, "marker": "x", "label": "two steps"},
    "spca": {"color": style.BLUE, "marker": "s", "label": "SPCA, λ = 1e-6"},
    "spca_soft": {"color": style.SKY, "marker": "D", "linestyle": "--", "label": "SPCA, λ → ∞"},
    "dictionary": {"color": style.VERMILION, "marker": "v", "label": "dictionary learning"},
}
TITLES = {
    "pitprops": "Pitprops, 6 components",
    "breast_cancer": "breast cancer, 6 components",
    "digits": "digits, 10 components",
}


def draw(
    paths_table: pd.DataFrame,
    exact_path: pd.DataFrame,
    first: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Draw one panel a dataset, and two for the first component of Pitprops."""
    fig, axes = style.figure(2, 3, height=4.6)
    for ax, (name, title) in zip(axes[0], TITLES.items(), strict=True):
        _path(ax, paths_table[paths_table["data"] == name])
        ax.set(title=title, xlabel="nonzeros a component", ylim=(0, 1))
    axes[0, 0].plot(
        exact_path["nonzeros"],
        exact_path["adjusted_variance"],
        color=style.BLACK,
        label="exact supports, one by one",
    )
    axes[0, 0].set_ylabel("adjusted variance (share)")
    axes[1, 0].plot(exact_path["nonzeros"], exact_path["variance"], color=style.BLACK)
    _first(axes[1, 0], first)
    _gap(axes[1, 1], first, "variance", "missed, weights as fitted")
    _gap(axes[1, 2], first, "refitted", "missed, weights refitted")
    for ax in axes.flat:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=4)
    style.save(fig, paths)


def _path(ax: Axes, table: pd.DataFrame) -> None:
    ax.axhline(table["pca"].iloc[0], color=style.BLACK, linestyle=":", label="ordinary PCA")
    for method, look in METHODS.items():
        rows = table[table["method"] == method].sort_values("nonzeros")
        ax.plot(rows["nonzeros"], rows["adjusted_variance"], **look)


def _first(ax: Axes, first: pd.DataFrame) -> None:
    for method, look in METHODS.items():
        rows = first[first["method"] == method]
        ax.plot(rows["nonzeros"], rows["variance"], **(look | {"linestyle": "none"}))
    ax.set(title="Pitprops, first component", xlabel="nonzeros", ylabel="variance (share)")


def _gap(ax: Axes, first: pd.DataFrame, column: str, title: str) -> None:
    for method, look in METHODS.items():
        rows = first[first["method"] == method]
        missed = 100 * (1 - rows[column] / rows["exact"])
        ax.plot(rows["nonzeros"], missed.clip(lower=0), **(look | {"linestyle": "none"}))
    ax.set(title=title, xlabel="nonzeros", ylabel="% of the exact maximum", ylim=(-2, 42))


def main(
    sparse_paths: str, sparse_exact_path: str, sparse_first_components: str, paths: Sequence[str]
) -> None:
    """Read the tables and draw."""
    tables = map(pd.read_csv, (sparse_paths, sparse_exact_path, sparse_first_components))
    draw(*tables, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        main(**dict(snakemake.input), **snakemake.params.arguments, paths=snakemake.output)
