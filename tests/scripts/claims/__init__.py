"""The statements that the topics measure, and what their rules say of cases."""

from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pandas as pd

from workflow.scripts.claims import claim

STATEMENTS = pd.read_csv(Path(claim.__file__).with_name("statements.csv"))


def measured_with(topic: ModuleType, **constants: Any) -> dict[str, pd.DataFrame]:
    """Return the tables of a topic, with other constants than its own."""
    with mock.patch.multiple(topic, **constants):
        return topic.measure(seed=0)


def verdicts(cases: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return the verdict on every claim and case."""
    table = claim.judged(STATEMENTS, cases)
    return dict(zip(zip(table["claim"], table["case"], strict=True), table["verdict"], strict=True))
