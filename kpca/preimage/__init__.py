"""Pre-images: from scores back to the input space, one method a file."""

from importlib import import_module
from types import ModuleType
from typing import Any

from kpca.preimage.base import PreImages, PreImageWarning
from kpca.types import Array, Matrix

__all__ = ["LEARNED", "METHODS", "PreImageWarning", "PreImages", "learn", "method"]

# Imported on use. ``find(model, Z, start)`` of each gives pre-images of scores Z; an iteration
# begins at `start`, or at training points.
METHODS = {
    "ridge": "kpca.preimage.ridge",
    "fixed_point": "kpca.preimage.fixed_point",
    "mds": "kpca.preimage.mds",
}
LEARNED = "ridge"  # the only one that is there only where ``fit_inverse_transform=True``


def method(name: str) -> ModuleType:
    """Look a method up by name.

    Raises
    ------
    ValueError
        If there is no such method; the message lists those that there are.
    """
    if name not in METHODS:
        raise ValueError(f"preimage must be one of {sorted(METHODS)}, got {name!r}.")
    return import_module(METHODS[name])


def learn(model: Any, X: Matrix, scores: Array) -> None:
    """Learn what the method of a model needs of its training points, into its attributes."""
    if model.preimage == LEARNED:
        method(LEARNED).fit(model, X, scores)
