"""Kernel values k(x, y_j) for fixed points y_j, computed in blocks."""

import numpy as np
from numpy.typing import ArrayLike

from kpca.kernels import registry
from kpca.kernels.registry import KERNELS, PARAMETERS, Features, KernelParameters, get_kernel
from kpca.types import Array, Floats, Matrix
from kpca.validation import check_argument, checked, is_sparse, real

# Largest |T| of a kernel f(T) of x − y for which float32 features are accurate enough.
NARROW = 40.0
# Largest |T| for which inner products keep the eight digits that a fit needs.
NO_DIGITS = 1e7
# Largest feature whose square float32 holds; the smallest one is 1 / SINGLE_RANGE.
SINGLE_RANGE = 1e15


class BoundKernel:
    """A kernel with its parameters and fixed second arguments: the rows of Y, of shape (n, d).

    Blocks and features have the precision `dtype`, with two exceptions. If |T| exceeds `NARROW`,
    features stay in float64: rounding them to float32 would give all values of a row a common
    error, which does not average out and grows with the argument of the kernel. Features whose
    squares float32 cannot hold stay in float64, too.
    """

    def __init__(
        self,
        name: str,
        parameters: KernelParameters,
        Y: Matrix,
        dtype: type = np.float64,
    ) -> None:
        self.name = name
        self.kernel = get_kernel(name)
        self.parameters = parameters
        self.dtype = np.dtype(dtype)
        self._shift: Floats | None = None
        self._sparse = is_sparse(Y)
        largest = 0.0
        if self.kernel.by_differences is not None:
            self._shift = registry.origin(Y, Y.mean(axis=0))
            with np.errstate(over="ignore"):
                weights = self.kernel.error_weight(self._shifted(Y), parameters)
                largest = 2 * weights.max()
            if largest > NO_DIGITS:
                self.kernel = self.kernel.by_differences
                self._shift = None
        exponential = self.kernel.link is registry.exponential
        self._clipped = exponential and largest > registry.UNDERFLOW[self.dtype]
        self._feature_dtype = np.dtype(np.float64)
        right = self._features(self.kernel.right, self._shifted(Y))
        if largest <= NARROW and 1 / SINGLE_RANGE < abs(right).max() < SINGLE_RANGE:
            self._feature_dtype = self.dtype
            right = right.astype(dtype, copy=False)
        if not np.isfinite(registry.squared_norms(right).sum()):
            raise ValueError(
                f"The {self.name} kernel overflows on data as large as {abs(Y).max():.3g}: scale "
                "the data, or lower gamma."
            )
        # Column-major order makes products of few features up to twice as fast.
        self.right = right if is_sparse(right) else np.asfortranarray(right)

    def _shifted(self, X: Matrix) -> Matrix:
        if self._shift is None:
            return X.astype(np.float64, copy=False)
        X = X.toarray() if is_sparse(X) and not self._sparse else X
        return registry.moved(X.astype(np.float64, copy=False), self._shift)

    def _features(self, side: Features, X: Matrix) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            return side(X, self.parameters).astype(self._feature_dtype, copy=True)

    def left(self, X: Matrix) -> Matrix:
        """Return the features of the rows of X, for the argument `left` of `block`."""
        return self._features(self.kernel.left, self._shifted(X))

    def block(self, left: Matrix, columns: slice, out: Array) -> Array:
        """Fill `out` with k(x_i, y_j) for the rows of `left` and the bound points in `columns`."""
        # Ignore overflow of an argument to −∞, because its exponential is then zero. Also ignore
        # products of infinite values with the entries by which the linear algebra library pads its
        # blocks.
        with np.errstate(over="ignore", invalid="ignore"):
            product = out
            if self._feature_dtype != self.dtype:
                product = np.empty(out.shape, self._feature_dtype)
            self.kernel.product(left, self.right[columns], product, self.parameters)
            if product is not out:
                out[...] = product
        if self._clipped:
            np.clip(out, -registry.UNDERFLOW[self.dtype], 0, out=out)
        self.kernel.link(out, self.parameters)
        return out

    def arguments(self, X: Matrix) -> Floats:
        """Return −γ times the distance of each row of X from each bound point, without clipping."""
        features = self.left(X)
        p = self.parameters
        out = np.empty((features.shape[0], self.right.shape[0]))
        with np.errstate(over="ignore", invalid="ignore"):
            self.kernel.product(features, self.right, out, p)
        return out

    def values(self, X: Matrix) -> Array:
        """Return k(x_i, y_j) for the rows x_i of X and all bound points y_j."""
        out = np.empty((X.shape[0], self.right.shape[0]), self.dtype)
        return self.block(self.left(X), slice(None), out)

    def rounding(self, X: Matrix) -> Floats:
        """Return e(x) of the rows of X: computed values k(x, y) are off by at most e(x) + e(y).

        An inner product of d features is off by at most d units of rounding of its terms, in any
        order of summation. Eight more units cover the rounding of the features and of the link.
        """
        terms = (self.right != 0).sum(axis=1).max()
        unit, value_unit = (np.finfo(t).eps / 2 for t in (self._feature_dtype, self.dtype))
        weight = self.kernel.error_weight(self._shifted(X), self.parameters)
        last = self.kernel.diagonal(X, self.parameters) if self.kernel.by_differences else weight
        return (terms + 8) * unit * weight + 8 * value_unit * last

    def diagonal(self, X: Matrix) -> Floats:
        """Return k(x_i, x_i) for the rows x_i of X, in float64."""
        X = X.astype(np.float64, copy=False)
        return self.kernel.diagonal(X, self.parameters)

    def sizes(self, X: Matrix) -> Floats:
        """Return s, of shape (n,), with |k(x, y)| ≤ √(s(x) s(y)) for all rows of X, in float64."""
        return self.kernel.sizes(X.astype(np.float64, copy=False), self.parameters)


def kernel_matrix(
    X: ArrayLike | Matrix,
    Y: ArrayLike | Matrix | None = None,
    *,
    kernel: str = "rbf",
    gamma: float | None = None,
    degree: float = 3,
    coef0: float = 1,
) -> Floats:
    """Compute the kernel matrix K_ij = k(x_i, y_j) in float64.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        Samples x_i.
    Y : array-like or sparse matrix of shape (m, d), or None, default=None
        Samples y_j. None means X itself.
    kernel : str, default="rbf"
        Name of a kernel in the list below.
    gamma : float or None, default=None
        Coefficient γ ≥ 0. None means 1/d.
    degree : float, default=3
        Exponent p ≥ 0, of "poly" and "anova".
    coef0 : float, default=1
        Constant c of the polynomial and sigmoid kernels.

    Returns
    -------
    ndarray of shape (n, m)
        Kernel values.

    Raises
    ------
    ValueError
        If the kernel is not known, if samples or parameters are not finite numbers, or if values
        overflow; the message then names the row of X.

    Notes
    -----
    The kernels, each with the reason why it is positive semidefinite:

    {kernels}

    x_f is the value of feature f. The ANOVA kernel of kernlab has the sum in place of the mean, so
    that its values are d^p times these.

    References
    ----------
    Schölkopf, Smola (2002), Learning with Kernels, MIT Press.
    Schoenberg (1938), Metric spaces and completely monotone functions, Annals of Mathematics 39.
    Smola, Óvári, Williamson (2001), Regularization with dot-product kernels, NIPS 13.
    Karatzoglou, Smola, Hornik, Zeileis (2004), kernlab, Journal of Statistical Software 11 (anova).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0]])
    >>> kernel_matrix(X, kernel="rbf", gamma=1.0).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """
    samples = checked(X, accept_sparse="csr", dtype=np.float64)
    right = samples
    if Y is not None:
        right = checked(Y, "Y", accept_sparse="csr", dtype=np.float64)
        if samples.shape[1] != right.shape[1]:
            raise ValueError(f"X has {samples.shape[1]} columns, and Y {right.shape[1]}.")
    gamma = 1 / samples.shape[1] if gamma is None else gamma
    parameters = KernelParameters(gamma, degree, coef0)
    for name, parameter in PARAMETERS.items():
        check_argument(name, getattr(parameters, name), real(parameter.least))
    with np.errstate(over="ignore", invalid="ignore"):
        K = BoundKernel(kernel, parameters, right).values(samples)
    return registry.finite(K)


_LISTED = (f'- "{name}": {record.formula} ({record.theory})' for name, record in KERNELS.items())
kernel_matrix.__doc__ = (kernel_matrix.__doc__ or "").replace("{kernels}", "\n    ".join(_LISTED))
