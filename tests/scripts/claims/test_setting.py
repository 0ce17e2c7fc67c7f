import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.make import make_dataset
from pipeline.tables.statistics import interval
from workflow.scripts.claims import setting

RINGS = {"generator": "rings", "n_train": 30, "n_test": 20}


def test_accuracy_is_one_on_separable_scores_and_blind_to_their_units():
    y = np.arange(40) % 2
    Z = np.column_stack([y - 0.5, np.linspace(0, 0.1, 40)])
    assert setting.balanced_accuracy(Z, Z, (y, y)) == 1
    assert setting.balanced_accuracy(1e-4 * Z, 1e-4 * Z, (y, y)) == 1
    assert setting.balanced_accuracy(Z, -Z, (y, y)) == 0


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("kernel", setting.KERNELS)
def test_kernel_values_are_those_of_the_model(kernel):
    X = np.random.default_rng(0).standard_normal((20, 3))
    model = setting.fitted(kernel, X, 2)
    K = setting.kernel_of(model)
    H = np.eye(20) - 1 / 20
    residual = H @ K @ H @ model.eigenvectors_ - model.eigenvectors_ * model.eigenvalues_
    assert np.abs(residual).max() < 1e-10 * model.eigenvalues_[0]
    assert setting.kernel_of(model, X[:3]) == pytest.approx(K[:3])


def test_bounds_are_the_intervals_of_their_kind_of_replicate():
    drawn = pd.DataFrame({"dataset": "a", "overlap": None, "value": [0.0, 1.0, 2.0]})
    both = pd.concat([drawn, drawn.assign(dataset="b", overlap=0.5)])
    for row, overlap in zip(
        setting.bounds(both, ["dataset"], "value").itertuples(), (None, 0.5), strict=True
    ):
        mean = interval([0.0, 1.0, 2.0], test_over_train=overlap)
        assert (row.low, row.high, row.error) == (mean.low, mean.high, mean.error)


def test_units_are_every_dataset_kernel_and_replicate_in_order():
    wine = {"sklearn": "wine"}
    found = list(setting.units({"rings": RINGS, "wine": wine}, "ab", seed=0, replicates=2))
    table = pd.DataFrame([unit for unit, _ in found])
    assert table.columns.tolist() == ["dataset", "kernel", "replicate", "overlap"]
    expected = [(d, k, r) for d in ("rings", "wine") for k in "ab" for r in (0, 1)]
    assert list(table.iloc[:, :3].itertuples(index=False, name=None)) == expected
    overlaps = table.groupby("dataset")["overlap"]
    assert overlaps.nunique().to_dict() == {"rings": 0, "wine": 1}  # only re-drawn splits overlap
    assert overlaps.max()["wine"] == pytest.approx(0.3 / 0.7, rel=0.03)
    second = make_dataset("wine", wine, seed=0, replicates=2).split(1)
    assert [i for i, (_, split) in enumerate(found) if split.digest == second.digest] == [5, 7]
