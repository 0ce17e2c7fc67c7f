"""Join the claims of every topic: a table of statements, and one of their cases."""

import pandas as pd

from pipeline.files import write_table
from workflow.scripts.claims.claim import joined

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        for table, path in zip(
            joined(map(pd.read_csv, snakemake.input)), snakemake.output, strict=True
        ):
            write_table(table, path)
