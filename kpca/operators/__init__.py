"""Products of the training points' kernel matrix, stored or not, with blocks of vectors."""

from kpca.operators.grams import Centering, CentredGram, FullGram, Gram, TiledGram

__all__ = ["Centering", "CentredGram", "FullGram", "Gram", "TiledGram"]
