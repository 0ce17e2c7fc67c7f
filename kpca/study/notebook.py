"""`answer`, which computes in Python what a run of Snakemake does for the same table."""

import warnings
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import NDArray

from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.reading.cells import texts_of
from kpca.reading.errors import InputError
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.make import make_dataset
from kpca.study.datasets.problems import is_measurement
from kpca.study.datasets.sizes import within_rows
from kpca.study.decision.answer import Answer, answers
from kpca.study.design import QUICK_REPLICATES, complete_design, left_out_by_quick, quick_design
from kpca.study.fitting.grid import grid_of, method_points, points
from kpca.study.fitting.own_code import try_kernel, try_method
from kpca.study.options import as_typed, check_options
from kpca.study.scoring.grid_scores import Scoring
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.settings import Settings
from kpca.study.stages import decided_tables, evidence, swept
from kpca.study.store import as_stored

NAME = "table"  # name of the only dataset


def answer(
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    task: str = "auto",
    processes: int = 2,
    config: Mapping[str, Any] | None = None,
    **options: Any,
) -> Answer:
    """Return whether to use raw features, PCA or kernel PCA for a table, with probabilities.

    The table is read as ``snakemake --config data=FILE`` reads a file, so both give the same
    splits, seeds and numbers.

    Parameters
    ----------
    X : DataFrame or array of shape (n, d)
        Features; columns of text become categories.
    y : Series or array of shape (n,)
        Classes, or numbers.
    groups : array of shape (n,) or str, default=None
        Rows of one group stay on the same side of every split. A str is the name of a column of
        `X`, which is then not used as a feature.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" takes `y` as a numeric target if some numbers have fractions, or if there are more
        than 20 distinct numbers, each in fewer than ten rows on average. Otherwise `y` are labels.
    processes : int, default=2
        Number of parallel processes that fit and score.
    config : mapping, default=None
        Keys of a configuration that replace the defaults in ``kpca.study.design``: ``seed``,
        ``replicates``, ``kernels``, ``methods`` and ``evaluation``. Other keys, such as
        ``datasets``, have no effect.
    **options : object
        Options of the command line of a run, such as ``quick=True``, ``missing="median"``,
        ``n_components=[2, 5]`` or ``kernels=["linear", "rbf"]``.

    Returns
    -------
    Answer

    Raises
    ------
    InputError
        If the table or the options have problems; the message lists them all.
    ValueError
        If `task` is unknown, a column name is missing or already used, `X` is not two-dimensional,
        or `y` or `groups` does not have one value per row.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> answer(*load_wine(return_X_y=True))  # doctest: +SKIP
    """
    table, roles = _table(X, y, groups, task)
    with (
        TemporaryDirectory() as folder,
        warnings.catch_warnings(action="ignore", category=IndefiniteKernelWarning),
        sklearn.config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        try:
            check_options(options)
            design = complete_design(NAME, table, options | roles, config or {})
            _try_own(design)
            rows, design, left_out = _within_rows(design)
        except InputError as error:
            raise InputError(as_typed(str(error))) from error
        evaluation = design["evaluation"]
        seed = design["seed"]
        settings = Settings.from_config(evaluation)
        grid = [point for family in grid_of(design, NAME).values() for point in family]
        clusters = not design["quick"]
        followers = [n for n, method in METHODS.items() if clusters or method.gives != "clusters"]
        scoring = Scoring(grid, design["methods"] or {}, settings, followers, seed)
        data, fits, scores = swept(rows, scoring, folder, processes)
        tables = evidence(data, fits, [scores], evaluation, seed, left_out)
        tables = {name: as_stored(table) for name, table in tables.items() if name != "datasets"}
        grids = {NAME: [vars(point) for point in grid]}
        driven = rows.task != "none"
        decided = decided_tables(
            [data], [fits], [scores], grids, evaluation, driven=driven, **tables
        )
        notices = {NAME: [as_typed(notice) for notice in rows.warnings]}
        return answers(left_out=left_out, notices=notices, **tables, **decided)[0]


def _try_own(design: Mapping[str, Any]) -> None:
    """Try out the custom kernels and methods of a design, so that errors show before any fit."""
    spec = design["datasets"][NAME]
    for kernel, axes in design["kernels"].items():
        if "callable" in (axes or {}):
            try_kernel(points(kernel, axes), spec)
    for name, method in (design["methods"] or {}).items():
        try_method(method_points(name, method))


def _within_rows(design: dict[str, Any]) -> tuple[Dataset, dict[str, Any], list[str]]:
    """Return the dataset, the design that its rows and ``quick`` allow, and what is left out."""
    spec = design["datasets"][NAME]
    quick = design["quick"]
    replicates = design["replicates"]
    if quick:
        replicates = min(QUICK_REPLICATES, replicates)
    rows = make_dataset(NAME, spec, seed=design["seed"], replicates=replicates)
    evaluation, left_out = within_rows(
        rows, spec, design["evaluation"], quick=quick, seed=design["seed"]
    )
    design = design | {"evaluation": evaluation}
    if quick:
        whole = design
        design = quick_design(design)
        left_out = [*left_out, left_out_by_quick(whole, design)]
    return rows, design, left_out


def _table(X: Any, y: Any, groups: Any, task: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return one table of X, y and groups, and role → column for the roles of y and groups."""
    if isinstance(X, pd.DataFrame):
        table = X.reset_index(drop=True).set_axis([*map(str, X.columns)], axis="columns")
    else:
        X = _unmasked(X.toarray() if hasattr(X, "toarray") else X)
        if X.ndim != 2:
            raise ValueError(f"X has shape {X.shape}, and must have rows and columns")
        names = [f"x{j + 1}" for j in range(X.shape[1])]
        table = pd.DataFrame(X, columns=names).infer_objects()
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be auto, classification or regression, got {task!r}")
    roles = {}
    if isinstance(groups, str):
        if groups not in table:
            raise ValueError(f"groups={groups!r} names no column of X: name one, or give an array")
        roles["group"], groups = groups, None
    for argument, values in {"y": y, "groups": groups}.items():
        if values is None:
            continue
        column = _column(values, argument, len(table))
        role = "group"
        if argument == "y":
            is_target = is_measurement(texts_of(column)) if task == "auto" else task == "regression"
            role = "target" if is_target else "label"
        named = None if isinstance(values, pd.DataFrame) else getattr(values, "name", None)
        name = str(named or role)
        if name in table:
            raise ValueError(f"the {role} has the name of a feature, {name!r}: rename one")
        table[name] = column
        roles[role] = name
    return table, roles


def _column(values: Any, argument: str, n_rows: int) -> NDArray[Any]:
    """Return the values of an argument as an array with one value per row."""
    column = _unmasked(values)
    if column.shape not in ((n_rows,), (n_rows, 1)):
        raise ValueError(
            f"{argument} has shape {column.shape}, and must have one value for each of the "
            f"{n_rows} rows of X"
        )
    return column.ravel()


def _unmasked(values: Any) -> NDArray[Any]:
    """Return values as an array in which masked cells are missing."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(object), np.nan)
    return np.asarray(values)
