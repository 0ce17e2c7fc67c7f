"""
Large data with landmarks
=========================

The kernel matrix of a million points would take 8 TB. ``eigen_solver="nystrom"`` never forms it:
300 :term:`landmarks <landmark>` stand for all points, and three passes over the rows give the
components. This page takes 100 000 rows, so that it is made in seconds; ``N = 1_000_000`` changes
nothing but the time.
"""

import time

import numpy as np
from matplotlib import pyplot as plt

from kpca import KernelPCA

N = 100_000
BLOCK = 20_000


def blocks():
    """Give the rows block by block, as from files: they are never in memory together."""
    for number in range(N // BLOCK):
        rng = np.random.default_rng(number)
        angle = rng.uniform(0, 2 * np.pi, BLOCK)
        wave = np.column_stack([np.cos(angle), np.sin(angle), np.sin(3 * angle) / 2])
        yield wave + rng.normal(scale=0.1, size=wave.shape)


model = KernelPCA(6, kernel="rbf", gamma="median", eigen_solver="nystrom", n_landmarks=300)
start = time.perf_counter()
model.fit(blocks)
print(f"{len(model.eigenvectors_):,} rows in {time.perf_counter() - start:.1f} s")

# %%
# It is an approximation, and says how good. What the landmarks miss has a sign, so that the share
# of the variance lies between two numbers; they are a proof and no estimate.

for low, high in zip(*model.explained_variance_bounds_, strict=True):
    print(f"between {low:.5f} and {high:.5f} of the variance")
print(f"residuals, on rows drawn at random: up to {model.residual_estimates_.max():.0e}")

# %%
# The scores of one block, and the landmarks, which are all that the model keeps of the points.

points = next(blocks())[:3000]
Z = model.transform(points)
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4))
left.scatter(*points[:, [0, 2]].T, c=points[:, 1], s=2)
left.plot(*model.X_fit_[:, [0, 2]].T, "r.", markersize=3)
left.set(title="points, and landmarks in red", xlabel="variable 0", ylabel="variable 2")
right.scatter(*Z[:, :2].T, c=points[:, 1], s=2)
_ = right.set(title="scores", xlabel="component 1", ylabel="component 2")
