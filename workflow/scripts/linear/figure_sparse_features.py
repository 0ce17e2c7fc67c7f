"""Draw what sparse components cost the SVM, against their sparsity."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run
from pipeline.tables.statistics import curve


def gains(features: pd.DataFrame) -> pd.DataFrame:
    """Return the score of sparse components minus that of ordinary ones, replicate by replicate.

    The rows of positive strength, `value` replaced by the difference in percentage points.
    """
    unit = ["dataset", "replicate"]
    dense = features[features["strength"] == 0].set_index(unit)["value"]
    sparse = features[features["strength"] > 0].set_index(unit)
    return sparse.assign(value=100 * (sparse["value"] - dense)).reset_index()


def draw(sparse_features: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw one panel a dataset."""
    names = sparse_features["dataset"].unique()
    width = min(style.COLUMN * len(names), style.PAGE)
    fig, axes = style.figure(1, len(names), width=width, height=2.5)
    paired = gains(sparse_features)
    for ax, name in zip(axes[0], names, strict=True):
        of_dataset = sparse_features[sparse_features["dataset"] == name]
        dense = of_dataset[of_dataset["strength"] == 0]["value"].mean()
        _panel(ax, paired[paired["dataset"] == name])
        ax.set_title(f"{style.title(name)}: ordinary {dense:.3f} (own scale)")
        ax.set_xlabel("nonzero loadings per component")
    axes[0, 0].set_ylabel("balanced accuracy, difference from\nordinary components (points)")
    style.save(fig, paths)


def _panel(ax: Axes, paired: pd.DataFrame) -> None:
    overlap = paired["overlap"].iloc[0]
    gain = curve(paired, "strength", None if pd.isna(overlap) else overlap).set_index("strength")
    sizes = paired.groupby("strength")["nonzeros"].mean().loc[gain.index]
    ax.axhline(0, color=style.BLACK, linestyle=":")
    error = [gain["mean"] - gain["low"], gain["high"] - gain["mean"]]
    ax.errorbar(
        sizes, gain["mean"], yerr=error, color=style.BLUE, marker="s", linestyle="", capsize=2
    )


if __name__ == "__main__":
    run(draw)
