"""Draw decision boundaries of novelty detectors around a ring, a spiral and a sine."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from matplotlib.lines import Line2D
from sklearn.base import OutlierMixin

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.novelty import KernelPCANovelty
from pipeline.drawing import style
from pipeline.drawing.contours import mesh, region
from pipeline.job import run
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.input_space.curves import spiral
from workflow.scripts.input_space.looks import DETECTORS

LINES: dict[str, Literal["-", ":", "--"]] = {"residual": "-", "linear": ":", "one_class_svm": "--"}
FALSE_ALARM = 0.05
MULTIPLE = 6.0  # of the median γ
N, NOISE = 250, 0.06


def ring(t: np.ndarray) -> np.ndarray:
    """Return (cos 2πt, sin 2πt)."""
    return np.column_stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])


def sine(t: np.ndarray) -> np.ndarray:
    """Return two periods of a sine."""
    return np.column_stack([4 * t - 2, np.sin(4 * np.pi * t)])


CURVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "ring": ring,
    "spiral": spiral,
    "sine": sine,
}


def draw_rows(name: str, rng: np.random.Generator) -> np.ndarray:
    """Draw points along a curve with N(0, 0.06²) on both coordinates."""
    return CURVES[name](rng.uniform(size=N)) + NOISE * rng.standard_normal((N, 2))


def detectors(X: np.ndarray, seed: int) -> dict[str, OutlierMixin]:
    """Fit the detectors whose boundary is drawn, all at one γ and one rate of false alarms."""
    from sklearn.svm import OneClassSVM

    gamma = MULTIPLE * median_gamma(X)
    kernel = KernelPCA(0.95, kernel="rbf", gamma=gamma)

    def limited(estimator: KernelPCA) -> KernelPCANovelty:
        return KernelPCANovelty(estimator, false_alarm=FALSE_ALARM, random_state=seed).fit(X)

    return {
        "residual": limited(kernel),
        "linear": limited(KernelPCA(1, kernel="linear")),
        "one_class_svm": OneClassSVM(gamma=gamma, nu=FALSE_ALARM).fit(X),
    }


def draw(seed: int, paths: Sequence[str]) -> None:
    """Draw one panel a curve: shaded the error of kernel PCA, lines where detectors decide."""
    fig, axes = style.figure(1, len(CURVES), height=2.75)
    for ax, name in zip(axes[0], CURVES, strict=True):
        X = draw_rows(name, rng_for(seed, "boundary", name))
        box = region(X, margin=0.25)
        x, y = mesh(box, 151)
        places = np.column_stack([x.ravel(), y.ravel()])
        for method, detector in detectors(X, seed_for(seed, "boundary", name, "folds")).items():
            decision = detector.decision_function(places).reshape(x.shape)
            if method == "residual":
                ax.contourf(x, y, -decision, levels=12, cmap="Greys", alpha=0.5)
            color = DETECTORS[method]["color"]
            ax.contour(
                x, y, decision, levels=[0], colors=color, linestyles=LINES[method], linewidths=1.2
            )
        ax.scatter(*X.T, s=4, color=style.BLACK, linewidths=0)
        ax.set_title(name)
        ax.set_box_aspect(1)
        style.no_scale(ax)
    handles = [
        Line2D([], [], color=DETECTORS[m]["color"], linestyle=line, label=DETECTORS[m]["label"])
        for m, line in LINES.items()
    ]
    fig.legend(handles=handles, loc="outside lower center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
