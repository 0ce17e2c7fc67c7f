"""The columns that a model takes, by what its steps do with them, and the way back to them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import compress
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
    columns = list(columns)
    positions = list(range(len(columns)))  # of the columns that a step takes
    for step in steps:
        kind, taken = type(step).__name__, [columns[position] for position in positions]
        encodes, divides = hasattr(step, "categories_"), kind == "ColumnTransformer"
        if step == "drop":
            taken = [replace(column, used=False) for column in taken]
        elif kind == "SimpleImputer":
            filled = {"may_be_missing": True, "missing": step.missing_values}
            taken = [replace(column, **filled) for column in taken]
        elif kind == "FunctionTransformer" and step.func is np.log:
            taken = [replace(column, positive=True) for column in taken]
        elif divides:
            taken = _divided(step, taken)
        elif encodes:
            pairs = zip(taken, step.categories_, strict=False)  # indicators stand at the end
            taken = [_encoded(column, step, values.tolist()) for column, values in pairs]
        for position, column in zip(positions, taken, strict=False):
            columns[position] = column
        if encodes or divides:
            break
        if kind == "SimpleImputer" and not step.keep_empty_features:  # these are left out by it
            filled_in = [not is_missing(value) for value in step.statistics_]
            positions = list(compress(positions, filled_in))
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
    columns_after = [replace(column, used=False) for column in columns]
    for name, branch, _ in step.transformers_:
        positions = step._transformer_to_input_indices[name]
        followed = _followed(flat(branch), [columns[position] for position in positions])
        for position, column in zip(positions, followed, strict=True):
            other = columns_after[position]
            if column.used and other.used:
                refusing = column if not column.may_be_missing else other
                coded = column if other.kind != CATEGORY else other
                missing = {"may_be_missing": refusing.may_be_missing, "missing": refusing.missing}
                column = replace(coded, **missing)
            columns_after[position] = column if column.used else other
    return columns_after


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
        filled = np.array([not is_missing(value) for value in step.statistics_])
        passed = np.flatnonzero(filled | step.keep_empty_features)
        rows[:, passed] = P[:, : len(passed)]
        return rows
    if kind == "ColumnTransformer":
        for name, branch, _ in step.transformers_:
            positions = step._transformer_to_input_indices[name]
            if branch == "drop" or not len(positions):
                continue
            weight = (step.transformer_weights or {}).get(name, 1.0)
            back = undo(flat(branch), P[:, step.output_indices_[name]] / weight)
            rows[:, positions] = np.where(np.isnan(back), rows[:, positions], back)
        return rows
    if hasattr(step, "inverse_transform"):
        return np.asarray(step.inverse_transform(P))
    raise ValueError(f"what {kind} does cannot be undone")
