"""How representations are evaluated: the `evaluation` section of the configuration.

Imported while the Snakefile is parsed, hence the standard library only.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

COLUMNS = ("n_components", "method", "C", "metric", "split", "value", "error")
"""Of the scores of a representation, as they are stored."""

AXES: dict[str, tuple[str, ...]] = {
    "linear_svm": ("scaling", "C", "class_weight"),
    "rbf_svm": ("C", "class_weight"),
    "logistic_regression": ("C", "class_weight"),
    "random_forest": ("class_weight",),
    "most_frequent": (),
    "kmeans": ("kmeans_starts",),
    "spectral": ("kmeans_starts",),
    "least_squares": (),
    "ridge": (),
    "svr": ("C",),
    "random_forest_regressor": (),
    "mean": (),
    "neighbourhoods": (),
}
"""What each method of `pipeline.evaluation.downstream` reads of the settings."""

TASKS = {
    "classification": ("linear_svm", "kmeans"),
    "regression": ("least_squares", "neighbourhoods"),
    "none": ("neighbourhoods",),
}
"""The methods that follow a representation, by what can be scored."""

BASELINES = {
    "classification": ("logistic_regression", "random_forest", "most_frequent"),
    "regression": ("ridge", "random_forest_regressor", "mean"),
    "none": (),
}
"""The methods that raw features get besides those of `TASKS`."""

GAUSSIAN = {"classification": ("rbf_svm", "spectral"), "regression": ("svr",), "none": ()}
"""The methods on raw features with a Gaussian kernel of their own."""

CHANCE = {"classification": "most_frequent", "regression": "mean"}
"""The methods that do not look at the features."""


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
        """Build from the configuration, lists in ascending order."""
        lists = {
            "n_components": tuple(sorted(section["n_components"])),
            "C": tuple(sorted(float(c) for c in section["C"])),
            "scaling": tuple(section["scaling"]),
            "class_weight": None if section.get("class_weight") == "none" else "balanced",
        }
        return cls(**(section | lists))

    def at_most(self, most: int) -> Self:
        """Return settings that ask for so many components at most.

        >>> Settings((1, 2, 8), (1.0,), 3, ("unit",), 20, 0.9).at_most(3).n_components
        (1, 2, 3)
        """
        return replace(self, n_components=tuple(sorted({min(m, most) for m in self.n_components})))

    def first_scaling(self) -> Self:
        """Return settings with the first scaling alone, by which a kernel is chosen."""
        return replace(self, scaling=self.scaling[:1])

    def components_up_to(self, rank: int) -> list[int]:
        """Return the numbers of components to try where only ``rank`` carry variance.

        >>> settings = Settings((1, 2, 8), (1.0,), 3, ("unit",), 20, 0.9)
        >>> settings.components_up_to(3)
        [1, 2, 3]
        """
        return sorted({min(m, rank) for m in self.n_components}) if rank else []


def main_method(task: str, settings: Settings) -> str:
    """Return the method, as tables call it, by which a kernel is chosen."""
    method = TASKS[task][0]
    return "embedding" if task == "none" else table_name(method, settings.scaling[0])


def table_name(method: str, scaling: str) -> str:
    """Return what tables call a method at a scaling of the features.

    >>> table_name("linear_svm", "whiten"), table_name("ridge", "unit")
    ('linear_svm_whitened', 'ridge')
    """
    return f"{method}_whitened" if method == "linear_svm" and scaling == "whiten" else method
