"""Test errors of a linear SVM on polynomial kernel PCA of the USPS digits, Table 1 of the paper."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kpca.kernel_pca import KernelPCA
from kpca.study.seeds import rng_for
from kpca.types import Array
from workflow.job import script
from workflow.scripts.papers.usps import Usps, read_usps

SIZES = (32, 64, 128, 256, 512, 1024, 2048)
N_FIT = 3000
C = 10.0
CACHE = 300  # size in MB that holds the kernel matrix of 7291 points in libsvm's float32


def scores(digits: Usps, rows: Array, degree: int) -> tuple[Array, Array]:
    """Return scores of all training and test images by components that are fitted to ``rows``."""
    pixels = digits.X_train.shape[1]
    # The linear kernel has no more than one component per pixel.
    k = min(max(SIZES), pixels if degree == 1 else len(rows))
    model = KernelPCA(k, kernel="poly", gamma=1 / pixels, degree=degree, coef0=0)
    model.fit(digits.X_train[rows])
    return model.transform(digits.X_train), model.transform(digits.X_test)


def predictions(train: Array, test: Array, y: Array) -> Iterator[tuple[int, Array]]:
    """Yield each m, and labels predicted from m components, scaled to mean squared norm 1."""
    K = np.zeros((len(train), len(train)))
    K_test = np.zeros((len(test), len(train)))
    sizes = [size for size in SIZES if size <= train.shape[1]]
    for start, m in pairwise([0, *sizes]):
        added = train[:, start:m]
        K += added @ added.T
        K_test += test[:, start:m] @ added.T
        svm = SVC(C=C / np.diag(K).mean(), kernel="precomputed", cache_size=CACHE)
        yield m, OneVsRestClassifier(svm).fit(K, y).predict(K_test)


@script
def errors(
    usps: Sequence[str], *, seed: int, images: str, degree: int, subset: int
) -> pd.DataFrame:
    """Return the test error for every number of components, fitted to a drawn subset of images."""
    digits = read_usps(usps, images)
    rng = rng_for(seed, "scholkopf1998", "table 1", subset)
    rows = np.sort(rng.choice(len(digits.X_train), N_FIT, replace=False))
    train, test = scores(digits, rows, degree)
    errors = [
        (images, degree, subset, m, 100 * (labels != digits.y_test).mean())
        for m, labels in predictions(train, test, digits.y_train)
    ]
    return pd.DataFrame(errors, columns=["images", "degree", "subset", "components", "error"])
