"""What each criterion, supervised or not, chooses, and the test score of each choice."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from kpca.study.evidence.selection import best_setting, by_main_metric, from_middle
from kpca.study.scoring.methods import ON_SCORES
from workflow.job import script

# Criterion → measure. The criterion chooses the setting with the smallest value of the measure.
MEASURES = {"input_denoising": "input", "relevant_dimension": "likelihood"}
USE_LABELS = ("relevant_dimension", "cv", "hindsight")
KEYS = ["dataset", "replicate"]
METHODS = (*ON_SCORES, "kmeans")
# Method that is scored (by trustworthiness) if a dataset has neither labels nor a target.
STAND_IN = "embedding"
UNIT = [*KEYS, "method"]
COLUMNS = [
    *(*UNIT, "metric", "criterion", "uses_labels", "kernel", "cell", "multiple", "gamma"),
    "n_components",
    "scored_components",
    "C",
    "value",
    "cv",
    "hindsight",
]


def choices(measures: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    """Return the choices of the criterion ``variance`` and of the criteria in `MEASURES`.

    A criterion has no row if its measure has no finite value, and ``variance`` has none if the
    grid lacks the median heuristic itself.
    """
    median = measures[measures["multiple"] == 1].drop_duplicates(KEYS)
    rule = variance_rule[[*KEYS, "cell", "components_for_share"]]
    by_variance = median.merge(rule, on=[*KEYS, "cell"])
    parts = {"variance": by_variance.assign(n_components=by_variance["components_for_share"])}
    for criterion, measure in MEASURES.items():
        rows = measures[(measures["measure"] == measure) & np.isfinite(measures["value"])]
        parts[criterion] = _least(rows, rows["value"].round(12), KEYS)
    chosen = pd.concat([rows.assign(criterion=name) for name, rows in parts.items()])
    return chosen[[*KEYS, "criterion", "cell", "multiple", "gamma", "n_components"]]


def _least(rows: pd.DataFrame, values: pd.Series, unit: Sequence[str]) -> pd.DataFrame:
    """Return, for each combination of the columns ``unit``, the row with the smallest value.

    ``values`` has the value of each row. Ties are broken as in `evidence.selection`.
    """
    ranked = rows.assign(rounded=values, away=from_middle(rows, KEYS))
    order = ["rounded", "n_components", "away", "gamma"]
    return ranked.sort_values(order, kind="stable").drop_duplicates(unit)[rows.columns]


def scored(
    chosen: pd.DataFrame, scores: pd.DataFrame, multiples: Mapping[str, float]
) -> pd.DataFrame:
    """Return the test score of every choice: one row per dataset, replicate, method and criterion.

    A choice is scored at the nearest number of components of the grid, on a logarithmic scale, with
    C by cross-validation. ``multiples`` maps the id of each kernel setting that could be chosen to
    its multiple of the median γ. The columns cv and hindsight are the test scores of two other
    settings: the one that cross-validation selects, and the one with the best test score.
    """
    settings = _settings(scores, multiples)
    keys = [*UNIT, "cell", "n_components", "C"]
    selected = best_setting(scores[scores["cell"].isin(settings["cell"])], UNIT)
    best = {
        "cv": settings.merge(selected[keys], on=keys),
        "hindsight": _least(settings, -settings["value"].round(10), UNIT),
    }
    parts = [_looked_up(chosen, settings)]
    for criterion, rows in best.items():
        parts.append(rows.assign(criterion=criterion, scored_components=rows["n_components"]))
    joined = pd.concat(parts, ignore_index=True)
    for criterion, rows in best.items():
        joined = joined.join(rows.set_index(UNIT)["value"].rename(criterion), on=UNIT)
    labelled = joined["criterion"].isin(USE_LABELS) & (joined["method"] != STAND_IN)
    joined = joined.assign(kernel="rbf", uses_labels=labelled)
    return joined.sort_values(UNIT, kind="stable", ignore_index=True)[COLUMNS]


def _settings(scores: pd.DataFrame, multiples: Mapping[str, float]) -> pd.DataFrame:
    """Return the test score of every setting that could be chosen, and its ``validation`` score."""
    is_compared = scores["cell"].isin(multiples) & scores["method"].isin([*METHODS, STAND_IN])
    rows = by_main_metric(scores[is_compared])
    datasets = rows.loc[rows["method"] != STAND_IN, "dataset"]
    rows = rows[(rows["method"] != STAND_IN) | ~rows["dataset"].isin(datasets)]
    keys = [*UNIT, "metric", "cell", "gamma", "n_components", "C"]
    tested, validated = (
        rows.loc[rows["split"] == split, [*keys, "value"]] for split in ("test", "cv")
    )
    both = tested.merge(validated.rename(columns={"value": "validation"}), on=keys, how="left")
    # Leave out numbers of components that only the variance rule added: they were not validated.
    has = both["validation"].notna()
    has |= ~has.groupby([both["dataset"], both["method"]]).transform("any")
    return both[has].assign(multiple=both["cell"].map(multiples))


def _looked_up(chosen: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Return the setting nearest to each choice: same kernel and γ, nearest m, C by validation."""
    ranked = settings.sort_values(["validation", "C"], ascending=[False, True], kind="stable")
    tried = ranked.drop_duplicates([*UNIT, "cell", "n_components"])
    tried = tried.rename(columns={"n_components": "scored_components"})
    pairs = chosen.merge(tried.drop(columns=["gamma", "multiple"]), on=[*KEYS, "cell"])
    away = np.abs(np.log(pairs["scored_components"] / pairs["n_components"])).round(10)
    nearest = pairs.assign(away=away, worse=-pairs["validation"])
    nearest = nearest.sort_values(["away", "worse", "scored_components"], kind="stable")
    return nearest.drop_duplicates([*UNIT, "criterion"]).sort_index()


@script
def label_free(
    measures: pd.DataFrame, variance_rule: pd.DataFrame, scores: pd.DataFrame
) -> pd.DataFrame:
    """Return every choice with its test score."""
    multiples = dict(zip(measures["cell"], measures["multiple"], strict=True))
    return scored(choices(measures, variance_rule), scores, multiples)
