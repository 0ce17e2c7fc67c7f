"""Measure one case and write the results as JSON.

python -m benchmarks.run CASE SECONDS OUTPUT

Runs of the contenders take turns for SECONDS.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.cases import CASES, Case
from benchmarks.contenders import OURS, TOL, kernel_options, residual, step
from benchmarks.data import points
from benchmarks.timing import in_fresh_process, interleaved, peak_above, timed
from kpca.linalg.resources import thread_count
from kpca.types import Floats

MIN_RUNS = 3
MAX_RUNS = 51
REPEATS = 10  # largest number of repetitions of a trial that takes a fraction of a second


def run(case: Case, budget: float) -> dict[str, Any]:
    """Return times, residuals and peak memory of a case.

    Times are from interleaved runs, which take about `budget` seconds.
    """
    X = points(case.data, case.n)
    trials = {name: trial(case, name, X) for name in (OURS, *case.theirs)}
    contenders = [OURS, *fastest(trials)]
    work = {name: step(case, name, X) for name in contenders}
    rounds = int(budget / sum(trials[name]["seconds"] for name in contenders))
    runs = interleaved(work, min(MAX_RUNS, max(MIN_RUNS, rounds)))
    return {
        "case": case.name,
        "threads": thread_count(),
        "trials": trials,
        "runs": runs,
        "seconds": {name: median(run.wall for run in times) for name, times in runs.items()},
        "peak_bytes": {name: in_fresh_process(peak, case, name) for name in contenders},
        "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }


def peak(case: Case, contender: str) -> int:
    """Return the bytes that the timed step needs in addition to those in use before it."""
    return peak_above(step(case, contender, points(case.data, case.n)))


def trial(case: Case, contender: str, X: Floats) -> dict[str, Any]:
    """Run a contender, and return its time, its solver and, for a fit, its residual.

    Short runs are repeated and the fastest counts, so that the choice of the contender to compare
    with does not depend on chance.
    """
    work = step(case, contender, X)
    fitted: list[Any] = []
    best = timed(lambda: fitted.append(work())).wall
    for _ in range(min(REPEATS, int(0.5 / best))):
        best = min(best, timed(work).wall)
    if case.step != "fit":
        return {"seconds": best, "residual": None, "solver": contender}
    (model,) = fitted
    largest_residual = residual(X, kernel_options(case, X), model.eigenvalues_, model.eigenvectors_)
    solver = str(getattr(model, "solver_", contender))
    return {"seconds": best, "residual": largest_residual, "solver": solver}


def fastest(trials: dict[str, dict[str, Any]]) -> list[str]:
    """Return the fastest of scikit-learn's solvers that meets the tolerance, in a list, if any."""
    met = [n for n, measured in trials.items() if n != OURS and (measured["residual"] or 0) <= TOL]
    return sorted(met, key=lambda name: trials[name]["seconds"])[:1]


def main(case: str, budget: str, output: str) -> None:
    """Measure the case of this name, and write the results to a file."""
    measured = run(CASES[case], float(budget))
    Path(output).write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
