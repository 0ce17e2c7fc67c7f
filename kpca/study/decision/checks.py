"""Checks of what may limit an answer. Each has a code that docs/checks.md explains."""

import json
import math
import shlex
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from kpca.novelty import order
from kpca.study.datasets.dataset import Dataset, feature_places
from kpca.study.datasets.splits import draw_folds
from kpca.study.decision.decision import ReasonedDecision
from kpca.study.decision.dependence import Resemblance
from kpca.study.decision.record import number
from kpca.study.decision.sentence import amount, few_groups
from kpca.study.evidence.selection import KERNEL_PCA, ONLY_PCA, RAW_FEATURES
from kpca.study.evidence.statistics import FEWEST_GROUPS
from kpca.study.monitoring.ordinary_rows import BLOCKS
from kpca.study.scoring.metrics import METRICS, balanced_accuracy

# Intervals can be too narrow if the rarest class has at most `RARE_ROWS` rows, or less than
# `RARE_FRACTION` of the rows.
RARE_ROWS = 40
RARE_FRACTION = 0.05
# With fewer rows than `FEW_ROWS`, or fewer groups than `FEW_GROUPS`, intervals are wide. The
# intervals of large differences are too narrow nevertheless.
FEW_ROWS = 100
FEW_GROUPS = 40
HEAVY_TAILS = 5.0  # excess kurtosis of residuals above which single rows decide a correlation
# Codes at the end of caveats that limit the meaning of components or alarms, but not the answer.
NOT_OF_ANSWER = ("(KP013)", "(KP015)")
_MOST_COLUMNS = 50
_FOLDS = 3


class Note(str):
    """A finding that counts as a note, from a check whose other findings are warnings."""


class Check(NamedTuple):
    """One check of an answer."""

    code: str
    title: str  # The title suits any outcome of the check.
    severity: str  # a "warning" if the answer may be wrong, or a "note" if it holds with a limit
    # Decision → text on what is found and what to do. The text is empty if the check is passed, and
    # None if the check does not apply.
    found: Callable[[ReasonedDecision], str | None]
    of_scores: bool = False  # whether the check applies only to answers that rest on scores


def results(decision: ReasonedDecision) -> pd.DataFrame:
    """Return one row per check: dataset, code, title, severity, status and text."""
    rows = []
    is_scored = decision.validated and decision.recommended
    for code, title, severity, found, of_scores in CHECKS:
        text = found(decision) if is_scored or not of_scores else None
        if isinstance(text, Note):
            severity = "note"
        status = "not applicable" if text is None else "issue" if text else "passed"
        rows.append((decision.dataset, code, title, severity, status, text))
    columns = ["dataset", "code", "title", "severity", "status", "text"]
    return pd.DataFrame(rows, columns=columns)


def caveats(checks: pd.DataFrame) -> list[str]:
    """Return the texts of checks that found an issue, with their codes, most important first."""
    issues = checks[checks["status"] == "issue"]
    issues = issues.sort_values("severity", ascending=False, kind="stable")  # warnings first
    return [f"{row.text} ({row.code})" for row in issues.itertuples()]


def lone_columns(dataset: Dataset) -> tuple[tuple[str, float], ...]:
    """Return each column with the score of predicting from this column only, the best first.

    Labels are predicted by a small tree in cross-validation. If there are many columns, only those
    with the largest F statistic are scored. For a target, the score is the absolute correlation. A
    column of categories has the score of its best category.
    """
    from sklearn.feature_selection import f_classif, r_regression
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    rows = dataset.chosen_on()
    X = rows.X_train
    y = rows.y_train
    varies = np.flatnonzero(np.ptp(X, axis=0) > 0)
    if rows.precomputed or dataset.task == "none" or not len(varies):
        return ()
    if y is None:
        scores = np.abs(r_regression(X[:, varies], rows.target_train))
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            F, _ = f_classif(X[:, varies], y)
        varies = varies[np.argsort(-np.nan_to_num(F, nan=np.inf))[:_MOST_COLUMNS]]
        tree = DecisionTreeClassifier(max_depth=3, class_weight="balanced", random_state=0)
        folds = draw_folds(rows, _FOLDS, seed=0)
        options = {"cv": folds, "scoring": make_scorer(balanced_accuracy)}
        scores = [cross_val_score(tree, X[:, [j]], y, **options).mean() for j in varies]
    places = feature_places(dataset, np.arange(len(dataset.X)))
    columns = np.array(dataset.feature_names)[places[varies]]
    alone = pd.Series(scores, columns).groupby(level=0, sort=False).max()
    best_first = alone.sort_values(ascending=False, kind="stable")
    return tuple((str(name), score) for name, score in best_first.items())


def _dependent(d: ReasonedDecision) -> str | None:
    if d.dependence is None:
        return None
    resemblance = d.dependence.resemblance
    if not d.dependence.harmful and not resemblance.shown:
        return ""
    finding = _resembling(resemblance)
    if not d.dependence.harmful:
        by_rows = number(d.dependence.by_rows)
        by_groups = number(d.dependence.by_groups)
        return Note(
            f"{finding} The score falls by no more than the margin and its standard error: "
            f"{by_rows} if rows are held out at random, {by_groups} if they are held out together."
        )
    if column := resemblance.column:
        return f"{finding} Run again with group={column} (in Python: groups={column!r})."
    return (
        f"{finding} If they share a subject, a site or a time, name its column as group= or time=; "
        "the score by blocks of neighbouring rows is a warning, and no estimate."
    )


def _resembling(one: Resemblance) -> str:
    shares = f"{one.chance:.0%} by chance"
    belongs = f"has an equal {one.column!r}" if one.column else "stands next to it in the file"
    text = f"For {one.share:.0%} of the rows, the nearest row {belongs} ({shares})."
    if one.settles:
        text = f"All rows with an equal {one.column!r} have one class ({shares})."
    return text.replace("%", " %")


def _alike(d: ReasonedDecision) -> str | None:
    if d.memory is None:
        return None
    length, rows, by_time = d.memory
    block = order.block_length(length)
    is_long = rows < BLOCKS * block
    if length <= 1 or (by_time and not is_long):
        return ""
    alike = f"Rows next to each other are alike, over about {length:.0f} rows"
    if is_long:
        return (
            f"{alike}. Therefore no rate of false alarms can be promised for novel rows: that "
            f"takes {BLOCKS} blocks of {block} rows, and there are {rows} rows. Add rows."
        )
    return (
        f"{alike}. Therefore more ordinary rows may be called novel than asked. If the rows are in "
        "the order of time, run again with time=COLUMN, which leaves out blocks of rows together. "
        "If their order means nothing, shuffle them."
    )


def _signal(d: ReasonedDecision) -> str | None:
    if few_groups(d):
        return None
    clear = d.vs_chance in ("better", "no comparison")
    return "" if clear else "Without a clear signal, comparisons of methods say little."


def _rare_class(d: ReasonedDecision) -> str | None:
    if not d.classes:
        return None
    rows = sum(d.classes.values())
    name = min(d.classes, key=d.classes.__getitem__)
    n = d.classes[name]
    if _balanced(d) or (n > RARE_ROWS and n >= RARE_FRACTION * rows):
        return ""
    return (
        f"Class {name!r} has only {n} of {rows} rows: its recall is uncertain, and the interval "
        "may be too narrow. Add rows of this class, or merge it with another one."
    )


def _balanced(d: ReasonedDecision) -> bool:
    """Return whether the smallest class has at least half of the mean number of rows per class."""
    sizes = [*d.classes.values()]
    return bool(sizes) and 2 * min(sizes) * len(sizes) >= sum(sizes)


def _few(d: ReasonedDecision) -> str | None:
    why = "intervals of large differences may be too narrow"
    if d.groups:
        if not FEWEST_GROUPS <= d.groups < FEW_GROUPS:
            return ""
        return f"There are only {d.groups} groups, so the {why}. Add groups."
    if _balanced(d) and (n := min(d.classes.values())) <= RARE_ROWS:
        return f"There are only {d.rows} rows, and {n} in the smallest class: {why}."
    return f"There are only {d.rows} rows: {why}." if d.rows < FEW_ROWS else ""


def _unstable(d: ReasonedDecision) -> str | None:
    if d.recommended == ONLY_PCA or d.replicates < 2:
        return None
    if d.recommended == KERNEL_PCA and d.families < 2:
        return None
    subject = "predictor" if d.recommended == RAW_FEATURES else "kernel"
    if 2 * d.agreeing > d.replicates:
        return ""
    count = f"only {d.agreeing}" if d.agreeing else "none"
    splits = f"{d.replicates} {'independent draws' if d.independent else 'random splits'}"
    return (
        f"The choice is unstable: {count} of {splits} chose this {subject}, so the score is that "
        f"of choosing a {subject} in each, more than of this one."
    )


def _leak(d: ReasonedDecision) -> str | None:
    if not d.lone or d.vs_chance != "better":
        return None
    least = d.recommended_score - METRICS[d.measure].margin
    leaking = {name: score for name, score in d.lone if score >= least}
    if not leaking:
        return ""
    scores = ", ".join(f"{name!r} ({number(score)})" for name, score in leaking.items())
    dropped = ",".join(leaking)
    if dropped.count(",") >= len(leaking):  # A name contains a comma.
        dropped = json.dumps([*leaking], ensure_ascii=False)
    option = shlex.quote(f"drop={dropped}")
    subject = f"The column {scores} alone predicts"
    verb = "it is"
    if len(leaking) > 1:
        subject = f"Each of the columns {scores} alone predicts"
        verb = "they are"
    return (
        f"{subject} as well. Check that {verb} known before the answer is, or run again with "
        f"{option}."
    )


def _edge(d: ReasonedDecision) -> str | None:
    if not d.validated:
        return None
    where = f"The exported setting is at the edge of the grid ({', '.join(d.edges)})."
    return f"{where} A wider grid may score higher." if d.edges else ""


def _converged(d: ReasonedDecision) -> str | None:
    fits = f"{d.unconverged} fit{'s' * (d.unconverged != 1)} of SVMs of chosen settings"
    why = "stopped before convergence, so their scores may be too low."
    return f"{fits} {why}" if d.unconverged else ""


def _certified(d: ReasonedDecision) -> str | None:
    if d.model != KERNEL_PCA or not d.completeness:
        return None
    remedy = "Fit with eigen_solver='dense' if the eigenvalues themselves matter."
    finding = f"The check for missed larger eigenvalues is open. {remedy}"
    return finding if d.completeness == "open" else ""


def _second_sample(d: ReasonedDecision) -> str | None:
    if d.back is None:
        return None
    m = d.n_components
    finding = f"Only {d.back} of {m} components are"
    others = "the others"
    if d.back >= m:
        return ""
    if not d.back:
        finding = f"Of {m} component{'s' * (m > 1)}, none is"
        others = "they"
    return (
        f"{finding} shown to come back in a second sample of this size. Confirm what {others} look "
        "like on other rows before you interpret them."
    )


def _tails(d: ReasonedDecision) -> str | None:
    if math.isnan(d.kurtosis):
        return None
    if d.kurtosis <= HEAVY_TAILS:
        return ""
    return (
        f"Residuals have heavy tails (excess kurtosis {d.kurtosis:.0f}), so a few rows decide "
        "the correlation, and its interval is too narrow. Read the rank correlation, or take "
        "the logarithm of the target."
    )


def _detectable(d: ReasonedDecision) -> str | None:
    if math.isnan(d.gain_high):
        return None
    least = (d.gain_high - d.gain_low) / 2
    below = f" below about {amount(least, d.measure)}"
    if least > 1 - d.pca:
        below = f", which scored {number(d.pca)},"
    finding = f"With these {d.rows} rows, an improvement over PCA{below} cannot be detected."
    return finding if d.vs_pca == "inconclusive" else ""


# The most important checks come first.
CHECKS = (
    Check("KP014", "rows that depend on each other", "warning", _dependent, of_scores=True),
    Check("KP004", "column that predicts alone", "warning", _leak, of_scores=True),
    Check("KP015", "rows alike along time", "warning", _alike),
    Check("KP001", "signal", "warning", _signal, of_scores=True),
    Check("KP002", "rare class", "warning", _rare_class),
    Check("KP003", "number of rows or groups", "warning", _few, of_scores=True),
    Check("KP005", "heavy tails", "warning", _tails),
    Check("KP006", "stability of the choice", "warning", _unstable, of_scores=True),
    Check("KP007", "edge of the grid", "note", _edge),
    Check("KP009", "convergence of SVMs", "note", _converged, of_scores=True),
    Check("KP010", "completeness of eigenvalues", "note", _certified),
    Check("KP012", "detectable improvement", "note", _detectable, of_scores=True),
    Check("KP013", "components in a second sample", "note", _second_sample),
)
