"""Draw or read a dataset, with its splits."""

import logging
from pathlib import Path
from typing import Any

from kpca.study.datasets.make import make_dataset
from workflow.job import script


@script
def dataset(
    paths: list[str], spec: dict[str, Any], seed: int, replicates: int, needs: dict[str, int]
) -> None:
    """Write the dataset, and log its size."""
    name = Path(paths[0]).stem
    rows = make_dataset(name, spec, seed=seed, replicates=replicates, **needs)
    rows.save(paths[0])
    logging.info("%s: %d rows, %d columns", name, *rows.X.shape)
