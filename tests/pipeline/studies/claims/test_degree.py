"""The degree of the polynomial kernel: paired changes, and one number for several datasets."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

from kpca.pipeline.studies.claims import degree
from kpca.pipeline.studies.claims.ranks import rank_sums, signed_rank_interval

DRAWN = {"n_train": 30, "n_test": 100}
DATASETS = {
    "rings": {"generator": "rings", **DRAWN},
    "moons": {"generator": "moons", **DRAWN, "noise": 0.3},
    "spirals": {"generator": "spirals", **DRAWN},
    "clusters": {"generator": "clusters", **DRAWN},
    "linear": {"generator": "linear", **DRAWN},
    "iris": {"sklearn": "iris", "max_rows": 60},
}


@pytest.mark.parametrize("n", [6, 7, 10])
def test_the_interval_holds_what_the_signed_rank_test_does_not_reject(n):
    x = np.random.default_rng(n).standard_normal(n) + 0.3
    centre, low, high = signed_rank_interval(x)
    assert low < centre < high
    step = 1e-9
    for bound, outside in ((low, -step), (high, step)):
        assert wilcoxon(x - (bound + outside), mode="exact").pvalue <= 0.05
        assert wilcoxon(x - (bound - outside), mode="exact").pvalue > 0.05


def test_rank_sums_count_every_choice_of_signs():
    counts = rank_sums(5)
    assert counts.sum() == 2**5
    sums = [sum(r for r in range(1, 6) if signs >> r & 1) for signs in range(0, 64, 2)]
    assert counts.tolist() == np.bincount(sums).tolist()


def test_few_datasets_allow_no_claim_across_them():
    with pytest.raises(ValueError, match="5 datasets allow no claim"):
        signed_rank_interval([1.0] * 5)


def test_changes_are_paired_within_replicates():
    cells = [(r, d, s) for r in (0, 1) for d in (2, 9) for s in degree.SIDES]
    values = {"train": lambda r, d: r + d, "test": lambda r, d: r - d}
    table = pd.DataFrame(
        [("a", r, np.nan, "all", d, s, values[s](r, d)) for r, d, s in cells],
        columns=["dataset", "replicate", "overlap", "use", "degree", "split", "value"],
    )
    found = degree.changes(table, 2, 9).set_index("split")
    assert found.loc["train", ["mean", "low", "high"]].tolist() == [7, 7, 7]
    assert found.loc["test", "mean"] == -7
    assert found.loc["gap", "mean"] == 14


def test_statements_for_all_datasets_and_for_each():
    claims, tables = degree.measure(
        seed=0, replicates=2, datasets=DATASETS, degrees=[1, 6], low=1, high=6
    )
    names = {claim.claim for claim in claims}
    assert len(names) == len(claims) == 6 + 2 * len(DATASETS)
    scores = tables["scores"]
    assert scores["value"].between(0, 1).all()
    trained = scores[(scores["dataset"] == "rings") & (scores["split"] == "train")]
    curved = trained[trained["degree"] == 6]["value"]
    assert (curved == 1).all()
    assert (trained[trained["degree"] == 1]["value"] < 0.9).all()
