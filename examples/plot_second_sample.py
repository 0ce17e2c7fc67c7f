"""
Which components would come back?
=================================

A fit always returns components. This page asks which of them a second sample of the same size would
show: of 100 digits, of 1 500 digits, and of two rings.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits, make_circles

from kpca import KernelPCA
from kpca.inspection import reproducibility

digits = np.random.default_rng(0).permutation(load_digits().data)
samples = {
    "100 digits": digits[:100],
    "1 500 digits": digits[:1500],
    "rings": make_circles(200, factor=0.3, noise=0.1, random_state=0)[0],
}
models = {name: KernelPCA(12, kernel="rbf", gamma="median").fit(X) for name, X in samples.items()}

# %%
# A rule such as 90 % of the variance keeps dozens of components of 100 digits. That does not mean
# that any of them is stable.

kept = KernelPCA(0.9, kernel="rbf", gamma="median").fit(samples["100 digits"])
print("components for 90 % of the variance of 100 digits:", len(kept.eigenvalues_))
found = {name: reproducibility(model) for name, model in models.items()}
for name, each in found.items():
    print(f"{name}: {each.n_components} of 12 components come back")

# %%
# The curves have the part of the first j components that two samples share. Halves of the sample
# share less than two whole samples would (dashed). Where halves share less than 0.5, nothing but
# the lower end is said. The curve of the rings has peaks where a group of components is complete.
# Single components turn among their neighbours, so that their own curve (dotted) is lower.

fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True)
j = np.arange(1, 13)
for ax, (name, each) in zip(axes, found.items(), strict=True):
    ax.fill_between(j, each.at_least, np.nan_to_num(each.at_most, nan=1.0), alpha=0.2)
    ax.plot(j, each.half, "--", color="grey", label="two halves")
    ax.plot(j, each.estimate, "o-", markersize=4, label="two samples, estimated")
    ax.plot(j, each.single, ":", color="black", label="component j by itself")
    ax.set(title=name, xlabel="number of components j", ylim=(0, 1.04))
axes[0].set_ylabel("part that comes back")
axes[2].legend(loc="lower right", fontsize=7)
fig.tight_layout()

# %%
# Does it hold? Of the digits there are enough for eight samples of 100 that share no row. Here are
# the values between pairs of them, next to the interval from the first sample alone.


def shared(a, b, k=12):
    """Return the part that two models with one kernel share, by the number of components."""
    cosines = a.transform(b.X_fit_).T  # of the rows of b on the axes of a, centred by a
    cosines = (cosines - cosines.mean(axis=1, keepdims=True)) @ b.expansion().axes
    return np.square(cosines).cumsum(0).cumsum(1).diagonal() / np.arange(1, k + 1)


first, gamma = models["100 digits"], models["100 digits"].gamma_
more = [digits[i : i + 100] for i in range(100, 800, 100)]
others = [KernelPCA(12, kernel="rbf", gamma=gamma).fit(X) for X in more]
values = np.array([shared(first, other) for other in others])
inside = values >= found["100 digits"].at_least
print(f"at least the lower end: {inside.mean():.0%} of {inside.size} values")
