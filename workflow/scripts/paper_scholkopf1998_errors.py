"""Compute the test errors behind one column of Table 1 of Schölkopf et al. (1998), one draw."""

from pathlib import Path

from kpca.pipeline.studies.papers.usps_errors import errors
from kpca.pipeline.tables import write_table

if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        folder = Path(snakemake.input.train).parent
        write_table(errors(folder, **snakemake.params.arguments), snakemake.output[0])
