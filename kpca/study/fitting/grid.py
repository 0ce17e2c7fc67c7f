"""The grid: each kernel with its points, which are settings of its parameters with a short id."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Axis:
    """A key in the grid of a kernel: the kernel parameter that it sets, and its symbol."""

    parameter: str  # one of `kpca.kernels.registry.PARAMETERS`
    symbol: str


AXES = {
    "degree": Axis("degree", "d"),
    "gamma": Axis("gamma", "γ"),
    "sigma": Axis("gamma", "σ"),
    "median": Axis("gamma", "γ"),
    "scale": Axis("gamma", "γ"),
    "coef0": Axis("coef0", "c"),
}
# Keys that set γ. If a grid has several of them, their settings are listed one after the other.
BANDWIDTHS = tuple(name for name, axis in AXES.items() if axis.parameter == "gamma")


@dataclass(frozen=True)
class Point:
    """One setting of the grid: a kernel with its parameters.

    The parameters are ``degree``, ``coef0`` and at most one of `BANDWIDTHS`, or the keyword
    arguments of a custom function, whose path ``package.module:function`` is ``callable``.
    Snakemake's rules pass a point as ``vars(point)``.
    """

    kernel: str
    parameters: dict[str, float | int | str | bool] = field(default_factory=dict)
    callable: str | None = None

    @property
    def id(self) -> str:
        """Short name such as ``rbf-gamma0.5`` or ``poly-degree3-coef01``."""
        numbers = {n: f"{v:.12g}" for n, v in self.parameters.items() if isinstance(v, int | float)}
        texts = (f"{name}{text}" for name, text in (self.parameters | numbers).items())
        return "-".join([self.kernel, *texts])


def points(kernel: str, grid: dict[str, Any] | None) -> list[Point]:
    """Return the points of one kernel: all combinations of the values in its grid.

    >>> [p.id for p in points("rbf", {"median": [0.1, 1], "sigma": [2], "gamma": [2.5]})]
    ['rbf-gamma2.5', 'rbf-sigma2', 'rbf-median0.1', 'rbf-median1']
    >>> [p.id for p in points("poly", {"degree": [2, 3], "coef0": [1]})]
    ['poly-degree2-coef01', 'poly-degree3-coef01']
    >>> [p.id for p in points("linear", {})]
    ['linear']
    """
    path = (grid or {}).get("callable")
    axes = dict((grid or {}).get("parameters") or {} if path else grid or {})
    # Parameters come in the order in which people name them: degree, bandwidth, constant.
    bandwidths = [(name, value) for name in BANDWIDTHS for value in axes.pop(name, [])]
    last = [[("coef0", value) for value in axes.pop("coef0")]] if "coef0" in axes else []
    first = [[(name, value) for value in values] for name, values in sorted(axes.items())]
    middle = [bandwidths] if bandwidths else []
    return [Point(kernel, dict(pairs), path) for pairs in itertools.product(*first, *middle, *last)]


def named_points(plain: Iterable[Mapping[str, Any]]) -> dict[str, Point]:
    """Return id → point, from the ``vars(point)`` that Snakemake's rules pass."""
    listed = (Point(**parameters) for parameters in plain)
    return {point.id: point for point in listed}


def grid_of(config: Mapping[str, Any], dataset: str) -> dict[str, list[Point]]:
    """Return kernel → its points, for one dataset of a configuration."""
    if config["datasets"][dataset].get("kernel_matrix"):
        return {"precomputed": [Point("precomputed")]}
    return {kernel: points(kernel, axes) for kernel, axes in config["kernels"].items()}


def method_points(name: str, method: str | dict[str, Any]) -> list[Point]:
    """Return the points of a custom method, given as a path or as a class with parameters.

    >>> [p.id for p in method_points("ica", {"class": "m:ICA", "parameters": {"fun": ["cube"]}})]
    ['ica-funcube']
    """
    entry = {"class": method} if isinstance(method, str) else method
    axes = {"callable": entry["class"], "parameters": entry.get("parameters")}
    return points(name, axes)
