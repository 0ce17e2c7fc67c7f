"""Measure what the training rows of one dataset say about γ and the number of components."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.datasets import load_dataset
from pipeline.files import write_table
from workflow.scripts.choice.measures import Plan, measures


def measure(
    dataset: str, multiples: Sequence[float], plan: dict[str, Any], seed: int
) -> pd.DataFrame:
    """Return every measure of every replicate."""
    return measures(load_dataset(dataset), multiples, Plan(**plan), seed=seed)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        table = measure(snakemake.input[0], **snakemake.params.arguments)
        write_table(table, snakemake.output[0])
