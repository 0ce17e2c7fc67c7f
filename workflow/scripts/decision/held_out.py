"""Predict the held-out rows by what was selected: comparisons, a ranking, and other metrics."""

from typing import Any

from kpca.study.decision.stages import Tables, judged_tables
from workflow.job import script


@script
def held_out(**given: Any) -> Tables:
    """Return every table by name, of what `judged_tables` takes."""
    return judged_tables(**given)
