"""From what a model's components see back to the columns of the file."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kpca.command.columns import flat, is_missing
from kpca.types import Floats


def undo(steps: Sequence[Any], P: Floats) -> Floats:
    """Take rows back through fitted steps: NaN in columns that cannot be had back.

    Raises
    ------
    ValueError
        For a step that cannot be undone.
    """
    for step in reversed(steps):
        P = _undone(step, P)
    return P


def _undone(step: Any, P: Floats) -> Floats:
    kind = type(step).__name__
    if kind == "FunctionTransformer":  # of "passthrough", or log
        return np.asarray(step.inverse_transform(P))
    rows = np.full((len(P), step.n_features_in_), np.nan)
    if hasattr(step, "categories_"):  # numbers between codes are no category
        return rows
    if kind == "SimpleImputer":  # what it filled in stays; its indicators stand at the end
        empty = np.array([is_missing(value) for value in step.statistics_])
        kept = np.flatnonzero(~empty | step.keep_empty_features)
        rows[:, kept] = P[:, : len(kept)]
        return rows
    if kind == "ColumnTransformer":
        for name, branch, _ in step.transformers_:
            places, found = step._transformer_to_input_indices[name], step.output_indices_[name]
            if branch == "drop" or not len(places):
                continue
            part = P[:, found] / (step.transformer_weights or {}).get(name, 1.0)
            back = undo(flat(branch), part)
            rows[:, places] = np.where(np.isnan(back), rows[:, places], back)
        return rows
    if hasattr(step, "inverse_transform"):
        return np.asarray(step.inverse_transform(P))
    raise ValueError(f"what {kind} does cannot be undone")
