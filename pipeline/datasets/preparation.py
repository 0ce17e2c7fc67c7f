"""Preparation of rows before a kernel is applied, as scikit-learn's transformers."""

import numpy as np
import pandas as pd
from sklearn.base import TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from pipeline.datasets.dataset import Dataset, FloatArray, IntArray


def preparation(dataset: Dataset) -> list[TransformerMixin]:
    """Return the unfitted steps that turn rows of `raw_rows` into what a kernel takes.

    Medians in place of missing numbers, logarithms, a column of 0 and 1 for each category, mean 0
    and variance 1: each where the dataset asks for it, and all fitted to training rows. A missing
    category is one of its own; one that no training row has gives zeros.
    """
    # A column without any number in the training rows becomes zeros, and stays a column.
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    steps: list[TransformerMixin] = []
    if dataset.categories or dataset.log:
        names = dataset.feature_names
        numbers = [name for name in names if name not in {*dataset.categories, *dataset.log}]
        log = FunctionTransformer(np.log, np.exp, feature_names_out="one-to-one")
        dummies = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        columns = [
            ("numbers", fill if dataset.fill_missing else "passthrough", numbers),
            ("log", make_pipeline(fill, log) if dataset.fill_missing else log, dataset.log),
            ("categories", dummies, [name for name in names if name in dataset.categories]),
        ]
        steps.append(ColumnTransformer([(n, step, [*of]) for n, step, of in columns if of]))
    elif dataset.fill_missing:
        steps.append(fill)
    return [*steps, StandardScaler()] if dataset.standardize else steps


def raw_rows(dataset: Dataset) -> pd.DataFrame:
    """Return the rows as they were read, one named column per feature, categories as text."""
    rows = pd.DataFrame(dataset.X, columns=list(dataset.feature_names))
    for name, categories in dataset.categories.items():
        # NaN, whose code no category has, stays NaN.
        rows[name] = rows[name].astype(object).map(dict(enumerate(categories)))
    return rows


def prepared(dataset: Dataset, train: IntArray, test: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return training and test rows as a kernel takes them, fitted to the training rows alone."""
    rows, steps = raw_rows(dataset), make_pipeline(*preparation(dataset))
    X_train = steps.fit_transform(rows.iloc[train])
    # Transformers refuse no rows at all.
    X_test = steps.transform(rows.iloc[test]) if len(test) else X_train[:0]
    # One row after the other in memory, as in every split.
    return np.ascontiguousarray(X_train), np.ascontiguousarray(X_test)


def prepared_names(dataset: Dataset, train: IntArray) -> list[str]:
    """Return the names of the columns that `Dataset.split` gives, such as ``colour_red``."""
    if not dataset.categories and not dataset.log:
        return list(dataset.feature_names)
    steps = make_pipeline(*preparation(dataset)).fit(raw_rows(dataset).iloc[train])
    # Behind the name of the transformer: numbers__width.
    return [name.partition("__")[2] for name in steps.get_feature_names_out()]
