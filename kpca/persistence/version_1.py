"""Model files of the first version, which held a `KernelPCA` alone."""

import math
from collections.abc import Collection, Mapping
from typing import Any

from kpca.certificates.completeness import Completeness
from kpca.certificates.definiteness import Definiteness
from kpca.eigensolvers.auto import Choice
from kpca.nystrom.fit import LANDMARK_ATTRIBUTES
from kpca.persistence.classes import KNOWN
from kpca.persistence.codec import KINDS, build
from kpca.preimage import LEARNED
from kpca.types import Array

_SPARSE = ("data", "indices", "indptr", "shape")


def read(
    description: Mapping[str, Any], arrays: Mapping[str, Array], left_out: Collection[str]
) -> Any:
    """Rebuild a `KernelPCA` from its arguments and values, as JSON holds them, and its arrays.

    Raises
    ------
    ValueError
        As `kpca.persistence.codec.build`.
    """
    parameters, values = description["parameters"], dict(description["values"])
    names = {name.partition(".")[0] for name in arrays} & set(KNOWN["KernelPCA"].attributes)
    attributes = {"sample_weight_": None, **values, **{n: _array(arrays, n) for n in names}}
    expected = ["eigenvalues_"]
    if values["solver_"]["name"] == "nystrom":
        expected += LANDMARK_ATTRIBUTES
    if parameters.get("fit_inverse_transform") and parameters.get("preimage", LEARNED) == LEARNED:
        expected += ["X_transformed_fit_", "dual_coef_"]
    if lacking := [name for name in expected if name not in attributes]:
        raise ValueError(f"The model lacks {', '.join(lacking)}")
    completeness = Completeness(**attributes.pop("completeness_"))
    attributes |= {
        "definiteness_": _definiteness(values),
        "solver_": Choice(**values["solver_"]),
        "_completeness": completeness,
        "_undecided": completeness.status == "open",
        "_n_features_out": len(attributes["eigenvalues_"]),
    }
    if "feature_names_in_" in names:
        attributes["feature_names_in_"] = attributes["feature_names_in_"].astype(object)
    return build("KernelPCA", parameters, attributes, left_out)


def _definiteness(values: Mapping[str, Any]) -> Definiteness:
    if "definiteness_" in values:
        return Definiteness(**values["definiteness_"])
    lowest = values["lambda_min_"]  # the first files say no more, and did not bound it
    known = Definiteness("open", lowest, math.inf, lowest, math.nan)
    return known if lowest else Definiteness.exact(0.0)


def _array(arrays: Mapping[str, Array], name: str) -> Any:
    if f"{name}.data" not in arrays:
        return arrays[name]
    *content, shape = (arrays[f"{name}.{part}"] for part in _SPARSE)
    return KINDS["sparse"].value([*content, shape])
