"""Print for ten datasets whether completeness is decided after a fit, and at what cost.

``python -m benchmarks.decided N FACTOR``: N is the number of samples, and γ is FACTOR times the
median heuristic.
"""

import sys
import time

import numpy as np
from sklearn.datasets import load_digits, make_swiss_roll

from benchmarks import data
from kpca import KernelPCA, median_gamma
from kpca.study.datasets import generators
from kpca.types import Floats


def ten(n: int) -> dict[str, Floats]:
    """Return n samples of each of the ten datasets."""
    rng = np.random.default_rng(0)
    images = load_digits().data
    share = rng.random((n, 1))
    first, second = images[rng.integers(len(images), size=(2, n))]
    plain = {"normal10": rng.normal(size=(n, 10)), "normal30": rng.normal(size=(n, 30))}
    blended = share * first + (1 - share) * second + rng.normal(size=(n, 64))
    rolled = make_swiss_roll(n, noise=0.5, random_state=0)[0]
    samples = {"mixture": data.mixture(n, 0), "digits": blended, "swiss roll": rolled}
    for name in ("moons", "rings", "spirals", "clusters", "linear"):
        samples[name] = getattr(generators, name)(n, np.random.default_rng(0)).X
    return plain | samples


def main(n: int, factor: float) -> None:
    """Fit ten components to each dataset, and print the results."""
    for name, X in ten(n).items():
        gamma = factor * median_gamma(X)
        began = time.process_time()
        model = KernelPCA(10, kernel="rbf", gamma=gamma, n_jobs=1).fit(X)
        seconds = time.process_time() - began
        told = str(model.completeness_)
        print(f"{name:10s} {model.solver_.name:8s} {seconds:6.2f} s  {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
