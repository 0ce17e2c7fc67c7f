"""Train the linear SVM on ordinary and on sparse components."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.datasets import load_dataset
from pipeline.evaluation.settings import Settings
from pipeline.files import write_table
from workflow.scripts.linear.sparse_features import sparse_features


def main(
    datasets: Sequence[str],
    n_components: dict[str, int],
    strengths: Sequence[float],
    settings: dict[str, Any],
    seed: int,
) -> pd.DataFrame:
    """Return the scores of every dataset, replicate and strength."""
    tables = []
    for dataset in map(load_dataset, datasets):
        tables.append(
            sparse_features(
                dataset,
                strengths,
                n_components=n_components[dataset.name],
                settings=Settings.from_config(settings),
                seed=seed,
            )
        )
    return pd.concat(tables)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        options = {k: v for k, v in snakemake.params.items() if k != "code"}
        write_table(main(snakemake.input.datasets, **options), snakemake.output[0])
