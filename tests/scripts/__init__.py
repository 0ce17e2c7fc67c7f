"""What tests of several studies share."""

from itertools import product

import pandas as pd


def crossed(names, *axes, **columns):
    """Return a table of every combination of some values, with further columns."""
    return pd.DataFrame(product(*axes), columns=names.split()).assign(**columns)
