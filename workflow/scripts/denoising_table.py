"""Compute the table on de-noised digits."""

from kpca.pipeline.studies.input_space.denoising import denoising
from pipeline.tables.tables import write_table

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        write_table(denoising(**snakemake.params.arguments), snakemake.output[0])
