"""Which picture of the rows to use for what, by the measures of ``tables/own_view.csv``."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kpca.study.decision.record import number
from kpca.study.evidence.faithfulness import PLANES, TRAINING

LEAST = 0.01  # a smaller mean difference from PCA does not matter

USES = {
    "training_distances": "for distances: rank correlation",
    "training": "for neighbours: trustworthiness",
}
"""Measure → what a picture is used for, and what is measured."""

EXACT = "PCA keeps all of the variance, so its picture shows distances as they are."


class Trust(NamedTuple):
    """What the page says of pictures."""

    first: str = "view"  # plane that is drawn first
    words: str = ""
    variance: float = math.nan  # fraction that PCA keeps


def trust(rows: Sequence[dict[Any, Any]]) -> Trust:
    """Return what the rows of a dataset say; docs/embeddings.md has the rule of the first plane."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row["measure"], {})[row["method"]] = row
    if not found:
        return Trust()
    variance = float(found.pop("variance")["PCA"]["mean"])
    if not found:
        return Trust("pca", EXACT, variance)
    said = [_use(measure, found[measure]) for measure in USES if measure in found]
    placing = [method for method, row in found["alone"].items() if row["mean"] == 1]
    if len(placing) < len(found["alone"]):
        said.append(f"Only {' and '.join(placing)} can place new rows one by one.")
    sides = {m: [_side(found[name][m]) for name in TRAINING] for m in found["training"]}
    better = [method for method, side in sides.items() if 1 in side and -1 not in side]
    first = max(better, key=lambda method: found["training"][method]["mean"], default="PCA")
    return Trust(PLANES[first], " ".join(filter(None, said)), variance)


def _side(row: Mapping[str, Any]) -> int:
    """Return 1 if a method is better than PCA, −1 if it is worse, and 0 if neither is shown."""
    if not abs(row["gain"]) >= LEAST:
        return 0
    return int(row["gain_low"] > 0) - int(row["gain_high"] < 0)


def _use(measure: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the sentence of a measure; empty without other methods."""
    sides = {method: _side(row) for method, row in rows.items() if method != "PCA"}
    if not sides:
        return ""
    better = sorted((m for m, side in sides.items() if side > 0), key=lambda m: -rows[m]["mean"])
    best = better or ["PCA"]
    others = {"PCA": ""} if better else {m: "" if sides[m] else ", inconclusive" for m in sides}
    compared = [f"{number(rows[m]['mean'])} ({m}{word})" for m, word in others.items()]
    values = " and ".join(number(rows[method]["mean"]) for method in best)
    used = f"Use {' or '.join(best)} {USES[measure]} {values}"
    return f"{used} compared with {' and '.join(compared)}."
