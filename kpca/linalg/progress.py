"""A line a pass, for fits that take long, through the logger ``kpca``."""

import logging
import math
import time

logger = logging.getLogger("kpca")
QUIET = 2.0  # seconds before the first line


class Progress:
    """Tells the residual after each pass, and the time that is left at its rate of decline.

    Parameters
    ----------
    tol : float
        Residual that ends the passes.
    """

    def __init__(self, tol: float) -> None:
        self._tol, self._start = max(tol, 1e-300), time.monotonic()
        self._first: tuple[float, float] | None = None

    def after(self, number: int, residual: float) -> None:
        """Tell of a pass; silent for the first two seconds of a fit."""
        now = time.monotonic() - self._start
        if now >= QUIET:
            left = self._left(now, residual)
            logger.info("pass %d: residual %.1e after %.0f s%s", number, residual, now, left)
        if self._first is None and 0 < residual < math.inf:
            self._first = now, residual

    def _left(self, now: float, residual: float) -> str:
        if self._first is None or not self._tol < residual < self._first[1]:
            return ""
        rate = math.log(self._first[1] / residual) / (now - self._first[0] or 1)
        return f", about {math.log(residual / self._tol) / rate:.0f} s left"
