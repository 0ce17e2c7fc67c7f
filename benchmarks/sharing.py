"""Sweeps and cross-validation against loops of scikit-learn's fits.

    python -m benchmarks.sharing OUTPUT.csv

Both are given ARPACK's tolerance of 1e-8, at which scikit-learn's fastest solver meets the
residual 1e-8 on these points; cross-validation asks 1e-10 of ours, so that scores agree to 1e-8.
"""

import sys
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.model_selection import KFold

from benchmarks.contenders import residual
from benchmarks.data import median_gamma, points
from benchmarks.timing import interleaved, medians
from kpca import KernelPCA
from kpca.linalg.threads import thread_count
from kpca.types import Floats
from pipeline.fitted_models import cross_validate

N, K, FOLDS, RUNS = 4_000, 10, 5, 3
GAMMAS = np.logspace(-1, 1, 20)  # times the median heuristic
Pair = tuple[Floats, Floats]
Work = dict[str, Callable[[], list[Any]]]


def their_fit(X: Floats, gamma: float) -> Any:
    """Fit once with scikit-learn's ARPACK."""
    fixed: dict[str, Any] = {"eigen_solver": "arpack", "tol": 1e-8, "random_state": 0}
    return TheirKernelPCA(K, kernel="rbf", gamma=gamma, **fixed).fit(X)


def sweeps(X: Floats, gammas: Floats) -> Work:
    """Fit every γ: side by side on the threads, and with scikit-learn."""
    models = [KernelPCA(K, kernel="rbf", gamma=gamma, n_jobs=1) for gamma in gammas]
    return {
        "ours": lambda: Parallel(thread_count(), prefer="threads")(
            delayed(model.fit)(X) for model in models
        ),
        "theirs": lambda: [their_fit(X, gamma) for gamma in gammas],
    }


def folds(X: Floats, gammas: Floats) -> Work:
    """Score both sides of every fold, the same two ways."""
    asked = KernelPCA(K, kernel="rbf", tol=1e-10)
    splits = list(KFold(FOLDS, shuffle=True, random_state=0).split(X))

    def ours() -> list[Pair]:
        models = [clone(asked).set_params(gamma=gamma) for gamma in gammas]
        return [fold for model in models for fold in cross_validate(model, X, splits)]

    def their_scores(X: Floats, new: Floats, gamma: float) -> Pair:
        model = their_fit(X, gamma)
        return model.eigenvectors_ * np.sqrt(model.eigenvalues_), model.transform(new)

    def theirs() -> list[Pair]:
        return [their_scores(X[train], X[new], gamma) for gamma in gammas for train, new in splits]

    return {"ours": ours, "theirs": theirs}


class Case(NamedTuple):
    """What is timed on which data, and the lowest and the desired ratio of times."""

    name: str
    data: str
    work: Callable[[Floats, Floats], Work]  # points, values of γ → fits, or scores of folds
    gammas: Floats  # multiples of the median heuristic
    floor: float
    target: float


CASES = (
    Case("sweep-4k", "mix10", sweeps, GAMMAS, 3, 6),
    Case("sweep-digits-4k", "digits", sweeps, GAMMAS, 3, 6),
    Case("folds-4k", "mix10", folds, GAMMAS[::5], 4, 8),
)


def difference(case: Case, X: Floats, ours: list[Any], theirs: list[Any]) -> float:
    """Largest residual of a sweep, or largest difference of scores over the largest score."""
    if case.work is sweeps:
        fits = [(m.gamma_, m.eigenvalues_, m.eigenvectors_) for m in ours[:: len(ours) // 4]]
        return max(residual(X, {"kernel": "rbf", "gamma": g}, *pairs) for g, *pairs in fits)
    return max(_apart(*pair) for pair in zip(ours, theirs, strict=True))


def _apart(ours: Pair, theirs: Pair) -> float:
    signs = np.sign((ours[0] * theirs[0]).sum(axis=0))
    top = np.abs(theirs[0]).max()
    return max(float(np.abs(a - b * signs).max() / top) for a, b in zip(ours, theirs, strict=True))


def measure(case: Case) -> dict[str, Any]:
    """Time both in turn, and compare what they give."""
    X = points(case.data, N)
    work = case.work(X, case.gammas * median_gamma(X))
    found = {name: call() for name, call in work.items()}
    runs = interleaved(work, RUNS)
    seconds = medians(runs)
    fastest = {name: min(times).wall for name, times in runs.items()}
    busy = {name: median(run.processor for run in times) for name, times in runs.items()}
    return {
        "case": case.name,
        "n": N,
        "d": X.shape[1],
        "k": K,
        "gammas": len(case.gammas),
        "seconds": seconds["ours"],
        "their_seconds": seconds["theirs"],
        "times_faster": seconds["theirs"] / seconds["ours"],
        "times_faster_at_best": fastest["theirs"] / fastest["ours"],
        "times_less_processor_time": busy["theirs"] / busy["ours"],
        "floor": case.floor,
        "target": case.target,
        "error": difference(case, X, found["ours"], found["theirs"]),
    }


def main(output: str) -> None:
    """Measure every case into a table."""
    table = pd.DataFrame([measure(case) for case in CASES])
    table.to_csv(output, index=False, float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
