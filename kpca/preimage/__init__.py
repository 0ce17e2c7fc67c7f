"""Pre-images: from scores back to the input space, one method a file."""

from importlib import import_module
from typing import Any, Protocol, cast

from kpca.types import Array, Matrix

# Imported on use. Each module offers the functions of `PreImage`.
METHODS = {"ridge": "kpca.preimage.ridge"}


class PreImage(Protocol):
    """What a method offers, as functions of a fitted model.

    Attributes
    ----------
    NEEDS_FIT : bool
        Whether the method is available only where ``fit_inverse_transform=True``.
    """

    NEEDS_FIT: bool

    def fit(self, model: Any, X: Matrix, scores: Array) -> None:
        """Learn what the method needs, into attributes of the model."""

    def inverse(self, model: Any, Z: Array) -> Array:
        """Points of the input space for scores Z."""

    def denoise(self, model: Any, X: Matrix) -> Array:
        """Points of the input space for the projections of the points X."""


def method(name: str) -> PreImage:
    """Look a method up by name.

    Raises
    ------
    ValueError
        If there is no such method; the message lists those that there are.
    """
    if name not in METHODS:
        raise ValueError(f"preimage must be one of {sorted(METHODS)}, got {name!r}.")
    return cast(PreImage, import_module(METHODS[name]))
