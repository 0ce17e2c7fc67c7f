"""
Missing values filled by kernel PCA
===================================

Denoising moves a sample to what the components explain. Repeated with the known values put back,
it fills missing ones, because only they are free to move.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.impute import KNNImputer, SimpleImputer

from kpca import KernelPCA

digits, labels = load_digits(return_X_y=True)
complete, truth = digits[labels == 3][:120] / 16, digits[labels == 3][120:] / 16
missing = np.random.default_rng(0).random(truth.shape) < 0.4
holes = np.where(missing, np.nan, truth)


def fill(holes, project, steps=100):
    """Start from the mean of complete rows, and project again and again."""
    filled = SimpleImputer(keep_empty_features=True).fit(complete).transform(holes)
    for _ in range(steps):
        filled = np.where(np.isnan(holes), project(filled), holes)
    return filled


# Chosen among 4 to 30 components and three γ, by hiding values of 40 of the complete rows.
kernel_pca = KernelPCA(20, kernel="rbf", gamma=0.1, preimage="fixed_point").fit(complete)
pca = PCA(8).fit(complete)
found = {
    "mean": fill(holes, lambda rows: rows, steps=1),
    "5 nearest rows": KNNImputer(n_neighbors=5).fit(complete).transform(holes),
    "PCA": fill(holes, lambda rows: pca.inverse_transform(pca.transform(rows))),
    "kernel PCA": fill(holes, kernel_pca.denoise),
}
for name, filled in found.items():
    print(f"{name:15s} error {np.sqrt(np.mean((filled - truth)[missing] ** 2)):.3f}")

# %%
# Five of the rows. PCA fills what is missing with a mixture of all threes, and kernel PCA with what
# similar ones have there, because its pre-images are weighted means of training samples.

shown = {"given": holes, **found, "truth": truth}
fig, axes = plt.subplots(len(shown), 5, figsize=(4.2, 5), layout="constrained")
for row, (name, images) in zip(axes, shown.items(), strict=True):
    row[0].set_ylabel(name, rotation=0, ha="right", va="center")
    for ax, image in zip(row, images, strict=False):
        ax.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
        ax.set(xticks=[], yticks=[])
