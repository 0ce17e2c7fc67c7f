"""Every figure of the linear family is drawn, twice the same, from the tables of its rule."""

import pandas as pd

from workflow.scripts.linear import figure_sparse_features

FEATURES = pd.DataFrame(
    {
        "dataset": "wine",
        "replicate": [0, 0, 1, 1],
        "strength": [0, 0.5, 0, 0.5],
        "nonzeros": [13, 4, 13, 5],
        "value": [0.9, 0.8, 0.95, 0.9],
        "overlap": 0.4,
    }
)


def test_gains_are_paired_by_replicate():
    assert figure_sparse_features.gains(FEATURES)["value"].round(10).tolist() == [-10, -5]
