"""
Sparse principal components
===========================

Ordinary components use every variable a little, so they are hard to interpret. A penalty on the
loadings leaves only few variables per component, but it costs some variance. `SparsePCA` has four
methods. This example uses the default, the alternation of Zou, Hastie and Tibshirani (2006).
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from kpca import PCA, SparsePCA

data = load_wine()
X = StandardScaler().fit_transform(data.data)
print("penalty  variables used  explained variance")
for penalty in (0.0, 0.1, 0.3, 0.6):
    model = SparsePCA(3, l1_penalty=penalty).fit(X)
    print(f"{penalty:7g}  {model.n_nonzero_!s:>14}  {model.adjusted_variance_ratio_.sum():.3f}")

# %%
# Scores of sparse components are correlated, so the sum of their variances counts some variance
# twice. For this reason, use ``adjusted_variance_ratio_`` instead, which counts it once.

fitted = {"PCA": PCA(3).fit(X), "sparse PCA": SparsePCA(3, l1_penalty=0.6).fit(X)}
fig, axes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True)
for ax, (title, model) in zip(axes, fitted.items(), strict=True):
    drawn = ax.imshow(model.components_.T, cmap="RdBu_r", vmin=-0.7, vmax=0.7, aspect="auto")
    ax.set(title=title, xticks=range(3), xticklabels="123", xlabel="component")
axes[0].set_yticks(range(X.shape[1]), data.feature_names)
_ = fig.colorbar(drawn, ax=axes, label="loading")
