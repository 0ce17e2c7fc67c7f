from unittest import mock

import numpy as np
import pandas as pd
import pytest

from kpca.study.datasets.dataset import Dataset
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix
from tests.scripts.drawing import assert_drawn_well
from tests.scripts.test_studies import STUDIES, measured
from workflow.scripts.large_n import figure_landmarks
from workflow.scripts.large_n import landmarks as study
from workflow.scripts.large_n.figure_landmarks import METHODS

X = np.random.default_rng(0).normal(size=(150, 3))


def test_tables_are_complete_and_errors_fall():
    tables = measured("large_n")
    errors, sampling, enough = tables.values()
    assert len(errors) == 2 * 2 * 2 * len(METHODS)
    assert len(sampling) == 2 * 3
    assert len(enough) == 2 * 2 * len(METHODS)
    medians = errors.groupby(["data", "method", "m"])[["eigenvalues", "subspace"]].median()
    few, many = (medians.xs(m, level="m") for m in (10, 60))
    assert (many < few).all(axis=None)
    for name, again in STUDIES["large_n"]().items():
        pd.testing.assert_frame_equal(tables[name], again)


def test_errors_are_those_of_the_textbook():
    exact = study.exact_fit(X, 3)
    naive = NaiveKernelPCA(kernel_matrix(X, X, "rbf", gamma=exact.gamma))
    turned = exact.eigenvectors_ + 0.05 * np.random.default_rng(1).normal(size=(150, 3))
    turned -= turned.mean(axis=0)
    basis = np.linalg.qr(turned)[0]
    cosines = np.linalg.svd(naive.eigenvectors[:, :3].T @ basis, compute_uv=False)
    errors = study.errors_of(exact, exact.eigenvalues_ * [1.1, 0.9, 1.0], turned)
    np.testing.assert_allclose(errors, [0.1, np.sqrt(np.mean(1 - cosines**2))])


def test_enough_is_the_first_size_from_which_errors_stay_small():
    at_sizes = {"m": [10, 20, 40, 80], "eigenvalues": [0.5, 0.01, 0.2, 0.01], "subspace": 0.5}
    errors = pd.DataFrame({"data": "points", "method": "kmeans"} | at_sizes)
    sampling = pd.DataFrame({"data": "points", "eigenvalues": [0.9, 1.1], "subspace": [0.9, 1.1]})
    enough = study.enough_landmarks(errors, sampling).set_index("measure")
    assert enough.loc["eigenvalues", "m"] == 80
    assert enough.loc["subspace", "m"] is pd.NA
    np.testing.assert_allclose(enough["sampling"], 1.0)


@pytest.mark.parametrize("rows", [12, 60])
def test_rows_of_a_file_are_measured_and_drawn(rows, tmp_path):
    split = np.arange(rows), np.arange(rows)
    dataset = Dataset(name="mine", X=np.repeat(X[: rows // 2], 2, axis=0), splits=(split,))
    dataset.save(tmp_path / "mine.npz")
    with mock.patch.dict(vars(study), REPLICATES=1, BOOTSTRAPS=2):
        tables = study.landmarks(seed=0, datasets=[str(tmp_path / "mine.npz")])
    assert set(tables["errors"]["m"]) == {m for m in (25, 50) if m < rows}
    assert tables["errors"].notna().all(axis=None)
    drawn = {name: tables[name] for name in ("errors", "sampling")}
    assert_drawn_well(figure_landmarks.draw, tmp_path, **drawn)
