"""Code that several scripts share; `pipeline.answer` is for notebooks."""

from importlib import import_module
from typing import Any

# Read by `pipeline.fingerprint`: an import inside the function would put all that a notebook needs
# into the keys of scores.
_EXPORTS = {"answer": "pipeline.notebook"}


def __getattr__(name: str) -> Any:
    """Import `answer` on use: the Snakefile imports this package at every start."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)
