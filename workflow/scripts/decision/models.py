"""Fit the setting chosen for each dataset to all of its rows, and write models and embeddings.

An embedding is a table with the scores of all rows, and their positions in planes. A plane is a
pair of axes in which the page draws the rows, such as two components of PCA.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import kpca
from kpca.base import BaseKernelPCA
from kpca.calibration import CalibratedPipeline
from kpca.folds import shuffled_folds
from kpca.kernels.registry import KERNELS, KernelParameters
from kpca.landmark_kernel_pca import LandmarkKernelPCA
from kpca.linear.pca import PCA
from kpca.novelty.detector import KernelPCANovelty
from kpca.novelty.statistics import conformal_limit, is_rounding, novelty_scores
from kpca.reading.cells import texts_of
from kpca.reading.formats import file_table, kind_of
from kpca.study.datasets.dataset import (
    Dataset,
    FloatArray,
    load_dataset,
    preparation,
    raw_rows,
    reading,
)
from kpca.study.datasets.make import read_rows
from kpca.study.datasets.splits import draw_folds
from kpca.study.decision.record import Decision
from kpca.study.evidence.faithfulness import ALL, PLANES, neighbour_methods, plane_share
from kpca.study.evidence.selection import RAW_FEATURES
from kpca.study.fitting.fitted_models import estimator
from kpca.study.fitting.grid import Point, named_points
from kpca.study.fitting.kernels import LINEAR
from kpca.study.monitoring.ordinary_rows import BLOCKS, MOST_ROWS, gaussian, without_neighbours
from kpca.study.scoring.methods import unfitted
from kpca.study.scoring.settings import Settings
from kpca.study.seeds import MOST_DRAWN, evenly_spaced, sample
from kpca.study.store import write_table
from workflow.job import script

# Options that the command `kpca` reads from the notes of a model.
NOTED = ("id", "label", "target", "group", "missing", "header", "skip", "transpose")
EXACT_ROWS = 20_000  # largest number of rows for an exact fit; above it, landmarks if possible
LANDMARKS = 300
NOVELTY = "residual"
FALSE_ALARM = 0.05
LIMIT = "novelty limit"
FOLDS = 5  # number of folds for probabilities and intervals of a predictor
# Predictors that are trained on all rows, since their time grows only linearly with the rows.
ON_ALL_ROWS = ("least_squares", "ridge")
MOST_VIEWED = 2_000  # largest number of rows to which the plane "view" is fitted
MOST_COLUMNS = 50  # If a file has more, the embedding keeps only columns with a role.


@dataclass(frozen=True)
class Exported:
    """A fitted model, and its rows in four forms: dataset, inputs, prepared inputs, scores."""

    rows: Dataset
    inputs: Any
    model: Pipeline
    prepared: Any
    scores: FloatArray


def all_rows(dataset: Dataset, spec: Mapping[str, Any]) -> Dataset:
    """Return all rows of a dataset without splits, or the training rows of independent draws."""
    if dataset.independent:
        return dataset.take(dataset.splits[0][0])
    if len(dataset.X) < dataset.rows_of_file:
        return replace(read_rows(dataset.name, spec), gap=dataset.gap)
    return replace(dataset, splits=())


def given_rows(rows: Dataset) -> pd.DataFrame | np.ndarray:
    """Return rows in the form that a model takes: as they were read, or as a kernel matrix."""
    return rows.X if rows.precomputed else raw_rows(rows)


def export(rows: Dataset, point: Point, decision: Decision) -> Exported:
    """Fit the model of ``decision`` to all rows; ``point`` is the model's setting in the grid."""
    given = given_rows(rows)
    m = decision.n_components
    values: dict[str, Any] = json.loads(decision.parameters)
    kernel = None if point.callable else KERNELS.get(point.kernel)
    if len(rows.X) > EXACT_ROWS and kernel and kernel.semidefinite(KernelParameters(**values)):
        last: BaseKernelPCA = LandmarkKernelPCA(
            m,
            kernel=point.kernel,
            n_landmarks=max(LANDMARKS, 10 * m),
            remove_zero_eig=True,
            random_state=0,
            **values,
        )
    else:
        last = estimator(point, values.get("gamma"), n_components=m)
    steps = [] if rows.precomputed else preparation(rows)
    model = make_pipeline(*steps, last).fit(given)
    prepared = model[:-1].transform(given) if len(model) > 1 else given
    return Exported(rows, given, model, prepared, model[-1].transform(prepared))


def novelty(exported: Exported) -> FloatArray | None:
    """Return the novelty of each row, or None if the model keeps all of the variance."""
    rows = exported.rows
    last = exported.model[-1]
    diagonal = rows.X.diagonal() if rows.precomputed else None
    values = novelty_scores(last, exported.prepared, diagonal, statistic=NOVELTY)
    return None if is_rounding(float(np.quantile(values, 0.95)), last) else values


def views(
    exported: Exported, point: Point, decision: Decision, *, neighbours: bool = False
) -> dict[str, FloatArray]:
    """Return the positions of the rows in each plane, by name of the plane.

    The plane "view" has the setting ``point``, whose validation score is best at two components,
    and the plane "pca" is that of PCA. With ``neighbours``, t-SNE and UMAP place the rows that the
    page draws, unless two components of PCA keep all of the variance.
    """
    X = np.asarray(exported.prepared)
    planes = {"view": exported.scores[:, :2]}
    if decision.view not in ("", decision.cell):
        gamma = json.loads(decision.view_parameters).get("gamma")
        best = estimator(point, gamma, n_components=2)
        planes["view"] = best.fit(X[sample(len(X), MOST_VIEWED)]).transform(X)
    if exported.rows.precomputed:
        return planes
    planes["pca"] = exported.scores[:, :2]
    if exported.model[-1].kernel != "linear":
        planes["pca"] = PCA(min(2, X.shape[1])).fit_transform(X)
    if neighbours and plane_share(X) < ALL:
        drawn = evenly_spaced(len(X), MOST_DRAWN)
        for method, model in neighbour_methods(0, len(drawn)).items():
            points = planes[PLANES[method]] = np.full((len(X), 2), np.nan)
            points[drawn] = model.fit_transform(X[drawn])
    return planes


def embedding(
    exported: Exported,
    known: pd.DataFrame,
    planes: Mapping[str, FloatArray],
    values: FloatArray | None,
) -> pd.DataFrame:
    """Return a table of all rows: number, known columns, scores, positions in planes, and novelty.

    ``known`` has the columns of the file. Such a column gets a trailing underscore if a computed
    column has the same name.
    """
    computed = {
        f"{name}_{j + 1}": column
        for name, scores in {"component": exported.scores, **planes}.items()
        for j, column in enumerate(scores.T)
    }
    if values is not None:
        computed["novelty"] = values
    table = known.rename(columns={name: f"{name}_" for name in ("row", *computed)})
    table.insert(0, "row", exported.rows.row_numbers)
    return table.join(pd.DataFrame(computed))


def known_columns(rows: Dataset, spec: Mapping[str, Any]) -> pd.DataFrame:
    """Return the columns of a user's file or, if there is none, of the dataset."""
    known = {"id": rows.ids, "label": None, "target": rows.target, "group": rows.groups}
    if rows.y is not None:
        known["label"] = answer_of(rows)
    roles = {str(spec.get(role, role)): v for role, v in known.items() if v is not None}
    if "path" in spec and kind_of(spec["path"]) != ".npz":
        columns = read_columns(Path(spec["path"]), spec).iloc[rows.row_numbers - 1]
        if rows.groups is not None:  # A `Dataset` stores groups as numbers; the file has names.
            roles[spec["group"]] = columns[spec["group"]].to_numpy()
        columns = columns.reset_index(drop=True).assign(**roles)
    else:
        columns = pd.DataFrame(roles, index=range(len(rows.X)))
        columns = columns if rows.precomputed else columns.join(raw_rows(rows), rsuffix="_")
    return columns[[*roles]] if columns.shape[1] > MOST_COLUMNS else columns


def read_columns(path: Path, spec: Mapping[str, Any]) -> pd.DataFrame:
    """Return all columns of a file unchanged, except that missing cells become NaN.

    Columns of numbers in a notation other than Python's, for example with units, become numeric.
    """
    table = file_table(path, str(path), spec)
    frame = table.frame.copy()
    for name in frame.select_dtypes(exclude=["number", "datetime"]):
        texts = np.array(texts_of(frame[name], table.missing), dtype=object)
        frame[name] = frame[name].where(texts != "")
    for name in table.amounts:
        frame[name] = table.numeric[name].to_numpy()
    return frame


def with_reader(model: Pipeline, rows: Dataset) -> Pipeline:
    """Return the model with a first step that reads the cells of a file."""
    if rows.precomputed:
        return model
    if isinstance(model, CalibratedPipeline):
        (name, front), *others = model.steps
        model.steps = [(name, with_reader(front, rows)), *others]
        return model
    return Pipeline([*(("reader", step) for step in reading(rows)), *model.steps])


def answer_of(rows: Dataset) -> np.ndarray:
    """Return the class of each row by name, or the numeric target."""
    if rows.y is not None:
        return np.array(rows.class_names, dtype=object)[rows.y]
    assert rows.target is not None
    return rows.target


def prepared_columns(rows: Dataset) -> Pipeline:
    """Return the pipeline that prepares the columns, fitted to all rows."""
    as_they_are = StandardScaler(with_mean=False, with_std=False)
    return make_pipeline(*(preparation(rows) or [as_they_are])).fit(given_rows(rows))


def predictor(
    exported: Exported,
    decision: Decision,
    class_weight: str | None,
    *,
    most: int = 0,
    calibrated: bool = False,
) -> CalibratedPipeline:
    """Return the recommended predictor of the label or target.

    Its features are the prepared columns or the scores of the model. If ``most`` is not 0, the
    predictor is trained on a sample of ``most`` rows, unless it is in `ON_ALL_ROWS`. If
    ``calibrated``, folds of these rows give probabilities or intervals (expanding windows if
    rows are ordered by time), unless all rows of a class are in a single group.
    """
    rows = exported.rows
    answer = answer_of(rows)
    every = np.arange(len(answer))
    front = exported.model
    Z = exported.scores
    if decision.recommended == RAW_FEATURES:
        front = prepared_columns(rows)
        Z = front.transform(exported.inputs)
    sampled = every
    if most:
        sampled, _ = train_test_split(every, train_size=most, stratify=rows.y, random_state=0)
        sampled = sampled if rows.time is None else np.sort(sampled)
    fitted = every if decision.predictor in ON_ALL_ROWS else sampled
    options = decision.options(class_weight)
    last = unfitted(decision.predictor, Z[fitted], options).fit(Z[fitted], answer[fitted])
    fitted_predictor = CalibratedPipeline([("model", front), ("predictor", last)])
    trained = rows.take(sampled)
    units = sampled if trained.groups is None else trained.groups
    of_class = np.zeros(len(sampled)) if trained.y is None else trained.y
    fewest = int(pd.Series(units).groupby(of_class).nunique().min())
    if not calibrated or fewest < 2:
        return fitted_predictor
    folds = FOLDS
    if rows.time is None:
        folds = min(FOLDS, fewest)
    try:
        cv = draw_folds(trained.whole(), folds, seed=0)
        X = given_rows(trained)
        return fitted_predictor.calibrate(X, answer[sampled], cv=cv, groups=units)
    except ValueError as error:  # A fold can leave out all samples of a class, because of groups.
        logging.warning("%s has no probabilities or intervals: %s", rows.name, error)
        return fitted_predictor


def ordinary_rows(rows: Dataset) -> Pipeline:
    """Return a detector of novel rows, fitted to at most `MOST_ROWS` rows of prepared columns."""
    front = prepared_columns(rows)
    sampled = sample(len(rows.X), MOST_ROWS)
    drawn = rows.take(sampled)
    groups = drawn.groups
    detector = KernelPCANovelty(gaussian(), statistic=NOVELTY, false_alarm=FALSE_ALARM)
    if rows.time is not None and groups is None:
        # The gap is limited to one block, so that training rows remain.
        groups = sampled * BLOCKS // len(rows.X)
        gap = min(rows.gap, len(rows.X) // BLOCKS)
        folds = shuffled_folds(len(sampled), FOLDS, 0, groups)
        detector.set_params(folds=without_neighbours(folds, sampled, gap))
    return make_pipeline(front, detector.fit(front.transform(given_rows(drawn)), groups=groups))


@script
def models(
    datasets: Sequence[str],
    decisions: pd.DataFrame,
    specs: Mapping[str, Mapping[str, Any]],
    grids: Mapping[str, list[dict[str, Any]]],
    written: Sequence[Sequence[str]],
    evaluation: dict[str, Any],
    neighbours: bool,
    paths: Sequence[str],
) -> None:
    """Write the files of every dataset; a model with a custom kernel is not saved.

    ``written`` names the dataset and the kind of file for each of the ``paths``.
    """
    files: dict[str, dict[str, str]] = defaultdict(dict)
    for (name, kind), path in zip(written, paths, strict=True):
        files[name][kind] = path
    class_weight = Settings.from_config(evaluation).class_weight
    chosen = {row["dataset"]: Decision.of(row) for row in decisions.to_dict("records")}
    for dataset in map(load_dataset, datasets):
        name = dataset.name
        decision = chosen[name]
        spec = specs[name]
        points = named_points(grids[name])
        rows = all_rows(dataset, spec)
        point = points.get(decision.cell, Point(LINEAR))
        exported = export(rows, point, decision)
        last = exported.model[-1]
        logging.info("%s: %d rows, solver %s", name, len(rows.X), last.solver_)
        values = novelty(exported)
        saved = {"model": exported.model}
        limits = {}
        if values is not None and isinstance(last, LandmarkKernelPCA):
            limits["model"] = conformal_limit(np.sort(values), FALSE_ALARM)
        if "novelty" in files[name]:
            saved["novelty"] = ordinary_rows(rows)
            values = -saved["novelty"].score_samples(exported.inputs)
            limits["novelty"] = saved["novelty"][-1].limit_
        planes = views(exported, points.get(decision.view, point), decision, neighbours=neighbours)
        table = embedding(exported, known_columns(rows, spec), planes, values)
        write_table(table, files[name]["embedding"])
        if "predictor" in files[name]:
            # An SVM takes n² time. If a file has more than twice the rows of the sweep, the
            # predictor is trained on as many rows as the sweep had.
            most = len(dataset.X) if len(rows.X) > 2 * len(dataset.X) else 0
            saved["predictor"] = predictor(
                exported, decision, class_weight, most=most, calibrated="path" in spec
            )
        notes = {"dataset": name} | {key: str(spec[key]) for key in NOTED if key in spec}
        for kind in saved.keys() & files[name]:
            limit = {LIMIT: repr(float(limits[kind]))} if kind in limits else {}
            kpca.save(with_reader(saved[kind], rows), files[name][kind], notes=notes | limit)
