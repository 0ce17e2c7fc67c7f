"""What each criterion chooses, and the test scores of each choice, supervised ones included."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from pipeline.job import script
from pipeline.tables.metrics import LINEAR, MAIN_METRIC
from pipeline.tables.selection import from_middle, simplest_setting
from workflow.scripts.choice.measures import next_to_one

MEASURES = {"input_denoising": "input", "relevant_dimension": "likelihood"}
"""Criterion → measure whose least value chooses γ and m."""

USE_LABELS = ("relevant_dimension", "cv", "hindsight")
KEYS = ["dataset", "replicate"]
CHOICE = [*KEYS, "criterion", "cell", "multiple", "gamma", "n_components"]
METHODS = (*LINEAR, "kmeans")
STAND_IN = "embedding"
"""Trustworthiness, where a dataset has neither labels nor a target."""

UNIT = [*KEYS, "method"]
_NONE = 0.0  # in place of a penalty, where a method has none: NaN groups with nothing

COLUMNS = [
    *(*UNIT, "metric", "criterion", "uses_labels", "kernel", "cell", "multiple", "gamma"),
    *("n_components", "scored_components", "C", "value", "cv", "hindsight"),
]


def choices(measures: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    """Return what every criterion chooses, from `measures` and `variance_rule_table`.

    Criteria are ``variance`` (median γ, explained variance) and those of `MEASURES`. A criterion
    whose measure has no finite value, as on rows of which hardly any differ, has no row.
    """
    rows = []
    for (dataset, replicate), group in measures.groupby(KEYS, sort=True):
        here = (variance_rule["dataset"] == dataset) & (variance_rule["replicate"] == replicate)
        share = variance_rule[here].set_index("cell")["components_for_share"]
        rows += [(dataset, replicate, *chosen) for chosen in _chosen(group, share)]
    return pd.DataFrame(rows, columns=CHOICE)


def _chosen(measures: pd.DataFrame, share: pd.Series) -> Iterator[tuple[object, ...]]:
    grid = measures.drop_duplicates("cell").set_index("cell")[["multiple", "gamma"]]
    median = str(grid.index[grid["multiple"] == next_to_one(list(grid["multiple"]))][0])

    def row(criterion: str, cell: str, m: int) -> tuple[object, ...]:
        return criterion, cell, grid.loc[cell, "multiple"], grid.loc[cell, "gamma"], m

    yield row("variance", median, int(share[median]))
    for criterion, measure in MEASURES.items():
        of_measure = measures["measure"] == measure
        finite = measures[of_measure & np.isfinite(measures["value"])]
        if not finite.empty:
            yield row(criterion, *_least(finite))


def _least(rows: pd.DataFrame) -> tuple[str, int]:
    """Return cell and m of the least value; ties as in `pipeline.tables.selection`."""
    away = from_middle(rows, KEYS)
    ranked = rows.assign(rounded=np.round(rows["value"], 12), away=away)
    best = ranked.sort_values(["rounded", "n_components", "away", "gamma"], kind="stable").iloc[0]
    return str(best["cell"]), int(best["n_components"])


def scored(
    chosen: pd.DataFrame, scores: pd.DataFrame, multiples: Mapping[str, float]
) -> pd.DataFrame:
    """Return the test score of every choice: one row per dataset, replicate, method and criterion.

    A choice is looked up at the number of components of the grid that is next to the chosen
    one (on a logarithmic scale). The penalty C of the SVM is chosen by cross-validation there,
    for every criterion alike: what is compared is the representation. ``multiples`` names the cells
    that could be chosen, with γ in multiples of the median heuristic.

    Of the columns `COLUMNS`, ``value`` is the test score of the choice, ``cv`` and ``hindsight``
    those of the setting that the sweep selects and of the best test score, which are rows
    of their own too.
    """
    settings = _settings(scores, multiples)
    best = [_cross_validated(settings, scores), _hindsight(settings)]
    found = pd.concat([_looked_up(chosen, settings), *best], ignore_index=True)
    columns = pd.concat(best).pivot_table(index=UNIT, columns="criterion", values="test")
    found = found.join(columns.reindex(columns=["cv", "hindsight"]), on=UNIT)
    return _finished(found.sort_values(UNIT, kind="stable", ignore_index=True))


def shown_methods(rows: pd.DataFrame) -> dict[str, str]:
    """Return, for every dataset, the downstream method that is drawn: the first of `METHODS`."""
    ranked = [*METHODS, STAND_IN]
    return {
        str(name): min(group.unique(), key=ranked.index)
        for name, group in rows.groupby("dataset")["method"]
    }


def _settings(scores: pd.DataFrame, multiples: Mapping[str, float]) -> pd.DataFrame:
    """Return validation and test score of every setting that could be chosen, side by side."""
    rows = scores[scores["cell"].isin(multiples) & scores["method"].isin([*METHODS, STAND_IN])]
    rows = rows[rows["metric"] == rows["method"].map(MAIN_METRIC)]
    known = set(rows.loc[rows["method"] != STAND_IN, "dataset"])
    rows = rows[(rows["method"] != STAND_IN) | ~rows["dataset"].isin(known)]
    keys = [*KEYS, "cell", "gamma", "n_components", "method", "metric", "C"]
    sides = rows[rows["split"] != "train"].fillna({"C": _NONE})
    wide = sides.pivot_table(index=keys, columns="split", values="value").reset_index()
    wide = wide.rename(columns={"cv": "validation"}).dropna(subset="test")
    wide = wide.reindex(columns=[*keys, "validation", "test"])
    wide.columns.name = None
    # The share of the variance asks for a number of components that was never validated.
    validated = wide["validation"].notna()
    unit = [wide[name] for name in ("dataset", "method")]
    validated |= ~validated.groupby(unit).transform("any")
    return wide[validated].assign(multiple=wide["cell"].map(multiples))


def _one_penalty(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the setting with the best C by validation for every cell and m."""
    ranked = settings.sort_values(["validation", "C"], ascending=[False, True], kind="stable")
    return ranked.drop_duplicates([*UNIT, "cell", "n_components"])


def _cross_validated(settings: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the setting that the sweep selects among the same cells."""
    keys = [*UNIT, "cell", "n_components", "C"]
    selected = simplest_setting(scores[scores["cell"].isin(settings["cell"])], UNIT)
    found = settings.merge(selected.fillna({"C": _NONE})[keys], on=keys)
    return found.assign(criterion="cv", scored_components=found["n_components"])


def _hindsight(settings: pd.DataFrame) -> pd.DataFrame:
    """Return the setting with the best test score; ties as in `pipeline.tables.selection`."""
    away = from_middle(settings, KEYS)
    ranked = settings.assign(rounded=-settings["test"].round(10), away=away).sort_values(
        ["rounded", "n_components", "away", "gamma", "C"], kind="stable"
    )
    best = ranked.drop_duplicates(UNIT).drop(columns=["rounded", "away"])
    return best.assign(criterion="hindsight", scored_components=best["n_components"])


def _looked_up(chosen: pd.DataFrame, settings: pd.DataFrame) -> pd.DataFrame:
    """Return the setting next to each choice: its cell, the nearest m, C by validation."""
    tried = _one_penalty(settings).rename(columns={"n_components": "scored_components"})
    pairs = chosen.merge(tried.drop(columns=["gamma", "multiple"]), on=[*KEYS, "cell"])
    away = np.abs(np.log(pairs["scored_components"] / pairs["n_components"])).round(10)
    pairs = pairs.assign(away=away, worse=-pairs["validation"])
    nearest = pairs.sort_values(["away", "worse", "scored_components"], kind="stable")
    first = nearest.drop_duplicates([*UNIT, "criterion"]).sort_index()
    return first.drop(columns=["away", "worse"])


def _finished(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.rename(columns={"test": "value"}).assign(
        kernel="rbf",
        uses_labels=rows["criterion"].isin(USE_LABELS) & (rows["method"] != STAND_IN),
        C=rows["C"].where(rows["C"] != _NONE),
    )
    return rows[COLUMNS].astype({"n_components": int, "scored_components": int})


@script
def label_free(
    measures: pd.DataFrame, variance_rule: pd.DataFrame, scores: pd.DataFrame
) -> pd.DataFrame:
    """Return every choice with its test score.

    Measures are those of `workflow.scripts.choice.measures`.
    """
    multiples = dict(zip(measures["cell"], measures["multiple"], strict=True))
    return scored(choices(measures, variance_rule), scores, multiples)
