"""Kernels as records in a registry: to add a kernel, add an entry to `KERNELS`.

Most kernels apply an elementwise *link* to the inner product of *features* of the two points:
k(x, y) = link(left(x) · right(y)). A block of the kernel matrix then takes one matrix product, and
one pass that applies the link in place. The other kernels replace the inner product by another
`product`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import comb
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from kpca.types import EPS, FLOAT32, FLOAT64, Array, Floats, Matrix
from kpca.validation import is_sparse

# Largest T per precision for which exp(−T) is computed; larger T would underflow, which is slow.
UNDERFLOW = {FLOAT64: 300.0, FLOAT32: 50.0}


class Parameter(NamedTuple):
    """A kernel parameter: its default, and the smallest value that is accepted."""

    default: float
    least: float


# Kernel parameters by their names in scikit-learn, in the order in which tables list them.
PARAMETERS = {
    "gamma": Parameter(1.0, 0.0),
    "degree": Parameter(3.0, 0.0),
    "coef0": Parameter(1.0, -np.inf),
}


@dataclass(frozen=True)
class KernelParameters:
    """Values of all `PARAMETERS`; a kernel reads only those that its `Kernel.uses` names."""

    gamma: float = PARAMETERS["gamma"].default
    degree: float = PARAMETERS["degree"].default
    coef0: float = PARAMETERS["coef0"].default


def as_dense(X: Matrix) -> Floats:
    """Return X as a dense array in float64."""
    return np.asarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)


def squared_norms(X: Matrix) -> Floats:
    """Return the squared Euclidean norm of each row of X, in float64."""
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", X, X, dtype=np.float64)


def origin(X: Matrix, mean: Array) -> Floats:
    """Return the point to subtract from the rows of X, for kernels that depend on x − y only.

    The point is the mean of the rows. If X is sparse, the point is zero in columns that store less
    than half of their entries. Subtracting the mean would fill in such a column, and would help
    little, because the spread of the column is at least as large as its mean.
    """
    point = np.array(mean, dtype=np.float64).ravel()
    if is_sparse(X):
        point[2 * np.bincount(X.indices, minlength=X.shape[1]) < X.shape[0]] = 0
    return point


def moved(X: Matrix, point: Floats) -> Matrix:
    """Return X − point; if X is sparse, the columns where `point` is not zero are filled in."""
    if not is_sparse(X):
        return X - point
    n = X.shape[0]
    columns = np.flatnonzero(point)
    ends = len(columns) * np.arange(n + 1)
    return X - type(X)((np.tile(point[columns], n), np.tile(columns, n), ends), shape=X.shape)


def inner_products(left: Matrix, right: Matrix, out: Array, _: object = None) -> None:
    """Fill `out` with the inner products of the rows of two arrays, dense or sparse."""
    if is_sparse(left) or is_sparse(right):
        product = left @ right.T
        out[...] = product.toarray() if is_sparse(product) else product
    else:
        np.matmul(left, right.T, out=out)


def finite(values: Array, dtype: Any = np.float64) -> Array:
    """Return kernel values of new points, one row per point, in the precision `dtype`.

    Raises
    ------
    ValueError
        If values of a point are not finite; the message names the first such row.
    """
    with np.errstate(over="ignore"):
        values = values.astype(dtype, copy=False)
    if not np.isfinite(values).all():
        row = np.argmax(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))
        raise ValueError(
            f"Kernel values overflow {values.dtype} at row {row} of X: scale it, or leave it out."
        )
    return values


Features = Callable[[Matrix, KernelParameters], Matrix]
BlockProduct = Callable[[Matrix, Matrix, Array, KernelParameters], None]
Function = Callable[[Floats, KernelParameters], Floats]
Gradients = Callable[[Floats, Floats, Floats, KernelParameters], Floats]


@dataclass(frozen=True)
class OfProduct:
    """Functions f, f′ and f⁻¹ of a kernel k(x, y) = f(γ x·y + c).

    Each maps an array and parameters elementwise to a new array. If several arguments have the
    given value, the inverse returns the largest one. If no argument has it, the inverse uses the
    nearest value that f takes.
    """

    value: Function
    slope: Function
    inverse: Function


@dataclass(frozen=True, kw_only=True)
class Kernel:
    """A kernel: its formula, its theory, and how its values and derivatives are computed."""

    formula: str  # k(x, y) as users read it
    theory: str  # why the kernel is positive semidefinite, and a reference
    # parameters → whether the kernel is known to be positive semidefinite.
    semidefinite: Callable[[KernelParameters], bool] = lambda _: True
    uses: tuple[str, ...] = ()  # names of the parameters that the kernel reads
    # (X, parameters) → features, one row per point; by default X itself.
    left: Features = lambda X, _: X
    right: Features = lambda X, _: X
    # (left, right, out, parameters) → None. It fills `out`, by default with inner products, which
    # are cheap.
    product: BlockProduct = inner_products
    # Applied in place to the block T of products.
    link: Callable[[Array, KernelParameters], object] = lambda T, _: None
    diagonal: Callable[[Matrix, KernelParameters], Floats] = lambda X, _: np.ones(X.shape[0])
    # (X, parameters) → s, of shape (n,), with |k(x, y)| ≤ √(s(x) s(y)). None if |k(x, x)| is such a
    # bound, as for every semidefinite kernel.
    bound: Callable[[Matrix, KernelParameters], Floats] | None = None
    # (d, parameters) → number of explicit features, None if there is no finite list of them.
    feature_count: Callable[[int, KernelParameters], int | None] = lambda d, _: None
    # The derivative, in one of three ways. `of_product` is for kernels f(γ x·y + c). `slope` is
    # f′(T) of a kernel f(T) of a distance, and 0 at a kink. `gradients` maps (X, T, C, parameters)
    # to Σ_i C_ij ∂k(x, t_i)/∂x_f. Kernels with `slope` or `gradients` have a constant k(x, x).
    of_product: OfProduct | None = None
    slope: Callable[[Floats], Floats] | None = None
    gradients: Gradients | None = None
    # The largest |f′(T)| of a kernel f(T) of a distance for T ≤ 0. It multiplies errors of T.
    largest_slope: float = 1.0
    # The power p of a kernel of the distance Σ_f |x_f − y_f|^p. Its γ may be 1 / median distance.
    median_power: int | None = None
    # (X, parameters) → c, of shape (n,). If every term of the argument has a relative error of
    # δ ≥ EPS/2, the value k(x, y) of two rows of X has an error of at most δ (c(x) + c(y)). For a
    # function of a distance, c(x) + c(y) also bounds the argument.
    error_weight: Callable[[Matrix, KernelParameters], Floats] = lambda X, _: squared_norms(X) / 2
    # For a kernel of x − y: the same kernel, computed from differences of coordinates. It is used
    # if arguments are so large that inner products lose all digits, even on centred data.
    by_differences: "Kernel | None" = None

    def sizes(self, X: Matrix, parameters: KernelParameters) -> Floats:
        """Return s, of shape (n,), with |k(x, y)| ≤ √(s(x) s(y)) for all rows of X."""
        if self.bound is None:
            return np.abs(self.diagonal(X, parameters))
        return self.bound(X, parameters)


def exponential(T: Array, _: KernelParameters) -> None:
    """Take the exponential in place."""
    np.exp(T, out=T)


def _root_of_distance(T: Array) -> Array:
    """Return r = √−T, or the largest r for which exp(−r) does not underflow."""
    limit = np.floor(-np.log(np.finfo(T.dtype).tiny))
    return np.minimum(np.sqrt(np.maximum(-T, 0)), limit)


def _exponential_slope(T: Floats) -> Floats:
    roots = _root_of_distance(T)
    return np.divide(np.exp(-roots), 2 * roots, out=np.zeros_like(T), where=roots > 0)


def _matern(T: Array, _: KernelParameters) -> None:
    roots = _root_of_distance(3 * T)
    np.multiply(1 + roots, np.exp(-roots), out=T)


def _with_columns(X: Matrix, *columns: Floats | float) -> Matrix:
    """Return X with `columns` appended; the result is sparse if X is sparse."""
    extra = np.stack([np.full(X.shape[0], column) for column in columns], axis=1)
    if is_sparse(X):
        from scipy import sparse

        return sparse.hstack([X, sparse.csr_array(extra)], format="csr")
    return np.concatenate([X, extra], axis=1)


def _distances(metric: Any, left: Matrix, right: Matrix, out: Array, p: KernelParameters) -> None:
    """Fill `out` with −γ times the distances of every pair of rows."""
    out[...] = -p.gamma * cdist(as_dense(left), as_dense(right), metric)


def _of_distance(power: int, link: Callable[..., object], **record: Any) -> Kernel:
    """Return the kernel f(−γ Σ_f |x_f − y_f|^power); `link` applies f to an array in place.

    For T ≤ 0, |f′(T)| has to be at most ``largest_slope`` and |T f′(T)| at most 1, so that
    `BoundKernel.rounding` bounds the errors. The tests check both by difference quotients of the
    link. If f′ is unbounded, values are always computed from differences of coordinates.
    """
    base = Kernel(**record, median_power=power, uses=("gamma",), error_weight=_half)

    def spread(X: Matrix, p: KernelParameters) -> Floats:
        if base.largest_slope == np.inf:
            return np.full(X.shape[0], np.inf)
        if power == 2:
            weight = 2 * p.gamma * squared_norms(X)
        else:
            weight = p.gamma * np.asarray(abs(X).sum(axis=1)).ravel()
        return max(base.largest_slope, 1.0) * weight

    metric = "sqeuclidean" if power == 2 else "cityblock"
    direct = replace(base, link=link, product=partial(_distances, metric))
    near = replace(direct, by_differences=direct, error_weight=spread)
    if power == 1:
        return near
    return replace(near, left=_gaussian_left, right=_gaussian_right, product=inner_products)


def _half(X: Matrix, _: KernelParameters) -> Floats:
    return np.full(X.shape[0], 0.5)


def _times(X: Matrix, factors: Floats) -> Matrix:
    """Return X with row i multiplied by ``factors[i]``."""
    return X.multiply(factors[:, None]).tocsr() if is_sparse(X) else X * factors[:, None]


def _unit_rows(X: Matrix, _: KernelParameters) -> Matrix:
    # Scale the rows first, because squares of very large or small entries overflow or underflow.
    # Scaling by a power of two is exact.
    largest = as_dense(abs(X).max(axis=1)).ravel()
    X = _times(X, np.ldexp(1.0, -np.clip(np.frexp(largest)[1], -1000, 1000)))
    norms = np.sqrt(squared_norms(X))
    return _times(X, 1 / np.where(norms > 0, norms, 1))


def _far(X: Matrix, limit: float) -> Matrix:
    """Return X clipped to ±limit/d for d features; a kernel of x − y is zero beyond this range."""
    limit /= X.shape[1]
    return X.minimum(limit).maximum(-limit) if is_sparse(X) else np.clip(X, -limit, limit)


def _gaussian_left(X: Matrix, p: KernelParameters) -> Matrix:
    # Clipping at 1e150 changes no value, because the bound points are far below this limit: their
    # fourth powers are finite, so that they are below 1e77.
    X = _far(X * np.sqrt(p.gamma), 1e150)
    return _with_columns(2 * X, -squared_norms(X), 1.0)


def _gaussian_right(X: Matrix, p: KernelParameters) -> Matrix:
    X = X * np.sqrt(p.gamma)
    return _with_columns(X, 1.0, -squared_norms(X))


def _anova_values(left: Matrix, right: Matrix, out: Array, p: KernelParameters) -> None:
    """Fill `out` with S^p for S = mean_f exp(−γ (x_f − y_f)²).

    One feature is computed at a time to stay in the cache.
    """
    left, right = (M.toarray() if is_sparse(M) else M for M in (left, right))

    def exponents() -> Iterator[Array]:
        exponent = np.empty_like(out)
        for x, y in zip(left.T, right.T, strict=True):
            np.subtract(x[:, None], y, out=exponent)
            exponent *= exponent
            exponent *= -p.gamma
            yield exponent

    # If p < 1, S underflows before S^p. Then divide S by its largest term.
    largest: Array | None = None
    if p.degree < 1:
        largest = reduce(np.maximum, exponents(), np.full_like(out, -np.inf))
    out[...] = 0
    for exponent in exponents():
        if largest is not None:
            exponent -= largest
        np.maximum(exponent, -UNDERFLOW[out.dtype], out=exponent)
        out += np.exp(exponent, out=exponent)
    out *= 1 / left.shape[1]
    power(out, p.degree)
    if largest is not None:
        out *= np.exp(np.maximum(p.degree * largest, -UNDERFLOW[out.dtype]))


def _anova(**record: Any) -> Kernel:
    direct = Kernel(
        product=_anova_values,
        error_weight=lambda X, p: max(p.degree, 1) * _half(X, p),
        gradients=_anova_gradients,
        **record,
    )

    def of_spread(X: Matrix, p: KernelParameters) -> Floats:
        # A feature changes S^p by at most d^(−min(p, 1)) times the change of its exponent.
        share = p.degree / X.shape[1] ** min(p.degree, 1)
        return max(p.degree, 1) / 2 + share * 2 * p.gamma * squared_norms(X)

    return replace(direct, by_differences=direct, error_weight=of_spread)


def _anova_gradients(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """Return Σ_i C_ij ∂k(x, t_i)/∂x_f for the rows x of X and t_i of T.

    With L = log Σ_f exp(−γ (x_f − t_f)²), the derivative is
    ∂k/∂x_f = −2γ p (x_f − t_f) exp(−γ (x_f − t_f)² + (p − 1) L − p log d).
    """

    def differences() -> Iterator[Floats]:
        return (x[:, None] - t for x, t in zip(X.T, T.T, strict=True))

    d = X.shape[1]
    logarithm = reduce(np.logaddexp, (-p.gamma * difference**2 for difference in differences()))
    outer = (p.degree - 1) * np.maximum(logarithm, -1e300) - p.degree * np.log(d)
    slopes = (difference * np.exp(outer - p.gamma * difference**2) for difference in differences())
    return -2 * p.gamma * p.degree * np.stack([slope @ C for slope in slopes], axis=2)


def _cosine_gradients(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """Return Σ_i C_ij ∂k(x, t_i)/∂x_f for the rows x of X and t_i of T.

    With unit vectors x̂ and t̂_i, the gradient is ∂k/∂x = (t̂_i − k x̂)/‖x‖. At the origin, where x
    has no direction, it is zero.
    """
    norms = np.sqrt(squared_norms(X))[:, None, None]
    unit = _unit_rows(X, p)
    weighted_sums = _unit_rows(T, p).T @ C
    along = (unit @ weighted_sums)[:, :, None] * unit[:, None, :]
    across = weighted_sums.T - along
    return across / np.where(norms > 0, norms, np.inf)


def _affine_left(X: Matrix, p: KernelParameters) -> Matrix:
    return _with_columns(X * np.sqrt(p.gamma), p.coef0)


def _affine_right(X: Matrix, p: KernelParameters) -> Matrix:
    return _with_columns(X * np.sqrt(p.gamma), 1.0)


def _argument_sizes(X: Matrix, p: KernelParameters) -> Floats:
    """Return s, of shape (n,), with |γ x·y + c| ≤ √(s(x) s(y)) for all rows of X."""
    return p.gamma * squared_norms(X) + abs(p.coef0)


def power(T: Array, degree: float) -> Array:
    """Return T ** degree, computed in place.

    Integer degrees from 1 to 64 use repeated squaring, which is ten times faster than np.power.
    """
    if degree != int(degree) or not 1 <= degree <= 64:
        return np.power(T, degree, out=T)
    base = T.copy()
    for bit in bin(int(degree))[3:]:
        np.multiply(T, T, out=T)
        if bit == "1":
            np.multiply(T, base, out=T)
    return T


def _with_power(T: Array, p: KernelParameters) -> Array:
    """Return T if its power `p.degree` is a real number everywhere; raise a ValueError if not."""
    if p.degree != int(p.degree) and (T < 0).any():
        raise ValueError(
            f"The poly kernel of degree={p.degree:g} is no real number where γ x·y + coef0 is "
            f"negative, and it reaches {T.min():.3g}: take an integer degree, or data and coef0 "
            "that are not negative."
        )
    return T


def _is_whole(p: KernelParameters) -> bool:
    """Return whether (γ x·y + c)^p is a non-negative combination of integer powers of x·y.

    Such a kernel is positive semidefinite by the Schur product theorem.
    """
    return p.coef0 >= 0 and p.degree == int(p.degree)


def _monomials(d: int, p: KernelParameters) -> int | None:
    if not (_is_whole(p) and 1 <= p.degree <= 8):
        return None
    return comb(d + int(p.degree) - (p.coef0 == 0), int(p.degree))


def _power_slope(T: Floats, p: KernelParameters) -> Floats:
    if p.degree == 0:
        return np.zeros_like(T)
    return p.degree * power(T.copy(), p.degree - 1)


def _root(K: Floats, p: KernelParameters) -> Floats:
    if p.degree == 0:  # All arguments have the value 1.
        return np.full_like(K, np.inf)
    if p.degree % 2 == 1:
        return np.sign(K) * np.abs(K) ** (1 / p.degree)
    return np.maximum(K, 0) ** (1 / p.degree)


def _power_error(X: Matrix, p: KernelParameters) -> Floats:
    sizes = _argument_sizes(X, p)
    factor = max(p.degree, 1)
    if 0 < p.degree < 1 and (p.coef0 < 0 or X.min() < 0):
        least = p.coef0 - p.gamma * squared_norms(X).max()
        if least > 0:
            # Far from T = 0, the slope of T^p is bounded. Half of the smallest T allows for errors.
            steepest = p.degree * (least / 2) ** (p.degree - 1)
            return np.maximum(steepest * sizes, sizes**p.degree) / 2
        # Terms of T cancel, and the slope of T^p is unbounded at 0. An error e of T changes T^p by
        # at most e^p. Here e ≤ δ (size(x) + size(y))/2, and δ^p ≤ δ (EPS/2)^(p−1).
        factor = (EPS / 2) ** (p.degree - 1)
    return factor * sizes**p.degree / 2 ** min(p.degree, 1)


def _artanh(K: Floats, _: KernelParameters) -> Floats:
    return np.arctanh(np.clip(K, EPS - 1, 1 - EPS))


KERNELS: dict[str, Kernel] = {
    "linear": Kernel(
        formula="x·y",
        theory="an inner product",
        diagonal=lambda X, _: squared_norms(X),
        feature_count=lambda d, _: d,
        of_product=OfProduct(
            lambda T, _: T.copy(), lambda T, _: np.ones_like(T), lambda K, _: K.copy()
        ),
    ),
    "poly": Kernel(
        formula="(γ x·y + c)^p",
        semidefinite=_is_whole,
        theory="for integer p and c ≥ 0: products of kernels, Schur 1911",
        uses=("gamma", "degree", "coef0"),
        left=_affine_left,
        right=_affine_right,
        link=lambda T, p: power(_with_power(T, p), p.degree),
        diagonal=lambda X, p: _with_power(p.gamma * squared_norms(X) + p.coef0, p) ** p.degree,
        bound=lambda X, p: _argument_sizes(X, p) ** p.degree,
        feature_count=_monomials,
        of_product=OfProduct(lambda T, p: power(T.copy(), p.degree), _power_slope, _root),
        error_weight=_power_error,
    ),
    "rbf": _of_distance(
        2,
        exponential,
        formula="exp(−γ ‖x − y‖²)",
        theory="completely monotone in ‖x − y‖², Schoenberg 1938",
        slope=np.exp,
    ),
    "laplacian": _of_distance(
        1,
        exponential,
        formula="exp(−γ ‖x − y‖₁)",
        theory="a product over features of exp(−γ abs(x_f − y_f)), Bochner 1933",
        slope=np.exp,
    ),
    "cauchy": _of_distance(
        2,
        lambda T, _: np.reciprocal(np.subtract(1, T, out=T), out=T),
        formula="1 / (1 + γ ‖x − y‖²)",
        theory="completely monotone in ‖x − y‖², Schoenberg 1938",
        slope=lambda T: 1 / (1 - T) ** 2,
    ),
    "exponential": _of_distance(
        2,
        lambda T, _: np.exp(-_root_of_distance(T), out=T),
        formula="exp(−√γ ‖x − y‖)",
        theory="completely monotone in ‖x − y‖², Schoenberg 1938",
        slope=_exponential_slope,
        largest_slope=np.inf,
    ),
    "matern32": _of_distance(
        2,
        _matern,
        formula="(1 + s) exp(−s), s = √(3γ) ‖x − y‖",
        theory="a mixture of Gaussian kernels, so completely monotone, Schoenberg 1938",
        slope=lambda T: 1.5 * np.exp(-_root_of_distance(3 * T)),
        largest_slope=1.5,
    ),
    "anova": _anova(
        formula="(mean_f exp(−γ (x_f − y_f)²))^p",
        semidefinite=lambda p: p.degree == int(p.degree),
        theory="for integer p: sums and products of kernels, Schur 1911",
        uses=("gamma", "degree"),
    ),
    "sigmoid": Kernel(
        formula="tanh(γ x·y + c)",
        semidefinite=lambda _: False,
        theory="it is not in general: Smola, Óvári, Williamson 2001",
        uses=("gamma", "coef0"),
        left=_affine_left,
        right=_affine_right,
        link=lambda T, _: np.tanh(T, out=T),
        diagonal=lambda X, p: np.tanh(p.gamma * squared_norms(X) + p.coef0),
        bound=lambda X, p: np.full(X.shape[0], np.tanh(_argument_sizes(X, p).max())),
        of_product=OfProduct(lambda T, _: np.tanh(T), lambda T, _: 1 - np.tanh(T) ** 2, _artanh),
        # The weight can be limited, because values lie between −1 and 1 for any argument.
        error_weight=lambda X, p: np.minimum(_argument_sizes(X, p), 1e16) / 2,
    ),
    "cosine": Kernel(
        formula="x·y / (‖x‖ ‖y‖)",
        theory="an inner product of directions",
        left=_unit_rows,
        right=_unit_rows,
        diagonal=lambda X, p: (squared_norms(_unit_rows(X, p)) > 0).astype(np.float64),
        gradients=_cosine_gradients,
        error_weight=_half,
    ),
}


def get_kernel(name: str) -> Kernel:
    """Return the kernel with the given name.

    Raises
    ------
    ValueError
        If no kernel has this name; the message lists all names.
    """
    if not isinstance(name, str) or name not in KERNELS:
        raise ValueError(f"kernel must be one of {sorted(KERNELS)}, got {name!r}.")
    return KERNELS[name]
