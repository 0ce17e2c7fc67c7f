"""The plain script gives the scores of the sweep, and its comparison sees where it does not."""

import numpy as np
import pandas as pd
import pytest
import yaml

from benchmarks import plain_sweep
from benchmarks.whole_sweep import agreement
from kpca.study.cache import Cache
from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.fitted_models import components_for, fit_arrays
from kpca.study.fitting.grid import points
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.scores import scores_table
from tests.kpca.study.sweep import sweep
from tests.workflow.pipeline import small_config, write_config

GRID = """
datasets:
  rings: {generator: rings, n_train: 40, n_test: 50, noise: 0.1}
  swiss_roll: {generator: swiss_roll, n_train: 40, n_test: 30, noise: 0.3}
kernels:
  poly: {degree: [2], coef0: [1]}
  sigmoid: {scale: [0.1], coef0: [0]}
  rbf: {median: [3]}
  laplacian: {median: [1]}
"""
CONFIG = small_config(**yaml.safe_load(GRID))
CONFIG["evaluation"] |= {"n_components": [1, 4], "C": [1, 10], "kmeans_starts": 4}


@pytest.mark.filterwarnings("ignore")
def test_the_plain_script_gives_the_same_scores(tmp_path):
    write_config(tmp_path / "config.yaml", CONFIG)
    stores = []
    cache = Cache(tmp_path / "cache")
    for name, spec in CONFIG["datasets"].items():
        dataset = make_dataset(name, spec, seed=CONFIG["seed"], replicates=1)
        dataset.save(tmp_path / f"datasets/{name}.npz")
        stores += sweep(tmp_path / name, CONFIG, dataset, cache)
    files = ("config.yaml", "", "plain.csv")
    plain_sweep.main(*(str(tmp_path / name) for name in files), "1")
    methods = agreement(scores_table(stores), pd.read_csv(tmp_path / "plain.csv"))
    assert set(methods["method"]) == METHODS.keys() - {"linear_svm_whitened"}
    # A row on the boundary of two classes may fall on either side.
    assert np.average(methods["equal"], weights=methods["scores"]) > 0.99
    assert methods["largest_difference"].max() < 0.05


# Of 210 training rows 8 components would come from an iterative solver; 4 fall short of the share.
@pytest.mark.parametrize("largest", [8, 4])
@pytest.mark.filterwarnings("ignore:The centred kernel matrix is indefinite")
def test_indefinite_kernels_keep_as_many_components(largest, tmp_path):
    dataset = make_dataset("digits", {"sklearn": "digits", "max_rows": 300}, seed=1, replicates=1)
    dataset.save(tmp_path / "digits.npz")
    [point] = points("sigmoid", {"scale": [1], "coef0": [0]})
    settings = {**CONFIG["evaluation"], "n_components": [largest], "C": [1]}
    rows = plain_sweep.cell_rows(tmp_path / "digits.npz", 0, point, settings, 1)
    fit = fit_arrays(point, dataset.split(0).X_train, n_components=largest, variance_share=0.9)
    share = components_for(0.9, fit["explained_variance_ratio_"])
    assert {row[3] for row in rows} == {largest, share}
    assert share != largest


def test_scores_that_one_side_lacks_are_refused_and_named():
    keys = dict.fromkeys(plain_sweep.KEYS, 1)
    table = pd.DataFrame([keys | {"dataset": "digits", "cell": "rbf-median1", "value": 0.5}])
    other = table.assign(n_components=7)
    with pytest.raises(ValueError, match=r"1 scores .*'digits'.*'left_only'"):
        agreement(table, table.iloc[:0])
    with pytest.raises(ValueError, match=r"2 scores"):
        agreement(table, other)
    assert agreement(table, table.assign(value=0.6))["equal"].tolist() == [0.0]
