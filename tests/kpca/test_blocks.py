import numpy as np
import pytest

from kpca.blocks import blocks, tall_product

RNG = np.random.default_rng(0)


def test_blocks_cover() -> None:
    assert [list(range(10)[part]) for part in blocks(10, 4)] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]


@pytest.mark.parametrize("n", [5, 1024, 3000])
@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_products_equal_the_plain_ones(n: int, n_threads: int) -> None:
    A, B = RNG.normal(size=(n, 7)), RNG.normal(size=(7, 3))
    np.testing.assert_allclose(tall_product(A, B, n_threads), A @ B, atol=1e-12)


def test_precision_is_that_of_the_tall_array() -> None:
    A = RNG.normal(size=(2000, 4)).astype(np.float32)
    assert tall_product(A, np.eye(4), 2).dtype == np.float32
