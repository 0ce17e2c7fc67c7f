"""Every Gram operator is the same matrix."""

from collections.abc import Callable

import numpy as np
import pytest

from kpca.kernels import KERNELS, KernelParameters, kernel_matrix
from kpca.operators import Centering, CentredGram, FullGram, Gram, PackedGram
from kpca.operators.sources import KernelSource

N = 700
RNG = np.random.default_rng(0)
X, V = RNG.normal(size=(N, 3)), RNG.normal(size=(N, 5))
BUILDERS: dict[str, Callable[[KernelSource, int], Gram]] = {
    "full": lambda source, threads: source.full(threads),
    "packed": lambda source, threads: source.packed(threads),
    "tiled": lambda source, threads: source.operator(threads),
    "tiled single": lambda source, threads: source.operator(threads, np.float32),
}


def build(kind: str, name: str = "rbf", threads: int = 1, gamma: float = 0.2) -> Gram:
    return BUILDERS[kind](KernelSource(X, name, KernelParameters(gamma)), threads)


@pytest.mark.parametrize("kind", BUILDERS)
@pytest.mark.parametrize("name", KERNELS)
def test_product_and_diagonal(kind: str, name: str) -> None:
    K, gram = kernel_matrix(X, kernel=name, gamma=0.2), build(kind, name)
    bound = 1e-13 if gram.dtype == np.float64 else 1e-6
    product = gram.matmul(V)
    assert product.dtype == np.float64
    np.testing.assert_allclose(product, K @ V, atol=bound * np.abs(K).sum())
    np.testing.assert_allclose(gram.diagonal(), K.diagonal(), rtol=1e-12)


@pytest.mark.parametrize("kind", BUILDERS)
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_products_repeat_bit_by_bit(kind: str, threads: int) -> None:
    first = build(kind, threads=threads).matmul(V)
    np.testing.assert_array_equal(first, build(kind, threads=threads).matmul(V))


def test_narrow_kernels_keep_their_features_in_double_precision() -> None:
    """Single-precision features of a narrow kernel were wrong by 1e-5 of the largest eigenvalue."""
    K = kernel_matrix(X, kernel="rbf", gamma=50.0)
    error = np.linalg.norm(build("tiled single", gamma=50.0).matmul(V) - K @ V)
    assert error < 1e-6 * np.linalg.norm(K @ V)


def test_full_matrix_is_exactly_symmetric() -> None:
    gram = build("full", threads=2)
    assert isinstance(gram, FullGram)
    inside = gram.K[:512, 512:]
    np.testing.assert_array_equal(inside, gram.K[512:, :512].T)


@pytest.mark.parametrize("kind", ["full", "packed"])
def test_squared_norm(kind: str) -> None:
    gram, K = build(kind, threads=2), kernel_matrix(X, gamma=0.2)
    assert isinstance(gram, FullGram | PackedGram)
    weights = RNG.uniform(size=N)
    np.testing.assert_allclose(gram.squared_norm(), (K**2).sum(), rtol=1e-6)
    np.testing.assert_allclose(gram.squared_norm(weights), weights @ K**2 @ weights, rtol=1e-6)


@pytest.mark.parametrize("weights", [None, RNG.uniform(0.2, 2, N)], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", ["packed", "tiled single"])
@pytest.mark.parametrize("name", ["rbf", "poly", "linear", "sigmoid"])
def test_the_error_of_a_product_is_bounded(
    name: str, kind: str, weights: np.ndarray | None
) -> None:
    """Far from the origin it is relative to K, not to what centring leaves of it."""
    source, centering = (
        KernelSource(X + 3, name, KernelParameters(0.2)),
        Centering(N, True, weights),
    )
    exact = CentredGram(source.full(), centering)
    quick = CentredGram(BUILDERS[kind](source, 1), centering)
    product = exact.matmul(V)
    error = np.linalg.norm(quick.matmul(V) - product)
    bound = quick.error(exact.size) * np.linalg.norm(V)
    assert error <= bound
    assert bound < 1e-4 * exact.size * np.linalg.norm(V)
    assert name != "poly" or error > 3e-7 * np.linalg.norm(product)
