"""Errors of reconstruction of held-out rows, in feature space and in the input space."""

from collections.abc import Iterable, Sequence

import numpy as np

from kpca.choice.held_out import HeldOut
from kpca.preimage import fixed_point
from kpca.types import Floats

TOL = 1e-3  # of the spread: an error that is compared needs no more digits
MAX_ITER = 100


def feature_errors(parts: Iterable[HeldOut], n_components: int) -> Floats:
    """Give ‖P_m φ̄(x̃) − φ̄(x)‖² of every held-out row x, corrupted to x̃, for m = 0, 1, ….

    Without corruption this is ‖φ̄(x)‖² − Σ_{j≤m} z_j², which never rises with m, and which
    falls to zero with γ for every m ≥ 1: it can tell where more components stop mattering at
    one γ, and says nothing about γ. With corruption, ‖φ̄‖² + Σ_{j≤m} (z̃_j² − 2 z_j z̃_j), a
    component that carries more noise than signal adds to it.

    Parameters
    ----------
    parts : iterable of HeldOut
        Every row held out once.
    n_components : int
        Largest m.

    Returns
    -------
    ndarray of shape (n, n_components + 1)
        Beyond the rank of a fold m counts as the rank.
    """
    rows, errors = [], []
    for part in parts:
        steps = np.square(part.scores) - 2 * part.clean * part.scores
        steps = np.pad(steps, ((0, 0), (0, max(0, n_components - steps.shape[1]))))
        columns = np.column_stack([part.norms, steps[:, :n_components]])
        errors.append(np.maximum(np.cumsum(columns, axis=1), 0))
        rows.append(part.rows)
    return _in_order(errors, rows)


def input_errors(
    parts: Iterable[HeldOut], X: Floats, corrupted: Floats, sizes: Sequence[int]
) -> Floats:
    """Give ‖x̂ − x‖² of every held-out row x, where x̂ is the pre-image of P_m φ(x̃).

    Distances in the input space have one unit for all γ, so that they can be compared across
    γ. Uncorrupted rows would be given back unchanged by a wide kernel with as many components
    as variables: it is the noise that makes a model lose by keeping everything.

    Parameters
    ----------
    parts : iterable of HeldOut
        Fitted to points with a kernel that has a fixed point, every row held out once.
    X, corrupted : ndarray of shape (n, d)
        Rows x and x̃.
    sizes : sequence of int
        Numbers m of components; beyond the rank of a fold m counts as the rank.

    Returns
    -------
    ndarray of shape (n, len(sizes))

    References
    ----------
    Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
    spaces. Alam, Fukumizu (2014), Hyperparameter selection in kernel principal component
    analysis, Journal of Computer Science 10.
    """
    rows, errors = [], []
    for part in parts:
        leading = [part.scores * (np.arange(part.scores.shape[1]) < m) for m in sizes]
        start = np.tile(corrupted[part.rows], (len(sizes), 1))
        found = fixed_point.find(part.model, np.vstack(leading), start, tol=TOL, max_iter=MAX_ITER)
        away = found.points.reshape(len(sizes), *X[part.rows].shape) - X[part.rows]
        errors.append(np.square(away).sum(axis=2).T)
        rows.append(part.rows)
    return _in_order(errors, rows)


def _in_order(parts: list[Floats], rows: list[Floats]) -> Floats:
    return np.concatenate(parts)[np.argsort(np.concatenate(rows))]
