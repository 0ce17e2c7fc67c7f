"""Gram operators: the kernel matrix of the training points, stored or not, as a block product."""

from kpca.gram.centering import Centering, CentredGram, Gram
from kpca.gram.stored import FullGram, PackedGram
from kpca.gram.tiled import TiledGram

__all__ = ["Centering", "CentredGram", "FullGram", "Gram", "PackedGram", "TiledGram"]
