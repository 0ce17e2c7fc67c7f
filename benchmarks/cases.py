"""The benchmark cases: what is fitted, the solvers for comparison, and the target speed."""

from dataclasses import dataclass

EXACT = ("arpack", "arpack-1e-8", "randomized")
SMALL = (*EXACT, "dense")


@dataclass(frozen=True)
class Case:
    """One benchmark: data, kernel and number of components, for this package and scikit-learn.

    This package is compared with the fastest of scikit-learn's solvers in ``theirs`` that meets the
    tolerance. ``theirs`` is empty if they would take hours or too much memory. ``step`` is the
    timed method: "fit", or "transform" of n new points. ``floor`` and ``target`` are ratios of
    times, or seconds if ``theirs`` is empty.
    """

    name: str
    data: str
    n: int
    kernel: str = "rbf"
    gamma_factor: float = 1.0  # γ as a multiple of the median heuristic
    k: int = 10
    ours: str = "auto"
    theirs: tuple[str, ...] = EXACT
    step: str = "fit"
    floor: float | None = None
    target: float | None = None


ALL = (
    Case("small-200", "mix10", 200, theirs=SMALL, floor=0.9, target=1.5),
    Case("small-500", "mix10", 500, theirs=SMALL, floor=0.9, target=1.5),
    Case("small-1k", "mix10", 1_000, theirs=SMALL, floor=0.9, target=1.5),
    Case("mix10-2k", "mix10", 2_000, floor=1.5, target=2),
    Case("mix10-5k", "mix10", 5_000, floor=2.8, target=5),
    Case("mix10-10k", "mix10", 10_000, floor=5, target=10),
    Case("mix10-20k", "mix10", 20_000, floor=6, target=12),
    Case("matrix-free-20k", "mix10", 20_000, ours="davidson", theirs=("arpack",)),
    Case("mix10-50k", "mix10", 50_000, theirs=()),
    Case("mix10-100k", "mix10", 100_000, theirs=(), floor=40, target=20),
    Case("their-auto-5k", "mix10", 5_000, theirs=("auto",), floor=30, target=50),
    Case("digits-10k", "digits", 10_000, floor=2.5, target=5),
    Case("narrow-50k", "moons", 50_000, gamma_factor=100, theirs=(), floor=15, target=6),
    Case("transform-10k", "mix10", 10_000, step="transform", theirs=("arpack",), floor=3, target=6),
)
CASES = {case.name: case for case in ALL}
