import numpy as np
import pytest

from kpca.pipeline.studies.claims import whitening


def test_variances_of_a_matrix_with_known_eigenvalues():
    Q = np.linalg.qr(np.column_stack([np.ones(6), np.random.default_rng(0).random((6, 2))]))[0]
    vectors, values = Q[:, 1:], np.array([8.0, 2.0])
    table = whitening.variances((vectors * values) @ vectors.T, vectors, values)
    assert table["unit_axes"].to_numpy() == pytest.approx(values / 6)
    assert table["eigenvalue"].to_numpy() == pytest.approx(values / 6)
    assert table["whitened"].to_numpy() == pytest.approx([1, 1])


def test_only_whitening_makes_variances_equal():
    claims, _ = whitening.measure(seed=0)
    assert [claim.verdict for claim in claims] == ["fails", "holds"]
