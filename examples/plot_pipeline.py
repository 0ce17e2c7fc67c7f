"""
A pipeline, a grid search, a model file
=======================================

`KernelPCA` has the arguments and methods of scikit-learn's class, so it works as a step of a
pipeline. A grid search therefore finds its parameters like those of any other step.
"""

import tempfile
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import kpca
from kpca import KernelPCA

X, y = make_moons(400, noise=0.25, random_state=0)
X, X_new, y, y_new = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)

pipe = make_pipeline(StandardScaler(), KernelPCA(kernel="rbf"), LinearSVC())
grid = {"kernelpca__gamma": [0.03, 0.1, 0.3, 1, 3, 10], "kernelpca__n_components": [2, 5, 12]}
search = GridSearchCV(pipe, grid, cv=5).fit(X, y)
print("chosen in the training set:", search.best_params_)
print(f"right on test rows: {search.score(X_new, y_new):.3f}")

gammas, sizes = grid["kernelpca__gamma"], grid["kernelpca__n_components"]
means = search.cv_results_["mean_test_score"].reshape(len(gammas), len(sizes))
fig, ax = plt.subplots(figsize=(5, 2.6))
drawn = ax.imshow(means.T, aspect="auto")
ax.set(xticks=range(len(gammas)), xticklabels=gammas, yticks=range(len(sizes)), yticklabels=sizes)
ax.set(xlabel="γ", ylabel="components")
_ = fig.colorbar(drawn, label="right in cross-validation")

# %%
# The steps up to the scores go into one file. It is written without pickle, so that loading it
# executes nothing. The scores of new rows are the same, bit for bit.

steps = search.best_estimator_[:-1]
with tempfile.TemporaryDirectory() as folder:
    kpca.save(steps, Path(folder) / "model.npz")
    again = kpca.load(Path(folder) / "model.npz")
print("the same scores:", np.array_equal(again.transform(X_new), steps.transform(X_new)))
