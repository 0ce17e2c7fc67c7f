"""
γ and the number of components without labels
=============================================

Without labels there is no accuracy to compare settings by. Instead, add noise to held-out rows,
project them, and map them back. Then take the γ and the number of components m that restore the
rows best. :doc:`/choice` describes the other criteria, and what each costs.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.svm import LinearSVC

from kpca import KernelPCA, median_gamma
from kpca.choice import choose_by_denoising

X, y = make_moons(400, noise=0.1, random_state=0)
X, X_new, y, y_new = train_test_split(X, y, train_size=200, random_state=0)
multiples, sizes = [0.1, 0.3, 1, 3, 10, 30], [1, 2, 5, 12, 24]
median = median_gamma(X)
found = choose_by_denoising(X, [m * median for m in multiples], sizes)
print(f"chosen: {found.gamma / median:g} times the median γ, {found.n_components} components")
print("at the edge of the grid:", found.at_edge or "no")

# %%
# The figure shows the errors that decided. Only now do labels come in, so that we see what the
# choice is worth.

fig, ax = plt.subplots(figsize=(5.5, 3.2))
for m, errors in zip(sizes, found.errors.T, strict=True):
    ax.plot(multiples, errors, "o-", label=f"{m} components")
ax.set(xscale="log", xlabel="γ in multiples of the median heuristic", ylabel="error of denoising")
_ = ax.legend(frameon=False)

model = KernelPCA(found.n_components, kernel="rbf", gamma=found.gamma).fit(X)
right = LinearSVC().fit(model.transform(X), y).score(model.transform(X_new), y_new)
print(f"right on new points, by a linear classifier of these scores: {right:.3f}")

# %%
# .. note::
#    The error of *reconstruction in feature space* cannot choose γ. As γ goes to 0, all points meet
#    in one point of the feature space, so the error of any model falls to zero.
