"""A sweep of one dataset, as the rules `fit`, `classify` and `cluster` run it."""

import shutil

from kpca.study.fitting.fits import FitOptions, fit_grid
from kpca.study.fitting.grid import grid_of
from kpca.study.scoring.grid_scores import Scoring, score_grid, write_scores
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.settings import Settings

CLUSTERS = [name for name, method in METHODS.items() if method.gives == "clusters"]
# Folder of stores of scores → their methods, and the settings that they do not use.
STORES = {
    "classified": ([n for n in METHODS if n not in CLUSTERS], {"kmeans_starts": 1}),
    "clustered": (CLUSTERS, {"C": (), "scaling": ()}),
}


def sweep(folder, config, rows, cache, *, processes=1):
    """Fit and score rows by the kernels of the first dataset, and return the stores of scores."""
    points = [point for grid in grid_of(config, min(config["datasets"])).values() for point in grid]
    settings = Settings.from_config(config["evaluation"])
    options = FitOptions(settings.largest, settings.folds, settings.variance_share, config["seed"])
    shutil.rmtree(folder / "fits", ignore_errors=True)
    cache.link(fit_grid(rows, points, options, cache, processes=processes), folder / "fits")
    stores = []
    for name, (methods, unused) in STORES.items():
        settings = Settings.from_config(config["evaluation"] | unused)
        scoring = Scoring(points, {}, settings, methods, config["seed"])
        keys = score_grid(rows, folder / "fits", scoring, cache, processes=processes)
        stores.append(folder / name / f"{rows.name}.npz")
        write_scores(stores[-1], keys, cache)
    return stores
