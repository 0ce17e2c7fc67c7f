"""Gram operators: the kernel matrix of the training points, stored or not, as a block product."""

from kpca.operators.grams import Centering, CentredGram, FullGram, Gram, TiledGram

__all__ = ["Centering", "CentredGram", "FullGram", "Gram", "TiledGram"]
