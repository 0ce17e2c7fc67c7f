"""Join the tables of all datasets into one table per kind."""

from kpca.study.stages import Tables
from kpca.study.store import join_tables
from workflow.job import script


@script
def tables(**files: list[str]) -> Tables:
    """Return one table per kind, with the rows of every dataset in the order of the files."""
    return {name: join_tables(paths) for name, paths in files.items()}
