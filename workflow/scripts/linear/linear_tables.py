"""Compute the tables on PCA and SVD: agreement of routes, spectra, errors of randomized SVD."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pipeline.files import write_table
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.linear.agreement import agreement, spectra
from workflow.scripts.linear.samples import tall_and_wide
from workflow.scripts.linear.svd_errors import randomized_errors


def small_and_wide(seed: int) -> np.ndarray:
    """Return 20 samples of 30 variables: XᵀX has at least 11 eigenvalues 0, and XXᵀ has one."""
    X = rng_for(seed, "linear", "spectra").standard_normal((20, 30))
    return X * np.linspace(2, 0.2, 30)


def main(
    seed: int,
    n_components: int,
    shape: Sequence[int],
    n_oversamples: int,
    n_iters: Sequence[int],
    draws: int,
) -> dict[str, pd.DataFrame]:
    """Return every table under the name of its file."""
    samples = tall_and_wide(seed_for(seed, "linear", "agreement"))
    errors = randomized_errors(
        shape=(shape[0], shape[1]),
        n_components=n_components,
        n_oversamples=n_oversamples,
        n_iters=n_iters,
        draws=draws,
        seed=seed_for(seed, "linear", "svd"),
    )
    return {
        "agreement": agreement(samples, n_components),
        "spectra": spectra(small_and_wide(seed)),
        "svd_errors": errors,
    }


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        options = {k: v for k, v in snakemake.params.items() if k != "code"}
        for name, table in main(**options).items():
            write_table(table, snakemake.output[name])
