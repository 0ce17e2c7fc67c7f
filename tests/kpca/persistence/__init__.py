"""Models as arrays whose description says something else."""

import json
from typing import Any

import numpy as np

from kpca import to_arrays


def described(model: Any, **entries: object) -> dict[str, np.ndarray]:
    """Return the arrays of a model, with other entries of its description."""
    arrays = to_arrays(model)
    description = json.loads(str(arrays["description"])) | entries
    return {**arrays, "description": np.array(json.dumps(description))}
