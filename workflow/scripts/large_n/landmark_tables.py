"""Compute the tables on how many landmarks are enough."""

from pipeline.files import write_table
from workflow.scripts.large_n.landmarks import landmarks

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        errors, sampling, enough = landmarks(**snakemake.params.arguments)
        write_table(errors, snakemake.output.errors)
        write_table(sampling, snakemake.output.sampling)
        write_table(enough, snakemake.output.enough)
