import joblib
import numpy as np
import pytest

from kpca.large_n.passes import add_up
from kpca.large_n.rows import ArrayRows, BlockRows
from tests.kpca.large_n.clouds import X

LONG = np.tile(X, (6, 1))
WEIGHTS = np.arange(len(LONG), dtype=float)
ROWS = {
    "array": ArrayRows(LONG),
    "blocks": BlockRows(lambda: (LONG[:700], LONG[700:])),
}


def work(points: np.ndarray, where: slice) -> tuple[np.ndarray, ...]:
    return 2 * points, points.T @ points, WEIGHTS[where] @ points, np.float64(len(points))


def check_pass(rows: ArrayRows | BlockRows, threads: int) -> None:
    kept = np.empty_like(LONG)
    scatter, sums, count = add_up(rows, work, threads, kept)
    np.testing.assert_allclose(scatter, LONG.T @ LONG)
    np.testing.assert_allclose(sums, WEIGHTS @ LONG)
    assert count == len(LONG)
    np.testing.assert_array_equal(kept, 2 * LONG)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("threads", [1, 3])
def test_sums_over_blocks_are_sums_over_points(threads: int, rows: str) -> None:
    check_pass(ROWS[rows], threads)


def test_processes_add_up_the_same() -> None:
    with joblib.parallel_config(backend="loky", n_jobs=2):
        for rows in ROWS.values():
            check_pass(rows, 1)
