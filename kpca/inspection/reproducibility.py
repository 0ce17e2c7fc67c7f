"""Which components a second sample would show: subspaces of halves of the sample compared.

References
----------
Shawe-Taylor, Williams, Cristianini, Kandola (2005), On the eigenspectrum of the Gram matrix and the
generalization error of kernel PCA, IEEE Transactions on Information Theory 51.
Blanchard, Bousquet, Zwald (2007), Statistical properties of kernel principal component analysis,
Machine Learning 66.
Hallgren (2021), Kernel PCA with the Nyström method, preprint.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from kpca.base import check_model
from kpca.eigensolvers.primal import FeatureGram, features
from kpca.folds import NO_POINTS, group_numbers
from kpca.kernel_pca import KernelPCA
from kpca.linalg.resources import default_budget, pinned_blas
from kpca.operators import Centering, CentredGram, FullGram
from kpca.operators.sources import about_mean
from kpca.types import Array, Floats
from kpca.validation import check_argument, check_memory, integer

COMES_BACK = 0.7  # of a subspace, from which on it counts
HALF_KNOWN = 0.5  # of a subspace of half the rows, below which nothing is said about more rows
FASTEST = 0.5  # factor of what is missing when rows double: it falls like 1/n at the fastest
DEVIATIONS, OF_VARIANCES = 2.0, 2.5  # standard deviations from value to end of an interval
MOST_EXPLAINED = 0.95  # of the variance; what lies beyond is decided by few rows
SLOWEST = 1 / (np.sqrt(2) - 1)  # bias over its difference at n/2 where it falls like 1/√n
FEWEST = 8  # rows or groups, two for each quarter
ROUNDING, INDEFINITE = 1e-10, 1e-4  # of the largest eigenvalue
PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2))  # of quarters, into two halves
LANCZOS_ROWS, LANCZOS_SHARE, LANCZOS_TOL = 75, 0.12, 1e-4
ALL_DIGITS, SMALL = 2000, 1e-3  # rows; of λ_1


@dataclass(frozen=True, eq=False)
class Reproducibility:
    """What a second sample of the same size would show of k components.

    Attributes
    ----------
    half : ndarray of shape (k,)
        Value s_j² of the first j components between two samples of n/2 rows, from 0 to 1. NaN if
        half of the rows do not have as many components.
    estimate : ndarray of shape (k,)
        Estimate of s_j² between two samples of n rows. NaN if a quarter of the rows does not have
        as many components, or `half` is below 0.5.
    at_least : ndarray of shape (k,)
        Low end of a 95 % interval for s_j² of a second sample of n rows. NaN if a quarter of the
        rows does not have as many components.
    at_most : ndarray of shape (k,)
        High end of the interval. NaN if `estimate` is.
    single : ndarray of shape (k,)
        Squared cosine between component j of two samples of n/2 rows. Components with near-equal
        eigenvalues count as one.
    variances : ndarray of shape (3, k)
        Low end, estimate and high end of an interval for the variance of component j in the
        population, λ_j/W in the limit. NaN beyond 95 % of the variance.
    variance_ratios : ndarray of shape (3, k)
        The same for the fraction of the variance that the first j components explain.
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
        """How many components come back: the largest j with `at_least` 0.7 or more, or 0."""
        back = np.flatnonzero(self.at_least >= COMES_BACK)
        return int(back[-1]) + 1 if len(back) else 0


def reproducibility(
    model: KernelPCA, *, groups: Array | None = None, n_splits: int = 9, seed: int = 0
) -> Reproducibility:
    """Estimate which components a second sample of the same size would show.

    Parameters
    ----------
    model : KernelPCA
        Fitted, with its training samples.
    groups : array of shape (n,) or None, default=None
        Group of each training sample. Samples of one group stay in one half.
    n_splits : int, default=9
        Number of splits into halves; each random split into quarters gives three.
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
    For samples A and B, s_j² = ‖P_A P_B‖² / j in the Frobenius norm, with P the projection on the
    first j components in feature space. It is the fraction of the dimensions of one subspace that
    lie in the other. It takes kernel values alone, with axes v = Σ_i C_i φ(x_i): P_A P_B has the
    cosines C_Aᵀ K_AB C_B. One kernel matrix serves all halves. Weights stay with their samples.
    Four quarters can be put together to two halves in three ways.

    With h the mean over splits into halves, q that into quarters, and σ the standard deviation
    between disjoint pairs of quarters:

    - ``half`` is h, and ``at_least`` is h − 2σ.
    - What is missing is assumed to shrink from n/2 to n as from n/4 to n/2, at most by half:
      ``estimate`` is 1 − (1 − h) max(½, (1 − h)/(1 − q)).
    - ``at_most`` is (1 + h)/2 + 2σ, since perturbations fall like 1/n.

    Below h = 0.5, gaps between eigenvalues may open as the rows double. Therefore nothing but
    ``at_least`` is said. Near-equal eigenvalues (``eigenvalue_groups_``) are one: each of their
    components has the value of all.

    Eigenvalues are biased: sums of leading ones are too large. The bias is estimated by the
    difference of the halves, and subtracted once (if it falls like 1/n); an interval also holds
    2.4 times the difference (if it falls like 1/√n), and 2.5 standard errors on both sides. They
    come from the influence z_ij² − λ_j/W of each sample. Beyond 95 % of the variance there are no
    intervals, since few samples decide about such components.

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
    expansion = model.expansion()
    n = expansion.centering.n
    named = np.arange(n) if groups is None else group_numbers(groups, n)
    if not isinstance(model, KernelPCA):
        raise ValueError(NO_POINTS)
    if not len(model.eigenvalues_):
        raise ValueError("model has no components: its training samples do not differ.")
    weights = expansion.centering.weights
    rows = np.arange(n) if weights is None else np.flatnonzero(weights)
    units = np.unique(named[rows])
    if len(units) < FEWEST:
        raise ValueError(
            f"model has {len(units)} training samples with a weight, or groups of them, and halves "
            f"and quarters are compared: it needs at least {FEWEST}."
        )
    if model.lambda_min_ < -INDEFINITE * model.eigenvalues_.max(initial=0):
        raise ValueError(
            f"The kernel is indefinite (λ_min = {model.lambda_min_:.3g}), so its components are "
            "no subspaces of a feature space: take a positive semidefinite kernel."
        )
    budget = model.memory_budget or default_budget()
    explicit = model.solver_.name == "primal" and (expansion.source.feature_count or n) < n
    if not explicit:
        purpose = f"The kernel matrix of {n} samples and its halves take"
        check_memory(purpose, 16.0 * n**2, budget, "fit the model to a sample of the rows")
    centering = expansion.centering
    source: Any = about_mean(expansion.source, centering)
    gram: Any = FeatureGram(features(source)) if explicit else source.full(expansion.n_threads)
    operator, named = CentredGram(gram, centering), np.searchsorted(units, named[rows])
    rng, k = np.random.default_rng(seed), len(model.eigenvalues_)
    if explicit:  # a column of ones makes sums and weights parts of second moments
        F = gram.F - centering.center * (centering.normalized_weights @ gram.F)
        F = centering.rooted(np.column_stack([F, np.ones(n)]))
        components_of: Callable[[Any], _Part] = partial(_of_moments, centering.center, k)
        join: Callable[..., Any] = np.add
    else:
        # Halves of many rows need no more digits, unless components are very small.
        fine = n <= ALL_DIGITS or model.eigenvalues_[-1] < SMALL * model.eigenvalues_[0]
        K = gram.K if fine else gram.K.astype(np.float32)
        components_of, join = partial(_KernelPart, K, centering, k), np.union1d
    group, spectra = model.eigenvalue_groups_, []
    halves, quarters = np.empty((2, n_splits, k)), np.empty((2, n_splits, k))
    with pinned_blas():
        for split in range(n_splits):
            if (turn := split % len(PAIRINGS)) == 0:
                quarter = _quarters(named, rng)
                held = [rows[quarter == number] for number in range(4)]
                if explicit:
                    held = [part.T @ part for part in map(F.__getitem__, held)]
                four = [components_of(contents) for contents in held]
            a, b, c, d = PAIRINGS[turn]
            one, two = components_of(join(held[a], held[b])), components_of(join(held[c], held[d]))
            halves[:, split] = _overlaps(one, two, group)
            quarters[0, split], _ = _overlaps(four[a], four[b], group)
            quarters[1, split], _ = _overlaps(four[c], four[d], group)
            spectra += [one.spectrum, two.spectrum]
    half, single = halves.mean(axis=1)
    missing = 1 - quarters.mean(axis=(0, 1))
    reach = DEVIATIONS * np.sqrt(np.square(quarters[0] - quarters[1]).mean(axis=0) / 2)
    determined = np.where(half >= HALF_KNOWN, half, np.nan)
    shrunk = np.divide(1 - determined, missing, out=np.ones(k), where=missing != 0)
    return Reproducibility(
        half,
        1 - (1 - determined) * np.clip(shrunk, FASTEST, 1),
        np.clip(half - reach, 0, 1),
        np.clip(1 - FASTEST * (1 - determined) + reach, 0, 1),
        single,
        *_spectrum_intervals(model, operator, np.mean(spectra, axis=0), named, rows),
    )


class _Part:
    """Components of some of the rows: axes, and variances with their cumulative ratios.

    Axes are vectors of explicit features, or combinations of the images of rows.
    """

    def __init__(self, matrix: Any, trace: float, total: float, k: int) -> None:
        if _is_searched(m := matrix.shape[0], k):
            start = np.random.default_rng(0).standard_normal(m)
            eigenvalues, vectors = eigsh(matrix, k, v0=start, tol=LANCZOS_TOL)
        else:
            eigenvalues, vectors = np.linalg.eigh(matrix)
        order = np.argsort(eigenvalues)[: -k - 1 : -1]
        eigenvalues = eigenvalues[order]
        order = order[eigenvalues > ROUNDING * eigenvalues[0]]
        self.values, self.axes = eigenvalues[: len(order)], vectors[:, order]
        self.spectrum = np.zeros((2, k))
        self.spectrum[0, : len(eigenvalues)] = eigenvalues / total
        self.spectrum[1] = np.cumsum(self.spectrum[0]) * total / (trace or 1)

    def cosines(self, other: "_Part") -> Floats:
        """Return the cosines between axes of two parts."""
        return np.asarray(self.axes.T @ other.axes)


def _is_searched(m: int, k: int) -> bool:
    """Whether a search for the largest k of m eigenvalues costs less than all of them."""
    return m > LANCZOS_ROWS and k < LANCZOS_SHARE * m


class _KernelPart(_Part):
    def __init__(self, K: Array, centering: Centering, k: int, rows: Array) -> None:
        weights = centering.weights
        weights_of_part = None if weights is None else weights[rows]
        centering_of_part = Centering(len(rows), centering.center, weights_of_part)
        matrix: Any = K[np.ix_(rows, rows)]
        if len(K) > ALL_DIGITS and _is_searched(len(rows), k):  # without a centred copy
            operator = CentredGram(FullGram(matrix), centering_of_part)
            matrix = LinearOperator(matrix.shape, lambda v: operator.matmul(v.reshape(-1, 1)))
            trace = operator.trace
        else:
            trace = np.trace(matrix := centering_of_part.matrix(matrix))
        super().__init__(matrix, trace, centering_of_part.total, k)
        self.K, self.rows = K, rows
        self.axes = centering_of_part.coefficients(self.values, self.axes)

    def cosines(self, other: Any) -> Floats:
        product = self.K[np.ix_(self.rows, other.rows)] @ other.axes.astype(self.K.dtype)
        return np.asarray(self.axes.T @ product)


def _of_moments(center: bool, k: int, sums: Floats) -> _Part:
    """Return components by sums of products of weighted features and, at the end, of ones."""
    first, total = sums[-1, :-1], sums[-1, -1]
    matrix = sums[:-1, :-1] - np.outer(center * first, first / total)
    return _Part(matrix, np.trace(matrix), total, k)


def _overlaps(a: _Part, b: _Part, group: Array) -> tuple[Floats, Floats]:
    """Return s_j² of two parts, and those of each group of near-equal eigenvalues by itself."""
    squares, k = a.cosines(b) ** 2, len(group)
    sums = np.zeros((k + 1, k + 1))  # of all cosines before a row and a column
    sums[1:, 1:] = np.nan
    sums[1 : len(squares) + 1, 1 : squares.shape[1] + 1] = squares.cumsum(axis=0).cumsum(axis=1)
    first, last = (np.searchsorted(group, group, side) for side in ("left", "right"))
    alone = sums[last, last] - sums[first, last] - sums[last, first] + sums[first, first]
    return np.minimum(sums[last, last] / last, 1), alone / (last - first)


def _quarters(unit: Array, rng: np.random.Generator) -> Array:
    """Return the quarter of each row, at random; rows of one unit are in one quarter.

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
    model: KernelPCA, operator: CentredGram, halves: Floats, named: Array, rows: Array
) -> tuple[Floats, Floats]:
    """Return low end, estimate and high end of variances and of cumulative ratios."""
    expansion = model.expansion()
    share = expansion.centering.normalized_weights[rows, None]
    squares = np.square(expansion.point_scores[rows], dtype=np.float64)
    means = operator.means
    lengths = operator.gram.diagonal() - 2 * means + operator.centering.normalized_weights @ means
    lengths = lengths[rows, None]
    total = float((share * lengths).sum())
    variances = model.eigenvalues_ / expansion.centering.total
    ratios = np.cumsum(variances) / total
    intervals = []
    for value, half, influence in (
        (variances, halves[0], squares - variances),
        (ratios, halves[1], (np.cumsum(squares, axis=1) - ratios * lengths) / total),
    ):
        sums = np.zeros((int(named.max()) + 1, len(value)))
        np.add.at(sums, named, share * influence)
        error = OF_VARIANCES * np.sqrt(np.square(sums).sum(axis=0) * len(sums) / (len(sums) - 1))
        bias = half - value
        ends = np.sort([value - bias, value - SLOWEST * bias], axis=0)
        interval = [np.maximum(ends[0] - error, 0), value - bias, ends[1] + error]
        intervals.append(np.where(ratios <= MOST_EXPLAINED, interval, np.nan))
    return intervals[0], np.minimum(intervals[1], 1)
