"""What is scored: every kernel PCA of the grid, and what it is compared with.

Imported while the Snakefile is parsed, hence the standard library only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.evaluation.settings import BASELINES, GAUSSIAN, TASKS
from pipeline.grid import Point, points


@dataclass(frozen=True)
class Cell:
    """One representation of the rows, with the methods that follow it.

    Attributes
    ----------
    kind : str
        "kernel", a kernel PCA; "raw" rows; "gaussian", raw rows for methods with a Gaussian kernel
        of their own; "pca"; or "method", one of the user's own.
    point : Point
        What is fitted, or whose bandwidth the methods have. Its ``callable`` is the user's own
        kernel or method.
    """

    kind: Literal["kernel", "raw", "gaussian", "pca", "method"]
    point: Point

    @property
    def id(self) -> str:
        """Name in the tables; that of a Gaussian kernel on raw rows begins with ``raw``."""
        if self.kind == "gaussian":
            return self.point.id.replace(self.point.kernel, "raw", 1)
        return self.point.id

    def methods(self, task: str) -> tuple[str, ...]:
        """Return the methods that follow, of `pipeline.evaluation.downstream`."""
        if self.kind == "gaussian":
            return GAUSSIAN[task]
        return (*TASKS[task], *(BASELINES[task] if self.kind == "raw" else ()))


def cells(
    grid: Sequence[Point], methods: Mapping[str, Any], *, task: str, precomputed: bool
) -> Iterator[Cell]:
    """Yield the cells of a dataset.

    The grid is that of its kernels, ``methods`` those of the user's own, as in the configuration.
    Rows that are known by a kernel matrix alone are compared with nothing.
    """
    yield from (Cell("kernel", point) for point in grid)
    if precomputed:
        return
    yield Cell("raw", Point("raw"))
    yield Cell("pca", Point("pca"))
    if GAUSSIAN[task]:
        widths = [point for point in grid if point.kernel == "rbf"]
        yield from (Cell("gaussian", point) for point in widths or [Point("rbf", {"median": 1})])
    for name, method in methods.items():
        own = {"class": method} if isinstance(method, str) else method
        axes = {"callable": own["class"], "parameters": own.get("parameters")}
        yield from (Cell("method", point) for point in points(name, axes))
