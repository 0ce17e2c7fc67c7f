"""Count, for every published table, the cells that ours reproduce."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pipeline.files import write_table
from workflow.scripts.papers.overview import cells, overview


def main(
    tables: Sequence[str], published: Sequence[str], ours: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the overview and all cells of the papers, each named by the folder of its table."""
    lines, every = [], []
    for paths in zip(tables, published, ours, strict=True):
        listed, printed, measured = map(pd.read_csv, paths)
        known = cells(Path(paths[-1]).parent.name, listed, printed, measured)
        every.append(known)
        lines.append(overview(known, listed))
    return pd.concat(lines, ignore_index=True), pd.concat(every, ignore_index=True)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        read, written = snakemake.input, snakemake.output
        counted, known = main(read.tables, read.published, read.ours)
        write_table(counted, written.overview)
        write_table(known, written.cells)
