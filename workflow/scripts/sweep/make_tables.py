"""Gather the scores, and select."""

from typing import Any

from kpca.study.decision.stages import Tables, selected_tables
from workflow.job import script


@script
def make_tables(**given: Any) -> Tables:
    """Return every table by name, of what `selected_tables` takes."""
    return selected_tables(**given)
