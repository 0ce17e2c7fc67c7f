"""The study as plain functions: grid, datasets, fits, scores, evidence and decisions.

The study needs more packages than the core: ``pip install "kpca[study]"``.
"""

from importlib import import_module
from typing import Any

_EXPORTS = {
    "answer": "kpca.study.notebook",
    "compare_scores": "kpca.study.evidence.statistics",
    "draw_monitoring": "kpca.study.monitoring.chart",
}


def __getattr__(name: str) -> Any:
    """Import the function ``name`` on use, because every start of Snakemake imports this module."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)
