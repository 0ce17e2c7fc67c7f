"""Gather the scores of a dataset, select settings, compare them, and predict held-out rows."""

from typing import Any

from kpca.study.stages import Tables, evidence
from workflow.job import script


@script
def tables_of_dataset(**given: Any) -> Tables:
    """Return every table of `evidence` by name, for the arguments of `evidence`."""
    return evidence(**given)
