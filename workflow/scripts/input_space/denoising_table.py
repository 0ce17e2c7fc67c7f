"""Compute the table on de-noised digits."""

from pipeline.files import write_table
from workflow.scripts.input_space.denoising import denoising

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        write_table(denoising(**snakemake.params.arguments), snakemake.output[0])
