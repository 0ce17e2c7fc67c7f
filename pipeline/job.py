"""What surrounds a job: its log, and errors that a person can read."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.errors import InputError


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[logging.Logger]:
    """Log to the rule's log file; end on bad input with a message and no traceback.

    Examples
    --------
    The tail of a script::

        if __name__ == "__main__":
            with job(snakemake) as log:
                main(...)
    """
    path = Path(str(snakemake.log[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(path, mode="w")
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logging.captureWarnings(True)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    log = logging.getLogger(str(snakemake.rule))
    try:
        yield log
    except InputError as error:
        log.error("%s", error)
        sys.exit(f"error: {error}")
    except Exception:
        log.exception("%s failed", snakemake.rule)
        raise
