"""Join the claims of every topic: a table of statements, and one of their cases."""

import pandas as pd

from kpca.pipeline.studies.claims.claim import joined
from pipeline.tables.tables import write_table

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        for table, path in zip(
            joined(map(pd.read_csv, snakemake.input)), snakemake.output, strict=True
        ):
            write_table(table, path)
