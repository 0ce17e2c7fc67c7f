"""Pre-images from distances in feature space, by the construction of Kwok and Tsang.

Distances in feature space from the projection P to its nearest training points are converted into
distances in the input space. The pre-image is the point in the span of these neighbours whose
distances to them fit best.

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

NEIGHBOURS = 10  # number of nearest training points per pre-image
NULL_SPREAD = 1e-10  # directions with less than this fraction of the largest variance are ignored
DISTANCES = 1 << 18  # number of distances per block, which take 2 MB


def find(expansion: Expansion, Z: Array, _: Matrix | None) -> PreImages:
    """Return the pre-image of each row of Z, placed among the nearest training points.

    Z are scores of shape (m, k), and the neighbours are nearest in feature space. The method does
    not use a start. A warning is issued for a polynomial whose degree is not odd, and for the
    indefinite sigmoid kernel.

    Raises
    ------
    ValueError
        If the kernel is not rbf, linear, poly or sigmoid: for other kernels, distances in feature
        space do not determine distances in the input space.
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
    """Return points in the span of neighbours X whose squared distances to X fit `squared` best.

    X has shape (m, q, d), with q neighbours per point. If Y are the centred neighbours of a point
    and G = YYᵀ, the least-squares solution is mean + Yᵀ G⁺ (diag(G) − squared)/2. If a distance is
    not finite, the nearest neighbour is returned.
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
    """Return ‖z − x_i‖² of pre-images z, given `apart` = ‖P − φ(x_i)‖² and `norms` = ‖P‖².

    The x_i are the `neighbours`. For the Gaussian kernel,
    ‖z − x_i‖² = −log(1 − ‖P − φ(x_i)‖²/2) / γ. For functions of the inner product,
    f(γ x_i·z + c) = ⟨P, φ(x_i)⟩ and f(γ‖z‖² + c) = ‖P‖² are solved. If there is no solution, for
    example because γ or the degree is 0, some of the distances are not finite.
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
        squared = lengths - 2 * inner + squares[:, None]
        return np.where(np.isfinite(squared), np.maximum(squared, 0), np.nan)
