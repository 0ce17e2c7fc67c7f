"""Gram operators: the kernel matrix of the training points, stored or not, as a block product."""

from kpca.gram.base import Gram
from kpca.gram.centering import Centering, CentredGram
from kpca.gram.features import FeatureGram
from kpca.gram.full import FullGram
from kpca.gram.packed import PackedGram
from kpca.gram.tiled import TiledGram

__all__ = [
    "Centering",
    "CentredGram",
    "FeatureGram",
    "FullGram",
    "Gram",
    "PackedGram",
    "TiledGram",
]
