"""Model files from before `LandmarkKernelPCA`, whose fits `KernelPCA` had by ``eigen_solver``."""

from typing import Any

from kpca.landmark_kernel_pca import LandmarkKernelPCA

_OF_EXACT_FITS = (
    *("copy_X", "eigen_solver", "indefinite", "iterated_power", "kernel_params", "max_iter"),
    *("_n_features_out", "_undecided", "_checksum"),
)
_OF_LANDMARKS = ("landmarks", "n_landmarks", "_n_features_out")

Values = dict[str, Any]  # by name


def as_of_today(name: str, parameters: Values, attributes: Values) -> tuple[str, Values, Values]:
    """Return class, parameters and attributes of an estimator as they are named today."""
    if name != "KernelPCA" or "n_landmarks" not in parameters:
        return name, parameters, attributes
    by_landmarks = parameters["eigen_solver"] == "nystrom"
    unused = _OF_EXACT_FITS if by_landmarks else _OF_LANDMARKS
    parameters = {k: v for k, v in parameters.items() if k not in unused}
    attributes = {k: v for k, v in attributes.items() if k not in unused}
    if not by_landmarks:
        return name, parameters, attributes
    if "eigenvectors_" in attributes:
        attributes["n_samples_seen_"] = len(attributes["eigenvectors_"])
    if "_sums" in attributes:
        batches = LandmarkKernelPCA(**parameters)
        attributes["_first_batch"] = batches._batch_parameters()
    return "LandmarkKernelPCA", parameters, attributes
