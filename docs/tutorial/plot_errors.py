r"""
Ten errors about kernel PCA in print
====================================

Each of these errors stands in a lecture, a textbook or on a web page. Most of them are easy to
miss, because the code still runs and the picture still looks plausible. For each error this page
shows the wrong statement, the right one, and what the error costs. Costs are means over 20 random
draws of 300 training and 300 new points, since a single draw could mislead.
"""

import numpy as np
from matplotlib import pyplot as plt
from scipy.spatial.distance import pdist
from sklearn.datasets import make_moons
from sklearn.svm import LinearSVC

from kpca import KernelPCA, kernel_matrix, median_gamma

N, DRAWS, GAMMA = 300, 20, 2.0
E = np.full((N, N), 1 / N)
ONES = np.ones((N, N))


def rings(seed):
    """Draw points on two rings of radius 0.3 and 1, and the ring of each."""
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 2
    angle = rng.uniform(0, 2 * np.pi, N)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.where(y, 1.0, 0.3)[:, None] * circle + rng.normal(scale=0.05, size=(N, 2)), y


def moons(seed):
    """Draw points on two moons, and the moon of each."""
    return make_moons(N, noise=0.1, random_state=seed)


def drawn(draw, seed, gamma):
    """Return classes of training and new points, their kernel matrix and their kernel values."""
    (X, y), (X_new, y_new) = draw(2 * seed), draw(2 * seed + 1)
    kernel = {"kernel": "rbf", "gamma": gamma}
    return y, y_new, kernel_matrix(X, **kernel), kernel_matrix(X_new, X, **kernel)


def leading(matrix, m=2):
    """Return the m eigenpairs of largest modulus, as an SVD sorts them."""
    values, vectors = np.linalg.eigh(matrix)
    order = np.argsort(-np.abs(values))[:m]
    return values[order], vectors[:, order]


def centred(K, K_new):
    """Return the kernel matrix and the kernel values of new points, both centred."""
    K_bar = K - E @ K - K @ E + E @ K @ E
    return K_bar, K_new - K_new.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()


def scores(matrix, K_new):
    """Return scores of training and of new points from the leading eigenpairs of a matrix."""
    values, vectors = leading(matrix)
    alpha = vectors / np.sqrt(np.abs(values))
    return matrix @ alpha, K_new @ alpha


def right(K, K_new):
    """Return the scores of kernel PCA."""
    return scores(*centred(K, K_new))


def accuracy(method, m, draw, gamma):
    """Return the mean accuracy on new points of a linear rule for the first m scores."""
    found = []
    for seed in range(DRAWS):
        y, y_new, K, K_new = drawn(draw, seed, gamma)
        Z, Z_new = method(K, K_new)
        found.append(LinearSVC().fit(Z[:, :m], y).score(Z_new[:, :m], y_new))
    return np.mean(found)


def compare(wrong, title, draw=rings, gamma=GAMMA):
    """Print what an error costs, and draw training points (filled) and new points (hollow)."""
    methods = {"right": right, title: wrong}
    for name, method in methods.items():
        one, two = (accuracy(method, m, draw, gamma) for m in (1, 2))
        print(f"{name:>22}: accuracy {one:.3f} by component 1, {two:.3f} by components 1 and 2")
    y, y_new, K, K_new = drawn(draw, 0, gamma)
    _, axes = plt.subplots(1, 2, figsize=(7, 3))
    for ax, (name, method) in zip(axes, methods.items(), strict=True):
        Z, Z_new = method(K, K_new)
        for ring, (colour, mark) in enumerate([("C0", "o"), ("C1", "s")]):
            ax.plot(*Z[y == ring].T, mark, color=colour, markersize=3)
            ax.plot(*Z_new[y_new == ring].T, mark, color=colour, markersize=4, fillstyle="none")
        ax.set(title=name, xlabel="component 1", ylabel="component 2")


# %%
# 1. A minus in the centring formula
# ----------------------------------
# Wrong:
#
# .. math:: \bar K = K - EK - KE - EKE
#
# Right, with :math:`1/n` in each entry of :math:`E`:
#
# .. math:: \bar K = K - EK - KE + EKE
#
# The wrong matrix has one large negative eigenvalue, whose eigenvector is constant. An SVD sorts by
# modulus, so this constant vector becomes the first component. Eigenvalues that are sorted by value
# hide the error: the other components are the same, but their explained variance ratios are wrong,
# because the trace is.


def minus(K, K_new):
    """Use the wrong sign."""
    return scores(K - E @ K - K @ E - E @ K @ E, centred(K, K_new)[1])


compare(minus, "wrong: minus")
K = kernel_matrix(rings(0)[0], kernel="rbf", gamma=GAMMA)
wrong = K - E @ K - K @ E - E @ K @ E
print(f"least eigenvalue: {np.linalg.eigvalsh(wrong)[0]:.1f}; trace: {np.trace(wrong):.1f}")
print(f"trace of the right matrix: {np.trace(centred(K, K)[0]):.1f}")

# %%
# 2. A matrix of ones without 1/n
# -------------------------------
# Wrong, with :math:`\mathbf 1` the matrix of ones:
#
# .. math:: \bar K = K - \mathbf 1 K - K \mathbf 1 + \mathbf 1 K \mathbf 1
#
# Right:
#
# .. math:: \bar K = K - EK - KE + EKE, \qquad E = \tfrac 1n \mathbf 1
#
# The first eigenvalue is larger by about :math:`n^2`, and its component has almost the same value
# for each training point. The scale of new points does not fit to it at all.


def unscaled(K, K_new):
    """Leave 1/n out."""
    return scores(K - ONES @ K - K @ ONES + ONES @ K @ ONES, centred(K, K_new)[1])


compare(unscaled, "wrong: no 1/n")
largest = np.linalg.eigvalsh(K - ONES @ K - K @ ONES + ONES @ K @ ONES)[-1]
print(f"largest eigenvalue: {largest:.3g}, but the trace of K is only {np.trace(K):.0f}")

# %%
# 3. No centring at all
# ---------------------
# Wrong: the axes are eigenvectors of :math:`K`. Right: they are eigenvectors of :math:`\bar K`.
#
# PCA without centring finds the direction of the mean first, because each eigenvalue then counts
# the square of the mean along its axis as well as the spread. On rings this does no harm, since the
# similarity to the mean happens to be the radius. On moons it does: the first component tells less
# about the moon of a point.


def uncentred(K, K_new):
    """Take the axes from K."""
    return scores(K, K_new)


compare(uncentred, "wrong: not centred", moons, gamma=6.0)
first = leading(K)[1][:, 0]
print(f"|correlation| of component 1 with the mean: {abs(np.corrcoef(first, K.mean(0))[0, 1]):.3f}")

# %%
# 4. New points that are not centred
# ----------------------------------
# Wrong, for the score of a new point :math:`x`:
#
# .. math:: z_j = \sum_i \alpha_{ij} k(x_i, x)
#
# Right, with the means of the *training* points inside :math:`\bar k`:
#
# .. math:: z_j = \sum_i \alpha_{ij} \bar k(x_i, x)
#
# The weights of an axis sum to zero, so most of the centring cancels, and all new points move by
# the same step. Therefore a picture of new points alone looks right. A classifier that was trained
# on the right scores of training points meets them at the wrong place.


def moved(K, K_new):
    """Centre the training points only."""
    K_bar, _ = centred(K, K_new)
    return scores(K_bar, K_new)


compare(moved, "wrong: new points moved")

# %%
# 5. “Centre the data first”
# --------------------------
# Wrong: “the data must be centred before any kernel is applied”. Right: the *images* must be
# centred, inside :math:`K`.
#
# Moving the data changes nothing for the Gaussian kernel, because it depends on differences only.
# In contrast, a polynomial kernel depends on the origin, so moving the data is another model.

X, y = rings(0)
for name in ("rbf", "poly"):
    spectra = [
        KernelPCA(2, kernel=name, gamma=GAMMA, degree=2).fit(points).explained_variance_ratio_
        for points in (X, X + np.array([3.0, 0.0]))
    ]
    print(f"{name:>4}: ratios {spectra[0].round(3)} become {spectra[1].round(3)} after a move by 3")

# %%
# 6. “Dividing by √λ makes the variances equal”
# ---------------------------------------------
# Wrong: :math:`\alpha_j = a_j / \sqrt{\lambda_j}` gives all components the same variance. Right: it
# gives all *axes* the length 1. The variance of component :math:`j` is :math:`\lambda_j / n`, so
# equal variances (whitening) need one more division:
#
# .. math:: z_j^{\text{white}} = \frac{z_j}{\sqrt{\lambda_j / n}}

model = KernelPCA(8, kernel="rbf", gamma=GAMMA).fit(X)
variances = model.transform(X).var(axis=0)
print(f"largest variance over smallest, of 8 components: {variances[0] / variances[-1]:.1f}")
fig, ax = plt.subplots(figsize=(4.5, 2.6))
ax.bar(np.arange(1, 9), variances)
ax.set(title="variances after the division by √λ", xlabel="component", ylabel="variance")

# %%
# 7. “All eigenvalues are at least 0”
# -----------------------------------
# Wrong for the sigmoid, although it is often listed as a kernel:
#
# .. math:: k(x, y) = \tanh(\gamma\, x \cdot y + c)
#
# Right: eigenvalues are nonnegative if :math:`k` is an inner product of images, and for most
# :math:`\gamma` and :math:`c` the sigmoid is not. Then no images exist, so there is no variance to
# explain either.

values = np.linalg.eigvalsh(np.tanh(X @ X.T - 1))
print(f"largest eigenvalue {values[-1]:.1f}, least {values[0]:.1f}: the larger part is negative")

# %%
# 8. The left singular vectors as the reduced data
# ------------------------------------------------
# Wrong: the reduced data of PCA are :math:`U_k`, with :math:`X = U \Sigma V^\top`. Right:
#
# .. math:: Z = X V_k = U_k \Sigma_k
#
# The wrong scores have equal variances, so that distances between points are distorted: a direction
# of noise counts as much as the first component.

rng = np.random.default_rng(0)
stretched = rng.normal(size=(N, 3)) * [5.0, 1.0, 0.1]
stretched -= stretched.mean(axis=0)
U, S, _ = np.linalg.svd(stretched, full_matrices=False)
for name, Z in (("U Σ", U * S), ("U", U)):
    agreement = np.corrcoef(pdist(stretched), pdist(Z))[0, 1]
    print(f"{name:>3}: correlation of distances with those of the data {agreement:.3f}")

# %%
# 9. “Keep 80 to 90 % of the variance”
# ------------------------------------
# Wrong: this rule of PCA chooses the number of components of kernel PCA, too. Right: the ratio is
# about variance in *feature space*, and a narrower kernel spreads it over more components. So the
# rule cannot say whether γ is any good, and for a large γ it keeps nearly as many components as
# there are points. Choose γ and :math:`m` together, for example by cross-validation.

median, (X_new, y_new) = median_gamma(X), rings(1)
print("γ / median  components for 90 %  accuracy on training points, new points")
for multiple in (0.1, 1, 10, 100, 1000):
    model = KernelPCA(0.9, kernel="rbf", gamma=multiple * median).fit(X)
    line = LinearSVC().fit(model.transform(X), y)
    train, new = (line.score(model.transform(P), q) for P, q in ((X, y), (X_new, y_new)))
    print(f"{multiple:10g}  {len(model.eigenvalues_):19d}  {train:27.3f}, {new:.3f}")

# %%
# 10. “Kernel PCA unrolls the Swiss roll”
# ---------------------------------------
# Wrong for the Gaussian kernel, at each width. Right: a kernel made from distances *along* the
# sheet (Isomap) unrolls it.
#
# A component that unrolls the roll would follow the coordinate along the sheet, so that the
# absolute correlation would be near 1.

turn = 1.5 * np.pi * (1 + 2 * rng.uniform(size=600))
roll = np.column_stack([turn * np.cos(turn), 21 * rng.uniform(size=600), turn * np.sin(turn)])
along = (turn * np.sqrt(1 + turn**2) + np.arcsinh(turn)) / 2
multiples = np.geomspace(0.01, 100, 9)
best = []
for multiple in multiples:
    model = KernelPCA(2, kernel="rbf", gamma=multiple * median_gamma(roll)).fit(roll)
    best.append(max(abs(np.corrcoef(z, along)[0, 1]) for z in model.transform(roll).T))
print(f"largest absolute correlation, over nine widths: {max(best):.2f}")
fig, ax = plt.subplots(figsize=(4.5, 2.8))
ax.semilogx(multiples, best, "o-")
ax.set(xlabel="γ in multiples of the median heuristic", ylabel="|correlation|", ylim=(0, 1))
