"""Compute the tables on de-noising: digits, and points around curves."""

from typing import Any

from kpca.pipeline.studies.input_space.curves import curves
from kpca.pipeline.studies.input_space.denoising import denoising
from kpca.pipeline.tables import write_table

if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        options: dict[str, Any] = snakemake.params.arguments
        shared = {name: options[name] for name in ("seed", "replicates")}
        write_table(denoising(**options), snakemake.output.digits)
        write_table(curves(**shared), snakemake.output.curves)
