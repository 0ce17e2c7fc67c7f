"""What a second sample shows of the final model and of the view."""

from dataclasses import replace

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.inspection import reproducibility
from kpca.study.decision.decision import ReasonedDecision
from kpca.study.decision.second_sample import coming_back, components_table, plane_words
from kpca.study.fitting.grid import Point
from tests.datasets import dataset_of
from tests.decisions import decision_of

POINT = Point("rbf", {"median": 1})
DECISION = ReasonedDecision(
    point=POINT,
    **vars(
        decision_of(
            dataset="mine",
            model="kernel PCA",
            cell=POINT.id,
            parameters='{"gamma": 0.5}',
            view="",
            view_parameters="",
        )
    ),
)
X = np.random.default_rng(0).normal(size=(60, 3)) * [4, 2, 1]


def table(X, m=2, **changed):
    points = {POINT.id: POINT, "linear": Point("linear")}
    decision = replace(DECISION, n_components=m, **changed)
    return components_table(dataset_of(X, standardize=False), points, decision)


def test_the_curve_goes_beyond_few_components_and_the_view_has_two():
    components = table(X, view="linear", view_parameters="{}")
    assert components["setting"].tolist() == ["final"] * 10 + ["view"] * 2
    assert components["component"].tolist() == [*range(1, 11), 1, 2]
    assert (components["dataset"] == "mine").all()
    assert "components comes back" in plane_words(components)
    whole = table(X[:, :2], view="linear", view_parameters="{}")
    assert plane_words(whole) == ""  # two axes of two columns leave nothing out


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
def test_columns_are_what_the_model_of_all_rows_shows(groups):
    points = {POINT.id: POINT}
    decision = replace(DECISION, n_components=12)
    components = components_table(
        dataset_of(X, standardize=False, groups=groups), points, decision
    ).set_index("component")
    model = KernelPCA(12, kernel="rbf", gamma=0.5).fit(X)
    expected = reproducibility(model, groups=groups)
    np.testing.assert_allclose(components["variance_ratio"], model.explained_variance_ratio_)
    for name in ("half", "estimate", "at_least", "at_most", "single"):
        np.testing.assert_allclose(components[name], getattr(expected, name), rtol=1e-9)
    ends = ("low", "estimate", "high")
    for name, values in (("variance", expected.variances), ("explained", expected.variance_ratios)):
        columns = components[[f"{name}_{end}" for end in ends]]
        np.testing.assert_allclose(columns.T, values, rtol=1e-9)


def test_pca_has_as_many_components_as_columns():
    components = table(X, model="PCA", cell="linear", point=Point("linear"), parameters="{}")
    assert len(components) == 3
    assert coming_back(components, 2) == 2


def test_what_comes_back_is_counted_among_the_components_of_the_model():
    components = table(X).assign(at_least=[0.9, 0.8, 0.5, 0.7, *[0.1] * 6])
    assert [coming_back(components, m) for m in (1, 2, 3, 4)] == [1, 2, 2, 4]
    assert coming_back(components.assign(at_least=np.nan), 2) == 0
    assert "is not shown to come back" in plane_words(
        components.assign(at_least=0.2, at_most=np.nan)
    )
    assert "0.20 to 1 of it" in plane_words(components.assign(at_least=0.2, at_most=np.nan))


@pytest.mark.parametrize("rows", [X[:7], np.ones((20, 2))])
def test_nothing_is_said_of_too_few_rows(rows):
    components = table(rows)
    assert coming_back(components, 2) is None
    assert plane_words(components) == ""
