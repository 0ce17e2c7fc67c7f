"""Fit a kernel family on every replicate of a dataset."""

from typing import Any

from pipeline.datasets import load_dataset
from pipeline.fits import fit_family
from pipeline.grid import point_from_dict


def main(dataset: str, points: list[dict[str, Any]], fits: str, **options: Any) -> str:
    """Update the store; return how much was new."""
    grid = [point_from_dict(point) for point in points]
    computed, reused = fit_family(fits, load_dataset(dataset), grid, **options)
    return f"{computed} fitted, {reused} reused"


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake) as log:
        log.info(
            main(
                snakemake.input.dataset,
                fits=snakemake.output.fits,
                **dict(snakemake.params),
            )
        )
