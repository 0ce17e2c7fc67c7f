"""
Sparse principal components
===========================

Ordinary components use every variable a little. A penalty on the loadings leaves few of them, at
the price of some variance. Four methods are there; this is the alternation of Zou, Hastie and
Tibshirani.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from kpca import PCA, SparsePCA

data = load_wine()
X = StandardScaler().fit_transform(data.data)
print("penalty  variables used  share of the variance")
for penalty in (0.0, 0.1, 0.3, 0.6):
    model = SparsePCA(3, l1_penalty=penalty).fit(X)
    print(f"{penalty:7g}  {model.n_nonzero_!s:>14}  {model.adjusted_variance_ratio_.sum():.3f}")

# %%
# Scores of sparse components are correlated, and adding up their variances counts some of it
# twice; ``adjusted_variance_ratio_`` does not.

loadings = {"PCA": PCA(3).fit(X).components_, "sparse PCA": SparsePCA(3, l1_penalty=0.6).fit(X)}
loadings["sparse PCA"] = loadings["sparse PCA"].components_
fig, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True)
for ax, (title, components) in zip(axes, loadings.items(), strict=True):
    drawn = ax.imshow(components.T, cmap="RdBu_r", vmin=-0.7, vmax=0.7, aspect="auto")
    ax.set(title=title, xticks=range(3), xlabel="component", yticks=range(X.shape[1]))
axes[0].set_xticklabels("123")
axes[0].set_yticklabels(data.feature_names)
fig.colorbar(drawn, ax=axes, label="loading")
assert np.allclose(np.linalg.norm(loadings["PCA"], axis=1), 1)
