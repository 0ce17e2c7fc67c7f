"""Evaluate what kernel PCA is compared with."""

from typing import Any

from pipeline.datasets import load_dataset
from pipeline.evaluation.families import evaluate_baselines
from pipeline.evaluation.settings import Settings
from pipeline.grid import point_from_dict


def main(
    dataset: str,
    output: str,
    bandwidths: list[dict[str, Any]],
    settings: dict[str, Any],
    **options: Any,
) -> str:
    """Update the store of scores; return how much was new."""
    computed, reused = evaluate_baselines(
        output,
        load_dataset(dataset),
        [point_from_dict(point) for point in bandwidths],
        settings=Settings.from_config(settings),
        **options,
    )
    return f"{computed} evaluated, {reused} reused"


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake) as log:
        log.info(
            main(**dict(snakemake.input), output=snakemake.output[0], **dict(snakemake.params))
        )
