"""Predict held-out rows by a model that was selected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeline.datasets.dataset import Split
from pipeline.evaluation.embeddings import pca, training_scores
from pipeline.evaluation.evaluate import truth_of
from pipeline.evaluation.predictors import TRAINERS, Options
from pipeline.evaluation.settings import Settings
from pipeline.fitted_models import stored_model
from pipeline.store import Arrays


class Predictions(NamedTuple):
    """What a model says of the test rows of a split.

    Attributes
    ----------
    truth, predicted : ndarray of shape (n_test,)
        Class numbers, or targets.
    decision : ndarray of shape (n_test,) or None
        Decision values of the second of two classes.
    """

    truth: np.ndarray
    predicted: np.ndarray
    decision: np.ndarray | None

    def rows(self, some: slice) -> Predictions:
        """Return the predictions of some of the rows."""
        decision = None if self.decision is None else self.decision[some]
        return Predictions(self.truth[some], self.predicted[some], decision)


def predictions(
    split: Split, setting: Mapping[Any, Any], fit: Arrays | None, settings: Settings, seed: int
) -> Predictions:
    """Train as a row of the table of selections says, and predict the test rows.

    Parameters
    ----------
    split : Split
    setting : mapping
        Row of the table.
    fit : dict of str to ndarray or None
        The stored fit of a kernel PCA; None for PCA and raw features.
    settings : Settings
    seed : int
        Of the random forest.
    """
    m = int(setting["n_components"])
    if setting["kernel"] == "raw":
        Z_train, Z_test = split.X_train, split.X_test
    elif setting["kernel"] == "pca":
        Z_train, Z_test = pca(split, settings)[m]
    else:
        assert fit is not None
        model = stored_model(fit, split)
        Z_train, Z_test = training_scores(model)[:, :m], model.transform(split.X_test)[:, :m]
    truth_train, truth = truth_of(split)
    assert truth_train is not None
    assert truth is not None
    name = str(setting["method"]).removesuffix("_whitened")
    scaling = "unit" if name == setting["method"] else "whiten"
    options = Options(setting["C"], scaling, settings.class_weight, setting["gamma"], seed)
    trained = TRAINERS[name](Z_train, truth_train, options)
    decision = trained.score(Z_test) if trained.score else None
    return Predictions(truth, trained.predict(Z_test), decision)
