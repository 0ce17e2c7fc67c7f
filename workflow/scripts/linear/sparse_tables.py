"""Compute the tables on sparse PCA: paths, exact references, loadings."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pipeline.files import write_table
from workflow.scripts.linear.samples import builtin, read_correlations, standardized
from workflow.scripts.linear.sparse_exact import exact_path
from workflow.scripts.linear.sparse_fits import Sample, fit_all
from workflow.scripts.linear.sparse_paths import loadings, path_table


def samples(correlations: np.ndarray, n_components: dict[str, int]) -> dict[str, Sample]:
    """Return the covariance matrices: two of standardised variables, and grey values of digits."""
    matrices = {
        "pitprops": correlations,
        "breast_cancer": np.cov(standardized(builtin("breast_cancer")), rowvar=False),
        "digits": np.cov(builtin("digits"), rowvar=False),
    }
    return {name: Sample(matrices[name], k) for name, k in n_components.items()}


def main(
    correlations: str,
    strengths: Sequence[float],
    n_components: dict[str, int],
    nonzeros: dict[str, float],
) -> dict[str, pd.DataFrame]:
    """Return every table under the name of its file."""
    names, matrix = read_correlations(correlations)
    data = samples(matrix, n_components)
    fits = {name: fit_all(sample, strengths) for name, sample in data.items()}
    variables = {"pitprops": names, "digits": [f"pixel {i}" for i in range(64)]}
    return {
        "paths": pd.concat(path_table(data[name], fits[name]).assign(data=name) for name in data),
        "loadings": pd.concat(
            loadings(data[name], fits[name], variables[name], size).assign(data=name)
            for name, size in nonzeros.items()
        ),
        "exact_path": exact_path(data["pitprops"]),
    }


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        options = {k: v for k, v in snakemake.params.items() if k != "code"}
        for name, table in main(snakemake.input.correlations, **options).items():
            write_table(table, snakemake.output[name])
