"""What a sweep needs: every fit and every score, under the key of all that determines it.

Imported while the Snakefile is parsed, hence the standard library only.
"""

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pipeline.evaluation.cells import Cell, cells
from pipeline.evaluation.settings import TASKS, Score, Settings, scores_of
from pipeline.fingerprint import code_of, own_fingerprint
from pipeline.grid import Point, point_from_dict, points
from pipeline.seeds import seed_axis, seed_for

WHOLE = "all"
"""In place of the number of a replicate: all rows, which are validated and not tested."""

LIBRARIES = ("numpy", "scipy", "scikit-learn")
"""Whose versions may change the digits of a result."""


@dataclass(frozen=True)
class Task:
    """What is computed together: a cell of one replicate, with its fit if it is a kernel PCA.

    Attributes
    ----------
    replicate : int or "all"
        Its number, or `WHOLE`.
    fit_key : str
        Key of the fit; empty where there is none.
    scores_key : str
        Key of what all its scores have in common; the rest is in their names.
    scores : mapping of str to Score
        The wanted ones by name.
    """

    cell: Cell
    replicate: int | str
    fold_seed: int
    fit_key: str
    scores_key: str
    scores: Mapping[str, Score]

    @property
    def name(self) -> str:
        """Name of the entry in `results/fits/` and `results/scores/`."""
        return f"{self.cell.id}/{self.replicate}"


def key_of(*parts: object) -> str:
    """Return the digest of values that JSON can hold.

    >>> key_of("rbf", {"gamma": 1.0}) == key_of("rbf", {"gamma": 1.0})
    True
    """
    text = json.dumps(parts, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def grid_of(config: Mapping[str, Any], dataset: str) -> dict[str, list[Point]]:
    """Return the kernel families of a dataset with their points."""
    if config["datasets"][dataset].get("kernel_matrix"):
        return {"precomputed": [Point("precomputed")]}
    return {kernel: points(kernel, axes) for kernel, axes in config["kernels"].items()}


def sweep_of(config: Mapping[str, Any], dataset: str) -> dict[str, Any]:
    """Return what of a configuration, and of the code, determines the fits and scores of a dataset.

    It is plain, for `params` of a rule, where it triggers reruns.
    """
    families = grid_of(config, dataset)
    given = config["datasets"][dataset].get("kernel_matrix")
    methods = {} if given else config.get("methods") or {}
    kernels = {kernel: (config["kernels"].get(kernel) or {}).get("callable") for kernel in families}
    classes = {m: own if isinstance(own, str) else own["class"] for m, own in methods.items()}
    return {
        "seed_axis": seed_axis(dataset, drawn="generator" in config["datasets"][dataset]),
        "points": [point.as_dict() for family in families.values() for point in family],
        "methods": methods,
        "settings": config["evaluation"],
        "seed": config["seed"],
        "fit_code": _code("pipeline/fits.py"),
        "score_code": _code("pipeline/evaluation/families.py"),
        "validation_code": _code("pipeline/evaluation/validation.py"),
        "own_code": {n: own_fingerprint([p]) for n, p in (kernels | classes).items() if p},
    }


def source_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a dataset comes from, without how often it is drawn and in how many jobs."""
    return {key: value for key, value in spec.items() if key not in ("replicates", "parts")}


def card_key(config: Mapping[str, Any], dataset: str) -> str:
    """Return the key of what a dataset is made from: the configuration of it, and its file.

    Snakemake calls outputs newer than inputs that changed while a job read them; the content that
    the file had when the run began tells.
    """
    spec = config["datasets"][dataset]
    replicates = spec.get("replicates", config["replicates"])
    content = _content(Path(spec["path"])) if "path" in spec else ""
    return key_of(source_of(spec), content, config["seed"], replicates)


@functools.cache
def _content(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def origin_of(config: Mapping[str, Any], dataset: str) -> str:
    """Return a digest of all that determines the fits and scores of a dataset, and its rows.

    It stands in `params` of what reads them too. Snakemake removes what a job had made before when
    it starts or fails, and finds nothing to do where only that is missing, in the middle.
    """
    making = _code("workflow/scripts/sweep/make_dataset.py")
    return key_of(sweep_of(config, dataset), card_key(config, dataset), making, libraries())


def tasks(
    sweep: Mapping[str, Any], *, task: str, precomputed: bool, splits: Sequence[str], whole: str
) -> Iterator[Task]:
    """Yield every task of a sweep, as `sweep_of` gives it, sorted by name.

    Of the dataset it takes what can be scored, whether it is a kernel matrix, and the digests of
    each of its splits and of all its rows, empty where these are not validated.
    """
    settings = Settings.from_config(sweep["settings"])
    grid = [point_from_dict(point) for point in sweep["points"]]
    listed = list(cells(grid, sweep["methods"], task=task, precomputed=precomputed))
    wanted = [(cell, cell.scores(task, settings)) for cell in listed]
    found = [
        _task(sweep, cell, settings, replicate, digest, scores)
        for replicate, digest in enumerate(splits)
        for cell, scores in wanted
    ]
    if whole:
        scores = validated(task, settings)
        models = (cell for cell in listed if cell.kind in ("kernel", "pca"))
        found += [_task(sweep, cell, settings, WHOLE, whole, scores) for cell in models]
    yield from sorted(found, key=lambda task: task.name)


def validated(task: str, settings: Settings) -> dict[str, Score]:
    """Return what is validated on all rows, by name: the scores that a kernel is chosen by.

    They are those of the first method of the task, an SVM at its first scaling.
    """
    first = replace(settings, scaling=settings.scaling[:1])
    return {score.name: score for score in scores_of(TASKS[task][:1], settings.n_components, first)}


def _task(
    sweep: Mapping[str, Any],
    cell: Cell,
    settings: Settings,
    replicate: int | str,
    digest: str,
    scores: Mapping[str, Score],
) -> Task:
    own = sweep["own_code"].get(cell.point.kernel, "")
    seed = seed_for(sweep["seed"], sweep["seed_axis"], replicate, "folds")
    described = [cell.kind, cell.point.as_dict(), digest, own, libraries()]
    fit_key, code = "", sweep["score_code"]
    if replicate == WHOLE:
        code = sweep["validation_code"]
    elif cell.kind == "kernel":
        # More components are another fit, and so is a share that asks for more than those.
        width = (max(settings.n_components), settings.variance_share)
        fit_key = key_of(*described, width, sweep["fit_code"])
    scores_key = key_of(*described, fit_key, seed, settings.folds, code)
    return Task(cell, replicate, seed, fit_key, scores_key, scores)


_code = functools.cache(code_of)  # a dataset asks for it several times


@functools.cache
def libraries() -> dict[str, str]:
    """Return the versions of what the numbers come from."""
    return {name: version(name) for name in LIBRARIES}
