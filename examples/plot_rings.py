"""
Two rings
=========

PCA leaves two rings mixed, because it can only rotate the plane. Kernel PCA separates them in one
line of code. The :doc:`tutorial </generated/tutorial/plot_lecture>` says why.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import make_circles

from kpca import PCA, KernelPCA, median_gamma

X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
model = KernelPCA(2, kernel="rbf", gamma=3 * median_gamma(X)).fit(X)

# %%
# A fitted model reports four things, so that you know how far to trust it:
#
# - the explained variance ratio of each component
# - the :term:`residual` of each eigenpair, that is, how exact it is
# - the solver that found them, and why it was chosen
# - the :term:`completeness`, that is, whether a larger eigenvalue can be missing

print("explained variance ratio:", model.explained_variance_ratio_.round(3))
print("residuals:            ", model.residuals_.max() < 1e-8)
print("solver:               ", model.solver_)
print("completeness:         ", model.completeness_)

fig, axes = plt.subplots(1, 3, figsize=(9, 3))
drawn = {"points": X, "PCA": PCA(2).fit_transform(X), "kernel PCA": model.transform(X)}
for ax, (title, Z) in zip(axes, drawn.items(), strict=True):
    ax.scatter(*Z.T, c=y, s=6, cmap="coolwarm")
    ax.set(title=title, aspect="equal")
