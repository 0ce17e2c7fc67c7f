"""A component read back to the features: how much of it an affine function of them explains."""

import pandas as pd

from pipeline.evaluation.predictors import affine
from pipeline.job import script
from workflow.scripts.claims.claim import of_rows
from workflow.scripts.claims.setting import DATA, REPLICATES, bounds, fitted, units


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of readings, and ``shares`` of the variance of component 1 on new rows."""
    rows = []
    for unit, split in units(DATA, ["rbf"], seed, REPLICATES):
        X, test, model = split.X_train, split.X_test, fitted("rbf", split.X_train, 1)
        weights, offset = affine(X, model.transform(X))
        scores = model.transform(test)
        missed = (scores - test @ weights - offset) ** 2
        rows.append(unit | {"share": 1 - float(missed.mean() / scores.var())})
    shares = bounds(pd.DataFrame(rows), ["kernel", "dataset"], "share")
    cases = of_rows("11-reading", shares.drop(columns="kernel"))
    return {"claims": pd.DataFrame(cases), "shares": shares}
