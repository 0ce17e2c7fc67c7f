"""Choose γ and the number of components of Gaussian kernel PCA without labels, by denoising.

Held-out rows are corrupted before they are projected. Otherwise a wide kernel with as many
components as variables would seem best, because it returns the rows unchanged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.folds import Folds, checked_folds
from kpca.kernel_pca import KernelPCA
from kpca.preimage import fixed_point
from kpca.types import Array, Floats
from kpca.validation import (
    PRECISIONS,
    Rule,
    check_argument,
    checked,
    checked_list,
    integer,
    real,
    warn,
)

NOISE = 0.3  # standard deviation of the noise over that of the rows: 9 % of the rows' variance

STEP_TOL = 1e-3  # largest last step over the spread; a comparison of errors needs no more digits
EVALUATIONS = 100
POSITIVE = Rule("a positive number", lambda v: real(0).holds(v) and v > 0)


@dataclass(frozen=True, eq=False)
class Choice:
    """Result of a criterion that chooses γ and the number of components.

    Attributes
    ----------
    gamma : float
        Chosen γ.
    n_components : int
        Chosen number of components m.
    errors : ndarray of shape (number of γ, number of sizes)
        Mean error of each setting.
    at_edge : tuple of str, default=()
        Those of "gamma" and "n_components" whose chosen value is the smallest or largest one tried.
    """

    gamma: float
    n_components: int
    errors: Floats
    at_edge: tuple[str, ...] = ()


def denoising_errors(
    X: Array,
    gamma: float,
    sizes: Sequence[int],
    *,
    noise: float = NOISE,
    folds: int | Folds = 5,
    seed: int = 0,
) -> Floats:
    """Return ‖x̂ − x‖² of every held-out row x, where x̂ is the denoised version of a corrupted x̃.

    Parameters
    ----------
    X : array of shape (n, d)
        At least four rows.
    gamma : float
        Coefficient γ of the Gaussian kernel.
    sizes : sequence of int
        Numbers of components m. If m is larger than the rank of a fold, all components are used.
    noise : float, default=0.3
        Relative size of the corruption (`corrupt`).
    folds : int or sequence of (kept, left out), default=5
        Number of folds, or the numbers of the rows that each fold keeps and leaves out. Each row is
        left out once.
    seed : int, default=0
        Seed of the corruption, and of the folds if they are drawn.

    Returns
    -------
    ndarray of shape (n, len(sizes))
        Squared errors, in the squared unit of X.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used; the message names it.

    Notes
    -----
    x̂ is the pre-image of the projection of φ(x̃) on m components of a model fitted without x.
    Distances in the input space have one unit for all γ, so they can be compared across γ.

    References
    ----------
    Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), NIPS 11.
    Alam, Fukumizu (2014), Hyperparameter selection in kernel principal component analysis, Journal
    of Computer Science 10.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(-1, 1, 60)
    >>> parabola = np.column_stack([t, t**2])
    >>> few, many = denoising_errors(parabola, 1.0, [1, 4]).mean(axis=0)
    >>> bool(many < few)
    True
    """
    X = checked(X, ensure_min_samples=4, dtype=np.float64)
    check_argument("gamma", gamma, real(0))
    sizes = checked_list("sizes", sizes, integer(1))
    check_argument("seed", seed, integer(0))
    drawn = checked_folds(folds, len(X), seed)
    corrupted = corrupt(X, noise, seed)
    errors = []
    for fitted_rows, rows in drawn:
        # Components without variance are left out.
        unfitted = KernelPCA(max(sizes), kernel="rbf", gamma=gamma, remove_zero_eig=True)
        model = unfitted.fit(X[fitted_rows])
        scores = model.transform(corrupted[rows])
        leading = [scores * (np.arange(scores.shape[1]) < m) for m in sizes]
        start = np.tile(corrupted[rows], (len(sizes), 1))
        preimages = fixed_point.find(
            model.expansion(), np.vstack(leading), start, tol=STEP_TOL, max_iter=EVALUATIONS
        )
        away = preimages.points.reshape(len(sizes), *X[rows].shape) - X[rows]
        errors.append(np.square(away).sum(axis=2).T)
    order = np.argsort(np.concatenate([rows for _, rows in drawn]))
    return np.concatenate(errors)[order]


def corrupt(X: Array, noise: float, seed: int) -> Floats:
    """Add Gaussian noise of equal variance in all directions to the rows.

    Parameters
    ----------
    X : array of shape (n, d)
        Rows.
    noise : float
        Relative size r ≥ 0 of the noise.
    seed : int
        Seed of the noise.

    Returns
    -------
    ndarray of shape (n, d)
        The rows plus noise, in float64.

    Raises
    ------
    ValueError
        If an argument is out of range, or the variance of X overflows.

    Notes
    -----
    The expected squared norm of the noise is r² times the mean of ‖x − mean‖².

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(6.0).reshape(3, 2)
    >>> bool((corrupt(X, 0.0, seed=0) == X).all())
    True
    """
    X = checked(X, dtype=PRECISIONS)
    check_argument("noise", noise, real(0))
    check_argument("seed", seed, integer(0))
    with np.errstate(over="ignore"):
        spread = np.square(X - X.mean(axis=0)).sum(axis=1).mean()
    if not np.isfinite(spread):
        raise ValueError("X is so large that its variance overflows: scale the data.")
    deviation = noise * np.sqrt(spread / X.shape[1])
    return X + deviation * np.random.default_rng(seed).normal(size=X.shape)


def choose_by_denoising(
    X: Array, gammas: Sequence[float], sizes: Sequence[int], **options: Any
) -> Choice:
    """Choose γ and the number of components by how well held-out rows are denoised.

    Parameters
    ----------
    X : array of shape (n, d)
        At least four rows.
    gammas : sequence of float
        Values of γ to try.
    sizes : sequence of int
        Numbers of components m to try.
    **options : dict
        The arguments `noise`, `folds` and `seed` of `denoising_errors`.

    Returns
    -------
    Choice
        The setting with the smallest mean of `denoising_errors`. Ties go to fewer components, then
        to the smaller γ.

    Raises
    ------
    TypeError, ValueError
        If a value cannot be tried; this is checked before any fit.

    Warns
    -----
    UserWarning
        If the chosen γ or m is the smallest or largest one that was tried.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.random.default_rng(0).uniform(-1, 1, 60)
    >>> parabola = np.column_stack([t, t**2])
    >>> choose_by_denoising(parabola, [0.01, 1.0, 100.0], [1, 4, 16]).gamma
    1.0
    """
    X = checked(X, ensure_min_samples=4, dtype=np.float64)
    gammas = checked_list("gammas", gammas, POSITIVE)
    sizes = checked_list("sizes", sizes, integer(1, len(X) - 1))
    errors = np.array([denoising_errors(X, g, sizes, **options).mean(axis=0) for g in gammas])
    return least_error(errors, gammas, sizes)


def least_error(errors: Floats, gammas: Sequence[float], sizes: Sequence[int]) -> Choice:
    """Return the setting with the smallest of `errors`: one row per γ, one column per size."""
    trials = zip(errors, gammas, strict=True)
    _, m, gamma = min((row[s], m, gamma) for row, gamma in trials for s, m in enumerate(sizes))
    chosen = {"gamma": (gamma, gammas), "n_components": (m, sizes)}
    edges = [name for name, (at, of) in chosen.items() if len(of) > 1 and at in (min(of), max(of))]
    if edges:
        warn(
            f"The choice of {' and '.join(edges)} lies at the edge of what was tried: go beyond it."
        )
    return Choice(float(gamma), int(m), errors, tuple(edges))
