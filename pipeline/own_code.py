"""Test custom kernels and methods before any job."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.datasets.make import make_dataset
from pipeline.errors import InputError, input_error
from pipeline.grid import Point
from pipeline.kernels import import_object, require_arguments

ROWS = 3


def try_kernel(family: Sequence[Point], spec: Mapping[str, Any]) -> bool:
    """Call a kernel on three rows of a dataset; return False where there are none.

    Raises
    ------
    InputError
        If it cannot be imported or called, gives no finite number, or is not symmetric.
    """
    path = str(family[0].callable)
    kernel = import_object(path)
    if not callable(kernel):
        raise input_error(f"kernel `{path}`", ["is no function; a kernel takes two rows"])
    for point in family:
        require_arguments(path, kernel, point.parameters)
    X = _rows(spec)
    for point in family:
        for x in X:
            for y in X:
                if problem := _value_problem(kernel, x, y, point.parameters):
                    raise input_error(f"kernel `{path}` ({point.id}), tried on rows", [problem])
    return len(X) > 0


def try_method(family: Sequence[Point]) -> bool:
    """Make a method at each of its points, and look for `fit` and `transform`.

    It is not fitted: many methods rightly ask for more rows than a trial has.

    Raises
    ------
    InputError
        If it cannot be imported or made, or cannot be fitted to rows and applied to others.
    """
    path = str(family[0].callable)
    cls = import_object(path)
    for point in family:
        subject = f"method `{path}` ({point.id})"
        try:
            model = cls(**point.parameters)
        except Exception as error:
            problem = f"cannot be made ({type(error).__name__}: {error}); correct `parameters`"
            raise input_error(subject, [problem]) from error
        for name in ("fit", "transform"):
            if not callable(getattr(model, name, None)):
                problem = (
                    f"has no `{name}`; a method is fitted to training rows, `fit(X, y)`, and gives "
                    "new rows their scores, `transform(X)`"
                )
                raise input_error(subject, [problem])
    return True


def _rows(spec: Mapping[str, Any]) -> np.ndarray:
    try:
        dataset = make_dataset("rows", spec, seed=0, replicates=1) if spec else None
    except InputError:  # which is said of the dataset
        dataset = None
    return dataset.split(0).X_train[:ROWS] if dataset else np.empty((0, 1))


def _value_problem(
    kernel: Any, x: np.ndarray, y: np.ndarray, parameters: Mapping[str, Any]
) -> str | None:
    try:
        value, turned = (kernel(a, b, **parameters) for a, b in ((x, y), (y, x)))
    except Exception as error:
        return f"{type(error).__name__}: {error}; a kernel takes two rows and returns a number"
    shape = np.shape(value)
    if shape or not isinstance(value, (int, float, np.number)) or isinstance(value, complex):
        what = f"an array of shape {shape}" if shape else repr(value)
        return f"it returns {what} and must return a number"
    if not np.isfinite(value):
        return f"it returns {value} and must return a finite number"
    if abs(value - turned) > 1e-8 * max(abs(value), abs(turned)):
        return f"k(x, y) = {value:.6g} and k(y, x) = {turned:.6g}; a kernel must be symmetric"
    return None
