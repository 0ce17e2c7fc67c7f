"""Criteria that choose γ and the number of components, with or without labels.

===================== ====== ===== =================================
criterion             labels picks what it looks at
===================== ====== ===== =================================
`kpca.median_gamma`   no     γ     distances between rows
`choose_by_denoising` no     γ, m  held-out rows in the input space
`choose_by_stability` no     γ, m  clusters of halves of the rows
`relevant_dimension`  yes    γ, m  labels along the components
===================== ====== ===== =================================
"""

from kpca.choice.denoising import Choice, choose_by_denoising, corrupt, denoising_errors
from kpca.choice.relevant_dimension import RelevantDimension, indicators, relevant_dimension
from kpca.choice.stability import choose_by_stability, instabilities

__all__ = [
    "Choice",
    "RelevantDimension",
    "choose_by_denoising",
    "choose_by_stability",
    "corrupt",
    "denoising_errors",
    "indicators",
    "instabilities",
    "relevant_dimension",
]
