"""Compute the tables on variance inflation."""

from pipeline.files import write_table
from workflow.scripts.input_space.inflation import gains, inflation

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        ratios, accuracy = inflation(**snakemake.params.arguments)
        write_table(ratios, snakemake.output.ratios)
        write_table(gains(accuracy), snakemake.output.gains)
