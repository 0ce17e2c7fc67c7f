"""The columns that a model takes, by what its steps do with them, and the way back to them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from kpca.reading.columns import CATEGORY, Column, ColumnReader
from kpca.types import Floats


def flat(model: Any) -> list[Any]:
    """Return the steps of a model one after the other, without pipelines and what does nothing."""
    if hasattr(model, "steps"):
        return [step for _, inner in model.steps for step in flat(inner)]
    return [] if model is None or model == "passthrough" else [model]


def take_reader(model: Any) -> ColumnReader | None:
    """Return the step of a model that reads cells, if it has one, and take it out of the model."""
    for position, (name, step) in enumerate(getattr(model, "steps", ())):
        if isinstance(step, ColumnReader):
            model.steps[position] = (name, "passthrough")
            return step
        if reader := take_reader(step):
            return reader
    return None


def columns_of(steps: Sequence[Any]) -> list[Column]:
    """Return the columns that fitted steps take, by what becomes of them."""
    numbers = range(1, steps[0].n_features_in_ + 1)
    names = getattr(steps[0], "feature_names_in_", numbers)
    return _followed(steps, [Column(str(name)) for name in names])


def _followed(steps: Iterable[Any], columns: list[Column]) -> list[Column]:
    """Follow columns through steps, to the one that encodes or divides them."""
    columns, places = list(columns), list(range(len(columns)))
    for step in steps:
        kind, here = type(step).__name__, [columns[place] for place in places]
        if step == "drop":
            here = [replace(column, used=False) for column in here]
        elif kind == "SimpleImputer":
            filled = {"may_be_missing": True, "missing": step.missing_values}
            here = [replace(column, **filled) for column in here]
        elif kind == "FunctionTransformer":
            log = step.func is np.log
            here = [replace(column, positive=column.positive or log) for column in here]
        elif kind == "ColumnTransformer":
            here = _divided(step, here)
        elif hasattr(step, "categories_"):
            pairs = zip(here, step.categories_, strict=False)  # indicators stand at the end
            here = [_encoded(column, step, found.tolist()) for column, found in pairs]
        for place, column in zip(places, here, strict=False):
            columns[place] = column
        if kind == "ColumnTransformer" or hasattr(step, "categories_"):
            break
        if kind == "SimpleImputer" and not step.keep_empty_features:  # these are left out by it
            empty = [is_missing(value) for value in step.statistics_]
            places = [place for place, gone in zip(places, empty, strict=True) if not gone]
    return columns


def _encoded(column: Column, encoder: Any, values: list[Any]) -> Column:
    empty = [value for value in values if is_missing(value)]
    if empty and not column.may_be_missing:
        column = replace(column, may_be_missing=True, missing=empty[0])
    return replace(
        column,
        kind=CATEGORY,
        values=tuple(value for value in values if not is_missing(value)),
        closed=encoder.handle_unknown == "error",
    )


def _divided(step: Any, columns: list[Column]) -> list[Column]:
    """Follow each column into its branch; in several, what one of them refuses is refused."""
    found = [replace(column, used=False) for column in columns]
    for name, branch, _ in step.transformers_:
        places = step._transformer_to_input_indices[name]
        ended = _followed(flat(branch), [columns[place] for place in places])
        for place, column in zip(places, ended, strict=True):
            other = found[place]
            if column.used and other.used:
                refusing = column if not column.may_be_missing else other
                coded = column if other.kind != CATEGORY else other
                missing = {"may_be_missing": refusing.may_be_missing, "missing": refusing.missing}
                column = replace(coded, **missing)
            found[place] = column if column.used else other
    return found


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None or NaN."""
    return value is None or value != value


def undo(steps: Sequence[Any], P: Floats) -> Floats:
    """Take rows back through fitted steps: NaN in columns that cannot be had back.

    Raises
    ------
    ValueError
        For a step that cannot be undone.
    """
    return reduce(_undone, reversed(steps), P)


def _undone(P: Floats, step: Any) -> Floats:
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
