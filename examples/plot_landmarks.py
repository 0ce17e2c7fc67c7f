"""
Large data with landmarks
=========================

The kernel matrix of a million points would take 8 TB, so :class:`~kpca.LandmarkKernelPCA` never
forms it. Instead, 300 :term:`landmarks <landmark>` represent all points, and three passes over the
rows give the components. This example takes only 100 000 rows, so that it runs in seconds. With
``N = 1_000_000`` it runs in the same way, but longer.
"""

import tempfile
import time
import tracemalloc

import numpy as np
from matplotlib import pyplot as plt

from kpca import LandmarkKernelPCA

N = 100_000
BLOCK = 20_000


def blocks():
    """Yield the rows block by block, as from files, so that they are never in memory together."""
    for number in range(N // BLOCK):
        rng = np.random.default_rng(number)
        angle = rng.uniform(0, 2 * np.pi, BLOCK)
        wave = np.column_stack([np.cos(angle), np.sin(angle), np.sin(3 * angle) / 2])
        yield wave + rng.normal(scale=0.1, size=wave.shape)


model = LandmarkKernelPCA(6, kernel="rbf", gamma="median", n_landmarks=300)
start = time.perf_counter()
model.fit(blocks)
print(f"{len(model.eigenvectors_):,} rows in {time.perf_counter() - start:.1f} s")

# %%
# The fit is an approximation, but it reports its error. The landmarks can only miss variance, never
# add any, so each explained variance ratio lies between two bounds. They are proven, and so are the
# bounds on residuals below. `kpca.exact_residuals` estimates residuals from random rows.

for low, high in zip(*model.explained_variance_bounds_, strict=True):
    print(f"between {low:.5f} and {high:.5f} of the variance")
print(f"residuals of at most {model.residual_bounds_.max():.0e}")

# %%
# The figure shows the landmarks, which are all that the model keeps of the points. At the right are
# the scores of one block.

points = next(blocks())[:3000]
Z = model.transform(points)
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4))
left.scatter(*points[:, [0, 2]].T, c=points[:, 1], s=2)
left.plot(*model.X_fit_[:, [0, 2]].T, "r.", markersize=3)
left.set(title="points, and landmarks in red", xlabel="variable 0", ylabel="variable 2")
right.scatter(*Z[:, :2].T, c=points[:, 1], s=2)
_ = right.set(title="scores", xlabel="component 1", ylabel="component 2")

# %%
# A stream or a file comes in batches, which are seen only once. ``partial_fit`` adds each batch to
# sums and keeps none of its rows. Therefore the memory stays below the 12 MB that are allowed here,
# although the file has 24 MB. ``merge`` adds up models of several files or machines.

BUDGET = 12e6
stream = LandmarkKernelPCA(6, kernel="rbf", gamma="median", n_landmarks=100)
with tempfile.TemporaryDirectory() as folder:
    file = np.lib.format.open_memmap(f"{folder}/rows.npy", "w+", shape=(10 * N, 3))
    for number in range(10):
        file[number * N : (number + 1) * N] = np.concatenate(list(blocks()))
    tracemalloc.start()
    for rows in np.array_split(np.load(f"{folder}/rows.npy", mmap_mode="r"), 200):
        stream.partial_fit(rows)
    peak = tracemalloc.get_traced_memory()[1]
print(
    f"{stream.n_samples_seen_:,} rows, {file.nbytes / 1e6:.0f} MB, in {peak / 1e6:.1f} MB of memory"
)
assert peak < BUDGET
low, high = stream.explained_variance_bounds_[:, 0]
print(f"first component: between {low:.5f} and {high:.5f} of the variance")
