"""Compute the test errors behind one column of Table 1 of Schölkopf et al. (1998), one draw."""

from pathlib import Path

from kpca.pipeline.studies.papers.usps_errors import errors
from pipeline.tables.tables import write_table

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
