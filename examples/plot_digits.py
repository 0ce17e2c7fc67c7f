"""
Denoising digits
================

To remove noise from an image, project it onto the leading components of clean images. Then take the
:term:`pre-image`, that is, the point whose image in feature space is nearest to the projection. We
compare with PCA, which gets the number of components that is best in hindsight, so that the
comparison favours it.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits

from kpca import PCA, KernelPCA, median_gamma

X, y = load_digits(return_X_y=True)
train, test = X[:1200], X[1200:]
noisy = test + np.random.default_rng(0).normal(scale=5, size=test.shape)


def by_pca(m):
    """Project onto m ordinary components and back."""
    linear = PCA(m).fit(train)
    return linear.inverse_transform(linear.transform(noisy))


kernel = KernelPCA(96, kernel="rbf", gamma=median_gamma(train), preimage="fixed_point").fit(train)
restored = {
    "noisy": noisy,
    "PCA": min(map(by_pca, (4, 8, 12, 16, 24, 32)), key=lambda Z: np.sum((Z - test) ** 2)),
    "kernel PCA": kernel.denoise(noisy),
    "original": test,
}
for name, images in restored.items():
    print(f"{name:>10}: mean squared error {np.mean((images - test) ** 2):5.2f} a pixel")

# %%
# The rows show one image of each digit. PCA adds and subtracts images, so it can produce any grey
# level. In contrast, the fixed point averages training images. It therefore always looks like a
# digit, but sometimes like the wrong one.

shown = [int(np.flatnonzero(y[1200:] == digit)[0]) for digit in range(10)]
fig, axes = plt.subplots(4, 10, figsize=(8, 3.6))
for row, (name, images) in zip(axes, restored.items(), strict=True):
    for ax, i in zip(row, shown, strict=True):
        ax.imshow(images[i].reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set(xticks=[], yticks=[])
    row[0].set_ylabel(name, rotation=0, ha="right", va="center")
