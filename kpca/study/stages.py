"""The stages of a study, which the jobs of a run and `kpca.study.answer` call in turn."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from kpca.study.cache import Cache
from kpca.study.datasets.dataset import Dataset, load_dataset
from kpca.study.decision.checks import NOT_OF_ANSWER, caveats, lone_columns, results
from kpca.study.decision.decision import decide
from kpca.study.decision.dependence import dependence, memory_of
from kpca.study.decision.importance import importance
from kpca.study.decision.second_sample import coming_back, components_table
from kpca.study.decision.sentence import components_sentence, predict_sentence, sentence
from kpca.study.evidence.comparison import by_components, compare, overlap_of, ranking
from kpca.study.evidence.described import describe
from kpca.study.evidence.held_out import (
    Predictions,
    confusion_table,
    mean_influence,
    metrics_table,
    predictions,
)
from kpca.study.evidence.selection import BASELINES, KERNEL_PCA, budgets, select, selected_models
from kpca.study.fitting.fits import FitOptions, fit_grid
from kpca.study.fitting.fitted_models import stored_model
from kpca.study.fitting.grid import named_points
from kpca.study.scoring.grid_scores import Scoring, score_grid, write_scores
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.scores import scores_table, variance_rule_table
from kpca.study.scoring.settings import Settings, main_method
from kpca.study.seeds import seed_for
from kpca.study.store import as_stored, read_fit

Tables = dict[str, pd.DataFrame]


def swept(
    rows: Dataset, scoring: Scoring, folder: Path | str, processes: int = 1
) -> tuple[str, str, str]:
    """Fit and score a dataset; write it, fits and scores below ``folder``; return their paths."""
    parts = ("datasets", "fits", "scores")
    dataset, fits, scores = (str(Path(folder, part, rows.name)) for part in parts)
    rows.save(dataset)
    cache = Cache(Path(folder, "cache"))
    settings = scoring.settings
    extent = FitOptions(settings.largest, settings.folds, settings.variance_share, scoring.seed)
    cache.link(fit_grid(rows, scoring.points, extent, cache, processes=processes), fits)
    write_scores(scores, score_grid(rows, fits, scoring, cache, processes=processes), cache)
    return dataset, fits, scores


def evidence(
    dataset: str,
    fits: str,
    scores: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    left_out: Sequence[str] = (),
) -> Tables:
    """Return the tables of one dataset that a run joins with the tables of other datasets.

    ``dataset``, ``fits`` and ``scores`` are paths of stored results. The selected models predict
    the held-out rows once more. ``left_out`` are texts that say which parts of the design were left
    out.
    """
    rows = load_dataset(dataset)
    settings = Settings.from_config(evaluation)
    described = describe(rows) | {"left_out": "; ".join(left_out)}
    table = scores_table(scores)
    variance_rule = variance_rule_table(scores)
    selected = select(table, variance_rule)
    method = main_method(rows.task, settings)
    tables = {
        "datasets": pd.DataFrame([described]),
        "scores": table,
        "variance_rule": variance_rule,
        "selected": selected,
        "budgets": budgets(table, selected),
        "by_components": by_components(
            table, variance_rule, described, method, settings.n_components
        ),
    }
    selected = as_stored(selected)
    (stored,) = as_stored(tables["datasets"]).to_dict("records")
    predicted = {}
    if rows.task != "none":
        predicted = _predicted(rows, fits, selected_models(selected, method), settings, seed)
    influences = {}
    if not rows.independent:
        metric = METHODS[method].metric
        influences = {model: mean_influence(rows, metric, of) for model, of in predicted.items()}
    judged = selected, stored, method, influences
    stopped = {model: sum(not one.converged for one in of) for model, of in predicted.items()}
    ranked = ranking(*judged)
    return tables | {
        "comparisons": compare(*judged),
        "ranking": ranked.assign(unconverged=ranked["model"].map(stopped)),
        "held_out": metrics_table(rows, predicted, overlap_of(stored)),
        "confusion": confusion_table(rows, predicted),
    }


def _predicted(
    rows: Dataset, fits: str, chosen: pd.DataFrame, settings: Settings, seed: int
) -> dict[str, list[Predictions]]:
    """Return model → its predictions for the held-out rows, one entry per replicate."""
    predicted: dict[str, list[Predictions]] = {}
    for setting in chosen.to_dict("records"):
        replicate = int(setting["replicate"])
        entry = f"{setting['cell']}/{replicate}"
        fit = None if setting["kernel"] in BASELINES else read_fit(fits, entry)
        draw = seed_for(seed, rows.seed_axis, replicate, "folds")
        tested = predictions(rows.split(replicate), setting, fit, settings, draw)
        predicted.setdefault(str(setting["model"]), []).append(tested)
    return predicted


def decided_tables(
    datasets: Sequence[str],
    fits: Sequence[str],
    stores: Sequence[str],
    grids: Mapping[str, list[dict[str, Any]]],
    evaluation: dict[str, Any],
    *,
    driven: bool,
    **tables: pd.DataFrame,
) -> Tables:
    """Return the tables ``decisions``, ``checks`` and ``components``; `decide` reads ``tables``.

    With ``driven``, also return the table ``importance``, which says which columns drive the
    predictions.
    """
    settings = Settings.from_config(evaluation)
    tables["validation"] = scores_table(stores, whole=True)
    decided: dict[str, list[pd.DataFrame]] = defaultdict(list)
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        grid = named_points(grids[dataset.name])
        decision = decide(dataset, grid, settings, tables)
        components = components_table(dataset, grid, decision)
        completeness = ""
        if decision.model == KERNEL_PCA:
            fit = read_fit(path, f"{decision.cell}/0")
            completeness = stored_model(fit, dataset.split(0).X_train).completeness_.status
        decision = replace(
            decision,
            lone=lone_columns(dataset),
            dependence=dependence(dataset, decision, decision.point, settings.class_weight),
            memory=memory_of(dataset),
            completeness=completeness,
            back=coming_back(components, decision.n_components),
        )
        checks = results(decision)
        limits = caveats(checks)
        of_answer = [text for text in limits if not text.endswith(NOT_OF_ANSWER)]
        told = " ".join([sentence(decision), *of_answer[:1]])
        logging.info("%s: %s", dataset.name, told)
        decision = replace(
            decision,
            sentence_components=components_sentence(decision),
            sentence_predict=predict_sentence(decision),
            sentence=told,
            caveats=" | ".join(limits),
        )
        decided["decisions"].append(pd.DataFrame([decision.row()]))
        decided["checks"].append(checks)
        decided["components"].append(components)
        if driven:
            table = importance(dataset, decision, decision.point, settings.class_weight)
            decided["importance"].append(table)
    return {name: pd.concat(parts) for name, parts in decided.items()}
