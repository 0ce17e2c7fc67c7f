"""Compute the test errors behind one column of Table 1 of Schölkopf et al. (1998), one draw."""

from pathlib import Path

from pipeline.files import write_table
from workflow.scripts.papers.scholkopf1998.usps_errors import errors

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        cell = snakemake.wildcards
        table = errors(
            Path(snakemake.input.train).parent,
            seed=snakemake.params.seed,
            images=cell.images,
            degree=int(cell.degree),
            subset=int(cell.subset),
        )
        write_table(table, snakemake.output[0])
