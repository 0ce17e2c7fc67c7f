"""The columns that a model takes, what their cells may be, and the way back to them."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from kpca.reading.text import MISSING, number
from kpca.types import Array, Floats

REFUSED = object()  # stands for the value of missing cells where the model fills in none


@dataclass(frozen=True)
class Column:
    """A column that a model takes."""

    name: str  # empty if the model was fitted without names
    used: bool = True
    missing: Any = REFUSED  # what a missing cell becomes
    categories: tuple[Any, ...] | None = None  # of a column that is encoded
    closed: bool = False  # whether another category is an error
    positive: bool = False  # whether its logarithm is taken

    @cached_property
    def known(self) -> dict[str, Any]:
        """The categories by their text."""
        return {str(category): category for category in self.categories or ()}

    def knows(self, value: Any) -> bool:
        """Return whether a value is missing, a number of a numeric column or a known category."""
        known = (*(self.categories or ()), self.missing)
        return self.categories is None or is_missing(value) or value in known

    @cached_property
    def is_text(self) -> bool:
        """Whether its cells are text to the model."""
        return any(isinstance(category, str) for category in self.categories or ())

    def numbers(self, cells: Sequence[Any]) -> Array | None:
        """Read all cells at once where they are nothing but numbers; None if they are not."""
        if self.categories is None and self.used and "_" not in "".join(map(str, cells)):
            with suppress(TypeError, ValueError):
                found = np.array([float(cell) for cell in cells])
                if np.isfinite(found).all() and (found.min(initial=1) > 0 or not self.positive):
                    return found
        return None

    def value(self, cell: Any, decimal_comma: bool) -> Any:
        """Read a cell.

        Raises
        ------
        ValueError
            For what the model does not take.
        """
        if not self.used:
            return np.nan
        whole = isinstance(cell, float) and cell.is_integer()  # of a data frame: 3.0 is "3"
        text = str(int(cell) if whole else cell)
        for each in (text, text.strip()):
            if each in self.known:
                return self.known[each]
        if text.strip().casefold() in MISSING:
            if self.missing is REFUSED:
                raise ValueError("empty, and the model fills in no missing value here")
            return self.missing
        value = text if self.is_text else number(cell, decimal_comma)
        if value is None:
            raise ValueError(f"{text!r} is not a finite number")
        if self.positive and float(value) <= 0:
            raise ValueError(f"{text!r} is not positive, and the model takes its logarithm")
        if self.closed and value not in self.known.values():
            listed = shortlist(map(repr, self.known))
            raise ValueError(f"{text!r} is none of the categories {listed}")
        return value


def flat(model: Any) -> list[Any]:
    """Return the steps of a model one after the other, without pipelines and what does nothing."""
    if hasattr(model, "steps"):
        return [step for _, inner in model.steps for step in flat(inner)]
    return [] if model is None or model == "passthrough" else [model]


def columns_of(steps: Sequence[Any]) -> list[Column]:
    """Return the columns that fitted steps take, by what becomes of them."""
    names = getattr(steps[0], "feature_names_in_", [""] * steps[0].n_features_in_)
    return _followed(steps, [Column(str(name)) for name in names])


def _followed(steps: Iterable[Any], columns: list[Column]) -> list[Column]:
    """Follow columns through steps, to the one that encodes or divides them."""
    columns, places = list(columns), list(range(len(columns)))
    for step in steps:
        kind, here = type(step).__name__, [columns[place] for place in places]
        if step == "drop":
            here = [replace(column, used=False) for column in here]
        elif kind == "SimpleImputer":
            here = [replace(column, missing=step.missing_values) for column in here]
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


def _encoded(column: Column, encoder: Any, found: list[Any]) -> Column:
    empty = [category for category in found if is_missing(category)]
    missing = empty[0] if empty and column.missing is REFUSED else column.missing
    categories = tuple(category for category in found if not is_missing(category))
    closed = encoder.handle_unknown == "error"
    return replace(column, missing=missing, categories=categories, closed=closed)


def _divided(step: Any, columns: list[Column]) -> list[Column]:
    """Follow each column into its branch; in several, what one of them refuses is refused."""
    found = [replace(column, used=False) for column in columns]
    for name, branch, _ in step.transformers_:
        places = step._transformer_to_input_indices[name]
        ended = _followed(flat(branch), [columns[place] for place in places])
        for place, column in zip(places, ended, strict=True):
            other = found[place]
            if column.used and other.used:
                refusing = column if column.missing is REFUSED else other
                known = column if other.categories is None else other
                column = replace(known, missing=refusing.missing)
            found[place] = column if column.used else other
    return found


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None or NaN."""
    return value is None or value != value


def shortlist(texts: Iterable[str], limit: int = 8) -> str:
    """Join the first texts with commas, and count the rest."""
    shown = list(texts)
    more = f" and {len(shown) - limit} more" if len(shown) > limit else ""
    return ", ".join(shown[:limit]) + more


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
