"""Pre-images from distances in feature space, by the construction of Kwok and Tsang.

The distances from the projection P to its nearest training points are turned into distances in
the input space, and the point that keeps them best is placed among those neighbours.

References
----------
Kwok, Tsang (2004), The pre-image problem in kernel methods, IEEE Transactions on Neural
Networks 15.
"""

from collections.abc import Callable
from typing import cast

import numpy as np

from kpca.kernels.derivatives import argument
from kpca.kernels.registry import KERNELS, OfProduct, as_dense, squared_norms
from kpca.linalg.resources import blocks
from kpca.operators.expansion import Expansion
from kpca.operators.sources import KernelSource
from kpca.preimage.base import PreImages, PreImageWarning, source_with_formula
from kpca.types import Array, Floats, Matrix
from kpca.validation import warn

NEIGHBOURS = 10
NULL_SPREAD = 1e-10  # fraction of the spread, below which a direction carries no position
DISTANCES = 1 << 18  # distances per block, which take 2 MB


def find(expansion: Expansion, Z: Array, _: Matrix | None) -> PreImages:
    """Place each point among the training points nearest to it in feature space.

    Takes scores Z of shape (m, k), and no start. A polynomial of even degree and the
    indefinite sigmoid are warned about.

    Raises
    ------
    ValueError
        For a kernel other than rbf, linear, poly and sigmoid, whose distances do not give
        distances in the input space.
    """
    source = source_with_formula(expansion.source, "mds")
    if source.name == "poly" and source.parameters.degree % 2 != 1:
        warn(
            "A polynomial that is not of odd degree gives inner products but for a sign, so that "
            "distances do not fix a point. preimage='fixed_point' looks for the nearest one.",
            PreImageWarning,
        )
    inverse = _inverse(source)
    m, (n, d) = Z.shape[0], source.X.shape
    points = np.empty((m, d))
    converged = np.empty(m, dtype=bool)
    for block in blocks(m, max(1, DISTANCES // n)):
        scores = np.asarray(Z[block], dtype=np.float64)
        apart = expansion.point_distances(scores)
        nearest = np.argsort(apart, axis=1, kind="stable")[:, :NEIGHBOURS]
        near = np.take_along_axis(apart, nearest, 1)
        wanted = inverse(near, nearest, expansion.squared_norms(scores))
        converged[block] = np.isfinite(wanted).all(axis=1)
        rows_of, position = np.unique(nearest, return_inverse=True)
        neighbours = as_dense(source.X[rows_of])[position.reshape(nearest.shape)]
        points[block] = _place(neighbours, wanted)
    return PreImages(points, converged, np.zeros(m, dtype=np.int64), np.full(m, np.nan))


def _place(X: Floats, squared: Floats) -> Floats:
    """Return the points of the neighbours' span with given squared distances to them.

    With X of shape (m, q, d) centred to Y and G = YYᵀ, the least-squares solution is
    mean + Yᵀ G⁺ (diag(G) − squared)/2; the nearest neighbour where a distance is not finite.
    """
    usable = np.isfinite(squared).all(axis=1, keepdims=True)
    mean = X.mean(axis=1, keepdims=True)
    Y = X - mean
    G = Y @ Y.transpose(0, 2, 1)
    squares = np.einsum("mqq->mq", G)
    inverse = np.linalg.pinv(G, rcond=NULL_SPREAD, hermitian=True)
    weights = inverse @ (0.5 * (squares - np.where(usable, squared, 0.0)))[:, :, None]
    placed = mean[:, 0] + (Y.transpose(0, 2, 1) @ weights)[:, :, 0]
    return np.where(usable, placed, X[:, 0])


def _inverse(source: KernelSource) -> Callable[[Floats, Array, Floats], Floats]:
    """Return what gives squared distances in the input space, NaN if γ is 0.

    For the Gaussian kernel ‖z − x_i‖² = −log(1 − ‖P − φ(x_i)‖²/2) / γ. For functions of the inner
    product, f(γ x_i·z + c) = ⟨P, φ(x_i)⟩ and f(γ‖z‖² + c) = ‖P‖² are solved.
    """
    name = source.name
    parameters = source.parameters
    gamma, constant = (parameters.gamma, 0.0) if name == "rbf" else argument(name, parameters)
    link = cast(OfProduct, KERNELS[name].of_product)
    squared_lengths = squared_norms(source.X)
    diagonal = source.diagonal(source.X)

    def argument_of(values: Floats) -> Floats:
        return (link.inverse(values, parameters) - constant) / gamma

    def inverse(apart: Floats, nearest: Array, norms: Floats) -> Floats:
        if gamma == 0:
            return np.full_like(apart, np.nan)
        if name == "rbf":
            kernel = 1 - apart / 2
            return -np.log(np.where(kernel > 0, np.minimum(kernel, 1.0), np.nan)) / gamma
        products = (diagonal[nearest] + norms[:, None] - apart) / 2
        squares = squared_lengths[nearest] - 2 * argument_of(products) + argument_of(norms)[:, None]
        return np.maximum(squares, 0)

    return inverse
