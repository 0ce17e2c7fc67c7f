"""Warnings that point at the line that called this package, however deep they arise."""

import sys
import warnings

# Packages whose frames lie between a warning and the line of the caller.
BETWEEN = {"kpca", "sklearn", "joblib", "functools"}


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost line outside of `BETWEEN`.

    `warnings.warn` counts frames instead, and their number depends on the way into the package.
    """
    frame = sys._getframe(1)
    while str(frame.f_globals.get("__name__")).partition(".")[0] in BETWEEN and frame.f_back:
        frame = frame.f_back
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    location = (frame.f_code.co_filename, frame.f_lineno, str(names.get("__name__")), registry)
    warnings.warn_explicit(message, category, *location)
