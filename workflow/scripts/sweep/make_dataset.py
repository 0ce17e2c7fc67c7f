"""Make a dataset with its splits."""

import logging
from collections.abc import Sequence
from typing import Any

from pipeline.datasets.dataset import describe
from pipeline.datasets.make import make_dataset
from pipeline.job import script


@script
def make(name: str, spec: dict[str, Any], seed: int, replicates: int, paths: Sequence[str]) -> None:
    """Write the dataset, and into the log what it is."""
    dataset = make_dataset(name, spec, seed=seed, replicates=replicates)
    dataset.save(paths[0])
    logging.info(", ".join(f"{key} {value}" for key, value in describe(dataset).items()))
