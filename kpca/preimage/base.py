"""Input and output of every pre-image method."""

from dataclasses import dataclass

import numpy as np

from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.sources import KernelSource, TrainingKernel
from kpca.types import Array, Floats, Matrix
from kpca.validation import warn

# Kernels with a formula for pre-images, which need no learned regression.
WITH_FORMULA = ("rbf", *(name for name, kernel in KERNELS.items() if kernel.of_product))


class PreImageWarning(UserWarning):
    """A pre-image may be wrong: no theory covers the kernel, or the iteration did not converge."""


@dataclass(frozen=True, eq=False)
class PreImages:
    """Points of the input space whose images approximate projections P in the feature space.

    Attributes
    ----------
    points : ndarray of shape (m, d)
        Pre-images. They are finite even if a method did not converge.
    converged : bool ndarray of shape (m,)
        Whether the method reached its tolerance.
    iterations : int ndarray of shape (m,)
        Number of iterations; 0 for methods in closed form.
    distances : ndarray of shape (m,)
        ‖φ(point) − P‖², the squared distance of the point's image from the projection P. It is NaN
        if the kernel is "precomputed", because kernel values of new points are then unknown. It can
        be negative if the kernel is indefinite.
    """

    points: Array
    converged: Array
    iterations: Array
    distances: Floats


def rms_spread(X: Matrix) -> float:
    """Return the root mean squared distance of the rows of X from their mean."""
    return float(np.sqrt(as_dense(X).var(axis=0).sum()))


def source_with_formula(source: TrainingKernel, method: str) -> KernelSource:
    """Return `source` if its kernel is Gaussian or a function of the inner product.

    A warning is issued if the kernel is indefinite.

    Raises
    ------
    ValueError
        For any other kernel; the message lists the kernels to which `method` applies.
    """
    if isinstance(source, KernelSource) and source.name in WITH_FORMULA:
        if source.name == "sigmoid":
            warn(
                "The sigmoid kernel is indefinite: there is no theory of pre-images for it, and "
                "the point that is found may not be the nearest.",
                PreImageWarning,
            )
        return source
    raise ValueError(
        f"preimage={method!r} does not apply to kernel={source.name!r}: it is defined for training "
        f"points with {', '.join(WITH_FORMULA)}. Use preimage='ridge', for a kernel matrix K with "
        "fit(K, X_original=X)."
    )
