"""Published tables and ours."""

from typing import Any

import pandas as pd

# Of a table of ours.
COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]


def with_ours(published: pd.DataFrame, ours: Any, low: Any, high: Any) -> pd.DataFrame:
    """Return published cells with our numbers, and whether our intervals hold what is printed."""
    table = published.assign(ours=ours, low=low, high=high).fillna({"note": ""})
    return table.assign(inside=table["published"].between(table["low"], table["high"]))[COLUMNS]
