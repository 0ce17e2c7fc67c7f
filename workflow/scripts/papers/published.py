"""The published numbers of a paper, as its `published.csv` lists them."""

import pandas as pd

COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]  # of a table of ours


def printed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per number, of rows that hold several numbers as the paper prints them.

    >>> printed(pd.DataFrame({"cell": ["d=1 m={32 64}", "d=2"], "published": ["9.6 8.8", None]}))
           cell  published
    0  d=1 m=32        9.6
    1  d=1 m=64        8.8
    2       d=2        NaN
    """
    parts = rows["cell"].str.extract(r"^([^{]*)\{?([^}]*)\}?(.*)$").to_numpy()
    cells = [
        [first + word + last for word in words.split() or [""]] for first, words, last in parts
    ]
    values = rows["published"].astype(str).str.split()
    listed = rows.assign(cell=pd.Series(cells, index=rows.index), published=values)
    return listed.explode(["cell", "published"], ignore_index=True).astype({"published": float})
