"""Novelty: statistics of a sample under a fitted kernel PCA, their p-values, and a detector."""

from kpca.inspection.contributions import STATISTICS, contributions
from kpca.novelty.detector import KernelPCANovelty
from kpca.novelty.statistics import hotelling, novelty_scores

__all__ = ["STATISTICS", "KernelPCANovelty", "contributions", "hotelling", "novelty_scores"]
