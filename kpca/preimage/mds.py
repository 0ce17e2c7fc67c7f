"""Pre-images from distances in feature space, by the construction of Kwok and Tsang.

The distances from the projection P to its nearest training points are turned into distances in
the input space, and the point that keeps them best is placed among those neighbours.

References
----------
Kwok, Tsang (2004), The pre-image problem in kernel methods, IEEE Transactions on Neural
Networks 15.
"""

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
    m, (n, d) = Z.shape[0], source.X.shape
    points = np.empty((m, d))
    converged = np.empty(m, dtype=bool)
    for block in blocks(m, max(1, DISTANCES // n)):
        scores = np.asarray(Z[block], dtype=np.float64)
        apart = expansion.point_distances(scores)
        nearest = np.argsort(apart, axis=1, kind="stable")[:, :NEIGHBOURS]
        near = np.take_along_axis(apart, nearest, 1)
        neighbours = as_dense(source.X[nearest.ravel()])
        wanted = _input_distances(source, neighbours, near, expansion.squared_norms(scores))
        converged[block] = np.isfinite(wanted).all(axis=1)
        points[block] = _place(neighbours.reshape(*nearest.shape, d), wanted)
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


def _input_distances(
    source: KernelSource, neighbours: Floats, apart: Floats, norms: Floats
) -> Floats:
    """Return squared distances in the input space, of which some are not finite if there are none.

    For the Gaussian kernel ‖z − x_i‖² = −log(1 − ‖P − φ(x_i)‖²/2) / γ. For functions of the inner
    product, f(γ x_i·z + c) = ⟨P, φ(x_i)⟩ and f(γ‖z‖² + c) = ‖P‖² are solved. γ may be 0.
    """
    parameters = source.parameters
    with np.errstate(divide="ignore", invalid="ignore"):
        if source.name == "rbf":
            return -np.log(np.minimum(1 - apart / 2, 1.0)) / parameters.gamma
        gamma, constant = argument(source.name, parameters)
        link = cast(OfProduct, KERNELS[source.name].of_product)
        products = (source.diagonal(neighbours).reshape(apart.shape) + norms[:, None] - apart) / 2
        inner = (link.inverse(products, parameters) - constant) / gamma
        squares = (link.inverse(norms, parameters) - constant) / gamma
        lengths = squared_norms(neighbours).reshape(apart.shape)
        return np.maximum(lengths - 2 * inner + squares[:, None], 0)
