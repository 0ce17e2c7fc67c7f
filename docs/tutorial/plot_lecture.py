r"""
Kernel PCA, from two rings to denoising
=======================================

This lecture builds kernel PCA from NumPy, in steps of a few lines, and compares each step with the
library. It takes about an hour, and you need to know PCA. Afterwards you can compute kernel PCA
yourself, choose its width, and say how far its numbers can be trusted.

Many textbooks and web pages print one of these steps wrongly. The boxes named **Seen in print** run
the wrong step, so that you see what it does. :doc:`Ten errors in print
</generated/tutorial/plot_errors>` collects them. To change the numbers, download this page as a
script or a notebook (below). The :ref:`lesson <lesson>` tells the same story in pictures that you
can move, so it is a good start if you like to see things first.
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
# Take two rings. PCA can only rotate the plane, so the rings stay rings, and no component separates
# the inner one from the outer one.


def rings(n, noise=0.05):
    """Draw n points on two rings, of radius 0.3 and 1, and the ring of each."""
    outer = np.arange(n) % 2
    angle = rng.uniform(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.where(outer, 1.0, 0.3)[:, None] * circle + rng.normal(scale=noise, size=(n, 2)), outer


X, y = rings(300)
X_new, y_new = rings(300)


def panel(axes, Z, labels, title, names=("component 1", "component 2")):
    """Draw the points, one colour per ring."""
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
# Send every point :math:`x` to an image :math:`\varphi(x)` in a space of more dimensions, and do
# PCA there. We never compute the images, because PCA needs only their inner products. A *kernel*
# gives these directly:
#
# .. math:: k(x, y) = \varphi(x) \cdot \varphi(y)
#
# Here we take the Gaussian kernel, :math:`k(x, y) = \exp(-\gamma \|x - y\|^2)`. It is near 1 for
# near points and near 0 for far ones, so it measures similarity. For :math:`n` points its values
# form an :math:`n \times n` matrix :math:`K`.

gamma = 2.0
K = np.exp(-gamma * cdist(X, X, "sqeuclidean"))
print("shape:", K.shape)
print("the library's:", np.abs(K - kernel_matrix(X, kernel="rbf", gamma=gamma)).max() < 1e-13)

# %%
# A matrix of inner products has no negative eigenvalue, because the squared length of a sum of
# images cannot be negative. Therefore :math:`K` is positive *semi*\ definite.
#
# .. admonition:: Seen in print
#    :class: warning
#
#    “All eigenvalues are at least 0”, with :math:`\tanh(\gamma\, x \cdot y + c)` among the kernels.
#    However, the sigmoid is not an inner product for most γ and c. The library therefore reports
#    its least eigenvalue as ``lambda_min_``.

sigmoid = np.tanh(1.0 * X @ X.T - 1.0)
print(f"least eigenvalue, Gaussian: {np.linalg.eigvalsh(K)[0]: .1e}")
print(f"least eigenvalue, sigmoid:  {np.linalg.eigvalsh(sigmoid)[0]: .1f}")

# %%
# 3. Centring
# -----------
# PCA describes the spread about the mean, so the images need mean zero. We cannot compute the mean
# of the images, but we can subtract it inside :math:`K`. Let :math:`E` be the matrix with
# :math:`1/n` in each entry. Then :math:`H = I - E` subtracts the mean from a column of numbers, and
# the centred kernel matrix is
#
# .. math:: \bar K = H K H = K - EK - KE + EKE

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
#    The last sign as a minus, and :math:`E` as the matrix of ones without :math:`1/n`. The
#    eigenvalues reveal both errors, since no eigenvalue of :math:`\bar K` can be negative or larger
#    than the trace of :math:`K`, which is 300 here.

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
#    “Centre the *data* first.” The Gaussian kernel depends only on differences of points, so moving
#    the data changes nothing. A polynomial kernel does change, because it depends on the origin.
#    Neither replaces the centring of :math:`K`.

moved = X + np.array([5, -3])
for name in ("rbf", "poly"):
    here, there = (kernel_matrix(points, kernel=name, gamma=gamma) for points in (X, moved))
    print(f"{name:>4}: K changes by up to {np.abs(there - here).max():.1e}")

# %%
# 4. Eigenvectors, and how long they are
# --------------------------------------
# An axis of PCA in feature space is a weighted sum of centred images,
# :math:`v = \sum_i \alpha_i \bar\varphi(x_i)`, since nothing outside their span has any variance.
# The condition that :math:`v` is an eigenvector of the covariance becomes
#
# .. math:: \bar K a = \lambda a, \qquad \alpha = a / \sqrt\lambda, \qquad \|a\| = 1
#
# We divide by :math:`\sqrt\lambda` so that :math:`v` has length 1. The *score* of a point is its
# coordinate along :math:`v`. For the training points it is
# :math:`\bar K \alpha = \sqrt\lambda\, a`.

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
#    “Dividing by √λ makes the variances of the components equal.” Instead, it makes the *axes*
#    equally long. The variance along axis :math:`j` is :math:`\lambda_j / n`, largest first, as in
#    PCA. Making the variances equal is called whitening. It needs one more division, by
#    :math:`\sqrt{\lambda_j / n}`.

print("variances of the scores:", Z.var(axis=0).round(6))
print("λ/n:                    ", (values / n).round(6))

# %%
# 5. New points
# -------------
# A new point goes through the same centring, *with the means of the training points*. So we take
# its kernel values, subtract their own mean, subtract the mean of each training point's row, and
# add the mean of :math:`K`:
#
# .. math:: \bar k(x_i, x) = k(x_i, x) - \frac1n \sum_j k(x_j, x)
#           - \frac1n \sum_j K_{ij} + \frac1{n^2} \sum_{jl} K_{jl}

K_new = np.exp(-gamma * cdist(X_new, X, "sqeuclidean"))
K_new_bar = K_new - K_new.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
Z_new = K_new_bar @ alpha
print("as transform:", np.allclose(np.abs(Z_new), np.abs(model.transform(X_new))))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    Some sources use :math:`k` instead of the centred :math:`\bar k`. What goes wrong? The entries
#    of an eigenvector sum to zero, so that all but one of the centring terms cancel. Therefore each
#    new point moves by the *same* step. New points keep their places relative to each other, but
#    not relative to the training points.

step = K_new @ alpha - Z_new
print("step of each component:", step.mean(axis=0).round(3))
print("spread of that step:   ", step.std(axis=0).round(14))

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    No centring at all, with axes from :math:`K`. Then the first “component” is the mean of the
#    images instead of a direction in which they differ. It comes first because its eigenvalue
#    counts the square of the mean as well as the spread along that axis.

first = np.linalg.eigh(K)[1][:, -1]
mean = K.sum(axis=1)
print(f"correlation of axis 1 of K with the mean: {abs(np.corrcoef(K @ first, mean)[0, 1]):.3f}")
spread = np.trace(K_bar) / n
print(f"mean²: {K.mean():.2f}; spread: {spread:.2f}, along axis 1 alone: {values[0] / n:.2f}")

# %%
# 6. The rings come apart
# -----------------------
# A straight line between the scores is a curve between the points. For example, the level lines of
# the first component in the plane are straight for PCA, whereas for kernel PCA they are rings.

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
# γ sets the distance at which two points count as similar. If it is far too small, all points are
# similar, and kernel PCA becomes PCA. If it is far too large, each point resembles only itself, so
# all components have the same variance and new points have scores near zero. The *median
# heuristic*, one over the median of :math:`\|x - y\|^2`, lies between these extremes. It is
# therefore a good start, and its multiples make a good grid.


def accuracy(multiple, m, points=(X, y), new=(X_new, y_new)):
    """Return the accuracy on training points and on new points, and the number of components."""
    fitted = KernelPCA(m, kernel="rbf", gamma=multiple * median_gamma(points[0])).fit(points[0])
    line = LinearSVC().fit(fitted.transform(points[0]), points[1])
    found = [line.score(fitted.transform(P), labels) for P, labels in (points, new)]
    return [*found, len(fitted.eigenvalues_)]


median = median_gamma(X)
print(f"the median heuristic: γ = {median:.2f}")
print("multiple  accuracy by 2  components for 90 % of the variance")
for multiple in (0.01, 0.1, 1, 3, 10, 100, 1000):
    print(f"{multiple:8g}  {accuracy(multiple, 2)[1]:13.2f}  {accuracy(multiple, 0.9)[2]:4d}")

# %%
# .. admonition:: Seen in print
#    :class: warning
#
#    “Keep 80 to 90 % of the variance.” This is variance *in feature space*, and a narrower kernel
#    spreads it over more components. For example, the last line needs 211 components for 300
#    points, because the model memorises the training points. Instead, choose γ and m together: by
#    cross-validation if there are labels, otherwise by denoising
#    (:ref:`sphx_glr_generated_examples_plot_gamma.py`).
#
# 8. The Swiss roll, a warning
# ----------------------------
# The rolled-up sheet is on the cover of many books, although Gaussian kernel PCA does not unroll
# it. If it did, one component would follow the coordinate along the sheet, with a correlation near
# 1.

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
# A kernel made from distances *along* the sheet unrolls it (Isomap). So the kernel decides what
# kernel PCA can find, and no γ makes up for the wrong one.
#
# 9. Back to the input space
# --------------------------
# Scores say where a point lies on the axes, but not which point of the plane that is. That point is
# called the :term:`pre-image`. Most points of the feature space are the image of no point, so one
# looks for the point whose image is nearest. *Denoising* projects a noisy point onto the leading
# components and takes the pre-image. This removes noise, because most of the noise lies along the
# components that were left out.

noisy = X_new + rng.normal(scale=0.1, size=X.shape)


def off(points):
    """Return the root mean square distance of points from their own ring."""
    return np.sqrt(np.mean((np.hypot(*points.T) - np.where(y_new, 1.0, 0.3)) ** 2))


def denoised(multiple, m):
    """Return the noisy points without noise, by m components at a multiple of the median γ."""
    width = {"gamma": multiple * median, "preimage": "fixed_point"}
    return KernelPCA(m, kernel="rbf", **width).fit(X).denoise(noisy)


better = denoised(10, 12)
print(f"distance from the rings: {off(noisy):.3f} before, {off(better):.3f} after")
fig, (left, right) = plt.subplots(1, 2)
panel(left, noisy, y_new, "noisy", ("x", "y"))
panel(right, better, y_new, "denoised by 12 components", ("x", "y"))

# %%
# The radius is restored, but the place along the outer ring is not. With 12 components, only some
# angles around the ring can be represented, so the denoised points cluster at those angles. Our
# error does not show this, since it measures only the radius.
#
# 10. How sure are the numbers?
# -----------------------------
# The full spectrum costs of the order of :math:`n^3` operations. A few components do not need it,
# because iterative solvers find them from products with :math:`\bar K` alone. However, such a
# solver leaves two questions open, so the library answers both after every fit. Is what it found an
# eigenpair? The :term:`residual` says so. Is it one of the largest? :term:`Completeness` says so.
# Together they form the :term:`certificate`.

print(f"largest residual: {model.residuals_.max():.0e}")
print("solver:          ", model.solver_)
print("completeness:    ", model.completeness_)

# %%
# Exercises
# ---------
# 1. Give the rings noise of 0.3 instead of 0.05. Which γ and how many components separate them now?
#    Is the best γ on the training points the best one on new points?
# 2. Take the linear kernel. Compare the eigenvalues of :math:`\bar K` with those of :math:`n` times
#    the covariance matrix. Which matrix would you rather use for 10 000 points of 3 variables?
# 3. Repeat section 5 with the wrong formula: right training scores and wrong new ones. Score the
#    support vector machine. For which γ does the step not matter?
# 4. Denoise at the median γ, with 2 and with 50 components. What goes wrong in each?
#
# Solutions
# ---------
# **1.** With so much noise the rings overlap, so no rule is perfect. Two components are too few.
# With 12 components, however, each γ up to ten times the median does about equally well on new
# points. The best setting on the *training* points is the narrowest kernel with the most
# components. It does worse on new points, because the model has memorised noise. Therefore choose γ
# and m on points that the fit has not used.

train, new = rings(300, noise=0.3), rings(3000, noise=0.3)
print("multiple  components  accuracy on training points, new points")
for multiple in (0.1, 1, 10, 100):
    for m in (2, 12, 100):
        here, there, _ = accuracy(multiple, m, train, new)
        print(f"{multiple:8g}  {m:10d}  {here:27.2f}, {there:.2f}")

# %%
# **2.** The nonzero eigenvalues agree, because both matrices come from the same centred data. The
# covariance matrix is better for many points: it is 3 × 3, whereas the kernel matrix would be
# 10 000 × 10 000.

from_kernel = np.linalg.eigvalsh(H @ (X @ X.T) @ H)[::-1][:2]
print("K̄:             ", from_kernel.round(6))
print("n × covariance:", (n * np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]).round(6))

# %%
# **3.** It depends on the gap between the rings. At 3 times the median γ the step is longest, but
# the gap is wider, so the accuracy stays the same. At 10 times the median the gap is narrow, so the
# step moves points across the line, and the accuracy falls. The step is short for a small γ, since
# all images are similar, and for a large γ, since the kernel values of new points are nearly zero.

for multiple in (0.1, 1, 3, 10, 100, 1000):
    fitted = KernelPCA(2, kernel="rbf", gamma=multiple * median).fit(X)
    weights = fitted.eigenvectors_ / np.sqrt(fitted.eigenvalues_)
    wrong = kernel_matrix(X_new, X, kernel="rbf", gamma=multiple * median) @ weights
    line = LinearSVC().fit(fitted.transform(X), y)
    length = np.linalg.norm(wrong - fitted.transform(X_new), axis=1).mean()
    one, other = (line.score(scores, y_new) for scores in (fitted.transform(X_new), wrong))
    print(f"{multiple:5g}: step {length:.3f}, accuracy right {one:.2f}, wrong {other:.2f}")

# %%
# **4.** Two components can represent too little, so points leave their radius and end up further
# from the rings than the noisy ones. Fifty components represent the noise, too, so almost nothing
# is removed.

for m in (2, 12, 50):
    print(f"{m:3d} components: distance from the rings {off(denoised(1, m)):.3f}")
print(f"noisy points:   distance from the rings {off(noisy):.3f}")

# %%
# From here, go on to the :doc:`short examples </generated/examples/index>`, to the
# :doc:`mathematics and its certificates </kernel-pca>`, or to the way in which the pipeline
# :doc:`repeats a paper </howto/paper>`.
