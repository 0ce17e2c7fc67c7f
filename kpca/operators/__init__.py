"""Gram operators: the kernel matrix of the training points, stored or not, as a block product."""

from kpca.operators.centering import Centering, CentredGram, Gram
from kpca.operators.grams import FullGram, TiledGram

__all__ = ["Centering", "CentredGram", "FullGram", "Gram", "TiledGram"]
