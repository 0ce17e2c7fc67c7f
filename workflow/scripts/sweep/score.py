"""Score raw features, PCA and every kernel PCA on every replicate of a dataset."""

from pathlib import Path
from typing import Any

from kpca.study.datasets.dataset import load_dataset
from kpca.study.fitting.grid import Point
from kpca.study.scoring.grid_scores import Scoring, score_grid, write_scores
from kpca.study.scoring.settings import Settings
from workflow.job import cache_of, script


@script
def score(
    dataset: str, fits: str, code: list[str], threads: int, paths: list[str], **given: Any
) -> None:
    """Write the scores of all methods; the cache stores the scores of a fit when computed."""
    cache = cache_of(paths[0], [*code, *given["own"]])
    scoring = Scoring(
        points=[Point(**plain) for plain in given["points"]],
        methods=given["methods"],
        settings=Settings.from_config(given["evaluation"]),
        followers=given["followers"],
        seed=given["seed"],
    )
    keys = score_grid(load_dataset(dataset), Path(fits), scoring, cache, processes=threads)
    write_scores(paths[0], keys, cache)
