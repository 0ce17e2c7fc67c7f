"""Model files from before `LandmarkKernelPCA`, whose fits `KernelPCA` had by ``eigen_solver``."""

from dataclasses import replace
from typing import Any

import numpy as np

from kpca.landmark_kernel_pca import LandmarkKernelPCA
from kpca.linalg.symmetric import eigh
from kpca.nystrom.scatter import FeatureSums, LandmarkFeatures
from kpca.operators.sources import KernelSource

# Attributes whose names now end with an underscore.
_RENAMED = ("_completeness", "_definiteness", "_sums", "_undecided")
_OF_LANDMARKS = ("landmarks", "n_landmarks")
_OF_EXACT_FITS = (
    *("copy_X", "eigen_solver", "indefinite", "iterated_power", "kernel_params", "max_iter"),
    "_undecided_",
)

Values = dict[str, Any]  # by name
NULL = 1e-12  # of the largest eigenvalue of K_mm: smaller ones were left out


def _rotated(sums: FeatureSums, source: KernelSource) -> FeatureSums:
    """Return sums of the features K_mm^(−½) k_m(x) of before as those of `LandmarkFeatures`.

    With K_mm = UWUᵀ the former were f = W^(−½) Uᵀ k_m(x), so that k_m(x) = U W^½ f.
    """
    features = LandmarkFeatures(source)
    values, U = eigh(features.K)
    is_used = values > NULL * values[-1]
    roots = U[:, is_used] * np.sqrt(values[is_used])
    turn = features.inverse @ roots[features.pivots]
    return replace(sums, scatter=turn @ sums.scatter @ turn.T, shifted=turn @ sums.shifted)


def as_of_today(name: str, parameters: Values, attributes: Values) -> tuple[str, Values, Values]:
    """Return class, parameters and attributes of an estimator as they are named today."""
    if name == "KernelPCANovelty":
        attributes.setdefault("memory_", np.nan)
    for unused in ("residual_estimates_", "residual_estimate_errors_", "_prefix_"):
        attributes.pop(unused, None)
    if name != "KernelPCA" or "n_landmarks" not in parameters:
        return name, parameters, attributes
    for old in _RENAMED:
        if old in attributes:
            attributes[f"{old}_"] = attributes.pop(old)
    if "definiteness_" in attributes:
        attributes.setdefault("_definiteness_", attributes.pop("definiteness_"))
    for unused in ("_checksum", "_n_features_out", "lambda_min_"):
        attributes.pop(unused, None)
    by_landmarks = parameters["eigen_solver"] == "nystrom"
    for unused in _OF_EXACT_FITS if by_landmarks else _OF_LANDMARKS:
        parameters.pop(unused, None)
        attributes.pop(unused, None)
    if not by_landmarks:
        return name, parameters, attributes
    if "eigenvectors_" in attributes:
        attributes["n_samples_seen_"] = len(attributes["eigenvectors_"])
    if "_sums_" in attributes:
        batches = LandmarkKernelPCA(**parameters)
        attributes["_first_batch_"] = batches._batch_parameters()
        source: Any = batches._source(attributes["X_fit_"], attributes["gamma_"])
        attributes["_sums_"] = _rotated(attributes["_sums_"], source)
    return "LandmarkKernelPCA", parameters, attributes
