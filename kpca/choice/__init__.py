"""Choosing γ and the number of components, with labels and without.

===================== ====== ===== =================================
criterion             labels picks what it looks at
===================== ====== ===== =================================
`kpca.median_gamma`   no     γ     distances between rows
`choose_by_denoising` no     γ, m  held-out rows in the input space
`relevant_dimension`  yes    γ, m  labels along the components
===================== ====== ===== =================================
"""

from kpca.choice.denoising import Choice, choose_by_denoising, corrupt, denoising_errors
from kpca.choice.relevant_dimension import RelevantDimension, indicators, relevant_dimension

__all__ = [
    "Choice",
    "RelevantDimension",
    "choose_by_denoising",
    "corrupt",
    "denoising_errors",
    "indicators",
    "relevant_dimension",
]
