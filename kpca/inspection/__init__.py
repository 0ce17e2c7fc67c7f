"""Inspect a fitted model: gradients, contributions, inflation, residuals, reproducibility."""

from kpca.inspection.contributions import contributions
from kpca.inspection.inflation import variance_ratios
from kpca.inspection.reproducibility import Reproducibility, reproducibility
from kpca.inspection.residuals import exact_residuals
from kpca.inspection.sensitivity import gradients, importance

__all__ = [
    "Reproducibility",
    "contributions",
    "exact_residuals",
    "gradients",
    "importance",
    "reproducibility",
    "variance_ratios",
]
