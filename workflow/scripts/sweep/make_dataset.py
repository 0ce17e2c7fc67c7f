"""Make a dataset with its splits."""

import logging
from collections.abc import Sequence
from typing import Any

from kpca.study.datasets.make import make_dataset
from workflow.job import script


@script
def make(name: str, spec: dict[str, Any], draw: dict[str, int], paths: Sequence[str]) -> None:
    """Write the dataset, and into the log its size."""
    dataset = make_dataset(name, spec, **draw)
    dataset.save(paths[0])
    logging.info("%s: %d rows, %d columns", name, *dataset.X.shape)
