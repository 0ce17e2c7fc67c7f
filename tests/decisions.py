"""Decisions of which only some values matter."""

from kpca.study.decision.record import Decision


def decision_of(**values):
    """Return a decision with these values, and without parameters and comparisons otherwise."""
    empty = dict.fromkeys(("parameters", "predictor_parameters"), "{}")
    empty |= dict.fromkeys(("vs_chance", "vs_raw", "vs_pca"), "no comparison")
    return Decision.of({"dataset": "own"} | empty | values)
