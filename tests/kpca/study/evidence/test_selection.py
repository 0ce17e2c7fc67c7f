"""What each method would have chosen: ties, leaks and edges."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.study.evidence.selection import best_setting, budgets, select
from tests.scores import setting, table

UNIT = ["dataset", "replicate", "kernel", "method"]
RULE_COLUMNS = ["dataset", "replicate", "kernel", "cell", "components_for_share", "rank"]


# Pairs of settings, of which the first is simpler; the last two are in the order of importance.
TIES = """
- [{n_components: 1}, {n_components: 2}]
- [{degree: 2.0, cell: b}, {degree: 3.0, cell: a}]
- [{gamma: 0.5}, {gamma: 1.0}]
- [{C: 0.1}, {C: 1.0}]
- [{n_components: 1, gamma: 9.0, C: 9.0}, {n_components: 2, gamma: 1.0, C: 1.0}]
- [{gamma: 0.5, C: 9.0}, {gamma: 1.0, C: 1.0}]
"""


def rule(*rows):
    return pd.DataFrame(rows or [("rings", 0, "rbf", "rbf-median1", 2, 9)], columns=RULE_COLUMNS)


def picked(scores, criterion="cv"):
    selected = select(scores, rule())
    rows = selected[(selected["criterion"] == criterion) & (selected["split"] == "test")]
    assert len(rows) == 1
    return rows.iloc[0]


def test_the_best_validation_score_wins_whatever_the_test_rows_say():
    scores = table(setting(0.9, test=0.1, gamma=2.0), setting(0.8, test=1.0, gamma=1.0))
    assert picked(scores)["gamma"] == 2.0
    assert picked(scores)["value"] == 0.1


@pytest.mark.parametrize(("simpler", "other"), yaml.safe_load(TIES))
def test_ties_go_to_the_simpler(simpler, other):
    """A tie is one although the last bit differs."""
    settings = [setting(0.3, **simpler), setting(0.1 + 0.2, **other)]
    for order in (settings, settings[::-1]):
        assert picked(table(*order))[[*simpler]].to_dict() == simpler


@pytest.mark.parametrize(
    ("gammas", "wanted"), [((0.01, 0.1, 1, 10, 100), 1), ((0.1, 1, 3, 10), 1), ((1, 2, 900), 2)]
)
def test_a_tie_of_gammas_goes_to_the_middle_of_their_grid(gammas, wanted):
    """Of two in the middle to the larger σ; γ of another replicate is another grid."""
    scores = table(
        *(setting(0.5, gamma=float(gamma)) for gamma in gammas),
        *(setting(0.5, gamma=gamma * 1e3, replicate=1) for gamma in gammas),
    )
    gammas_chosen = best_setting(scores, UNIT).set_index("replicate")["gamma"]
    assert gammas_chosen.to_dict() == {0: wanted, 1: wanted * 1e3}


def test_scores_of_other_methods_do_not_change_a_choice():
    settings = [setting(0.5, gamma=gamma) for gamma in (1.0, 2.0, 9.0)]
    clustered = [setting(0.5, gamma=gamma, method="kmeans", metric="ami") for gamma in (20.0, 90.0)]
    assert picked(table(*settings))["gamma"] == 2.0
    chosen = select(table(*settings, *clustered), rule()).query("criterion == 'cv'")
    assert set(chosen.loc[chosen["method"] == "linear_svm", "gamma"]) == {2.0}


def test_a_tie_of_kernels_goes_to_the_simplest():
    kernels = ("cosine", "apart", "linear", "laplacian", "poly", "rbf", "sigmoid")
    simplest = ("linear", "cosine", "rbf", "laplacian", "sigmoid", "poly", "apart")
    settings = {kernel: setting(0.5, kernel=kernel, n_components=3) for kernel in kernels}
    settings["apart"] = setting(0.5, kernel="apart", n_components=1)
    for kernel in simplest:
        scores = table(*settings.values())
        (best,) = best_setting(scores, ["dataset", "replicate", "method"])["kernel"]
        assert best == kernel
        del settings[kernel]


def test_a_setting_without_test_scores_cannot_win():
    best_but_untested = setting(0.99, n_components=7)[:1]
    assert picked(table(best_but_untested, setting(0.5)))["n_components"] == 2


def test_the_kernel_can_be_chosen_too_but_never_a_baseline_or_the_linear_one():
    scores = table(
        setting(0.7, kernel="rbf"),
        setting(0.8, kernel="poly", degree=2.0),
        *(setting(0.99, kernel=other) for other in ("pca", "raw", "mine", "linear")),
    )
    fitted = [("rings", 0, name, f"{name}-1", 2, 9) for name in ("rbf", "poly", "linear")]
    selected = select(scores, rule(*fitted))
    assert set(selected.loc[selected["criterion"] == "cv_over_kernels", "kernel"]) == {"poly"}


def test_all_models_take_the_setting_with_the_best_validation_score():
    """The rule of one standard error would cost some models more than others."""
    settings = [
        [row | {"error": 0.5} for row in setting(0.8 + C / 100, kernel=kernel, C=C)]
        for kernel in ("pca", "raw", "rbf")
        for C in (1.0, 2.0)
    ]
    selected = select(table(*settings), rule())
    chosen = selected[selected["criterion"] != "label_free"]
    assert set(chosen["criterion"]) == {"cv", "cv_over_kernels", "cv_over_raw"}
    assert set(chosen["C"]) == {2.0}


def test_without_labels_the_median_the_share_and_c_near_one_are_taken():
    median = {"cell": "rbf-median1", "gamma": 0.4}
    scores = table(
        setting(0.99, gamma=2.0, cell="rbf-median3"),
        *(setting(0.1, **median, n_components=m, C=C) for m in (1, 2, 3) for C in (0.1, 1, 10)),
    )
    chosen = picked(scores, "label_free")
    assert (chosen["cell"], chosen["n_components"], chosen["C"]) == ("rbf-median1", 2, 1.0)


def test_where_fewer_components_are_scored_than_the_share_asks_for_the_most_are_taken():
    """Neighbourhoods are only scored with fewer components than columns."""
    placed = {"cell": "rbf-median1", "method": "embedding", "metric": "trustworthiness"}
    embedded = [setting(0.1, **placed, n_components=m) for m in (1, 2)]
    scores = table(setting(0.1, cell="rbf-median1", n_components=7), *embedded)
    selected = select(scores, rule(("rings", 0, "rbf", "rbf-median1", 7, 9)))
    chosen = selected[selected["criterion"] == "label_free"].set_index("method")["n_components"]
    assert chosen.to_dict() == {"linear_svm": 7, "embedding": 2}


def test_the_other_metrics_of_a_choice_come_along():
    rows = setting(0.9)
    rows.append(rows[1] | {"metric": "accuracy", "value": 0.25})
    selected = select(table(rows), rule())
    by_cv = selected[(selected["criterion"] == "cv") & (selected["split"] == "test")]
    values = by_cv.set_index("metric")["value"].to_dict()
    assert values == {"accuracy": 0.25, "balanced_accuracy": 0.5}


def test_budgets_count_settings_and_choices_at_the_edge():
    settings = [
        setting(float(m == 3) + 0.1 * (C == 1), replicate=r, n_components=m, C=C)
        for r, m, C in product((0, 1), (1, 2, 3), (0.1, 1.0, 10.0))
    ]
    # This number comes from the variance rule, and was not tuned.
    settings.append(setting(0.5, n_components=9)[1:])
    row = budgets(table(*settings), select(table(*settings), rule())).iloc[0]
    assert row["settings"] == 9
    assert (row["n_components_at_edge"], row["C_at_edge"]) == (1, 0)
    assert np.isnan(row["gamma_at_edge"])  # one value is no grid


def test_an_edge_of_the_bandwidth_is_that_of_its_replicate():
    """Of the same three multiples of two medians the second replicate takes the middle."""
    settings = [
        setting(best == m, replicate=r, gamma=median * m, cell=f"rbf-median{m}")
        for r, median, best in ((0, 1.0, 4), (1, 2.0, 2))
        for m in (1, 2, 4)
    ]
    row = budgets(table(*settings), select(table(*settings), rule())).iloc[0]
    assert (row["settings"], row["gamma_at_edge"]) == (3, 0.5)


def test_an_edge_of_the_components_is_that_of_a_replicate_with_a_grid():
    """The first replicate has rank 3 and takes all, the second has none of three values."""
    settings = [
        setting(float(m == 3), replicate=r, n_components=m)
        for r, sizes in enumerate([(1, 2, 3), (2, 3), (1, 2, 3, 4)])
        for m in sizes
    ]
    row = budgets(table(*settings), select(table(*settings), rule())).iloc[0]
    assert row["n_components_at_edge"] == 0.5
