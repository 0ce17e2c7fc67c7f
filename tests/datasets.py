"""Datasets of given rows, for tests of what is made of them."""

import numpy as np

from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.splits import split_rows


def dataset_of(X, replicates=2, **fields):
    """Return rows in random splits, stratified by class; letters are the names of columns."""
    y = fields.get("y", np.zeros(len(X), dtype=int))
    splits = tuple(split_rows(np.random.default_rng(i), y, 0.3) for i in range(replicates))
    usual = {"name": "mine", "feature_names": tuple("abcdefgh"[: X.shape[1]]), "standardize": True}
    return Dataset(X=X, splits=splits, **(usual | fields))
