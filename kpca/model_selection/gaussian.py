"""γ and the number of components of Gaussian kernel PCA from rows alone.

One fit a fold and γ serves every number of components and every error.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kpca.arguments import as_list, as_points, check_values
from kpca.kernels import kernel_matrix
from kpca.model_selection.held_out import (
    Folds,
    as_folds,
    corrupt,
    feature_errors,
    fits_without,
    input_errors,
    leading,
)
from kpca.rules import real, whole
from kpca.types import Floats
from kpca.warning import warn

NOISE = 0.3
"""Default size of the corruption: its square is 9 % of the variance of the rows."""


@dataclass(frozen=True, eq=False)
class GaussianErrors:
    """Errors of reconstruction at one γ, one row for each row of the data.

    Attributes
    ----------
    feature, corrupted_feature : ndarray of shape (n, k + 1)
        In feature space, for m = 0, …, k; of rows as they are, and corrupted.
    input : ndarray of shape (n, number of sizes)
        De-noising of corrupted rows in the input space.
    """

    feature: Floats
    corrupted_feature: Floats
    input: Floats


@dataclass(frozen=True, eq=False)
class Choice:
    """What a criterion chose, and what it looked at.

    Attributes
    ----------
    gamma : float
    n_components : int
    errors : ndarray of shape (number of γ, number of sizes)
        Mean errors.
    at_edge : tuple of str
        Which of "gamma" and "n_components" is the least or the largest that was tried.
    """

    gamma: float
    n_components: int
    errors: Floats
    at_edge: tuple[str, ...] = ()


class GaussianSweep:
    """Held-out errors of Gaussian kernel PCA over γ.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    sizes : sequence of int
        Numbers of components, the largest of which is fitted.
    noise : float
        Relative size of the corruption (`kpca.choice.corrupt`).
    folds : int, or sequence of (kept, left out)
    seed : int
        Of the corruption, and of the folds where they are drawn.

    Raises
    ------
    TypeError, ValueError
        Naming the argument that cannot be used.
    """

    def __init__(
        self,
        X: Floats,
        sizes: Sequence[int],
        *,
        noise: float = NOISE,
        folds: int | Folds = 5,
        seed: int = 0,
    ) -> None:
        self.X: Floats = as_points(X, rows=4, sparse=False)
        self.sizes = as_list(sizes, "sizes", "whole numbers from 1", whole(1))
        self.folds = as_folds(len(self.X), folds, seed)
        self.corrupted = corrupt(self.X, noise, seed)

    def kernel_matrix(self, gamma: float) -> Floats:
        """Give exp(−γ‖x_i − x_j‖²)."""
        check_values(gamma=gamma)
        return kernel_matrix(self.X, kernel="rbf", gamma=gamma)

    def errors(self, gamma: float) -> GaussianErrors:
        """Give the errors at one γ."""
        check_values(gamma=gamma)
        k = max(self.sizes)
        asked = leading(k, kernel="rbf", gamma=gamma)
        parts = list(fits_without(asked, self.X, self.folds, self.corrupted))
        return GaussianErrors(
            feature_errors([replace(part, scores=part.clean) for part in parts], k),
            feature_errors(parts, k),
            input_errors(parts, self.X, self.corrupted, self.sizes),
        )


def choose_by_denoising(
    X: Floats,
    gammas: Sequence[float],
    sizes: Sequence[int],
    *,
    noise: float = NOISE,
    folds: int | Folds = 5,
    seed: int = 0,
) -> Choice:
    """Choose γ and the number of components by how well held-out rows are de-noised.

    Held-out rows are corrupted by Gaussian noise, projected, and brought back to the input
    space, where they are compared with what they were. Ties go to fewer components, then to
    the smaller γ.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    gammas : sequence of float
    sizes : sequence of int
        Numbers of components to try.
    noise, folds, seed
        As for `GaussianSweep`.

    Returns
    -------
    Choice

    Raises
    ------
    TypeError, ValueError
        For values that cannot be tried, before any fit.

    Warns
    -----
    UserWarning
        Where the choice lies at the edge of what was tried.

    References
    ----------
    As for `kpca.choice.input_errors`, which leave the rows as they are.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(-1, 1, 60)
    >>> parabola = np.column_stack([t, t**2])
    >>> choose_by_denoising(parabola, [0.01, 1.0, 100.0], [1, 4, 16]).gamma
    1.0
    """
    X = as_points(X, rows=4, sparse=False, dtype=np.float64)
    gammas = as_list(gammas, "gammas", "positive numbers", lambda v: real(0)(v) and v > 0)
    fitting = f"whole numbers from 1 to {len(X) - 1}"
    sizes = as_list(sizes, "sizes", fitting, lambda v: whole(1)(v) and v < len(X))
    sweep = GaussianSweep(X, sizes, noise=noise, folds=folds, seed=seed)
    errors = np.array([sweep.errors(gamma).input.mean(axis=0) for gamma in gammas])
    trials = zip(errors, gammas, strict=True)
    _, m, gamma = min((row[s], m, gamma) for row, gamma in trials for s, m in enumerate(sizes))
    chosen = {"gamma": (gamma, gammas), "n_components": (m, sizes)}
    edges = [name for name, (at, of) in chosen.items() if len(of) > 1 and at in (min(of), max(of))]
    if edges:
        warn(
            f"The choice of {' and '.join(edges)} lies at the edge of what was tried: values "
            "beyond it may be better.",
        )
    return Choice(float(gamma), int(m), errors, tuple(edges))
