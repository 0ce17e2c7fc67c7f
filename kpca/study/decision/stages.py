"""From scores to answers: what the jobs of a run do, and `kpca.study.answer` without one."""

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from kpca.study.datasets.dataset import load_dataset
from kpca.study.decision.checks import NOT_OF_ANSWER, caveats, lone_column, results
from kpca.study.decision.decision import decide
from kpca.study.decision.dependence import dependence, memory_of
from kpca.study.decision.second_sample import coming_back, components_table
from kpca.study.decision.sentence import components_sentence, predict_sentence, sentence
from kpca.study.evidence.by_components import by_components
from kpca.study.evidence.comparison import Influences, compare, overlaps
from kpca.study.evidence.described import describe
from kpca.study.evidence.held_out import (
    Predictions,
    confusion,
    mean_influence,
    metrics_of,
    predictions,
)
from kpca.study.evidence.recommendation import ranking
from kpca.study.evidence.scores import scores_table, variance_rule_table
from kpca.study.evidence.selection import BASELINES, KERNEL_PCA, budgets, select, selected_models
from kpca.study.fitting.fitted_models import stored_model
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.settings import Settings, main_method
from kpca.study.seeds import seed_for
from kpca.study.store import as_stored, by_dataset, read_fits

Tables = dict[str, pd.DataFrame]


def selected_tables(
    datasets: Sequence[str], stores: Sequence[str], left_out: Sequence[str]
) -> Tables:
    """Return the tables of datasets, scores and selections; the first says what was left out."""
    described = pd.DataFrame([describe(load_dataset(path)) for path in datasets])
    described["left_out"] = "; ".join(left_out)
    scores = scores_table(by_dataset(stores))
    variance_rule = variance_rule_table(by_dataset(stores))
    selected = select(scores, variance_rule)
    return {
        "datasets": described,
        "scores": scores,
        "variance_rule": variance_rule,
        "selected": selected,
        "budgets": budgets(scores, selected),
    }


def evidence(
    dataset: str,
    fits: str,
    scores: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    left_out: Sequence[str] = (),
) -> Tables:
    """Return the tables of one dataset that are joined with those of others.

    They are those of `selected_tables`, of `judged_tables`, which reads the former as they are
    stored, and of `by_components`.
    """
    selected = selected_tables([dataset], scores, left_out)
    described = as_stored(selected["datasets"])
    chosen = as_stored(selected["selected"])
    settings = Settings.from_config(evaluation)
    method = main_method(load_dataset(dataset).task, settings)
    curve = by_components(
        selected["scores"],
        selected["variance_rule"],
        selected["datasets"],
        method,
        settings.n_components,
    )
    judged = judged_tables([dataset], [fits], evaluation, seed, chosen, described)
    return selected | judged | {"by_components": curve}


def judged_tables(
    datasets: Sequence[str],
    fits: Sequence[str],
    evaluation: dict[str, Any],
    seed: int,
    selected: pd.DataFrame,
    described: pd.DataFrame,
) -> Tables:
    """Return the tables ``comparisons``, ``ranking``, ``held_out`` and ``confusion``.

    The selected models predict the held-out rows once more.
    """
    settings = Settings.from_config(evaluation)
    overlap = overlaps(described)
    metrics, confusions = list[pd.DataFrame](), list[pd.DataFrame]()
    influences, main = dict[str, Influences](), dict[str, str]()
    stopped: dict[tuple[str, str], int] = {}
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        method = main[dataset.name] = main_method(dataset.task, settings)
        if dataset.task == "none":
            continue
        of_models: dict[str, list[Predictions]] = {}
        chosen = selected_models(selected[selected["dataset"] == dataset.name], method)
        for setting in chosen.to_dict("records"):
            model, replicate = str(setting["model"]), int(setting["replicate"])
            entry = f"{setting['cell']}/{replicate}"
            fit = None if setting["kernel"] in BASELINES else read_fits(path, entry)["fit"]
            draw = seed_for(seed, dataset.seed_axis, replicate, "folds")
            found = predictions(dataset.split(replicate), setting, fit, settings, draw)
            of_models.setdefault(model, []).append(found)
        for model, predicted in of_models.items():
            stopped[dataset.name, model] = sum(not each.converged for each in predicted)
            names = {"dataset": dataset.name, "model": model}
            metrics.append(metrics_of(dataset, predicted, overlap[dataset.name]).assign(**names))
            confusions.append(confusion(dataset, predicted).assign(**names))
        if not dataset.independent:
            metric = METHODS[method].metric
            moved = {m: mean_influence(dataset, metric, p) for m, p in of_models.items()}
            influences[dataset.name] = moved
    ranked = ranking(selected, described, main, influences)
    options = zip(ranked["dataset"], ranked["model"], strict=True)
    return {
        "comparisons": compare(selected, described, main, influences),
        "ranking": ranked.assign(unconverged=[stopped[option] for option in options]),
        "held_out": _joined(metrics, ["metric", "class", "mean", "low", "high"]),
        "confusion": _joined(confusions, ["class", "predicted", "rows"]),
    }


def decided_tables(
    datasets: Sequence[str],
    fits: Sequence[str],
    stores: Sequence[str],
    grids: Mapping[str, list[dict[str, Any]]],
    evaluation: dict[str, Any],
    held_out: pd.DataFrame,
    **tables: pd.DataFrame,
) -> Tables:
    """Return the tables ``decisions``, ``checks`` and ``components``; `decide` takes the others."""
    settings = Settings.from_config(evaluation)
    stopped = tables["ranking"].rename(columns={"unconverged": "fits"})
    tables["unconverged"] = stopped[["dataset", "fits"]]
    tables["validation"] = scores_table(by_dataset(stores), whole=True)
    rows, checks, components = [], [], []
    for dataset, path in zip(map(load_dataset, datasets), fits, strict=True):
        points = [Point(**plain) for plain in grids[dataset.name]]
        decision, basis = decide(dataset, points, settings, tables)
        here = held_out[held_out["dataset"] == dataset.name].set_index(["model", "metric"])["mean"]
        kurtosis = float(here.get((decision["recommended"], "residual_kurtosis"), math.nan))
        basis = replace(
            basis,
            kurtosis=kurtosis,
            lone=lone_column(dataset),
            dependence=dependence(dataset, decision, basis.point, settings.class_weight),
            memory=memory_of(dataset),
        )
        if decision["model"] == KERNEL_PCA:
            fit = read_fits(path, f"{decision['cell']}/0")["fit"]
            status = stored_model(fit, dataset.split(0).X_train).completeness_.status
            basis = replace(basis, completeness=status)
        components.append(components_table(dataset, {p.id: p for p in points}, decision))
        basis = replace(basis, back=coming_back(components[-1], decision["n_components"]))
        limits = [*caveats(decision, basis)]
        of_answer = [text for text in limits if not text.endswith(NOT_OF_ANSWER)]
        words = " ".join([sentence(decision, basis), *of_answer[:1]])
        logging.info("%s: %s", dataset.name, words)
        said = {
            "sentence_components": components_sentence(decision, basis),
            "sentence_predict": predict_sentence(decision, basis),
            "sentence": words,
            "caveats": " | ".join(limits),
        }
        rows.append(decision | said)
        checks.append(results(decision, basis))
    found = {"decisions": pd.DataFrame(rows), "checks": pd.concat(checks)}
    return found | {"components": pd.concat(components)}


def _joined(parts: Sequence[pd.DataFrame], measured: Sequence[str]) -> pd.DataFrame:
    columns, some = ["dataset", "model", *measured], [part for part in parts if len(part)]
    return pd.concat(some)[columns] if some else pd.DataFrame(columns=columns)
