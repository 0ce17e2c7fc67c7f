"""Verdicts on statements about the processor times that `benchmarks.costs` measures."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from kpca.types import Floats
from workflow.job import script
from workflow.scripts.claims.claim import Case, averaged, exactly, joined

LEAST = 1e-3  # shortest time in seconds that is judged; shorter ones are mostly overhead
# Claims that a time grows as a power: claim, series, method, variable, and stated exponent.
EXPONENTS = pd.read_csv(Path(__file__).with_name("exponents.csv"))


def seconds(times: pd.DataFrame, series: str, method: str, over: str) -> pd.DataFrame:
    """Return the seconds of a method: one row per value of ``over``, one column per round."""
    rows = times[(times["series"] == series) & (times["method"] == method)]
    return rows.set_index(over).filter(like="round_")


def exponents(times: pd.DataFrame, series: str, method: str, over: str) -> Floats:
    """Return, for each round, the slope of log(seconds) against the logarithm of ``over``.

    The slope is NaN if a time is shorter than `LEAST`.
    """
    by = seconds(times, series, method, over)
    slopes = np.polyfit(np.log(by.index), np.log(by), 1)[0]
    return np.where(by.min() >= LEAST, slopes, np.nan)


def crossovers(times: pd.DataFrame, n: int) -> Floats:
    """Return, for each round, how many monomials take as long as n × n kernel values.

    The logarithm of the ratio of the two times is interpolated linearly in the logarithm of the
    number of monomials. NaN if the times do not cross within the measured numbers of monomials.
    """
    monomials, kernel = (
        seconds(times, f"crossover {n}", route, "features") for route in ("monomials", "kernel")
    )
    ratios = np.log((monomials / kernel).to_numpy())
    features = np.log(kernel.index)
    outside = {"left": np.nan, "right": np.nan}
    return np.exp([np.interp(0, ratio, features, **outside) for ratio in ratios.T])


def of_svd(times: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases on the times of the SVD, and on the error of the randomized SVD."""
    rows = times[times["series"] == "svd"].set_index("method")
    by = rows.filter(like="round_").T
    logs = np.log2(by.where(by >= LEAST))
    yield averaged("14-truncated-time", logs["full"] - logs["truncated"])
    errors = rows["error"].where(rows["error"] > 0)
    for method in errors.index[errors.index.str.startswith("randomized")]:
        case = method.partition(", ")[2]
        yield averaged("14-randomized-time", logs["truncated"] - logs[method], case)
        yield exactly("14-randomized-error", errors[method], case)


def cases(times: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of the statements on costs."""
    for claim, *where, stated in EXPONENTS.itertuples(index=False):
        yield averaged(claim, exponents(times, *where) - stated)
    for n in (400, 800):
        yield averaged("11-crossover", np.log2(crossovers(times, n) / n), f"n = {n}")
    yield from of_svd(times)


@script
def statements_on(times: pd.DataFrame, statements: pd.DataFrame) -> pd.DataFrame:
    """Return the statements on costs with their verdicts."""
    return joined(statements, costs=pd.DataFrame(cases(times)))["claims"]
