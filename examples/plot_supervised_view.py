"""
A view that knows the target
============================

Kernel PCA shows the largest variance, which need not be what you want to predict. A blend of the
kernel with predictions of the target turns the view towards it: from kernel PCA (mixing 1) to the
regression alone (mixing 0). scikit-matter calls this KernelPCovR. Show the view of new samples,
because that of training samples may only be noise that the regression has learned.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler, scale

from kpca import KernelPCA

X, y = load_diabetes(return_X_y=True)
X_train, X_new, y_train, y_new = train_test_split(X, scale(y), random_state=0)
scaler = StandardScaler().fit(X_train)
X_train, X_new, gamma = scaler.transform(X_train), scaler.transform(X_new), 0.05


def view(mixing, target):
    """Return two components of the training and the new samples, and how they correlate."""
    regression = KernelRidge(alpha=0.3, kernel="rbf", gamma=gamma).fit(X_train, target)
    train, new = regression.predict(X_train), regression.predict(X_new)
    size = rbf_kernel(X_train, gamma=gamma).var()

    def blend(A, a):
        inputs = rbf_kernel(A, X_train, gamma=gamma) / size
        return mixing * inputs + (1 - mixing) * np.outer(a, train) / np.var(train)

    model = KernelPCA(2, kernel="precomputed").fit(blend(X_train, train))
    return model.transform(blend(X_train, train)), model.transform(blend(X_new, new))


def correlation(Z, target, Z_new, target_new):
    """Return how a least squares fit on the view predicts the target of the new samples."""
    return np.corrcoef(LinearRegression().fit(Z, target).predict(Z_new), target_new)[0, 1]


MIXINGS = (1.0, 0.5, 0.1)
fig, axes = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for ax, mixing in zip(axes, MIXINGS, strict=True):
    Z, Z_new = view(mixing, y_train)
    points = ax.scatter(*Z_new.T, c=y_new, s=12)
    r = correlation(Z, y_train, Z_new, y_new)
    ax.set(title=f"mixing {mixing}: correlation {r:.2f}", xlabel="component 1")
axes[0].set_ylabel("component 2")
fig.colorbar(points, ax=axes, label="target of new samples, standardised")

# %%
# With a target that is noise, training samples seem to be in order, and new ones are not. Read the
# view of new samples, and its correlation, before you believe a pattern.

noise = np.random.default_rng(0).permutation(y_train)
nothing = np.random.default_rng(1).permutation(y_new)
for mixing in MIXINGS:
    Z, Z_new = view(mixing, noise)
    seen, held_out = correlation(Z, noise, Z, noise), correlation(Z, noise, Z_new, nothing)
    print(f"mixing {mixing}, noise: training samples {seen:.2f}, new samples {held_out:.2f}")
