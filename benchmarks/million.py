"""Fit a million points exactly, and continue where an earlier run was interrupted.

python -m benchmarks.million OUTPUT.csv [N]

A fit spends its time in products of the kernel matrix with blocks of vectors. Every minute, the
finished part of a product is saved in a folder next to the output, in a file named by the digest of
the block. A fit repeats bit by bit, so that a second run finds these files and continues where the
first one was interrupted. The folder is removed when the table is written.
"""

import shutil
import sys
from hashlib import sha256
from pathlib import Path
from time import monotonic, process_time
from unittest.mock import patch

import numpy as np
import pandas as pd

from benchmarks.contenders import TOL, residual
from benchmarks.costs import commit, machine
from benchmarks.data import points
from benchmarks.scaling import DATA, SAMPLED, K
from benchmarks.timing import Run, peak_above, timed
from kpca import KernelPCA, median_gamma
from kpca.linalg.resources import run_threads, thread_count
from kpca.operators.grams import TiledGram
from kpca.types import Array, Floats

TOGETHER = 16  # number of rows of tiles after which threads are synchronized
BUDGET = 1.5e9  # memory budget of the fit in bytes
EVERY = 60.0  # seconds between two saves of a product


def add_rows(
    gram: TiledGram, block: Array, rows: list[slice], edges: list[slice], total: Floats
) -> None:
    """Add to `total` = K V the contribution of some rows of tiles on and above the diagonal.

    `block` is V, `rows` are the rows of tiles, and `edges` the blocks of columns from the first of
    them on. Each thread computes separate columns, so that all threads can add to one array.
    """
    threads = thread_count(-1)
    first = rows[0].start
    edge = rows[0].stop - first
    sums = np.zeros((threads, rows[-1].stop - first, block.shape[1]))

    def work(thread: int) -> None:
        entries = np.empty(edge**2, gram.dtype)
        products = np.empty((edge, block.shape[1]), gram.dtype)
        for part in rows:
            rows_of_kernel = gram.kernel.left(gram.X[part])
            added = sums[thread, part.start - first : part.stop - first]
            for columns in edges[thread::threads]:
                if columns.start < part.start:
                    continue
                shape = (rows_of_kernel.shape[0], columns.stop - columns.start)
                tile = entries[: shape[0] * shape[1]].reshape(shape)
                gram.kernel.block(rows_of_kernel, columns, tile)
                added += np.matmul(tile, block[columns], out=products[: shape[0]])
                if columns.start > part.start:
                    total[columns] += np.matmul(tile.T, block[part], out=products[: shape[1]])

    run_threads(work, threads)
    total[first : rows[-1].stop] += sums.sum(axis=0)


class KeptProducts:
    """Products of kernel matrices that are saved in files.

    ``spent`` are the processor seconds of earlier runs.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spent = 0.0

    def matmul(self, gram: TiledGram, V: Array) -> Floats:
        """Return K V, starting from the file of an earlier run if there is one."""
        block = np.ascontiguousarray(V, dtype=gram.dtype)
        path = self.folder / f"{sha256(block.data).hexdigest()[:20]}.npz"
        done = 0
        seconds = 0.0
        total = np.zeros(block.shape)
        if path.exists():
            with np.load(path) as stored:
                done = int(stored["done"])
                seconds = float(stored["seconds"])
                total = stored["total"]
        self.spent += seconds
        seconds = seconds - process_time()
        last = monotonic()
        edges = gram.cut(block.shape[1])
        while done < len(edges):
            rows = edges[done : done + TOGETHER]
            add_rows(gram, block, rows, edges[done:], total)
            done += len(rows)
            if done == len(edges) or monotonic() > last + EVERY:
                spent = seconds + process_time()
                last = monotonic()
                np.savez(
                    beside := path.with_suffix(".part.npz"), done=done, seconds=spent, total=total
                )
                beside.replace(path)
                print(f"{path.stem}, {block.shape[1]} vectors: {done} of {len(edges)}")
        return total


def main(output: str, n: str = "1000000") -> None:
    """Write a table of one row: time, memory, residual and completeness of a fit to n points."""
    products = KeptProducts(Path(output).with_suffix(".products"))
    products.folder.mkdir(parents=True, exist_ok=True)
    X = points(DATA, int(n))
    options = {"kernel": "rbf", "gamma": median_gamma(X)}
    model = KernelPCA(K, tol=TOL, random_state=0, n_jobs=1, memory_budget=BUDGET, **options)
    runs: list[Run] = []
    with patch.object(TiledGram, "matmul", lambda gram, V: products.matmul(gram, V)):
        peak = peak_above(lambda: runs.append(timed(lambda: model.fit(X).completeness_)))
    values = model.eigenvalues_
    completeness = model.completeness_
    row = {
        "n": len(X),
        "processor_seconds": runs[0].processor + products.spent,
        "peak_bytes": peak,
        "error": residual(X, options, values, model.eigenvectors_, SAMPLED),
        "completeness": completeness.status,
        "bound": completeness.bound,
        "least_eigenvalue": values[-1],
    }
    table = pd.DataFrame([row]).assign(machine=machine(), commit=commit())
    table.to_csv(output, index=False, float_format="%.6g")
    shutil.rmtree(products.folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
