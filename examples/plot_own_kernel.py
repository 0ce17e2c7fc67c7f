"""
A custom kernel
===============

Any symmetric function of two rows can be the kernel. For example, take the number of pieces of
three letters that two words share. A kernel gets rows of numbers, so each row holds the number of a
word.
"""

import numpy as np
from matplotlib import pyplot as plt

from kpca import KernelPCA

TEXT = (
    "nation national nationally international rational rationally walk walked walking walker "
    "talk talked talking talker sing singing singer bring bringing"
)
WORDS = TEXT.split()


def pieces(word):
    """Return the pieces of three letters of a word whose ends are marked."""
    marked = f"^{word}$"
    return {marked[i : i + 3] for i in range(len(marked) - 2)}


def shared(x, y):
    """Return the number of shared pieces over the geometric mean of both numbers of pieces."""
    one, other = pieces(WORDS[int(x[0])]), pieces(WORDS[int(y[0])])
    return len(one & other) / np.sqrt(len(one) * len(other))


X = np.arange(len(WORDS))[:, None]
model = KernelPCA(2, kernel=shared).fit(X)

# %%
# Not every function is an inner product, so look at the least eigenvalue. Here it is zero up to
# rounding, because a number of shared pieces is an inner product of indicators.

print(f"least eigenvalue: {model.lambda_min_:.1e}, {model.definiteness_.status}")
order = np.argsort(model.transform(X)[:, 0])
shares = [[shared(X[i], X[j]) for j in order] for i in order]
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 4), width_ratios=[1, 1.1])
left.imshow(shares, cmap="Greys")
left.set(title="kernel matrix, in order of component 1", xticks=[], yticks=range(len(WORDS)))
left.set_yticklabels([WORDS[i] for i in order])
stems = ["nation", "ration", "walk", "talk", "ing"]
for size, stem in enumerate(stems, start=1):  # words that differ in one letter lie on each other
    of = [i for i, word in enumerate(WORDS) if next(s for s in stems if s in word) == stem]
    scores = model.transform(X[of])
    right.plot(*scores.T, "o", fillstyle="none", markersize=3 * size, label=f"with “{stem}”")
right.legend(frameon=False)
_ = right.set(title="scores", xlabel="component 1", ylabel="component 2")

# %%
# Python calls the function once per pair, which is slow. For more than a few thousand rows, compute
# the kernel matrix by array operations instead, and fit it with ``kernel="precomputed"``.
