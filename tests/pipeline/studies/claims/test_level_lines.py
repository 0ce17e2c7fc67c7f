"""Level lines: straight in the space of the features, curved in that of the rows."""

import numpy as np
import pytest

from kpca.pipeline.studies.claims.level_lines import affine, curvature, features, measure


def test_the_features_are_those_of_the_squared_inner_product():
    X = np.random.default_rng(0).standard_normal((10, 2))
    F = features(X)
    assert pytest.approx((X @ X.T) ** 2) == F @ F.T


def test_an_affine_function_is_found_and_has_no_curvature():
    X = np.random.default_rng(0).standard_normal((30, 2))
    plane, bowl = 2 * X[:, 0] - X[:, 1] + 3, (X**2).sum(axis=1)
    scores = np.column_stack([plane, bowl])
    weights, offsets = affine(X, scores)
    assert weights[:, 0] == pytest.approx([2, -1])
    assert offsets[0] == pytest.approx(3)
    straight, curved = curvature(X, scores)
    assert straight < 1e-24
    assert curved > 0.5


def test_all_statements_hold():
    claims, tables = measure(seed=0, replicates=2)
    assert {claim.verdict for claim in claims} == {"holds"}
    assert sorted(tables["shares"]["component"].unique()) == [1, 2, 3]
