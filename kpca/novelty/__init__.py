"""Novelty: statistics of a point under a fitted kernel PCA, their limits, and a detector."""

from kpca.inspection.contributions import contributions
from kpca.novelty.detector import KernelPCANovelty
from kpca.novelty.statistics import STATISTICS, hotelling, hotelling_limit, residual_limit

__all__ = [
    "STATISTICS",
    "KernelPCANovelty",
    "contributions",
    "hotelling",
    "hotelling_limit",
    "residual_limit",
]
