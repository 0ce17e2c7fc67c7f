"""Measure the statements of a topic, and what its figures show."""

from importlib import import_module

import pandas as pd

from pipeline.files import write_table
from workflow.scripts.claims.claim import claims_table

if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        study = import_module(f"workflow.scripts.claims.{snakemake.params.topic}")
        given = {name: pd.read_csv(path) for name, path in snakemake.input.items()}
        claims, tables = study.measure(**given, **snakemake.params.arguments)
        write_table(claims_table(claims), snakemake.output.claims)
        for name, table in tables.items():
            write_table(table, snakemake.output[name])
