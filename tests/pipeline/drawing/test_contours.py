import numpy as np

from kpca import KernelPCA
from pipeline.drawing.contours import mesh, region, surfaces


def test_surfaces_are_the_scores_over_the_mesh():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model, box = KernelPCA(2, kernel="rbf", gamma=0.5).fit(X), region(X)
    x, y = mesh(box)
    heights = surfaces(model, box)
    assert heights.shape == (2, *x.shape)
    place = np.array([[x[3, 5], y[3, 5]]])
    np.testing.assert_allclose(heights[:, 3, 5], model.transform(place)[0])
