"""Published tables, compared with our numbers. A cell is one number of a published table."""

from typing import Any

import pandas as pd

# Columns of a table that compares published numbers with ours.
COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]


def with_ours(published: pd.DataFrame, ours: Any, low: Any, high: Any) -> pd.DataFrame:
    """Return published numbers with ours, and whether they are inside our intervals."""
    table = published.assign(ours=ours, low=low, high=high).fillna({"note": ""})
    return table.assign(inside=table["published"].between(table["low"], table["high"]))[COLUMNS]
