"""Draw sparsity against adjusted variance, and the distance from the exact reference."""

from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from pipeline.drawing import style

METHODS: dict[str, dict[str, Any]] = {
    "deflation": {"color": style.ORANGE, "marker": "^", "label": "deflation,\nL1 bound"},
    "two_step": {"color": style.GREY, "marker": "x", "label": "two steps"},
    "spca": {"color": style.BLUE, "marker": "s", "label": "SPCA,\nλ = 1e-6"},
    "spca_soft": {"color": style.SKY, "marker": "D", "linestyle": "--", "label": "SPCA,\nλ → ∞"},
    "dictionary": {"color": style.VERMILION, "marker": "v", "label": "dictionary\nlearning"},
}
TITLES = {
    "pitprops": "Pitprops, 6 components",
    "breast_cancer": "breast cancer, 6",
    "digits": "digits, 10",
}


@style.script
def draw(sparse_paths: pd.DataFrame, sparse_exact_path: pd.DataFrame) -> style.Figure:
    """Draw one panel a dataset, the exact reference in that of Pitprops."""
    fig, axes = style.figure(1, 3, height=2.7, sharey=True)
    for ax, (name, title) in zip(axes[0], TITLES.items(), strict=True):
        of_data = sparse_paths[sparse_paths["data"] == name]
        ax.axhline(of_data["pca"].iloc[0], color=style.BLACK, linestyle=":", label="ordinary PCA")
        for method, look in METHODS.items():
            path = of_data[of_data["method"] == method].sort_values("nonzeros")
            ax.plot(path["nonzeros"], path["adjusted_variance"], **look)
        ax.set(title=title, ylim=(0, 1))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    exact = {"color": style.BLACK, "label": "exact supports, one by one"}
    axes[0, 0].plot("nonzeros", "adjusted_variance", data=sparse_exact_path, **exact)
    axes[0, 0].set_ylabel("adjusted variance (fraction)")
    fig.supxlabel("nonzero loadings per component (own scales)", fontsize=8)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(
        handles, [label.replace("\n", " ") for label in labels], loc="outside upper center", ncols=4
    )
    return fig
