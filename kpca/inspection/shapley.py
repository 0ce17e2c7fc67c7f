"""Shapley values of the input variables, for kernels that are products over the variables.

A score z_j(x) = Σ_i C_ij Π_f k_f(x_f, x_if) − ⟨μ, v_j⟩ is a sum of products. Variables that are
left out have the factors of a reference, so the mean over all orders in which variables are put in
is the integral of a polynomial (Mohammadi, Chau, Muandet, 2025). A Gauss–Legendre quadrature
computes it exactly.

References
----------
Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
product-kernel methods, arXiv 2505.16516.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from kpca.base import BaseKernelPCA, check_model
from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.expansion import Expansion
from kpca.operators.sources import KernelSource
from kpca.types import Floats, Matrix
from kpca.validation import checked, checked_samples

PRODUCT_KERNELS = ("laplacian", "rbf")  # exp(−γ Σ_f |x_f − y_f|^p)
LANDMARKS = 100  # points of the model by which interactions of its scores are computed
_NODES = 16  # of the quadrature of a statistic: polynomials of degree 31 are exact
_TINY = np.finfo(np.float64).tiny  # a factor of 0 at both ends changes nothing
_PAIR_FACTORS = 60_000  # of pairs of landmarks and variables of a sample


class Quadratic(NamedTuple):
    """A statistic constant + Σ_i b_i k(x, x_i) + Σ_j w_j z_j² of samples."""

    linear: Floats  # b, of shape (n,)
    weights: Floats  # w, of shape (k,)


class Path(NamedTuple):
    """Factors k_f(·, x_if) from the reference to the sample, each of shape (d, n)."""

    start: Floats
    end: Floats

    @classmethod
    def between(
        cls, source: KernelSource, training: Floats, point: Floats, reference: Floats | None
    ) -> Self:
        """Return the path to a point from a reference, or from factors of 1."""
        power = KERNELS[source.name].median_power
        gamma = source.parameters.gamma
        end = np.exp(-gamma * np.abs(training - point).T ** power)
        if reference is None:
            return cls(np.ones_like(end), end)
        return cls(np.exp(-gamma * np.abs(training - reference).T ** power), end)

    def ratios(self, node: float) -> Floats:
        """Return what each variable changes the product by, over the product."""
        change = self.end - self.start
        return change / np.maximum(self.start + node * change, _TINY)

    def products(self, nodes: Floats) -> Floats:
        """Return the product over the variables at each node, of shape (nodes, n)."""
        change = self.end - self.start
        return np.array([(self.start + node * change).prod(axis=0) for node in nodes])

    def integral(self, nodes: Floats, slopes: Floats) -> Floats:
        """Return the sum over nodes and points of slopes times ratios, of shape (d,)."""
        parts = (self.ratios(node) @ slope for node, slope in zip(nodes, slopes, strict=True))
        return np.sum(list(parts), axis=0)


def shapley_values(model: BaseKernelPCA, X: Matrix, reference: Matrix | None = None) -> Floats:
    """Return the exact Shapley values of the variables for the scores of samples.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted, with the kernel "rbf" or "laplacian".
    X : array of shape (m, d)
        Samples.
    reference : array of shape (m, d) or (d,), or None, default=None
        Values of the variables that are left out. None means that a variable that is left out does
        not distinguish the sample from any training sample: its factor of the kernel is 1.

    Returns
    -------
    ndarray of shape (m, k, d)
        Values in the unit of the scores. Over the variables, they sum to the score minus the score
        with all variables left out.

    Raises
    ------
    TypeError, ValueError
        If `model` is not a fitted KernelPCA, if its kernel is no product over the variables, or if
        the model does not take X or the reference.

    Notes
    -----
    The time per sample is O(n d² + n d k).

    References
    ----------
    Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
    product-kernel methods, arXiv 2505.16516.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]])
    >>> model = KernelPCA(1, kernel="rbf", gamma=0.1).fit(X)
    >>> values = shapley_values(model, X, reference=[0.0, 0.0])
    >>> scores = model.transform(X)
    >>> bool(np.allclose(values.sum(axis=2), scores - scores[0]))
    True
    """
    check_model(model)
    expansion = model.expansion()
    points = as_dense(checked_samples(model, X))
    starts: Sequence[Floats | None] = [None] * len(points)
    if reference is not None:
        starts = list(reference_rows(reference, points))
    values = np.empty((len(points), expansion.axes.shape[1], points.shape[1]))
    nodes, weights = _quadrature((points.shape[1] + 1) // 2)
    source = _product_source(expansion)
    training = as_dense(source.X)
    for row, (point, start) in enumerate(zip(points, starts, strict=True)):
        path = Path.between(source, training, point, start)
        products = path.products(nodes)
        slopes = np.zeros_like(path.start)
        for node, weighted in zip(nodes, weights[:, None] * products, strict=True):
            slopes += weighted * path.ratios(node)
        values[row] = (slopes @ expansion.axes).T
    return values


def statistic_values(
    expansion: Expansion, statistic: Quadratic, points: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """Return Shapley values of a statistic, of shape (m, d), and their errors, of shape (m,).

    The points and the reference are dense, of shape (m, d). The values sum to the difference of the
    statistic from that of the reference. With t the probability that a variable is put in,
    E z_j² = (E z_j)² + Var z_j. All points of the expansion give the first term, and landmarks give
    the second one, which is 0 at both ends. It comes from interactions of variables. The error is
    estimated by half of the landmarks.
    """
    d = points.shape[1]
    source = _product_source(expansion)
    training = as_dense(source.X)
    most = max(4, min(LANDMARKS, int(np.sqrt(2 * _PAIR_FACTORS / d))))
    tables = [_landmark_axes(expansion, training, m) for m in (most, most // 2)]
    is_exact = len(tables[0][0]) == len(training)
    values, errors = np.empty_like(points), np.zeros(len(points))
    nodes, weights = _quadrature(min(d, _NODES))
    for row, (point, start) in enumerate(zip(points, reference, strict=True)):
        path = Path.between(source, training, point, start)
        products = path.products(nodes)
        scores = products @ expansion.axes - expansion.offsets
        slopes = statistic.linear + 2 * (scores * statistic.weights) @ expansion.axes.T
        first = path.integral(nodes, weights[:, None] * products * slopes)
        second, rough = (
            _interactions(
                Path.between(source, landmarks, point, start),
                (axes * statistic.weights) @ axes.T,
                (nodes, weights),
            )
            for landmarks, axes in tables
        )
        values[row] = first + second
        if not is_exact:
            errors[row] = np.abs(second - rough).max()
    return values, errors


def reference_rows(reference: Matrix, points: Floats) -> Floats:
    """Return one row of a reference per point.

    Raises
    ------
    ValueError
        If it has another shape than the points, or than one of them.
    """
    rows = np.atleast_2d(checked(reference, "reference", ensure_2d=False, dtype=np.float64))
    if rows.shape not in (points.shape, (1, points.shape[1])):
        raise ValueError(
            f"reference has shape {rows.shape}, not {points.shape} or {points.shape[1:]}."
        )
    return np.broadcast_to(rows, points.shape)


def _product_source(expansion: Expansion) -> KernelSource:
    source = expansion.source
    if not isinstance(source, KernelSource) or source.name not in PRODUCT_KERNELS:
        raise ValueError(
            f"kernel={source.name!r} is no product over the variables, which Shapley values need: "
            f"take one of {PRODUCT_KERNELS}."
        )
    return source


def _quadrature(count: int) -> tuple[Floats, Floats]:
    """Return nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2


def _landmark_axes(expansion: Expansion, training: Floats, count: int) -> tuple[Floats, Floats]:
    """Return landmarks and coefficients of the axes in them, which fit all scores best."""
    if len(training) <= count:
        return training, expansion.axes
    rows = np.random.default_rng(0).choice(len(training), count, replace=False)
    source = expansion.source
    landmarks = source.with_samples(source.X[rows])
    values = landmarks.apply(source.X, np.eye(count), expansion.n_threads)
    products = expansion.point_scores + expansion.offsets
    return training[rows], np.asarray(np.linalg.lstsq(values, products, rcond=1e-10)[0], float)


def _interactions(path: Path, products: Floats, quadrature: tuple[Floats, Floats]) -> Floats:
    """Return what the variance of the scores along the path gives each variable."""
    nodes, weights = quadrature
    first, second = np.triu_indices(len(products))
    counts = np.where(first == second, 1, 2)
    pairs = Path(*(side[:, first] * side[:, second] for side in path))
    expected = path.products(nodes)
    of_pairs = weights[:, None] * pairs.products(nodes) * (products[first, second] * counts)
    of_means = weights[:, None] * expected * (2 * expected @ products)
    return pairs.integral(nodes, of_pairs) - path.integral(nodes, of_means)
