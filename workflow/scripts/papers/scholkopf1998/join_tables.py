"""Join tables of the same columns, one below the other."""

import pandas as pd

if __name__ == "__main__":
    from pipeline.files import write_table
    from pipeline.job import job

    with job(snakemake):
        parts = [pd.read_csv(path) for path in snakemake.input]
        write_table(pd.concat(parts, ignore_index=True), snakemake.output[0])
