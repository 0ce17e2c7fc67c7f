"""The subspace of the components in feature space: a mean and axes, expanded in points.

Let x_i be the points (training points, or landmarks), v_j = Σ_i C_ij φ(x_i) the axes and
μ = Σ_i m_i φ(x_i) the feature mean. A point x has the scores z_j = ⟨φ(x) − μ, v_j⟩. The point of
the subspace with scores z is P = μ + Σ_j z_j v_j = Σ_i c_i φ(x_i), where c = m + C z. With
centring, the coefficients c sum to 1, because the columns of C sum to 0. Without the mean, P would
shrink to zero as the number of components decreases.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kpca.kernels.registry import finite, moved, origin
from kpca.operators.grams import Centering, CentredGram
from kpca.operators.sources import TrainingKernel, about_mean, mean_point, mean_products
from kpca.types import Array, Floats, Matrix

LIGHT = 1e-2  # A weight below this fraction of the mean weight counts as little.


@dataclass(frozen=True, eq=False)
class Expansion:
    """The subspace of components that were fitted exactly or by landmarks, without a kernel matrix.

    Attributes
    ----------
    source : kpca.operators.sources.TrainingKernel
        The points x_i and their kernel.
    axes : ndarray of shape (n, k)
        Coefficients C of the axes v_j = Σ_i C_ij φ(x_i).
    mean : ndarray of shape (n,)
        Coefficients m of the feature mean μ: w/W if the points are training points; zero without
        centring.
    mean_values : ndarray of shape (n,)
        Inner products ⟨μ, φ(x_i)⟩.
    eigenvalues : ndarray of shape (k,)
        Eigenvalues λ_j.
    centering : kpca.operators.grams.Centering
        Centring of all training samples, with their weights.
    eigenvectors : ndarray of shape (n, k) or None, default=None
        Eigenvectors a_j; None if the points are landmarks.
    n_threads : int, default=1
        Number of threads.
    """

    source: TrainingKernel
    axes: Floats
    mean: Floats
    mean_values: Floats
    eigenvalues: Floats
    centering: Centering
    eigenvectors: Floats | None = None
    n_threads: int = 1

    @cached_property
    def offsets(self) -> Floats:
        """Inner products ⟨μ, v_j⟩, of shape (k,)."""
        return self.mean_values @ self.axes

    @cached_property
    def point_scores(self) -> Array:
        """Scores of the points x_i, of shape (n, k), in the floating-point type of the points.

        The scores of training points come from the eigenvectors. Points of little or no weight are
        an exception, because a division by √w_i would magnify the errors of the eigenvectors.
        """
        X = self.source.X
        weights = self.centering.weights
        if self.eigenvectors is None:
            scores = self.scores(X)
        else:
            scores = self.centering.scores(self.eigenvalues, self.eigenvectors)
            if weights is not None:
                light = np.flatnonzero(weights < LIGHT * weights.mean())
                scores[light] = self.scores(X[light])
        return scores.astype(X.dtype, copy=False)

    def scores(self, X: Matrix) -> Floats:
        """Return the scores z_j = Σ_i C_ij k(x, x_i) − ⟨μ, v_j⟩ of each row x of X.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        ndarray of shape (m, k)
            Scores in float64.
        """
        near, X = self.shifted(X)
        return finite(near.source.apply(X, near.axes, near.n_threads) - near.offsets)

    def operator(self, source: TrainingKernel | None = None, stored: bool = False) -> CentredGram:
        """Return K̄ of all training samples as an operator.

        Parameters
        ----------
        source : kpca.operators.sources.TrainingKernel or None, default=None
            Kernel on the training samples. A model of landmarks does not store these samples, so
            that it needs the source. None means the samples of the expansion.
        stored : bool, default=False
            Whether to store the matrix rather than to use as little memory as possible.

        Returns
        -------
        kpca.operators.grams.CentredGram
            The matrix in float64.
        """
        kernel = about_mean(source or self.source, self.centering)
        n_threads = self.n_threads
        gram = kernel.full(n_threads) if stored else kernel.operator(n_threads)
        return CentredGram(gram, self.centering)

    def squared_distances(self, X: Matrix, with_diagonal: bool = True) -> Floats:
        """Return the squared distance ‖φ(x) − μ‖² − ‖z‖² from the subspace for each row x of X.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.
        with_diagonal : bool, default=True
            Whether to include k(x, x). If not, the caller adds it.

        Returns
        -------
        ndarray of shape (m,)
            Squared distances; rounding can make them slightly negative.
        """
        near, X = self.shifted(X)
        norms = near.source.diagonal(X) if with_diagonal else 0.0
        products = near._products(X)
        scores = products[:, :-1] - near.offsets
        with np.errstate(over="ignore", invalid="ignore"):
            distance = norms - 2 * products[:, -1] + self.squared_mean - (scores**2).sum(axis=1)
        return finite(distance)

    @property
    def squared_mean(self) -> float:
        """‖μ‖² as used by `squared_distances`.

        For a centred linear kernel, the mean of the points is subtracted from the points first.
        """
        near = self._about_mean[0]
        return float(near.mean @ near.mean_values)

    def coefficients(self, Z: Array) -> Floats:
        """Return the coefficients c of P = Σ_i c_i φ(x_i) for each row of scores.

        Parameters
        ----------
        Z : array of shape (m, k)
            Scores.

        Returns
        -------
        ndarray of shape (m, n)
            Coefficients.
        """
        C = Z @ self.axes.T
        C += self.mean
        return C

    def squared_norms(self, Z: Array) -> Floats:
        """Return ‖P‖² for each row of scores.

        Parameters
        ----------
        Z : array of shape (m, k)
            Scores.

        Returns
        -------
        ndarray of shape (m,)
            Squared norms in feature space.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = (Z[:, self.eigenvalues > 0] ** 2).sum(axis=1, dtype=float)
            return self.mean @ self.mean_values + 2 * Z @ self.offsets + lengths

    def point_distances(self, Z: Array) -> Floats:
        """Return ‖P − φ(x_i)‖² for each row of scores and each point of the expansion.

        Parameters
        ----------
        Z : array of shape (m, k)
            Scores.

        Returns
        -------
        ndarray of shape (m, n)
            Squared distances in feature space.
        """
        inner = self.mean_values + Z @ (self.point_scores + self.offsets).T
        return self.source.diagonal(self.source.X) + self.squared_norms(Z)[:, None] - 2 * inner

    def distances(self, Z: Array, points: Array) -> Floats:
        """Return ‖P − φ(y)‖² for each row of scores and its point y of the input space.

        Parameters
        ----------
        Z : array of shape (m, k)
            Scores.
        points : array of shape (m, d)
            One point per row of scores.

        Returns
        -------
        ndarray of shape (m,)
            Squared distances in feature space.
        """
        near, points = self.shifted(points)
        products = near._products(points)
        inner = products[:, -1] + (products[:, :-1] * Z).sum(axis=1)
        return near.source.diagonal(points) - 2 * inner + near.squared_norms(Z)

    @cached_property
    def _about_mean(self) -> tuple["Expansion", Floats | None]:
        if self.eigenvectors is None:
            return self, None
        source = about_mean(self.source, self.centering)
        if source is self.source:
            return self, None
        point = origin(self.source.X, mean_point(self.source.X, self.centering))
        values = mean_products(source, self.centering)
        return replace(self, source=source, mean_values=values), point

    def shifted(self, X: Matrix) -> tuple["Expansion", Matrix]:
        """Return the expansion and X, both after subtracting the mean of the points if possible.

        The mean of the training points is subtracted if only rounding depends on it, as for a
        centred linear kernel. Scores, distances and their gradients stay the same.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            Samples.

        Returns
        -------
        expansion : Expansion
            The expansion of the shifted points.
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
            The shifted samples.
        """
        near, point = self._about_mean
        return near, X if point is None else moved(X, point)

    def _products(self, X: Matrix) -> Floats:
        """Return ⟨φ(x), v_j⟩ and, in the last column, ⟨φ(x), μ⟩ for each row x of X."""
        return self.source.apply(X, np.column_stack([self.axes, self.mean]), self.n_threads)
