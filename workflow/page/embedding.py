"""Plots of the rows of a dataset in the plane of two components, coloured by a column.

A plane is a pair of axes, such as the first two components of PCA (the plane "pca"). The role of a
column is what the column is used for: id, label, target or group.
"""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.evidence.faithfulness import PLANES
from kpca.study.seeds import MOST_DRAWN, evenly_spaced
from kpca.study.store import read_table
from workflow.page.html import RAMPS, rounded

MOST_COMPONENTS = 10
MOST_CLASSES = 20
FEW_NUMBERS = 6  # Integers with at most this many distinct values are drawn as classes.
RAMP = 255  # position of the largest number in the colour ramp
OTHER = "class-none"  # name of the marker for rows that have neither a class nor a number
NAMES = {plane: method for method, plane in PLANES.items()}  # plane → the method that draws it
ROLES = ("id", "label", "target", "group")


class Colours(NamedTuple):
    """Colours of rows by one column: class numbers, or positions in the colour ramp."""

    rows: list[int]  # −1 for a missing number, and for a class that is not among the `keys`
    keys: list[str]  # names of the classes
    others: int = 0  # number of classes that are not among the `keys`
    ends: tuple[float, float] | None = None  # smallest and largest number of a numeric column

    def markers(self) -> list[str]:
        """Return the name of each row's marker, which depends on its class or its number."""
        if self.ends is None:
            return [OTHER if number < 0 else f"class-{number}" for number in self.rows]
        last = len(RAMPS["light"]) - 1
        return [OTHER if p < 0 else f"number-{round(last * p / RAMP)}" for p in self.rows]


class Embedding(NamedTuple):
    """Plots of some of the rows of a dataset."""

    script_data: dict[str, Any]  # data for the script that draws the plots
    is_pca: bool  # whether the plane "view" equals the plane "pca", and is left out
    components: list[str]  # columns that can be the axes of the first plot
    colours: dict[str, Colours]
    plane: list[str]  # names of the features if there are exactly two numeric ones, else empty
    table: pd.DataFrame  # the rows that are drawn
    rows: int  # number of all rows

    @property
    def first(self) -> Colours:
        """The colours in pictures that need no script: those by the first column."""
        return next(iter(self.colours.values()), Colours([-1] * len(self.table), []))


def embedding(path: Path, roles: Mapping[str, str], first: str = "view") -> Embedding:
    """Return the plots of an embedding file, whose format docs/columns.md describes.

    ``roles`` gives the names of its columns for id, label, target and group if they differ from
    these words. ``first`` is the plane that is drawn first, and whose axes a reader can change.
    """
    named = {role: roles.get(role, role) for role in ROLES}
    texts = {named[role]: str for role in ("id", "label", "group")}
    whole = read_table(path, dtype=texts)
    table = whole.iloc[evenly_spaced(len(whole), MOST_DRAWN)].reset_index(drop=True)
    names = table.columns.tolist()
    start = names.index("component_1")
    computed = [name for name in names[start:] if name != "novelty"]
    axes, is_pca = _planes(table[computed])
    if first not in axes:
        first = "pca" if is_pca else "view"
    components = [name for name in computed if name.startswith("component_")][:MOST_COMPONENTS]
    components = [*axes.pop(first, []), *components]
    axes = {first: components[:2]} | axes
    answer = [named[role] for role in ("label", "target", "group") if named[role] in names[:start]]
    colours = {}
    for name in dict.fromkeys([*answer, *names[1:start], *({"novelty"} & {*names})]):
        palette = _colours_of(table[name], as_classes=name in texts, anyway=name in answer)
        if palette:
            colours[name] = palette
    tips = [name for name in ("row", named["id"], *answer[:1]) if name in names]
    features = [name for name in names[1:start] if name not in named.values()]
    numeric = table[features].select_dtypes("number").dropna(axis="columns")
    plane = features if len(features) == numeric.shape[1] == 2 else []
    drawn = sorted({*components, *plane, *chain.from_iterable(axes.values())})
    drawing = {
        "tips": {name: table[name].fillna("").astype(str).tolist() for name in tips},
        "columns": {name: rounded(table[name].to_numpy()) for name in drawn},
        "colours": {name: palette._asdict() for name, palette in colours.items()},
        "axes": axes,
        "names": {name: words(name) for name in drawn},
    }
    return Embedding(drawing, is_pca, components, colours, plane, table, len(whole))


def _planes(computed: pd.DataFrame) -> tuple[dict[str, list[str]], bool]:
    """Return plane → columns, and whether "view" is left out because it equals "pca"."""
    axes = {plane: [f"{plane}_1", f"{plane}_2"] for plane in PLANES.values()}
    axes = {plane: pair for plane, pair in axes.items() if {*pair} <= {*computed}}
    if not {"view", "pca"} <= axes.keys():
        return axes, False
    view, pca = (np.abs(computed[axes[plane]]) for plane in ("view", "pca"))
    # The planes count as equal if they differ only by signs and rounding.
    is_pca = np.allclose(view, pca, atol=1e-6 * pca.max(axis=None))
    if is_pca:
        del axes["view"]
    return axes, is_pca


def colours(values: pd.Series, *, numeric: bool) -> Colours:
    """Return colours for a column of numbers, or of classes."""
    if numeric:
        low = float(values.min())
        high = float(values.max())
        shares = RAMP * (values - low) / ((high - low) or 1.0)
        return Colours(shares.round().fillna(-1).astype(int).tolist(), [], 0, (low, high))
    named = values.fillna("").astype(str)
    counts = named.value_counts(sort=False)
    common = set(counts.nlargest(MOST_CLASSES).index)
    names = sorted(common, key=lambda name: (len(name), name) if name.isdigit() else (0, name))
    position = {name: i for i, name in enumerate(names)}
    return Colours([position.get(name, -1) for name in named], names, len(counts) - len(common))


def _colours_of(values: pd.Series, *, as_classes: bool, anyway: bool) -> Colours | None:
    """Return the colours of a column; a column of few distinct integers is coloured as classes.

    Unless ``anyway``, the result is None if colours say nothing, because the column is constant or
    has a different text in most rows.
    """
    numeric = pd.api.types.is_numeric_dtype(values) and not as_classes
    distinct = values.nunique()
    says_something = numeric or distinct <= max(MOST_CLASSES, len(values) // 2)
    if not anyway and not (distinct > 1 and says_something):
        return None
    if numeric and distinct <= FEW_NUMBERS and bool((values.dropna() % 1 == 0).all()):
        return colours(values.astype("Int64").astype("string"), numeric=False)
    return colours(values.astype(float) if numeric else values, numeric=numeric)


def words(component: str) -> str:
    """Return the name of a component on an axis.

    >>> words("component_2"), words("pca_1")
    ('component 2', 'PCA 1')
    """
    name, _, number = component.rpartition("_")
    return f"{NAMES.get(name, name)} {number}"
