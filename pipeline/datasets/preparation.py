"""What is done to rows before a kernel sees them, as scikit-learn's transformers."""

import pandas as pd
from sklearn.base import TransformerMixin
from sklearn.preprocessing import StandardScaler

from pipeline.datasets.dataset import Dataset


def preparation(dataset: Dataset) -> list[TransformerMixin]:
    """Return the unfitted steps that turn rows of `raw_rows` into what a kernel takes."""
    return [StandardScaler()] if dataset.standardize else []


def raw_rows(dataset: Dataset) -> pd.DataFrame:
    """Return the rows as they were read, one named column a feature."""
    return pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
