"""Input and output of every pre-image method."""

from dataclasses import dataclass

import numpy as np

from kpca.kernels.registry import KERNELS, as_dense
from kpca.operators.sources import KernelSource, TrainingKernel
from kpca.types import Array, Floats, Matrix
from kpca.validation import warn

# Kernels whose pre-images need nothing learned.
WITH_FORMULA = ("rbf", *(name for name, kernel in KERNELS.items() if kernel.of_product))


class PreImageWarning(UserWarning):
    """A pre-image rests on no theory for this kernel, or its iteration did not converge."""


@dataclass(frozen=True, eq=False)
class PreImages:
    """Points of the input space for points of the feature space.

    Attributes
    ----------
    points : ndarray of shape (m, d)
        Pre-images. They are finite even if a method did not converge.
    converged : bool ndarray of shape (m,)
        Whether the method reached its tolerance.
    iterations : int ndarray of shape (m,)
        Number of iterations; 0 for methods in closed form.
    distances : ndarray of shape (m,)
        ‖φ(point) − P‖², the squared distance of the point's image from the projection P. NaN if the
        kernel of new points is not known (precomputed). An indefinite kernel can make it negative.
    """

    points: Array
    converged: Array
    iterations: Array
    distances: Floats


def rms_spread(X: Matrix) -> float:
    """Return the root mean squared distance of the rows from their mean."""
    return float(np.sqrt(as_dense(X).var(axis=0).sum()))


def source_with_formula(source: TrainingKernel, method: str) -> KernelSource:
    """Return the source where its kernel is Gaussian or a function of the inner product.

    An indefinite kernel is warned about.

    Raises
    ------
    ValueError
        For any other kernel, naming what the method needs.
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
