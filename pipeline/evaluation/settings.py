"""How representations are evaluated: the `evaluation` section of the configuration."""

from dataclasses import dataclass, replace
from typing import Any, Self


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
