"""Compute the table on de-noised points around curves."""

from pipeline.files import write_table
from workflow.scripts.input_space.curves import curves

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        write_table(curves(**snakemake.params.arguments), snakemake.output[0])
