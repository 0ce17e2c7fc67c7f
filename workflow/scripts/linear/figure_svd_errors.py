"""Draw the error of randomized SVD against power iterations, normalisers and the bound."""

import pandas as pd

from pipeline.drawing import style

NORMALIZERS = {
    "none": {"color": style.VERMILION, "marker": "x", "linestyle": ":"},
    "LU": {"color": style.BLUE, "marker": "s", "linestyle": "-"},
    "QR": {"color": style.GREEN, "marker": "o", "linestyle": "--", "fillstyle": "none"},
}
TITLES = {"flat": "flat spectrum, $σ_j = j^{-1/2}$", "steep": "steep spectrum, $σ_j = 2^{-j}$"}


@style.script
def draw(linear_svd_errors: pd.DataFrame) -> style.Figure:
    """Draw one panel a spectrum."""
    fig, axes = style.figure(1, 2, height=2.5, sharex=True)
    for ax, (spectrum, title) in zip(axes[0], TITLES.items(), strict=True):
        rows = linear_svd_errors[linear_svd_errors["spectrum"] == spectrum]
        bound = rows.groupby("n_iter")["bound"].first()
        ax.plot(bound.index, bound, color=style.BLACK, label="theoretical bound", linewidth=1.5)
        for normalizer, look in NORMALIZERS.items():
            by_iter = rows[rows["normalizer"] == normalizer].groupby("n_iter")["error"]
            mean = by_iter.mean()
            label = "no normaliser" if normalizer == "none" else f"normalised by {normalizer}"
            ax.plot(mean.index, mean, label=label, markersize=5, **look)
            low, high = by_iter.min(), by_iter.max()
            ax.fill_between(mean.index, low, high, color=look["color"], alpha=0.12)
        ax.axhline(1, color=style.GREY, linewidth=0.8)
        ax.set(title=title, xlabel="power iterations q", yscale="log")
    axes[0, 0].set_ylabel("$‖X - QQ^T X‖_2 \\;/\\; σ_{k+1}$")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
