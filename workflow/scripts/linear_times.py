"""Time the routes of PCA, the methods of SVD, and sparse PCA."""

from collections.abc import Sequence

import pandas as pd

from kpca.pipeline.seeds import seed_for
from kpca.pipeline.studies.linear.times import route_times, sparse_times, svd_times
from kpca.pipeline.tables import write_table


def main(
    seed: int,
    n_components: int,
    n: int,
    sizes: Sequence[int],
    shape: Sequence[int],
    n_iters: Sequence[int],
    repeats: int,
) -> dict[str, pd.DataFrame]:
    """Return every table under the name of its file."""
    root = seed_for(seed, "linear", "times")
    return {
        "routes": route_times(
            n=n, sizes=sizes, n_components=n_components, repeats=repeats, seed=root
        ),
        "svd": svd_times(
            shape=(shape[0], shape[1]),
            n_components=n_components,
            n_iters=n_iters,
            repeats=repeats,
            seed=root,
        ),
        "sparse": sparse_times(root),
    }


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        options = {k: v for k, v in snakemake.params.items() if k != "code"}
        for name, table in main(**options).items():
            write_table(table, snakemake.output[name])
