"""Datasets: synthetic, scikit-learn's, the user's own, OpenML's.

Names are imported when they are first used: the Snakefile imports this package, and a dry run
should not pay for NumPy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.datasets.dataset import Dataset, Split, describe, load_dataset
    from pipeline.datasets.make import check_dataset, make_dataset

__all__ = ["Dataset", "Split", "check_dataset", "describe", "load_dataset", "make_dataset"]

_HOMES = {
    "Dataset": "dataset",
    "Split": "dataset",
    "check_dataset": "make",
    "describe": "dataset",
    "load_dataset": "dataset",
    "make_dataset": "make",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
