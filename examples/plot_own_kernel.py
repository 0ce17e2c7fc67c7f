"""
A kernel of your own
====================

Any symmetric function of two rows: here the number of pieces of three letters that two words
share. Rows hold the numbers of words, since a kernel gets rows of numbers.
"""

import numpy as np
from matplotlib import pyplot as plt

from kpca import KernelPCA

WORDS = (
    "nation national nationally international rational rationally walk walked walking walker "
    "talk talked talking talker sing singing singer bring bringing"
).split()


def pieces(word):
    """Pieces of three letters, with the ends marked."""
    marked = f"^{word}$"
    return {marked[i : i + 3] for i in range(len(marked) - 2)}


def shared(x, y):
    """Number of pieces that two words share, over the geometric mean of how many they have."""
    one, other = pieces(WORDS[int(x[0])]), pieces(WORDS[int(y[0])])
    return len(one & other) / np.sqrt(len(one) * len(other))


X = np.arange(len(WORDS))[:, None]
model = KernelPCA(2, kernel=shared).fit(X)

# %%
# A function may not be an inner product. The least eigenvalue tells: it is as good as zero here, as
# it must be for a number of shared pieces.

print(f"least eigenvalue: {model.lambda_min_:.1e}, {model.definiteness_.status}")
fig, ax = plt.subplots(figsize=(6, 4))
for word, (a, b) in zip(WORDS, model.transform(X), strict=True):
    ax.text(a, b, word, ha="center", va="center", fontsize=8)
_ = ax.set(xlim=(-0.65, 0.75), ylim=(-0.65, 0.75), xlabel="component 1", ylabel="component 2")

# %%
# A function is called once a pair, in Python. For more than a few thousand rows compute the kernel
# matrix K by array operations, and fit it with ``kernel="precomputed"``.
