"""How representations are evaluated: the `evaluation` section of the configuration.

Imported while the Snakefile is parsed, hence the standard library only.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

Size = int | Literal["all", "share"]
"""How many components: so many or all of them; or what the share of the variance asks for."""

COLUMNS = ("n_components", "method", "C", "metric", "split", "value")
"""Of the scores of a representation, as they are stored."""

AXES: dict[str, tuple[str, ...]] = {
    "linear_svm": ("scaling", "C"),
    "rbf_svm": ("C",),
    "kmeans": ("kmeans_starts",),
    "spectral": ("kmeans_starts",),
    "regression": (),
    "neighbourhoods": (),
}
"""What each method of `pipeline.evaluation.downstream` reads of the settings."""

TASKS = {
    "classification": ("linear_svm", "kmeans"),
    "regression": ("regression", "neighbourhoods"),
    "none": ("neighbourhoods",),
}
"""The methods that follow a representation, by what can be scored."""


@dataclass(frozen=True)
class Settings:
    """The `evaluation` section; config/README.md explains each field."""

    n_components: tuple[int, ...]
    C: tuple[float, ...]
    folds: int
    scaling: tuple[str, ...]
    kmeans_starts: int
    variance_share: float

    @classmethod
    def from_config(cls, section: dict[str, Any]) -> Self:
        """Build from the configuration, lists in ascending order."""
        lists = {
            "n_components": tuple(sorted(section["n_components"])),
            "C": tuple(sorted(float(c) for c in section["C"])),
            "scaling": tuple(section["scaling"]),
        }
        return cls(**(section | lists))

    def at_most(self, most: int) -> Self:
        """Return settings that ask for so many components at most.

        >>> Settings((1, 2, 8), (1.0,), 3, ("unit",), 20, 0.9).at_most(3).n_components
        (1, 2, 3)
        """
        return replace(self, n_components=tuple(sorted({min(m, most) for m in self.n_components})))

    def components_up_to(self, rank: int) -> list[int]:
        """Return the numbers of components to try where only ``rank`` carry variance.

        >>> settings = Settings((1, 2, 8), (1.0,), 3, ("unit",), 20, 0.9)
        >>> settings.components_up_to(3)
        [1, 2, 3]
        """
        return sorted({min(m, rank) for m in self.n_components}) if rank else []


@dataclass(frozen=True)
class Score:
    """What is stored by itself: one method at one of its settings, on so many components.

    The settings are those of a configuration with the axes of the method narrowed to one value
    each.
    """

    size: Size
    method: str
    settings: Settings

    @property
    def name(self) -> str:
        """Short name such as ``2 linear_svm scaling=unit C=1.0``."""
        values = (_single(getattr(self.settings, axis)) for axis in AXES[self.method])
        given = (f"{axis}={value}" for axis, value in zip(AXES[self.method], values, strict=True))
        return " ".join([str(self.size), self.method, *given])


def scores_of(methods: Sequence[str], sizes: Sequence[Size], settings: Settings) -> Iterator[Score]:
    """Yield every score of a representation, by size, then method, then its settings.

    >>> settings = Settings((1, 2), (1.0, 10.0), 3, ("unit",), 20, 0.9)
    >>> [score.name for score in scores_of(["kmeans", "rbf_svm"], ["all"], settings)]
    ['all kmeans kmeans_starts=20', 'all rbf_svm C=1.0', 'all rbf_svm C=10.0']
    """
    for size, method in itertools.product(sizes, methods):
        listed = [_listed(getattr(settings, axis)) for axis in AXES[method]]
        for values in itertools.product(*listed):
            narrowed = dict(zip(AXES[method], values, strict=True))
            yield Score(size, method, replace(settings, **narrowed))


def _listed(value: Any) -> list[Any]:
    return [(one,) for one in value] if isinstance(value, tuple) else [value]


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value
