"""Estimate which components a second sample would show, by comparing halves of the sample.

References
----------
Shawe-Taylor, Williams, Cristianini, Kandola (2005), On the eigenspectrum of the Gram matrix and the
generalization error of kernel PCA, IEEE Transactions on Information Theory 51.
Blanchard, Bousquet, Zwald (2007), Statistical properties of kernel principal component analysis,
Machine Learning 66.
Hallgren (2021), Kernel PCA with the Nyström method, preprint.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.linalg import eigsh

from kpca.base import check_model
from kpca.eigensolvers.primal import FeatureGram, features
from kpca.folds import NO_POINTS, group_numbers
from kpca.kernel_pca import KernelPCA
from kpca.linalg.resources import default_budget, pinned_blas
from kpca.operators.grams import Centering, CentredGram, FullGram, Gram
from kpca.operators.sources import about_mean
from kpca.types import Array, Floats
from kpca.validation import check_argument, check_memory, integer

COMES_BACK = 0.7  # smallest s_j² for which a second sample is said to show component j
# The three ways to join four quarters of the rows into two halves.
PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2))


@dataclass(frozen=True)
class ReproducibilityOptions:
    """How the comparison of halves is extrapolated, and how halves are computed."""

    half_determined: float = 0.5  # smallest s_j² between halves that is extrapolated to all rows
    fastest: float = 0.5  # factor of 1 − s_j² when n doubles, if 1 − s_j² is proportional to 1/n
    deviations: float = 2.0  # number of standard deviations that widen intervals of s_j²
    variance_errors: float = 2.5  # number of standard errors that widen intervals of variances
    most_explained: float = 0.95  # largest cumulative variance ratio with intervals of variances
    slowest: float = 1 / (np.sqrt(2) - 1)  # ratio of a bias ∝ 1/√n to its change from n/2 to n rows
    fewest_units: int = 8  # smallest number of rows or groups, so that each quarter has two
    rounding: float = 1e-10  # Eigenvalues up to this fraction of the first one count as zero.
    indefinite: float = 1e-4  # largest |negative eigenvalue| allowed, relative to the first one
    lanczos_rows: int = 75  # number of rows above which Lanczos may be faster than LAPACK
    lanczos_fraction: float = 0.12  # Up to this fraction of the eigenpairs, Lanczos is faster.
    lanczos_tol: float = 1e-4  # residual of Lanczos, relative to the first eigenvalue


OPTIONS = ReproducibilityOptions()


@dataclass(frozen=True, eq=False)
class Reproducibility:
    """Estimates of which of k components a second sample of the same size would show.

    Attributes
    ----------
    half : ndarray of shape (k,)
        Value s_j² of the first j components between two samples of n/2 rows, from 0 to 1 (see
        `reproducibility`). NaN if half of the rows have fewer than j components.
    estimate : ndarray of shape (k,)
        Estimate of s_j² between two samples of n rows. NaN if a quarter of the rows has fewer than
        j components, or `half` is below 0.5.
    at_least : ndarray of shape (k,)
        Low end of a 95 % interval for s_j² between two samples of n rows. NaN if a quarter of the
        rows has fewer than j components.
    at_most : ndarray of shape (k,)
        High end of the interval. NaN if `estimate` is NaN.
    single : ndarray of shape (k,)
        Squared cosine between component j of two samples of n/2 rows. Components with near-equal
        eigenvalues count as one.
    variances : ndarray of shape (3, k)
        Low end, estimate and high end of an interval for the variance of component j in the
        population, which is the limit of λ_j/W. NaN for components beyond 95 % of the variance.
    variance_ratios : ndarray of shape (3, k)
        Low end, estimate and high end for the fraction of the variance that the first j components
        explain.
    """

    half: Floats
    estimate: Floats
    at_least: Floats
    at_most: Floats
    single: Floats
    variances: Floats
    variance_ratios: Floats

    @property
    def n_components(self) -> int:
        """Number of reproducible components: the largest j with `at_least` ≥ 0.7, or 0."""
        back = np.flatnonzero(self.at_least >= COMES_BACK)
        return int(back[-1]) + 1 if len(back) else 0


def reproducibility(
    model: KernelPCA, *, groups: Array | None = None, n_splits: int = 9, seed: int = 0
) -> Reproducibility:
    """Estimate which components a second sample of the same size would show.

    Parameters
    ----------
    model : KernelPCA
        Fitted model with its training samples.
    groups : array of shape (n,) or None, default=None
        Group of each training sample. Samples of one group stay in one half.
    n_splits : int, default=9
        Number of splits into halves. Each random split into quarters gives three of them.
    seed : int, default=0
        Seed of the splits.

    Returns
    -------
    kpca.inspection.Reproducibility
        Values, estimates and intervals for each number of components.

    Raises
    ------
    TypeError
        If `model` is not a KernelPCA.
    ValueError
        If the model does not hold its training samples, its kernel is indefinite, or there are
        fewer than eight samples or groups.
    MemoryError
        If the kernel matrix needs more than the memory budget of the model.

    Notes
    -----
    For samples A and B, s_j² = ‖P_A P_B‖² / j in the Frobenius norm, where P_A and P_B project on
    the first j components of A and B in feature space. This is the fraction of the dimensions of
    one subspace that lie in the other. Only kernel values are needed: with axes v = Σ_i C_i φ(x_i),
    the cosines between the axes of A and B are C_Aᵀ K_AB C_B. One kernel matrix serves all halves.
    Samples keep their weights. Each random split into quarters gives three splits into halves.

    Let h be the mean of s_j² over splits into halves, and q its mean between quarters. Let σ be the
    standard deviation of s_j² between disjoint pairs of quarters.

    - ``half`` is h, and ``at_least`` is h − 2σ.
    - From n/2 to n rows, 1 − s_j² is assumed to shrink by the same factor as from n/4 to n/2, but
      at most by half: ``estimate`` is 1 − (1 − h) max(½, (1 − h)/(1 − q)).
    - ``at_most`` is (1 + h)/2 + 2σ, since perturbations fall like 1/n.

    If h is below 0.5, gaps between eigenvalues may open as the number of rows doubles. Therefore
    ``estimate`` and ``at_most`` are then NaN. Components with near-equal eigenvalues
    (``eigenvalue_groups_``) form one subspace, and each of them has the value of the subspace.

    Sums of leading eigenvalues are too large. This bias is estimated by the difference between
    halves and all rows. The estimate subtracts the difference once, as if the bias fell like 1/n.
    An interval also includes 2.4 times the difference, as if the bias fell like 1/√n, and 2.5
    standard errors on both sides. Standard errors come from the influence z_ij² − λ_j/W of each
    sample i. Components beyond 95 % of the variance have no intervals, since they depend on few
    samples.

    The constants were chosen on simulated populations and tested on others (docs/calibration.md).

    References
    ----------
    Shawe-Taylor, Williams, Cristianini, Kandola (2005), On the eigenspectrum of the Gram matrix and
    the generalization error of kernel PCA, IEEE Transactions on Information Theory 51.

    Blanchard, Bousquet, Zwald (2007), Statistical properties of kernel principal component
    analysis, Machine Learning 66.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> from kpca.inspection import reproducibility
    >>> X = np.random.default_rng(0).normal(size=(80, 6)) * [9, 4, 1, 1, 1, 1]
    >>> found = reproducibility(KernelPCA(4).fit(X))
    >>> found.n_components
    2
    >>> found.estimate.round(1)
    array([1. , 1. , 0.8, 0.8])
    """
    check_model(model)
    check_argument("n_splits", n_splits, integer(2))
    check_argument("seed", seed, integer(0))
    if not isinstance(model, KernelPCA):
        raise ValueError(NO_POINTS)
    _check_components(model)
    centering = model.expansion().centering
    rows, units = _weighted_rows(centering, groups)
    gram = _gram(model)
    part_of = partial(_part, gram, centering, len(model.eigenvalues_))
    overlaps = partial(_overlaps, gram, model.eigenvalue_groups_)
    rng = np.random.default_rng(seed)
    halves = []
    quarters = []
    spectra = []
    with pinned_blas():
        for split in range(n_splits):
            pairing = split % len(PAIRINGS)
            if pairing == 0:
                quarter = _quarters(units, rng)
                quarter_rows = [rows[quarter == number] for number in range(4)]
                quarter_parts = [part_of(part_rows) for part_rows in quarter_rows]
            a, b, c, d = PAIRINGS[pairing]
            first = part_of(np.union1d(quarter_rows[a], quarter_rows[b]))
            second = part_of(np.union1d(quarter_rows[c], quarter_rows[d]))
            halves.append(overlaps(first, second))
            quarters.append(
                [
                    overlaps(quarter_parts[a], quarter_parts[b])[0],
                    overlaps(quarter_parts[c], quarter_parts[d])[0],
                ]
            )
            spectra += [first.spectrum, second.spectrum]
    half, single = np.mean(halves, axis=0)
    operator = CentredGram(gram, centering)
    return Reproducibility(
        half,
        *_second_sample(half, np.array(quarters)),
        single,
        *_spectrum_intervals(model, operator, np.mean(spectra, axis=0), units, rows),
    )


def _check_components(model: KernelPCA) -> None:
    """Raise an error if the model has no components, or if its kernel is indefinite."""
    if not len(model.eigenvalues_):
        raise ValueError("model has no components: its training samples do not differ.")
    if model.lambda_min_ < -OPTIONS.indefinite * model.eigenvalues_.max(initial=0):
        raise ValueError(
            f"The kernel is indefinite (λ_min = {model.lambda_min_:.3g}), so its components are "
            "no subspaces of a feature space: take a positive semidefinite kernel."
        )


def _weighted_rows(centering: Centering, groups: Array | None) -> tuple[Array, Array]:
    """Return the rows with nonzero weight, and the index of the group of each row."""
    n = centering.n
    weights = centering.weights
    named = np.arange(n) if groups is None else group_numbers(groups, n)
    rows = np.arange(n) if weights is None else np.flatnonzero(weights)
    distinct, units = np.unique(named[rows], return_inverse=True)
    if len(distinct) < OPTIONS.fewest_units:
        raise ValueError(
            f"model has {len(distinct)} training samples with a weight, or groups of them, and "
            f"halves and quarters are compared: it needs at least {OPTIONS.fewest_units}."
        )
    return rows, units


def _gram(model: KernelPCA) -> Gram:
    """Return the kernel matrix of a model: in full, or as explicit features if these are few."""
    expansion = model.expansion()
    n = expansion.centering.n
    source: Any = about_mean(expansion.source, expansion.centering)
    if model.solver_.name == "primal" and (expansion.source.feature_count or n) < n:
        return FeatureGram(features(source))
    purpose = f"The kernel matrix of {n} samples and its halves take"
    budget = model.memory_budget or default_budget()
    check_memory(purpose, 16.0 * n**2, budget, "fit the model to a sample of the rows")
    return source.full(expansion.n_threads)


def _second_sample(half: Floats, quarters: Floats) -> tuple[Floats, Floats, Floats]:
    """Return `estimate`, `at_least` and `at_most`, given s_j² between halves and quarters."""
    missing = 1 - quarters.mean(axis=(0, 1))
    differences = quarters[:, 0] - quarters[:, 1]
    reach = OPTIONS.deviations * np.sqrt(np.square(differences).mean(axis=0) / 2)
    determined = np.where(half >= OPTIONS.half_determined, half, np.nan)
    shrunk = np.divide(1 - determined, missing, out=np.ones_like(half), where=missing != 0)
    estimate = 1 - (1 - determined) * np.clip(shrunk, OPTIONS.fastest, 1)
    at_least = np.clip(half - reach, 0, 1)
    at_most = np.clip(1 - OPTIONS.fastest * (1 - determined) + reach, 0, 1)
    return estimate, at_least, at_most


class _Part(NamedTuple):
    """Components that were computed from some of the rows.

    The axes hold coefficients of the images of these rows, or vectors of explicit features.
    """

    rows: Array
    axes: Floats
    spectrum: Floats  # of shape (2, k): variances, and their cumulative ratios


def _part(gram: Any, centering: Centering, k: int, rows: Array) -> _Part:
    """Return the k leading components of some rows, given the kernel matrix or the features."""
    weights = None if centering.weights is None else centering.weights[rows]
    of_part = Centering(len(rows), centering.center, weights)
    if isinstance(gram, FullGram):
        matrix = of_part.matrix(gram.K[np.ix_(rows, rows)])
    else:
        F = gram.F[rows]
        means = of_part.normalized_weights @ F
        centred = of_part.rooted(F - centering.center * means)
        matrix = centred.T @ centred
    if (m := len(matrix)) > OPTIONS.lanczos_rows and k < OPTIONS.lanczos_fraction * m:
        # Lanczos computes k eigenpairs faster than LAPACK computes all of them.
        start = np.random.default_rng(0).standard_normal(m)
        eigenvalues, vectors = eigsh(matrix, k, v0=start, tol=OPTIONS.lanczos_tol)
    else:
        eigenvalues, vectors = np.linalg.eigh(matrix)
    order = np.argsort(eigenvalues)[: -k - 1 : -1]
    eigenvalues = eigenvalues[order]
    spectrum = np.zeros((2, k))
    spectrum[0, : len(eigenvalues)] = eigenvalues / of_part.total
    spectrum[1] = np.cumsum(spectrum[0]) * of_part.total / (np.trace(matrix) or 1)
    positive = eigenvalues > OPTIONS.rounding * eigenvalues[0]
    axes = vectors[:, order[positive]]
    if isinstance(gram, FullGram):
        axes = of_part.coefficients(eigenvalues[positive], axes)
    return _Part(rows, axes, spectrum)


def _overlaps(gram: Any, group: Array, a: _Part, b: _Part) -> tuple[Floats, Floats]:
    """Return s_j² of two parts, and the mean squared cosine within each eigenvalue group."""
    opposite = b.axes
    if isinstance(gram, FullGram):
        opposite = gram.K[np.ix_(a.rows, b.rows)] @ b.axes
    squares = (a.axes.T @ opposite) ** 2
    k = len(group)
    sums = np.zeros((k + 1, k + 1))  # entry (i, j): sum over the first i rows and j columns
    sums[1:, 1:] = np.nan
    sums[1 : len(squares) + 1, 1 : squares.shape[1] + 1] = squares.cumsum(axis=0).cumsum(axis=1)
    first, last = (np.searchsorted(group, group, side) for side in ("left", "right"))
    alone = sums[last, last] - sums[first, last] - sums[last, first] + sums[first, first]
    return np.minimum(sums[last, last] / last, 1), alone / (last - first)


def _quarters(unit: Array, rng: np.random.Generator) -> Array:
    """Return a random quarter, 0 to 3, for each row; rows of one unit share a quarter.

    Raises
    ------
    ValueError
        If one unit has more rows than a quarter, so that another quarter stays empty.
    """
    order = rng.permutation(int(unit.max()) + 1)
    sizes = np.bincount(unit)[order]
    quarter = np.empty(len(order), dtype=np.intp)
    quarter[order] = 4 * (np.cumsum(sizes) - sizes / 2) // len(unit)
    if len(np.unique(quarter)) < 4:
        raise ValueError(
            f"A group has {sizes.max()} of {len(unit)} training samples, too many to put it into "
            "one of four parts of equal size. Split it, or leave it out."
        )
    return quarter[unit]


def _spectrum_intervals(
    model: KernelPCA, operator: CentredGram, halves: Floats, units: Array, rows: Array
) -> tuple[Floats, Floats]:
    """Return low end, estimate and high end for variances, and for their cumulative ratios."""
    expansion = model.expansion()
    share = expansion.centering.normalized_weights[rows, None]
    squares = np.square(expansion.point_scores[rows], dtype=np.float64)
    means = operator.means
    lengths = operator.gram.diagonal - 2 * means + operator.centering.normalized_weights @ means
    lengths = lengths[rows, None]
    total = (share * lengths).sum()
    variances = model.eigenvalues_ / expansion.centering.total
    ratios = np.cumsum(variances) / total
    intervals = []
    for value, half, influence in (
        (variances, halves[0], squares - variances),
        (ratios, halves[1], (np.cumsum(squares, axis=1) - ratios * lengths) / total),
    ):
        sums = np.zeros((int(units.max()) + 1, len(value)))
        np.add.at(sums, units, share * influence)
        variance = np.square(sums).sum(axis=0) * len(sums) / (len(sums) - 1)
        error = OPTIONS.variance_errors * np.sqrt(variance)
        bias = half - value
        ends = np.sort([value - bias, value - OPTIONS.slowest * bias], axis=0)
        interval = [np.maximum(ends[0] - error, 0), value - bias, ends[1] + error]
        intervals.append(np.where(ratios <= OPTIONS.most_explained, interval, np.nan))
    return intervals[0], np.minimum(intervals[1], 1)
