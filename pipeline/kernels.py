"""Estimators of settings."""

import inspect
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.kernels.bandwidth import median_gamma
from pipeline.errors import input_error
from pipeline.grid import BANDWIDTHS, Point


def resolve_gamma(point: Point, X_train: np.ndarray) -> float | None:
    """Return γ of a point on these training rows.

    ``gamma`` is γ itself, ``sigma`` gives 1/(2σ²), ``median`` m / median distance, and
    ``scale`` m / (d Var X), scikit-learn's ``gamma="scale"`` times m, which makes
    polynomial and sigmoid kernels independent of the units. None, which means 1/d, where
    the point names nothing.
    """
    parameters = {
        name: float(value) for name, value in point.parameters.items() if name in BANDWIDTHS
    }
    match parameters:
        case {"gamma": gamma}:
            return gamma
        case {"sigma": sigma}:
            return 1 / (2 * sigma**2)
        case {"median": multiple}:
            return multiple * median_gamma(X_train, kernel=point.kernel, seed=0)
        case {"scale": multiple}:
            return multiple / (X_train.shape[1] * float(X_train.var()))
    return None


def estimator(point: Point, gamma: float | None, **options: Any) -> KernelPCA:
    """Return the unfitted kernel PCA of a point.

    Indefinite kernels keep their positive part (``indefinite="clip"``): in a sweep
    one sigmoid kernel must not stop the others, and `lambda_min_` tells.
    """
    parameters: dict[str, Any]
    if point.callable:
        kernel = import_object(point.callable)
        require_arguments(point.callable, kernel, point.parameters)
        parameters = {"kernel_params": point.parameters}
    else:
        kernel = point.kernel
        names = ("degree", "coef0")
        parameters = {n: point.parameters[n] for n in names if n in point.parameters}
    return KernelPCA(
        kernel=kernel,
        gamma=gamma,
        **parameters,
        remove_zero_eig=True,
        indefinite="clip",
        random_state=0,
        **options,
    )


def arguments(point: Point, X_train: np.ndarray) -> dict[str, Any]:
    """Return the values of those parameters that the kernel of a point reads on these rows.

    >>> arguments(Point("poly", {"degree": 2}), np.eye(4))
    {'gamma': 0.25, 'degree': 2, 'coef0': 1}
    """
    if point.callable:
        return dict(point.parameters)
    gamma = resolve_gamma(point, X_train)
    model = estimator(point, gamma)
    values = {"gamma": 1 / X_train.shape[1] if gamma is None else gamma}
    values |= {"degree": model.degree, "coef0": model.coef0}
    uses = KERNELS[point.kernel].uses if point.kernel in KERNELS else ()
    return {name: value for name, value in values.items() if name in uses}


def import_object(path: str) -> Any:
    """Return what ``package.module:name`` names.

    Raises
    ------
    InputError
        If the module or the name does not exist, or the module is no Python.
    """
    module, name = path.split(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, SyntaxError) as error:
        remedy = (
            "check the spelling, and that jobs can import it: installed, or in the folder of "
            "the Snakefile"
        )
        raise input_error(f"`{path}` of the configuration", [f"{error}: {remedy}"]) from error


def require_arguments(path: str, kernel: Any, parameters: Iterable[str]) -> None:
    """Refuse keyword arguments that a function of the user's own does not take."""
    try:
        taken = inspect.signature(kernel)
    except (TypeError, ValueError):  # of a builtin, which says nothing of itself
        return
    try:
        taken.bind(None, None, **dict.fromkeys(parameters))
    except TypeError as error:
        known = ", ".join(list(taken.parameters)[2:]) or "none"
        problem = (
            f"{error}: a kernel takes two rows, and this one also takes: {known}; correct it or "
            "`parameters`"
        )
        raise input_error(f"kernel `{path}`", [problem]) from error
