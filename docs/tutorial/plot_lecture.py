"""
Kernel PCA, from two rings to denoising
========================================

You know PCA. This lecture builds kernel PCA out of NumPy, in steps of a few lines, and holds each
step against the library. Many textbooks and web pages print one of these steps wrongly: boxes named
**Seen in print** run the wrong step, so that you see what it does. Download the page as a script or
a notebook (below) and change the numbers.
"""

import numpy as np
from matplotlib import pyplot as plt
from scipy.spatial.distance import cdist
from sklearn.svm import LinearSVC

from kpca import PCA, KernelPCA, kernel_matrix, median_gamma

rng = np.random.default_rng(0)

# %%
# 1. What PCA cannot do
# ---------------------
# Two rings. PCA rotates the plane, and a rotated ring is a ring: no component tells the inner from
# the outer one.


def rings(n):
    """Draw n points on two rings, of radius 0.3 and 1, and which ring each is on."""
    outer = np.arange(n) % 2
    angle = rng.uniform(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    noise = rng.normal(scale=0.05, size=(n, 2))
    return np.where(outer, 1.0, 0.3)[:, None] * circle + noise, outer


X, y = rings(300)
X_new, y_new = rings(300)


def panel(axes, Z, labels, title, names=("component 1", "component 2")):
    """Draw points with a colour a ring."""
    for ring, colour in enumerate(["C0", "C1"]):
        axes.plot(*Z[labels == ring, :2].T, ".", color=colour, markersize=4)
    axes.set(title=title, xlabel=names[0], ylabel=names[1])
    axes.set_aspect("equal", "datalim")


fig, (left, right) = plt.subplots(1, 2)
panel(left, X, y, "Two rings", ("x", "y"))
panel(right, PCA(2).fit_transform(X), y, "PCA: a rotation")

# %%
# 2. The kernel matrix
# --------------------
# Send every point x to an image φ(x) in a space of more dimensions, and do PCA there. The map φ
# is never written down: all that PCA needs are inner products of images, and a *kernel* gives them,
# k(x, y) = φ(x)·φ(y). Here it is the Gaussian kernel exp(−γ‖x − y‖²), which is near 1 for near
# points and near 0 for far ones. Of n points it makes an n × n matrix K.

gamma = 2.0
K = np.exp(-gamma * cdist(X, X, "sqeuclidean"))
print("shape:", K.shape)
print("the library's:", np.abs(K - kernel_matrix(X, kernel="rbf", gamma=gamma)).max() < 1e-13)

# %%
# An inner product never makes a sum of squares negative, so no eigenvalue of K is negative: K is
# positive *semi*\ definite.
#
# .. admonition:: Seen in print
#    :class: warning
#
#    “All eigenvalues are at least 0”, and tanh(γ x·y + c) among the kernels. The sigmoid is not an
#    inner product for most γ and c; the library reports its least eigenvalue as ``lambda_min_``.

sigmoid = np.tanh(1.0 * X @ X.T - 1.0)
print(f"least eigenvalue, Gaussian: {np.linalg.eigvalsh(K)[0]: .1e}")
print(f"least eigenvalue, sigmoid:  {np.linalg.eigvalsh(sigmoid)[0]: .1f}")

# %%
# 3. Centring
# -----------
# PCA looks at the spread about the mean, so the images need mean zero. Their mean cannot be
# written down, but it can be taken off K. With H = I − 11ᵀ/n, which takes the mean off a column of
# numbers, and E the n × n matrix with 1/n everywhere, the centred kernel matrix is ::
#
#    K̄ = H K H = K − E K − K E + E K E

n = len(X)
E = np.full((n, n), 1 / n)
H = np.eye(n) - E
K_bar = H @ K @ H
print("HKH is the sum of four terms:", np.allclose(K_bar, K - E @ K - K @ E + E @ K @ E))
print("its rows sum to zero:", np.allclose(K_bar.sum(axis=1), 0))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    The last sign as a minus, and E as the matrix of ones without 1/n. Both are caught by one look
#    at the spectrum: no eigenvalue of K̄ is negative or above the trace of K, which is 300 here.

ones = np.ones((n, n))
wrong_sign = K - E @ K - K @ E - E @ K @ E
wrong_ones = K - ones @ K - K @ ones + ones @ K @ ones
for name, matrix in [("right", K_bar), ("minus", wrong_sign), ("ones", wrong_ones)]:
    values = np.linalg.eigvalsh(matrix)
    print(f"{name:>6}: from {values[0]: 10.2e} to {values[-1]: 10.2e}")

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    “Centre the *data* first.” The Gaussian kernel sees differences of points only, so that moving
#    the data changes nothing. A polynomial kernel does depend on where the origin is. Neither
#    replaces centring K.

moved = X + np.array([5, -3])
for name in ("rbf", "poly"):
    here, there = (kernel_matrix(points, kernel=name, gamma=gamma) for points in (X, moved))
    print(f"{name:>4}: K changes by up to {np.abs(there - here).max():.1e}")

# %%
# 4. Eigenvectors, and how long they are
# --------------------------------------
# An axis of PCA in feature space is a sum of images, v = Σ α_i φ̄(x_i), since nothing outside
# their span carries variance. The condition that v is an eigenvector of the covariance turns into
# K̄ a = λ a. v has length 1 where α = a/√λ with ‖a‖ = 1. The *score* of a point is its coordinate
# along v; for training points K̄ α = √λ a.

values, vectors = np.linalg.eigh(K_bar)
values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]  # eigh gives the smallest first
alpha = vectors / np.sqrt(values)
Z = K_bar @ alpha
print("lengths of the axes:", np.sqrt(np.diag(alpha.T @ K_bar @ alpha)).round(12))

model = KernelPCA(2, kernel="rbf", gamma=gamma).fit(X)
print("the library's eigenvalues agree:", np.allclose(values, model.eigenvalues_))
print("and its scores, but for signs:", np.allclose(np.abs(Z), np.abs(model.transform(X))))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    “Dividing by √λ makes the variances of the components equal.” It makes the *axes* equally long.
#    The variance along axis j is λ_j/n, largest first, as in PCA; to make variances equal is called
#    whitening, and is a further division.

print("variances of the scores:", Z.var(axis=0).round(6))
print("λ/n:                    ", (values / n).round(6))

# %%
# 5. New points
# -------------
# A new point goes through the same centring, *with the means of the training points*: its kernel
# values minus their own mean, minus the mean of each training point's row, plus the grand mean.

K_new = np.exp(-gamma * cdist(X_new, X, "sqeuclidean"))
K_new_bar = K_new - K_new.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
Z_new = K_new_bar @ alpha
print("as transform:", np.allclose(np.abs(Z_new), np.abs(model.transform(X_new))))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    The last formula with k in place of k̄. How bad is it? Entries of an eigenvector sum to zero, so
#    all but one of the centring terms fall out: every new point is off by the *same* step. New
#    points keep their places among each other, and lose them among the training points.

step = K_new @ alpha - Z_new
print("step of each component:", step.mean(axis=0).round(3))
print("spread of that step:   ", step.std(axis=0).round(14))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    No centring at all, the axes taken from K. Then the first “component” is the mean of the images
#    rather than a direction in which they differ, and it takes the largest eigenvalue.

first = np.linalg.eigh(K)[1][:, -1]
mean = K.sum(axis=1)
print(f"correlation of axis 1 of K with the mean: {abs(np.corrcoef(K @ first, mean)[0, 1]):.3f}")

# %%
# 6. The rings come apart
# -----------------------
# A straight line between the scores is a curve between the points. Level lines of the first
# component in the plane are straight for PCA, and rings here.

print("accuracy, PCA:       ", LinearSVC().fit(X, y).score(X_new, y_new))
print("accuracy, kernel PCA:", LinearSVC().fit(Z, y).score(Z_new, y_new))

side = np.linspace(-1.4, 1.4, 60)
grid = np.column_stack([axis.ravel() for axis in np.meshgrid(side, side)])
fig, axes = plt.subplots(1, 3, figsize=(9, 3.1))
for ax, fitted, title in [
    (axes[0], PCA(2).fit(X), "PCA: level lines"),
    (axes[1], model, "kernel PCA: level lines"),
]:
    heights = fitted.transform(grid)[:, 0].reshape(60, 60)
    ax.contour(side, side, heights, levels=9, linewidths=0.8, colors="0.6")
    panel(ax, X_new, y_new, title, ("x", "y"))
panel(axes[2], Z_new, y_new, "scores of new points")

# %%
# 7. Choosing γ and the number of components
# ------------------------------------------
# γ says how near is near. Far too small, and all points are neighbours: kernel PCA is PCA. Far too
# large, and every point is alone: all components are worth the same, and new points have scores
# near zero. A good start is the *median heuristic*, γ = 1/median of ‖x − y‖²; multiples of it are
# the grid to search.

median = median_gamma(X)
print(f"the median heuristic: γ = {median:.2f}")
print("multiple  accuracy by 2  components for 90 % of the variance")
for multiple in (0.01, 0.1, 1, 3, 10, 100, 1000):
    two = KernelPCA(2, kernel="rbf", gamma=multiple * median).fit(X)
    right = LinearSVC().fit(two.transform(X), y).score(two.transform(X_new), y_new)
    most = KernelPCA(0.9, kernel="rbf", gamma=multiple * median).fit(X)
    print(f"{multiple:8g}  {right:10.2f}  {len(most.eigenvalues_):4d}")

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    “Keep 80 to 90 % of the variance.” The share is of the variance *in feature space*, which the
#    kernel spreads over more components the narrower it is: the last line needs 211 components for
#    300 points, and has learned them by heart. Choose γ and m together: by cross-validation where
#    there are labels, by denoising if there are none
#    (:ref:`sphx_glr_generated_examples_plot_gamma.py`).
#
# 8. The Swiss roll, a warning
# ----------------------------
# The sheet rolled up in space is the picture on many covers. Gaussian kernel PCA does not unroll
# it: a good component would follow the coordinate along the sheet, with a correlation near 1.

turn = 1.5 * np.pi * (1 + 2 * rng.uniform(size=600))
roll = np.column_stack([turn * np.cos(turn), 21 * rng.uniform(size=600), turn * np.sin(turn)])
along = (turn * np.sqrt(1 + turn**2) + np.arcsinh(turn)) / 2  # length of the spiral
for multiple in (0.1, 1, 10, 100):
    Z_roll = KernelPCA(2, kernel="rbf", gamma=multiple * median_gamma(roll)).fit_transform(roll)
    best = max(abs(np.corrcoef(score, along)[0, 1]) for score in Z_roll.T)
    print(f"{multiple:5g} times the median γ: correlation with the sheet {best:.2f}")

fig = plt.figure(figsize=(8, 3.4))
space = fig.add_subplot(1, 2, 1, projection="3d")
space.scatter(*roll.T, c=along, s=5)
space.set_title("the roll, coloured along the sheet")
flat = fig.add_subplot(1, 2, 2, xlabel="component 1", ylabel="component 2")
Z_roll = KernelPCA(2, kernel="rbf", gamma="median").fit_transform(roll)
flat.scatter(*Z_roll.T, c=along, s=5)
_ = flat.set_title("Gaussian kernel PCA: not unrolled")

# %%
# What unrolls it is a kernel made of distances *along* the sheet (Isomap). The kernel decides what
# kernel PCA can find; no choice of γ makes up for the wrong one.
#
# 9. Back to the input space
# --------------------------
# Scores say where a point lies on the axes. Which point of the plane is that? Its
# :term:`pre-image`: most points of the feature space are the image of no point, so that one looks
# for the point whose image is nearest. To project a noisy point onto the leading components and
# take the pre-image is *denoising*: most of the noise lies along components that were left out.

noisy = X_new + rng.normal(scale=0.1, size=X.shape)
denoiser = KernelPCA(12, kernel="rbf", gamma=10 * median, preimage="fixed_point").fit(X)
better = denoiser.denoise(noisy)


def off(points):
    """Root mean square distance of points from their own ring."""
    return np.sqrt(np.mean((np.hypot(*points.T) - np.where(y_new, 1.0, 0.3)) ** 2))


print(f"distance from the rings: {off(noisy):.3f} before, {off(better):.3f} after")
fig, (left, right) = plt.subplots(1, 2)
panel(left, noisy, y_new, "noisy", ("x", "y"))
panel(right, better, y_new, "denoised by 12 components", ("x", "y"))

# %%
# The radius is restored. The place along the outer ring is not: 12 components hold some angles and
# not others, and points gather there. The error counts the radius alone, and does not see it.
#
# 10. How sure are the numbers?
# -----------------------------
# The full spectrum costs of the order of n³ operations, but a few components do not need it:
# iterative solvers find them from products with K̄ alone. Then two questions are open, and the
# library answers both after every fit. Is what was found an eigenpair? (The :term:`residual`.) Is
# it one of the largest? (:term:`Completeness`.) Together they are the :term:`certificate`.

print(f"largest residual: {model.residuals_.max():.0e}")
print("solver:          ", model.solver_)
print("completeness:    ", model.completeness_)

# %%
# Exercises
# ---------
# 1. Give the rings 0.3 in place of 0.05 of noise. Which γ and how many components tell them apart
#    now? Is the best γ on the training points the best one on new points?
# 2. Take the linear kernel. Compare eigenvalues of K̄ and of n times the covariance matrix. Which of
#    the two would you rather compute for 10 000 points of 3 variables?
# 3. Repeat section 5 with the wrong formula, training scores right and new ones wrong, and score
#    the support vector machine. For which γ does the step not matter?
# 4. Denoise at the median γ, with 2 and with 50 components. What goes wrong in each?
#
# From here: :doc:`short examples </generated/examples/index>`, the
# :doc:`mathematics and its certificates </kernel-pca>`, and
# how the pipeline :doc:`repeats a paper </howto/paper>`.
