"""The statements that the topics measure, and what their rules say of cases."""

from pathlib import Path

import pandas as pd

from workflow.scripts.claims import claim

STATEMENTS = pd.read_csv(Path(claim.__file__).with_name("statements.csv"))


def verdicts(cases: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return the verdict on every claim and case."""
    table = claim.judged(STATEMENTS, cases)
    return dict(zip(zip(table["claim"], table["case"], strict=True), table["verdict"], strict=True))
