"""Compute the tables on novelty detection."""

from pipeline.files import write_table
from workflow.scripts.input_space.novelty import roc

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        areas, curves = roc(**snakemake.params.arguments)
        write_table(areas, snakemake.output.areas)
        write_table(curves, snakemake.output.curves)
