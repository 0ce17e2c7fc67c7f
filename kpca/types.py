"""The array types that the signatures of this package speak of."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]
# A dense array, or a scipy.sparse matrix of compressed rows, which has no useful static type.
Matrix: TypeAlias = Any
