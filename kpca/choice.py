"""Choosing γ and the number of components, with labels and without.

======================================= ====== ===== =================================
criterion                               labels picks what it looks at
======================================= ====== ===== =================================
`kpca.median_gamma`                     no     γ     distances between rows
`feature_errors`                        no     m     held-out rows in feature space
`input_errors`, `choose_by_denoising`   no     γ, m  held-out rows in the input space
`relevant_dimension`                    yes    γ, m  labels along the components
======================================= ====== ===== =================================
"""

from kpca.model_selection.gaussian import Choice, GaussianErrors, GaussianSweep, choose_by_denoising
from kpca.model_selection.held_out import (
    Folds,
    HeldOut,
    centred_fit,
    corrupt,
    feature_errors,
    fits_without,
    input_errors,
    leading,
)
from kpca.model_selection.relevant_dimension import (
    RelevantDimension,
    indicators,
    relevant_dimension,
)

__all__ = [
    "Choice",
    "Folds",
    "GaussianErrors",
    "GaussianSweep",
    "HeldOut",
    "RelevantDimension",
    "centred_fit",
    "choose_by_denoising",
    "corrupt",
    "feature_errors",
    "fits_without",
    "indicators",
    "input_errors",
    "leading",
    "relevant_dimension",
]
