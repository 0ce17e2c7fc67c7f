"""The statements that the topics judge, as their rules read them."""

from pathlib import Path

import pandas as pd

from workflow.scripts.claims import claim

STATEMENTS = pd.read_csv(Path(claim.__file__).with_name("statements.csv"))
