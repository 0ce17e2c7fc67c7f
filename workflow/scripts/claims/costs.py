"""What PCA, kernel PCA and the SVD cost: verdicts on processor times (`benchmarks.costs`)."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kpca.types import Floats
from pipeline.job import script
from workflow.scripts.claims.claim import Case, averaged, exactly, joined

# Claim: series, method and variable of the times, and the exponent that is stated.
STATED = {
    "3-cost-pca-n": ("pca over n", "pca", "n", 1),
    "3-cost-pca-d": ("pca over d", "pca", "d", 2.5),
    "3-cost-dense-n": ("kernel over n", "dense", "n", 3),
    "3-cost-dense-d": ("kernel over d", "dense", "d", 0),
    "3-cost-nystrom-n": ("landmarks over n", "nystrom", "n", 1),
}


def exponents(times: pd.DataFrame, series: str, method: str, over: str) -> Floats:
    """Return the slope of log seconds over log n or log d, in each round."""
    rows = times[(times["series"] == series) & (times["method"] == method)]
    by = rows.pivot(index=over, columns="round", values="seconds")
    return np.asarray(np.polyfit(np.log(by.index), np.log(by), 1)[0])


def crossovers(times: pd.DataFrame, n: int) -> Floats:
    """Return at how many monomials they cost as much as n × n kernel values, in each round.

    Between two numbers the logarithm of the ratio is linear in that of the number.
    """
    rows = times[times["series"] == f"crossover {n}"]
    by = rows.pivot(index="features", columns=["method", "round"], values="seconds")
    ratios = np.log((by["monomials"] / by["kernel"]).to_numpy())
    features = np.log(by.index)
    return np.array([np.exp(np.interp(0, ratio, features)) for ratio in ratios.T])


def cases(times: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of the statements on costs, and of the error of the randomized SVD."""
    for claim, (*where, stated) in STATED.items():
        yield averaged(claim, exponents(times, *where) - stated, None)
    for n in (400, 800):
        yield averaged("11-crossover", np.log2(crossovers(times, n) / n), None, f"n = {n}")
    rows = times[times["series"] == "svd"]
    seconds = np.log2(rows.pivot(index="round", columns="method", values="seconds"))
    yield averaged("14-truncated-time", (seconds["full"] - seconds["truncated"]).to_numpy(), None)
    errors = rows.groupby("method")["error"].max()
    for method in errors.index[errors.index.str.startswith("randomized")]:
        case, saved = method.partition(", ")[2], seconds["truncated"] - seconds[method]
        yield averaged("14-randomized-time", saved.to_numpy(), None, case)
        yield exactly("14-randomized-error", errors[method], case)


@script
def statements_on(times: pd.DataFrame, statements: pd.DataFrame) -> pd.DataFrame:
    """Return the statements on costs with their verdicts."""
    return joined(statements, costs=pd.DataFrame(cases(times)))["claims"]
