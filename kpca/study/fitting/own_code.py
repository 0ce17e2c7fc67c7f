"""Test custom kernels and methods before any job; an `InputError` says what is wrong."""

import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from kpca.operators.sources import CallableSource
from kpca.reading.errors import InputError, input_error
from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.fitted_models import import_object
from kpca.study.fitting.grid import Point

ROWS = 3


def try_kernel(family: Sequence[Point], spec: Mapping[str, Any]) -> None:
    """Call a custom kernel on three rows of a dataset; without ``spec``, check arguments only."""
    path = str(family[0].callable)
    kernel = import_object(path)
    if not callable(kernel):
        raise input_error(f"kernel `{path}`", ["is no function; a kernel takes two rows"])
    X = np.empty((0, 1))
    if spec:
        with suppress(InputError):  # Another check reports errors of the dataset.
            X = make_dataset("rows", spec, seed=0, replicates=1).split(0).X_train[:ROWS]
    for point in family:
        if problem := _kernel_problem(kernel, X, point.parameters):
            raise input_error(f"kernel `{path}` ({point.id}), tried on rows", [problem])


def try_method(family: Sequence[Point]) -> None:
    """Construct a custom method at each of its points, and check that it can fit and transform.

    The method is not fitted, because many methods rightly need more rows than a trial has.
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
        lacking = [n for n in ("fit", "transform") if not callable(getattr(model, n, None))]
        if lacking:
            wanted = "`fit(X, y)` to training rows, and `transform(X)` gives new rows their scores"
            raise input_error(subject, [f"has no `{lacking[0]}`; a method is fitted by {wanted}"])


def _kernel_problem(kernel: Any, X: np.ndarray, parameters: Mapping[str, Any]) -> str | None:
    try:
        taken = inspect.signature(kernel)
        taken.bind(None, None, **parameters)
    except TypeError as error:
        also = ", ".join(list(taken.parameters)[2:]) or "none"
        return f"{error}: a kernel takes two rows, and this one also: {also}; correct `parameters`"
    except ValueError:  # A builtin has no signature.
        pass
    if not len(X):
        return None
    try:
        K = CallableSource(X, kernel, dict(parameters)).apply(X, np.eye(len(X)))
    except Exception as error:
        return f"a kernel takes two rows and returns a number; {type(error).__name__}: {error}"
    for i, j in np.argwhere(~np.isclose(K, K.T, rtol=1e-8, atol=0)):
        return f"k(x, y) = {K[i, j]:.6g} and k(y, x) = {K[j, i]:.6g}; a kernel must be symmetric"
    return None
