"""What the tests and documents of peers expect, with the constants that translate it.

- kernlab 0.9-32, example of ``kpca.Rd``, printed by R 4.2.2: it divides the centred kernel matrix
  by n: its eigenvalues are ours over n, its scores ours times √n. Its ANOVA kernel is a sum over
  features, ours a mean; its Laplacian takes ‖x − y‖, ours sums |x − y|.
- nystrompca 1.0.2, ``test/base``, ``algorithms`` and ``integration``: its variances are our
  eigenvalues over n, and its σ gives γ = 1/σ².
- MultivariateStats.jl 0.10, ``test/kpca.jl``: γ and scores are ours; its columns are our rows.
- scikit-matter 0.4.1, ``test_kernel_pcovr.py`` and others: mixing 1 is kernel PCA of K/tr(K).
"""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

from kpca import KernelPCA, LandmarkKernelPCA

RNG = np.random.default_rng(34568)


def close(computed, expected, rtol=1e-8, atol=0):
    np.testing.assert_allclose(computed, expected, rtol, atol)


IRIS = load_iris().data.copy()
IRIS[34], IRIS[37] = [4.9, 3.1, 1.5, 0.2], [4.9, 3.6, 1.4, 0.1]  # R has the data of Fisher's paper
FLOWERS = np.delete(IRIS, np.arange(0, 150, 7), axis=0)
OTHERS = IRIS[np.arange(0, 150, 7)]
# Options; two eigenvalues, two scores of row 2 (``rotated``) and of row 1 (``predict``), without
# sign.
KERNLAB = {
    "rbfdot(0.2)": (
        {"kernel": "rbf", "gamma": 0.2},
        "0.316364374411 0.126608477465 9.096951720064 0.50608547703 9.3557742609 0.7256579725",
    ),
    "polydot(2, 0.5, 1)": (
        {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1},
        "191.62775037393 8.58699685534 196.786038001 5.57960038345 187.907324955 25.701366435",
    ),
    "vanilladot()": (
        {"kernel": "linear"},
        "4.164622501715 0.251473819263 30.95704188136 1.72411700844 30.582253386 3.9295709779",
    ),
    "laplacedot(0.3)": (
        {"kernel": "exponential", "gamma": 0.09},
        "0.1984777596941 0.0679258452378 7.24351824295 0.7767551285 7.4845298814 1.0834328730",
    ),
    "anovadot(0.2, 2)": (
        {"kernel": "anova", "gamma": 0.2, "degree": 2},
        "3.75379070957 1.22583223762 30.40052663298 2.55888088979 30.829992928 4.9504569133",
    ),
}


@pytest.mark.parametrize("name", KERNLAB)
def test_kernlab_eigenvalues_and_scores(name):
    options, printed = KERNLAB[name]
    factor = 16 if name.startswith("anova") else 1
    n = len(FLOWERS)
    model = KernelPCA(2, **options).fit(FLOWERS)
    scores = abs(model.transform([FLOWERS[0], OTHERS[0]])).ravel() * np.sqrt(n * factor)
    close([*model.eigenvalues_ * factor / n, *scores], [*map(float, printed.split())])


def test_kernlab_keeps_eigenvalues_above_1e_4():
    """R printed 28."""
    model = KernelPCA(kernel="rbf", gamma=0.2).fit(FLOWERS)
    assert (model.eigenvalues_ / len(FLOWERS) > 1e-4).sum() == 28


def test_kernlab_tanhdot():
    """Scores of all uncentred components have the kernel as their inner product."""
    model = KernelPCA(kernel="sigmoid", gamma=0.01, coef0=0.1, center=False, indefinite="clip")
    Z = model.fit_transform([[1.0, 2], [3.0, 5]])
    close((Z @ Z.T)[0, 1], 0.226028352279)


# nystrompca
X3 = np.array([[1.0, 2, 1], [0, -1, 1], [2, 1, 0]])
POLY = {"kernel": "poly", "gamma": 1, "degree": 2, "coef0": 0, "center": False}


@pytest.mark.parametrize(
    ("rows", "scores"),
    [
        (X3, [[0.221, 0.089], [4.001, 2.997], [5.604, 2.144]]),
        ([[1.0, 1, 0]], [[1.826, 0.572]]),
        ([[-1.0, 0, 1]], [[0.342, 0.889]]),
    ],
)
def test_nystrompca_polynomial_kernel(rows, scores):
    model = KernelPCA(2, **POLY).fit(X3)
    close(model.eigenvalues_ / 3, [15.821, 4.529], 0, 5e-4)
    computed = abs(model.transform(rows))
    close(computed[np.argsort(computed[:, 0])], scores, 0, 1e-3)


@pytest.mark.parametrize("landmarks", [[0, 1], [2, 0, 1]])
def test_nystrompca_landmarks(landmarks):
    model = LandmarkKernelPCA(1, kernel="linear", landmarks=landmarks).fit(np.eye(3))
    close(model.eigenvalues_ / 3, [1 / 3])


@pytest.mark.parametrize("kernel", ["cauchy", "rbf"])
def test_nystrompca_side_by_side(kernel):
    nystrompca = pytest.importorskip("nystrompca")
    theirs = nystrompca.KernelPCA(n_components=5, kernel=kernel, sigma=2.0, scale=False)
    X = RNG.normal(size=(40, 4))
    new = RNG.normal(size=(7, 4))
    theirs.fit_transform(X)
    model = KernelPCA(5, kernel=kernel, gamma=1 / 4).fit(X)
    close(model.eigenvalues_ / 40, theirs.explained_variance_)
    close(abs(model.transform(new)), abs(theirs.transform(new)), 0, 1e-8)


# MultivariateStats.jl
def test_multivariatestats_centring():
    """Centring is K − EK − KE + EKE with E = 11ᵀ/n; the kernel is minus a distance."""
    X = RNG.normal(size=(10, 5))
    K = -np.linalg.norm(X[:, None] - X, axis=2)
    E = np.full((10, 10), 1 / 10)
    expected = np.linalg.eigvalsh(K - E @ K - K @ E + E @ K @ E)[::-1]
    close(KernelPCA(3, kernel="precomputed").fit(K).eigenvalues_, expected[:3], 0, 1e-9)


# scikit-matter
P = load_diabetes().data[np.random.RandomState(0).choice(442, 100)]
P = (P - P.mean(0)) / P.std(0).mean()
SHARED_KERNELS = {"poly": {"degree": 2}, "rbf": {"gamma": 3.0}, "linear": {}, "cosine": {}}
SHARED_KERNELS["sigmoid"] = {"gamma": 3.0, "coef0": 0.5}


@pytest.mark.parametrize("kernel", SHARED_KERNELS)
def test_mixing_1_is_kernel_pca(kernel):
    pcovr = pytest.importorskip("skmatter.decomposition").KernelPCovR
    fixed = {"mixing": 1.0, "n_components": 4, "center": True, "svd_solver": "full", "tol": 1e-12}
    T = pcovr(kernel=kernel, **fixed, **SHARED_KERNELS[kernel]).fit(P, P[:, :1]).transform(P)
    Z = KernelPCA(4, kernel=kernel, indefinite="clip", **SHARED_KERNELS[kernel]).fit_transform(P)
    close(Z @ Z.T / (Z**2).sum(), T @ T.T / (T**2).sum(), 0, 1e-7)
