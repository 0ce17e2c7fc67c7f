"""Draw level lines of polynomial components on a parabola (Schölkopf et al. 1998, Figure 3)."""

from pipeline.drawing import style
from pipeline.drawing.plane import draw_components
from pipeline.seeds import rng_for
from workflow.scripts.papers.scholkopf1998.figures import (
    DEGREES,
    PARABOLA_REGION,
    parabola_draw,
    polynomial,
    shares,
)


@style.script
def draw(seed: int) -> style.Figure:
    """Draw one column per degree and one row per component."""
    X = parabola_draw(rng_for(seed, "scholkopf1998", "figure 3"))
    fig, axes = style.figure(3, len(DEGREES), width=style.PAGE, height=5.9)
    for column, degree in zip(axes.T, DEGREES, strict=True):
        model = polynomial(X, degree)
        draw_components(column, model, PARABOLA_REGION, X)
        for ax, share in zip(column, shares(model), strict=True):
            ax.set_xlabel(f"eigenvalue {share:.3f}", fontsize=7)
        column[0].set_title("k(x, y) = x·y" if degree == 1 else f"k(x, y) = (x·y)$^{degree}$")
    for number, ax in enumerate(axes[:, 0], 1):
        ax.set_ylabel(f"component {number}")
    for ax in axes.flat:
        ax.set_box_aspect(1)
    return fig
