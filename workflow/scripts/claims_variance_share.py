"""Score the k of shares of the variance, and measure the statements on them."""

from typing import Any

import pandas as pd

from kpca.pipeline.evaluation.settings import Settings
from kpca.pipeline.studies.claims.claim import Claim, claims_table
from kpca.pipeline.studies.claims.shares import chosen_settings, score_shares
from kpca.pipeline.studies.claims.sweep import SVMS, svm_of
from kpca.pipeline.studies.claims.variance_share import measure
from kpca.pipeline.tables import write_table


def main(
    selected: pd.DataFrame, described: pd.DataFrame, evaluation: dict[str, Any], **stores: Any
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements and what was measured; nothing where no dataset has labels."""
    method = svm_of(selected) or SVMS[0]
    chosen = chosen_settings(selected, method)
    settings = Settings.from_config(evaluation)
    scored = score_shares(chosen, method=method, settings=settings, **stores)
    return measure(chosen, scored, described, method)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        given = {name: pd.read_csv(snakemake.input[name]) for name in ("selected", "described")}
        stores = {name: list(snakemake.input[name]) for name in ("datasets", "fits")}
        claims, tables = main(**given, **stores, **snakemake.params.arguments)
        write_table(claims_table(claims), snakemake.output.claims)
        for name, table in tables.items():
            write_table(table, snakemake.output[name])
