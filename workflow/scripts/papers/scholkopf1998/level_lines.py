"""Draw level lines of components in the plane, Figures 3 and 4 of Schölkopf et al. (1998)."""

from kpca.study.seeds import rng_for
from workflow.drawing import style
from workflow.drawing.plane import draw_components
from workflow.scripts.papers.scholkopf1998 import table


def scholkopf_parabola(seed: int) -> style.Figure:
    """Draw polynomial components of a parabola: one column per degree, one row per component."""
    X = table.parabola_draw(rng_for(seed, "scholkopf1998", "figure 3")).X
    square = {"box_aspect": 1}
    fig, axes = style.figure(3, len(table.DEGREES), height=4.9, subplot_kw=square)
    for column, degree in zip(axes.T, table.DEGREES, strict=True):
        model = table.polynomial_kpca(X, degree)
        draw_components(column, model, table.PARABOLA_REGION, X)
        for ax, share in zip(column, table.shares(model), strict=True):
            ax.set_xlabel(f"eigenvalue {share:.3f}", fontsize=7)
        column[0].set_title("k(x, y) = x·y" if degree == 1 else f"k(x, y) = (x·y)$^{degree}$")
    for number, ax in enumerate(axes[:, 0], 1):
        ax.set_ylabel(f"component {number}")
    return fig


def scholkopf_clusters(seed: int) -> style.Figure:
    """Draw eight Gaussian components of three clusters."""
    X = table.cluster_draw(rng_for(seed, "scholkopf1998", "figure 4")).X
    model = table.gaussian(X)
    fig, axes = style.figure(2, 4, height=3.4, subplot_kw={"box_aspect": 0.75})
    draw_components(axes.ravel(), model, table.CLUSTER_REGION, X)
    for number, (ax, value) in enumerate(zip(axes.flat, model.eigenvalues_, strict=True), 1):
        ax.set_title(f"component {number}")
        ax.set_xlabel(f"eigenvalue {value / len(X):.3f}", fontsize=7)
    return fig


@style.script
def figures(seed: int) -> dict[str, style.Figure]:
    """Return both figures by name."""
    return {
        "scholkopf_parabola": scholkopf_parabola(seed),
        "scholkopf_clusters": scholkopf_clusters(seed),
    }
