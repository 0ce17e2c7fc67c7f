"""Rows of the table of scores, for tests of what is read off it."""

import numpy as np
import pandas as pd

from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.scores import SCORE_COLUMNS


def score(value, **changes):
    """Return one row: a test score of the linear SVM after two Gaussian components of rings."""
    row = dict.fromkeys(SCORE_COLUMNS, np.nan) | {"split": "test", "value": value}
    row |= {"dataset": "rings", "replicate": 0, "kernel": "rbf", "cell": "rbf-median1"}
    row |= {"n_components": 2, "method": "linear_svm", "C": 1.0}
    return row | {"metric": METHODS[changes.get("method", "linear_svm")].metric} | changes


def setting(cv, test=0.5, **values):
    """Return the validation and test score of one setting."""
    values = {"kernel": "rbf", "gamma": 1.0} | values
    values.setdefault("cell", f"{values['kernel']}-{values['gamma']}")
    return [score(cv, split="cv", **values), score(test, **values)]


def table(*settings):
    """Return the rows of all settings."""
    return pd.DataFrame([row for rows in settings for row in rows])
