"""Code that several scripts share; `pipeline.answer` is for notebooks."""

from typing import Any


def __getattr__(name: str) -> Any:
    """Import `answer` on use: the Snakefile imports this package at every start."""
    if name != "answer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pipeline.notebook import answer

    return answer
