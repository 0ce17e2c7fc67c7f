"""Choose by every criterion, and look up what the choices are worth."""

from collections.abc import Sequence

import pandas as pd

from pipeline.files import write_table
from workflow.scripts.choice.criteria import choices
from workflow.scripts.choice.scored import scored


def label_free(
    measures: Sequence[str], variance_rule: str, scores: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return all measures, and every choice with its test score."""
    measured = pd.concat([pd.read_csv(path) for path in measures], ignore_index=True)
    multiples = dict(zip(measured["cell"], measured["multiple"], strict=True))
    chosen = choices(measured, pd.read_csv(variance_rule))
    return measured, scored(chosen, pd.read_csv(scores), multiples)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        measured, found = label_free(**dict(snakemake.input))
        write_table(measured, snakemake.output.measures)
        write_table(found, snakemake.output.label_free)
