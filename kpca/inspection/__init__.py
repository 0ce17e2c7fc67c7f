"""Inspect a fitted model: gradients, contributions, Shapley values, residuals, reproducibility."""

from kpca.inspection.contributions import contributions
from kpca.inspection.inflation import variance_ratios
from kpca.inspection.reproducibility import Reproducibility, reproducibility
from kpca.inspection.residuals import exact_residuals
from kpca.inspection.sensitivity import gradients, importance
from kpca.inspection.shapley import shapley_values

__all__ = [
    "Reproducibility",
    "contributions",
    "exact_residuals",
    "gradients",
    "importance",
    "reproducibility",
    "shapley_values",
    "variance_ratios",
]
