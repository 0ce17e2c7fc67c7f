"""The degree of the polynomial kernel: paired changes, and C without a leak."""

import numpy as np
import pandas as pd

from pipeline.datasets.make import make_dataset
from workflow.scripts.claims import degree

DATASETS = {
    "rings": {"generator": "rings", "n_train": 30, "n_test": 100},
    "iris": {"sklearn": "iris", "max_rows": 60},
}


def test_changes_are_paired_within_replicates():
    cells = [(r, d, s) for r in (0, 1) for d in (2, 9) for s in degree.SIDES]
    values = {"train": lambda r, d: r + d, "test": lambda r, d: r - d}
    table = pd.DataFrame(
        [("a", r, np.nan, "all", d, s, values[s](r, d)) for r, d, s in cells],
        columns=["dataset", "replicate", "overlap", "use", "degree", "split", "value"],
    )
    found = degree.changes(table).set_index("split")
    assert found.loc["train", ["mean", "low", "high"]].tolist() == [7, 7, 7]
    assert found.loc["test", "mean"] == -7


def test_a_higher_degree_fits_rings_that_no_line_separates():
    tables = degree.measure(seed=0, replicates=2, datasets=DATASETS, degrees=[1, 2, 9])
    assert tables["claims"]["claim"].value_counts().tolist() == [len(DATASETS)] * 4
    scores = tables["scores"]
    assert scores["value"].between(0, 1).all()
    trained = scores[(scores["dataset"] == "rings") & (scores["split"] == "train")]
    free = trained[trained["use"] == "all"]
    assert (free[free["degree"] == 9]["value"] == 1).all()
    assert (trained[trained["degree"] == 1]["value"] < 0.9).all()


def test_c_is_chosen_on_rows_that_the_components_were_not_fitted_to(monkeypatch):
    split = make_dataset("rings", DATASETS["rings"], seed=0, replicates=1).split(0)
    fitted = []
    embed = degree.KernelPCAScores.__call__
    monkeypatch.setattr(
        degree.KernelPCAScores,
        "__call__",
        lambda self, X, *rest: fitted.append(len(X)) or embed(self, X, *rest),
    )
    degree.tuned(split, 2)
    assert fitted == [30, 20, 20, 20]
