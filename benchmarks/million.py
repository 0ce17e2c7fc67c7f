"""The exact leading components of a million points, once: time, memory and certificate.

python -m benchmarks.million OUTPUT.csv [N]

Progress is logged, a line a pass.
"""

import logging
import sys

import pandas as pd

from benchmarks.data import points
from benchmarks.timing import Run, peak_above, timed
from kpca import KernelPCA

DATA, K, TOL = "mix10", 10, 1e-8


def measure(n: int) -> dict[str, object]:
    """Fit n points of ten columns; the fit's own certificate is given, and no other."""
    X = points(DATA, n)
    model = KernelPCA(K, kernel="rbf", gamma="median", eigen_solver="davidson", tol=TOL)
    runs: list[Run] = []
    peak = peak_above(lambda: runs.append(timed(lambda: model.fit(X))))
    return {
        "n": n,
        "seconds": runs[0].wall,
        "processor_seconds": runs[0].processor,
        "peak_bytes": peak,
        "residual": model.residuals_.max(),
        "completeness": str(model.completeness_),
        "eigenvalues": " ".join(f"{value:.10g}" for value in model.eigenvalues_),
    }


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    pd.DataFrame([measure(size)]).to_csv(sys.argv[1], index=False, float_format="%.6g")
