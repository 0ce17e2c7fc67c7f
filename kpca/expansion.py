"""The subspace of the components in feature space, and its points given by scores.

With x_i the points that the model expands in (its training points, or its landmarks),
v_j = Σ_i C_ij φ(x_i) the axes and μ = Σ_i m_i φ(x_i) the feature mean, the point with
scores z is P = μ + Σ_j z_j v_j = Σ_i c_i φ(x_i), c = m + C z. The coefficients sum to 1 (with
centring), since the columns of C sum to 0. Without the mean, P shrinks to nothing as the
components become few.
"""

from typing import Any

import numpy as np

from kpca.types import Array, Floats


class Subspace:
    """Inner products with the points of the subspace, without a kernel matrix.

    Parameters
    ----------
    model : KernelPCA
        Fitted.

    Attributes
    ----------
    axes : ndarray of shape (n, k)
        C.
    mean : ndarray of shape (n,)
        m = w/W, or that of the landmarks; zero where the model does not centre.
    """

    def __init__(self, model: Any) -> None:
        self.axes: Floats
        self.mean: Floats
        self.axes, self.mean = model._expansion()
        self._positive = model.eigenvalues_ > 0
        self._means = model.kernel_means_
        self._offsets = self._means @ self.axes  # ⟨μ, v_j⟩
        self._expanded_scores = model._expanded_scores()

    def coefficients(self, Z: Array) -> Floats:
        """Give c of each row of scores, an array of shape (m, n)."""
        C: Floats = Z @ self.axes.T
        C += self.mean
        return C

    def squared_norms(self, Z: Array) -> Floats:
        """Give ‖P‖² of each row of scores."""
        lengths = (Z[:, self._positive] ** 2).sum(axis=1, dtype=float)
        return self.mean @ self._means + 2 * Z @ self._offsets + lengths

    def training_distances(self, Z: Array, diagonal: Floats) -> Floats:
        """Give ‖P − φ(x_i)‖² to every point of the expansion; ``diagonal`` holds k(x_i, x_i)."""
        inner = self._means + Z @ (self._expanded_scores + self._offsets).T
        return diagonal + self.squared_norms(Z)[:, None] - 2 * inner

    def distances(self, model: Any, Z: Array, points: Array) -> Floats:
        """Give ‖P − φ(y)‖² for each row of scores and the point y of the input space beside it."""
        source = model._source()
        products = source.apply(points, np.column_stack([self.axes, self.mean]), model._threads())
        inner = products[:, -1] + (products[:, :-1] * Z).sum(axis=1)
        return source.diagonal(points) - 2 * inner + self.squared_norms(Z)
