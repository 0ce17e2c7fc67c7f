"""
Strings, from a few columns of their kernel matrix
==================================================

A kernel of strings can be slow, so it pays to compute few of its values. With m :term:`landmarks
<landmark>`, kernel PCA of n strings reads only m columns of the kernel matrix and its diagonal.
That is (m + 1) n values instead of n². Here we compare 10 000 sequences of four families by the
pieces of five letters that they share (the spectrum kernel of Leslie, Eskin and Noble, 2002).
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from kpca import KernelColumns, LandmarkKernelPCA

N, LENGTH, FAMILIES, MUTATIONS = 10_000, 80, 4, 0.2
rng = np.random.default_rng(0)
ancestors = rng.integers(0, 4, size=(FAMILIES, LENGTH))
family = rng.integers(0, FAMILIES, size=N)
letters = ancestors[family]
mutated = rng.random(letters.shape) < MUTATIONS
letters[mutated] = rng.integers(0, 4, size=mutated.sum())
strings = ["".join("ACGT"[letter] for letter in row) for row in letters]

pieces = normalize(
    CountVectorizer(analyzer="char", ngram_range=(5, 5)).fit_transform(strings).astype(float)
)
values = N  # of the diagonal


def columns(indices):
    """Compute the kernel values of some strings with all of them."""
    global values
    values += N * len(indices)
    return (pieces @ pieces[indices].T).toarray()


model = LandmarkKernelPCA(3, kernel="precomputed", n_landmarks=300, landmarks="rpcholesky").fit(
    KernelColumns(columns, np.ones(N))
)
print(f"{values:,} of {N**2:,} kernel values were read: {100 * values / N**2:.2f} %")

# %%
# The diagonal tells how much the landmarks miss. Therefore the bounds hold for any choice of
# landmarks, if the kernel matrix is positive semidefinite. They are wide here, since most of the
# variance is in many small components that 300 landmarks cannot keep.

for low, high in zip(*model.explained_variance_bounds_, strict=True):
    print(f"between {low:.3f} and {high:.3f} of the variance")

# %%
# A new string needs kernel values with the 300 landmarks only, because the model is made of them.

Z = model.transform(columns(model.landmark_indices_))
fig, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True)
for ax, component in zip(axes, (0, 2), strict=True):
    for number in range(FAMILIES):
        ax.plot(*Z[family == number][:, [component, 1]].T, ".", ms=2, label=f"family {number + 1}")
    ax.set_xlabel(f"component {component + 1}")
axes[0].set_ylabel("component 2")
_ = axes[1].legend(frameon=False, markerscale=4)
fig.tight_layout()
