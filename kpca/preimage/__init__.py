"""Pre-images: from scores back to the input space, one method a file."""

from importlib import import_module
from typing import cast

from kpca.preimage.base import PreImage, PreImages, PreImageWarning

__all__ = ["METHODS", "PreImage", "PreImageWarning", "PreImages", "method"]

# Imported on use. Each module offers the functions of `PreImage`.
METHODS = {
    "ridge": "kpca.preimage.ridge",
    "fixed_point": "kpca.preimage.fixed_point",
    "mds": "kpca.preimage.mds",
}


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
