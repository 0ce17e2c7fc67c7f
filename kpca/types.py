"""Array types for the annotations of this package, and limits of their precision."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]
FLOAT64: np.dtype = np.dtype(np.float64)
FLOAT32: np.dtype = np.dtype(np.float32)
EPS = float(np.finfo(np.float64).eps)
TINY = float(np.finfo(np.float64).tiny)
# A dense array, or a scipy.sparse matrix of compressed rows, which has no useful static type.
Matrix: TypeAlias = Any
