"""Warnings that point at the line that called this package, however deep they arise."""

import sys
import threading
import warnings
from typing import Any

# What may stand between a warning and the line that it is for: this package, those through which
# its methods are called, and what runs a thread.
BETWEEN = {"kpca", "sklearn", "joblib", "concurrent", "threading", "functools"}

Place = tuple[str, int, str, Any]  # file, line, module, what was warned about there

_own = threading.local()


def caller() -> Place:
    """Give the innermost line outside of `BETWEEN`, of the thread that started this one if need be.

    `warnings.warn` counts frames instead, and their number depends on the way into the package.
    """
    frame = sys._getframe(1)
    while str(frame.f_globals.get("__name__")).partition(".")[0] in BETWEEN:
        if frame.f_back is None:
            if hasattr(_own, "place"):
                return _own.place
            break
        frame = frame.f_back
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    return frame.f_code.co_filename, frame.f_lineno, str(names.get("__name__")), registry


def work_for(place: Place) -> None:
    """Say in a thread of our own for which line it works."""
    _own.place = place


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called this package."""
    file, line, module, registry = caller()
    warnings.warn_explicit(message, category, file, line, module, registry)
