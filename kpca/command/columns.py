"""Find from a model's steps which columns it takes, and transform rows back to these columns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, reduce
from typing import Any

import numpy as np

from kpca.reading.columns import CATEGORY, Column, ColumnReader
from kpca.types import Array, Floats


def flat(model: Any) -> list[Any]:
    """Return the steps of a model in order, with nested pipelines flattened and no-ops removed."""
    if hasattr(model, "steps"):
        return [step for _, inner in model.steps for step in flat(inner)]
    return [] if model is None or model == "passthrough" else [model]


def take_reader(model: Any) -> ColumnReader | None:
    """If the first step of a model reads cells, remove and return it; otherwise return None."""
    if not getattr(model, "steps", None):
        return None
    name, first = model.steps[0]
    if isinstance(first, ColumnReader):
        model.steps[0] = (name, "passthrough")
        return first
    return take_reader(first)


def columns_of(steps: Sequence[Any]) -> list[Column]:
    """Return the columns that fitted steps take, with their kinds."""
    numbers = range(1, steps[0].n_features_in_ + 1)
    names = getattr(steps[0], "feature_names_in_", numbers)
    return [_followed(Column(str(name)), steps, position) for position, name in enumerate(names)]


def _followed(column: Column, steps: Sequence[Any], position: int) -> Column:
    """Return a column with the properties that `steps` give it.

    Steps after one that encodes the columns, or divides them into branches, are not followed.
    """
    for step in steps:
        kind = type(step).__name__
        if kind == "ColumnTransformer":
            return _divided(column, step, position)
        if hasattr(step, "categories_"):
            return _encoded(column, step, position)
        if kind == "FunctionTransformer" and step.func is np.log:
            column = replace(column, positive=True)
        if kind == "SimpleImputer":
            column = replace(column, may_be_missing=True, missing=step.missing_values)
            passes = _passes(step)
            if not passes[position]:
                return column
            position = int(np.count_nonzero(passes[:position]))
    return column


def _divided(column: Column, transformer: Any, position: int) -> Column:
    """Return a column with the properties that the branches of a `ColumnTransformer` give it.

    A cell is refused if at least one branch refuses it.
    """
    followed = [
        _followed(column, steps, positions.index(position))
        for _, steps, positions in _branches(transformer)
        if position in positions
    ]
    used = [column for column in followed if column.used]
    if not used:
        return replace(column, used=False)
    coded = next((column for column in used if column.kind == CATEGORY), used[0])
    return replace(
        coded,
        may_be_missing=all(column.may_be_missing for column in used),
        positive=any(column.positive for column in used),
        closed=any(column.closed for column in used),
    )


def _encoded(column: Column, encoder: Any, position: int) -> Column:
    values = encoder.categories_[position].tolist()
    empty = [value for value in values if is_missing(value)]
    if empty and not column.may_be_missing:
        column = replace(column, may_be_missing=True, missing=empty[0])
    return replace(
        column,
        kind=CATEGORY,
        values=tuple(value for value in values if not is_missing(value)),
        closed=encoder.handle_unknown == "error",
    )


def _branches(transformer: Any) -> Iterator[tuple[str, list[Any], list[int]]]:
    """Yield name, steps and column positions of each branch of a `ColumnTransformer`."""
    for name, branch, _ in transformer.transformers_:
        positions = transformer._transformer_to_input_indices[name]
        if branch != "drop" and len(positions):
            yield name, flat(branch), [*positions]


@cache
def _passes(imputer: Any) -> Array:
    """Return which columns an imputer keeps; by default it drops empty columns."""
    is_filled = np.array([not is_missing(value) for value in imputer.statistics_])
    return is_filled | imputer.keep_empty_features


def is_missing(value: Any) -> bool:
    """Return whether a value is None or NaN."""
    return value is None or value != value


def undo(steps: Sequence[Any], P: Floats) -> Floats:
    """Undo fitted steps for the rows P; columns that cannot be restored become NaN.

    Raises
    ------
    ValueError
        If a step cannot be undone.
    """
    return reduce(_undone, reversed(steps), P)


def _undone(P: Floats, step: Any) -> Floats:
    kind = type(step).__name__
    rows = np.full((len(P), step.n_features_in_), np.nan)
    if hasattr(step, "categories_"):  # A number between codes stands for no category.
        return rows
    if kind == "SimpleImputer":
        # Imputed values stay as they are. Columns that indicate missing cells come last and are
        # dropped.
        passes = _passes(step)
        rows[:, passes] = P[:, : np.count_nonzero(passes)]
        return rows
    if kind == "ColumnTransformer":
        for name, steps, positions in _branches(step):
            weight = (step.transformer_weights or {}).get(name, 1.0)
            back = undo(steps, P[:, step.output_indices_[name]] / weight)
            rows[:, positions] = np.where(np.isnan(back), rows[:, positions], back)
        return rows
    if hasattr(step, "inverse_transform"):
        return np.asarray(step.inverse_transform(P))
    raise ValueError(f"what {kind} does cannot be undone")
