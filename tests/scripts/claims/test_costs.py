import numpy as np
import pandas as pd
import pytest

from workflow.scripts.claims import costs


def test_the_exponent_of_a_power_law_is_that_of_the_larger_sizes():
    sizes = np.array([1, 2, 4, 8, 16])
    assert costs.exponent(sizes, np.where(sizes < 4, 5.0, sizes**2.5)) == pytest.approx(2.5)


def test_counts_of_small_shapes():
    assert costs.eigenvectors(3, 2) == 18 + 18
    assert costs.pca(5, 3) == 5 * 9 + 18 + 9 * costs.K
    assert costs.dense(3, 7) == 9 * 7 + 18 + 9 * costs.K
    assert costs.monomials(2, 1) == 2 * 4 * 3 + 2 * 16 + costs.eigenvectors(4, 4)


def test_passes_of_an_iterative_fit_are_counted_and_the_same_again():
    first, again = costs.truncated(120, 5), costs.truncated(120, 5)
    width = costs.krylov.columns(costs.K)
    assert first == again
    assert (first - 2 * 120**2 * 5) % (120**2 * width) == 0
    assert first > 2 * 120**2 * 5


def test_the_crossover_lies_where_counts_are_equal_and_at_an_end_without_one():
    def crossing(monomials):
        columns = {"features": [10, 100, 1000], "monomials": monomials, "kernel": 1.0}
        return costs.crossover(pd.DataFrame(columns))

    assert crossing([0.01, 0.1, 10.0]) == pytest.approx(100 * np.sqrt(10))
    assert crossing([2.0, 3.0, 4.0]) == pytest.approx(10)
    assert crossing([0.1, 0.2, 0.3]) == pytest.approx(1000)
