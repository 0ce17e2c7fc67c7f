"""Draw level lines of Gaussian components on three clusters (Schölkopf et al. 1998, Figure 4)."""

from pipeline.drawing import style
from pipeline.drawing.plane import draw_components
from pipeline.seeds import rng_for
from workflow.scripts.papers.scholkopf1998.figures import CLUSTER_REGION, cluster_draw, gaussian


@style.script
def draw(seed: int) -> style.Figure:
    """Draw eight components."""
    X, _ = cluster_draw(rng_for(seed, "scholkopf1998", "figure 4"))
    model = gaussian(X)
    fig, axes = style.figure(2, 4, width=style.PAGE, height=3.4)
    draw_components(axes.ravel(), model, CLUSTER_REGION, X)
    for number, (ax, value) in enumerate(zip(axes.flat, model.eigenvalues_, strict=True), 1):
        ax.set_title(f"component {number}")
        ax.set_xlabel(f"eigenvalue {value / len(X):.3f}", fontsize=7)
        ax.set_box_aspect(0.75)
    return fig
