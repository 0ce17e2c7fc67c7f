"""
Novelty, and the variable that causes it
========================================

A point is novel if the components of ordinary points do not explain it. The threshold comes from
held-out points, so that the rate of false alarms is the one that you choose.
"""

import numpy as np
from matplotlib import pyplot as plt

from kpca import KernelPCANovelty
from kpca.novelty import contributions

rng = np.random.default_rng(0)


def ring(n):
    """Draw n ordinary points: a ring in the first two of four variables."""
    angle = rng.uniform(0, 2 * np.pi, n)
    plane = np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(scale=0.07, size=(n, 2))
    return np.hstack([plane, rng.normal(scale=0.1, size=(n, 2))])


X = ring(300)
detector = KernelPCANovelty(false_alarm=0.05).set_params(estimator__preimage="fixed_point")
detector.fit(X)
print("false alarms among new points:", np.mean(detector.predict(ring(2000)) == -1).round(3))

# %%
# The figure shades the novel region in the plane of the ring. The middle of the ring is novel, too.
# An ellipse around the mean could not show this, because it contains the middle.

side = np.linspace(-1.8, 1.8, 70)
plane = np.column_stack([axis.ravel() for axis in np.meshgrid(side, side)])
heights = detector.decision_function(np.hstack([plane, np.zeros_like(plane)])).reshape(70, 70)
fig, ax = plt.subplots(figsize=(4.4, 4))
ax.contourf(side, side, heights < 0, levels=[0.5, 1], colors=["#f3d9c9"])
ax.contour(side, side, heights, levels=[0], colors=["C3"])
ax.plot(*X[:, :2].T, "k.", markersize=3)
ax.set(title="novel: the shaded region", xlabel="variable 0", ylabel="variable 1")
ax.set_aspect("equal")

# %%
# To see why a point is novel, write its reconstruction error as a sum over variables. Here the
# third variable causes it.

odd = np.array([[1.0, 0.0, 0.8, 0.0]])
print("novel:", detector.predict(odd)[0] == -1)
print("contribution of each variable:", contributions(detector.estimator_, odd)[0].round(3))
