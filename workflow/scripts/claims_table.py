"""Join the claims of every topic in one table."""

import pandas as pd

from kpca.pipeline.studies.claims.claim import joined
from kpca.pipeline.tables import write_table

if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        write_table(joined(map(pd.read_csv, snakemake.input)), snakemake.output[0])
