"""`Settings` of the evaluation, from the configuration, and `Cell`, a representation to score."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

from kpca.study.datasets.splits import sizes_within
from kpca.study.fitting.grid import Point, method_points
from kpca.study.scoring.methods import METHODS


class Outcome(NamedTuple):
    """One score of a representation, as it is stored; C and error are NaN if they do not apply."""

    n_components: int
    method: str
    C: float
    metric: str
    split: str
    value: float
    error: float = math.nan


# Values for keys of `evaluation` that a step is not given, because it does not use them.
_UNUSED: dict[str, Any] = {"C": (), "scaling": (), "kmeans_starts": 1}


@dataclass(frozen=True)
class Settings:
    """The `evaluation` section; config/README.md explains each field."""

    n_components: tuple[int, ...]
    C: tuple[float, ...]
    folds: int
    scaling: tuple[str, ...]
    kmeans_starts: int
    variance_share: float
    class_weight: str | None = "balanced"

    @classmethod
    def from_config(cls, section: dict[str, Any]) -> Self:
        """Return the settings of ``section``; keys that a step does not use may be missing."""
        section = _UNUSED | section
        lists = {
            "n_components": tuple(sorted(section["n_components"])),
            "C": tuple(sorted(float(c) for c in section["C"])),
            "scaling": tuple(section["scaling"]),
            "class_weight": None if section.get("class_weight") == "none" else "balanced",
        }
        return cls(**(section | lists))

    @property
    def largest(self) -> int:
        """Largest number of components, which the fits have if the rows allow it."""
        return max(self.n_components)

    def within(self, folds: Sequence[tuple[Any, Any]]) -> Self:
        """Return the settings with the numbers of components that inner folds allow."""
        return replace(self, n_components=tuple(sizes_within(self.n_components, folds)))

    def methods(self, task: str) -> list[str]:
        """Return the methods that follow every representation; the first one chooses kernels."""
        listed = _following("scores", task)
        scaled = [name for s in self.scaling for name in listed if METHODS[name].scaling == s]
        return [*scaled, *(name for name in listed if not METHODS[name].scaling)]


def _following(representation: str, task: str) -> list[str]:
    """Return the methods for datasets with this task that follow this kind of representation."""
    return [n for n, m in METHODS.items() if m.follows == representation and task in m.tasks]


def main_method(task: str, settings: Settings) -> str:
    """Return the method by which a kernel is chosen."""
    return settings.methods(task)[0]


@dataclass(frozen=True)
class Cell:
    """One representation of the rows, on which downstream methods are trained."""

    # A kernel PCA, raw rows, raw rows for methods with a Gaussian kernel, PCA, or a custom method.
    kind: Literal["kernel", "raw", "gaussian", "pca", "method"]
    point: Point  # setting that is fitted; for "gaussian", the one whose bandwidth methods use

    @property
    def id(self) -> str:
        """Name in the tables. It begins with ``raw`` if the kind is ``gaussian``."""
        if self.kind == "gaussian":
            return self.point.id.replace(self.point.kernel, "raw", 1)
        return self.point.id

    def methods(self, task: str, settings: Settings) -> list[str]:
        """Return the methods for this task that follow the representation."""
        if self.kind == "gaussian":
            return _following("gaussian", task)
        return settings.methods(task) + (_following("raw", task) if self.kind == "raw" else [])


def cells(
    grid: Sequence[Point], methods: Mapping[str, Any], *, task: str, precomputed: bool
) -> Iterator[Cell]:
    """Yield the representations of a dataset: kernel PCA, baselines, and custom ``methods``.

    If only a kernel matrix of the rows is known, there are no baselines and no custom methods.
    """
    yield from (Cell("kernel", point) for point in grid)
    if precomputed:
        return
    yield Cell("raw", Point("raw"))
    yield Cell("pca", Point("pca"))
    if _following("gaussian", task):
        widths = [point for point in grid if point.kernel == "rbf"]
        yield from (Cell("gaussian", point) for point in widths or [Point("rbf", {"median": 1})])
    for name, method in methods.items():
        yield from (Cell("method", point) for point in method_points(name, method))
