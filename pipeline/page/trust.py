"""Which picture of the rows to use for what, by the measures of ``tables/own_view.csv``."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.decision.sentence import number
from pipeline.evaluation.trust import TRAINING

Rows = Mapping[str, Mapping[str, Any]]
"""Method → row of a measure."""

LEAST = 0.01
"""A smaller mean difference from PCA does not matter."""

STRUCTURE = {"training_distances": "for distances", "training": "for neighbours"}
ANSWER = {"label": "to see the label", "target": "to see the target"}


class Trust(NamedTuple):
    """What the page says of pictures."""

    first: str  # plane that is drawn first, ``view`` or ``pca``
    words: str
    variance: float  # fraction that PCA keeps
    measures: dict[str, dict[str, Any]]  # measure → method → row


def trust(rows: Sequence[dict[Any, Any]]) -> Trust:
    """Return what the rows of a dataset say.

    Kernel PCA is drawn first if it is better than PCA by one of `TRAINING` and worse by none, or if
    nothing was measured. A method is better if the 95 % CI of its difference from PCA lies above
    zero and the mean difference is at least `LEAST`; worse likewise.
    """
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row["measure"], {})[row["method"]] = row
    if not found:
        return Trust("view", "", math.nan, {})
    variance = float(found.pop("variance")["PCA"]["mean"])
    if not found:
        words = "PCA keeps all of the variance, so its picture shows the rows as they are."
        return Trust("pca", f"{words} Every other picture changes distances.", variance, {})
    sides = [_side(found[measure].get("kernel PCA", {})) for measure in TRAINING]
    said = [_use(found[measure], use) for measure, use in STRUCTURE.items()]
    for measure in ANSWER.keys() & found.keys():
        if any(map(_side, found[measure].values())):
            said.append(_use(found[measure], ANSWER[measure]))
    placing = [method for method, row in found["alone"].items() if row["mean"] == 1]
    if len(placing) < len(found["training"]):
        said.append(f"Only {' and '.join(placing)} can place new rows one by one.")
    first = "view" if max(sides) > 0 <= min(sides) else "pca"
    return Trust(first, " ".join(filter(None, said)), variance, found)


def _side(row: Mapping[str, Any]) -> int:
    """Return 1 if a method is better than PCA, −1 if it is worse, and 0 if neither is shown."""
    if not row or not abs(row["gain"]) >= LEAST:
        return 0
    return int(row["gain_low"] > 0) - int(row["gain_high"] < 0)


def _use(rows: Rows, use: str) -> str:
    """Return the sentence of a measure; empty if only PCA was measured."""
    others = {method: row for method, row in rows.items() if method != "PCA"}
    better = [method for method in others if _side(others[method]) > 0]
    best = max(better, key=lambda method: rows[method]["mean"], default="PCA")
    compared = {"PCA": rows["PCA"]} if better else others
    values = [
        f"{number(row['mean'])} ({method}{'' if better or _side(row) else ', inconclusive'})"
        for method, row in compared.items()
    ]
    words = f"Use {best} {use}: {number(rows[best]['mean'])} compared with {' and '.join(values)}."
    return words if others else ""
