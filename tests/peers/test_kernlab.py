"""The example of ``kpca.Rd`` in kernlab 0.9-32 (R 4.2.2): iris without every seventh row.

The numbers were printed by R. kernlab divides the centred kernel matrix by n, so that its
eigenvalues are ours over n, and its scores (``rotated``, ``predict``) are ours times √n. Its ANOVA
kernel is a sum over features, where ours is a mean.
"""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from kpca import KernelPCA

IRIS = load_iris().data.copy()
IRIS[34], IRIS[37] = [4.9, 3.1, 1.5, 0.2], [4.9, 3.6, 1.4, 0.1]  # R has the data of Fisher's paper
LEFT_OUT = np.arange(0, 150, 7)
X, NEW = np.delete(IRIS, LEFT_OUT, axis=0), IRIS[LEFT_OUT]
N = len(X)


def laplacedot(x: np.ndarray, y: np.ndarray) -> float:
    """exp(−σ ‖x − y‖) with σ = 0.3: of the Euclidean distance; ours sums |x − y|."""
    return float(np.exp(-0.3 * np.linalg.norm(x - y)))


# Kernel of kernlab: our options and factor, then by R: two eigenvalues, two scores of the second
# row of iris (``rotated``), and two of the first (``predict``), all without sign.
EXAMPLES: dict[str, tuple[dict[str, Any], int, list[float]]] = {
    "rbfdot(0.2)": (
        {"kernel": "rbf", "gamma": 0.2},
        1,
        [0.316364374411, 0.126608477465, 9.096951720064, 0.50608547703, 9.3557742609, 0.7256579725],
    ),
    "polydot(2, 0.5, 1)": (
        {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1},
        1,
        [191.62775037393, 8.58699685534, 196.786038001, 5.57960038345, 187.907324955, 25.701366435],
    ),
    "vanilladot()": (
        {"kernel": "linear"},
        1,
        [4.164622501715, 0.251473819263, 30.95704188136, 1.72411700844, 30.582253386, 3.9295709779],
    ),
    "laplacedot(0.3)": (
        {"kernel": laplacedot},
        1,
        [0.1984777596941, 0.0679258452378, 7.24351824295, 0.7767551285, 7.4845298814, 1.0834328730],
    ),
    "anovadot(0.2, 2)": (
        {"kernel": "anova", "gamma": 0.2, "degree": 2},
        X.shape[1] ** 2,
        [3.75379070957, 1.22583223762, 30.40052663298, 2.55888088979, 30.829992928, 4.9504569133],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_eigenvalues_and_scores(name: str) -> None:
    options, factor, printed = EXAMPLES[name]
    model = KernelPCA(2, **options).fit(X)
    scores = abs(model.transform([X[0], NEW[0]])).ravel() * np.sqrt(N * factor)
    found = [*model.eigenvalues_ * factor / N, *scores]
    np.testing.assert_allclose(found, printed, rtol=1e-8)


def test_features_above_the_threshold() -> None:
    """By default kernlab keeps eigenvalues above 1e-4, of the matrix over n: R printed 28."""
    values = KernelPCA(kernel="rbf", gamma=0.2).fit(X).eigenvalues_ / N
    assert np.count_nonzero(values > 1e-4) == 28


# Value of each kernel at (1, 2) and (3, 5), printed by R, and our options.
VALUES: dict[str, tuple[float, dict[str, Any]]] = {
    "rbfdot(0.1)": (0.272531793034, {"kernel": "rbf", "gamma": 0.1}),
    "polydot(3, 2, 1)": (19683, {"kernel": "poly", "degree": 3, "gamma": 2, "coef0": 1}),
    "anovadot(0.1, 2)": (1.15969143841 / 4, {"kernel": "anova", "gamma": 0.1, "degree": 2}),
    "tanhdot(0.01, 0.1)": (0.226028352279, {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.1}),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_kernels(name: str) -> None:
    """Scores of all uncentred components have the kernel as their inner product."""
    value, options = VALUES[name]
    Z = KernelPCA(center=False, indefinite="clip", **options).fit_transform([[1.0, 2], [3, 5]])
    np.testing.assert_allclose((Z @ Z.T)[0, 1], value, rtol=1e-9)
