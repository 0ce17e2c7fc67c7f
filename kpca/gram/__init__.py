"""Gram operators: the kernel matrix of the training points, stored or not, as a block product."""

from kpca.gram.base import Gram
from kpca.gram.centering import Centering, CentredGram
from kpca.gram.full import FullGram

__all__ = ["Centering", "CentredGram", "FullGram", "Gram"]
