"""Compute the table on de-noised points around curves."""

from kpca.pipeline.studies.input_space.curves import curves
from pipeline.tables.tables import write_table

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        write_table(curves(**snakemake.params.arguments), snakemake.output[0])
