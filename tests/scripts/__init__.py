"""What tests of several studies share."""

from itertools import product
from typing import Any

import pandas as pd


def crossed(names: str, *axes: Any, **columns: Any) -> pd.DataFrame:
    """Return a table of every combination of some values, with further columns."""
    return pd.DataFrame(product(*axes), columns=names.split()).assign(**columns)
