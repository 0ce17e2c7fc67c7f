"""The answer for arrays and data frames, in Python: what a run gives for the same table."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import sklearn

from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.reading.problems import is_measurement
from kpca.reading.table import label_text
from kpca.study.cache import Cache
from kpca.study.datasets.make import make_dataset
from kpca.study.datasets.spec import source_of
from kpca.study.decision.answer import Answer
from kpca.study.decision.stages import decided_tables, evidence
from kpca.study.fitting.fits import FitOptions, fit_grid
from kpca.study.fitting.grid import grid_of
from kpca.study.scoring.grid_scores import Scoring, score_grid, write_scores
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.settings import Settings
from kpca.study.store import as_stored
from workflow.configuration.explain import read_yaml
from workflow.configuration.load import load

CONFIG = Path(__file__).resolve().parents[2] / "config/config.yaml"


def answer(
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    task: str = "auto",
    processes: int = 2,
    config: Mapping[str, Any] | Path | str = CONFIG,
    **options: Any,
) -> Answer:
    """Return what to use for a table: raw features, PCA or kernel PCA, with the odds.

    The table is written to a file and read as ``snakemake --config data=FILE`` reads it, so both
    give the same splits, seeds and numbers.

    Parameters
    ----------
    X : DataFrame or array of shape (n, d)
        Features; columns of text become categories.
    y : Series or array of shape (n,)
        Classes, or numbers.
    groups : array of shape (n,), default=None
        Rows of one group stay on one side of every split.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto" takes numbers for a target if some have fractions, or if more than 20 differ and each
        stands in fewer than ten rows on average. All else are labels.
    processes : int, default=2
        That fit and score side by side.
    config : mapping or path, default=CONFIG
        Kernels, evaluation, seed and replicates; that of the repository by default.
    **options
        As on the command line of a run, such as ``quick=True``, ``missing="median"`` or
        ``n_components=[2, 5]``.

    Returns
    -------
    Answer

    Raises
    ------
    InputError
        With every problem of the table and the options.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> answer(*load_wine(return_X_y=True))  # doctest: +SKIP
    """
    table, roles = _table(X, y, groups, task)
    given = read_yaml(Path(config)) if isinstance(config, str | Path) else dict(config)
    with (
        TemporaryDirectory() as folder,
        warnings.catch_warnings(action="ignore", category=IndefiniteKernelWarning),
        sklearn.config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        path = Path(folder, "table.csv")
        table.to_csv(path, index=False)
        loaded = load({**given, **options, **roles, "data": str(path)}, [str(CONFIG)])
        run = loaded.config
        [(name, spec)] = run["datasets"].items()
        replicates = spec.get("replicates", run["replicates"])
        rows = make_dataset(name, source_of(spec), seed=run["seed"], replicates=replicates)
        data, fits, scores = (
            str(Path(folder, part, name)) for part in ("datasets", "fits", "scores")
        )
        rows.save(data)
        cache, settings = Cache(Path(folder, "cache")), Settings.from_config(run["evaluation"])
        points = [point for family in grid_of(run, name).values() for point in family]
        shared = {"folds": settings.folds, "variance_share": settings.variance_share}
        options = FitOptions(settings.largest, **shared, seed=run["seed"])
        cache.link(fit_grid(rows, points, options, cache, processes=processes), fits)
        scoring = Scoring(points, run.get("methods") or {}, settings, [*METHODS], run["seed"])
        write_scores(scores, score_grid(rows, fits, scoring, cache, processes=processes), cache)
        tables = evidence(data, fits, [scores], run["evaluation"], run["seed"], loaded.left_out)
        tables = {key: as_stored(table) for key, table in tables.items() if key != "datasets"}
        grids = {name: [vars(point) for point in points]}
        decided = decided_tables([data], [fits], [scores], grids, run["evaluation"], **tables)
        return Answer.of(name, loaded.left_out, ranking=tables["ranking"], **decided)


def _table(X: Any, y: Any, groups: Any, task: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return one table of features, answer and groups, and the columns of the last two."""
    if isinstance(X, pd.DataFrame):
        table = X.reset_index(drop=True).rename(columns=str)
    else:
        X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
        table = pd.DataFrame(X, columns=[f"x{j + 1}" for j in range(X.shape[1])])
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be auto, classification or regression, got {task!r}")
    texts = [] if y is None else [label_text(value) for value in y]
    regression = is_measurement(texts) if task == "auto" else task == "regression"
    roles = {}
    for role, values in (("target" if regression else "label", y), ("group", groups)):
        if values is not None:
            name = str(getattr(values, "name", None) or role)
            if name in table:
                raise ValueError(f"the {role} has the name of a feature, {name!r}: rename one")
            table[name], roles[role] = np.asarray(values), name
    return table, roles
