"""Records of kernels, and from the axes of a family to its points, estimators, fits and seeds."""

import json
from dataclasses import fields
from itertools import chain

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from kpca.kernels.registry import KERNELS, PARAMETERS, KernelParameters
from kpca.reading.errors import InputError
from kpca.study.datasets.make import make_dataset
from kpca.study.decision.sentence import embedding_words
from kpca.study.evidence.selection import simplicity
from kpca.study.fitting.fitted_models import (
    arguments,
    estimator,
    fit_arrays,
    import_object,
    resolve_gamma,
    stored_model,
)
from kpca.study.fitting.grid import AXES, BANDWIDTHS, Point, points
from kpca.study.fitting.kernels import FAMILIES, README, documented
from kpca.study.seeds import sample, seed_for
from tests.kpca.study.decision.test_answer import reasoned
from tests.workflow.configuration.test_config import changed
from workflow.configuration.config import check_config
from workflow.configuration.explain import schema
from workflow.drawing.style import kernel_style

SCHEMA = schema()["$defs"]["grid"]["properties"]
POINTS = {name: points(name, {axis: [2] for axis in FAMILIES[name].axes}) for name in FAMILIES}


def test_each_axis_of_the_configuration_gives_a_parameter_of_kernels():
    assert {*SCHEMA} == {*AXES}
    assert {axis.parameter for axis in AXES.values()} == {*PARAMETERS}
    assert {*PARAMETERS} == {field.name for field in fields(KernelParameters)}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_axes_are_the_parameters_that_the_kernel_reads(name):
    axes = FAMILIES[name].axes
    read = {"gamma" if axis in BANDWIDTHS else axis for axis in axes}
    assert (read, len(read)) == ({*KERNELS[name].uses}, FAMILIES[name].n_parameters)
    assert "gamma" not in read or "gamma" in axes
    assert ("median" in axes) == (KERNELS[name].median_power is not None)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_configuration_takes_its_axes_and_no_others(name):
    axes = FAMILIES[name].axes
    check_config(changed(f"kernels.{name}", {axis: [2] for axis in axes}), [])
    for axis in {*SCHEMA} - {*axes}:
        with pytest.raises(InputError, match=f"kernels.{name}.{axis}: unknown key"):
            check_config(changed(f"kernels.{name}", {axis: [2]}), [])
    with pytest.raises(InputError, match=f"methods.{name}: the name is taken"):
        check_config(changed("methods", {name: "sklearn:PCA"}), [])


@pytest.mark.parametrize("name", FAMILIES)
def test_the_sentence_has_its_words_and_parameters(name):
    article = "an" if name == "anova" else "a"
    for point in POINTS[name]:
        values = arguments(point, np.eye(3))
        assert values.keys() == {*KERNELS[name].uses}
        decision = reasoned({"kernel": name, "parameters": json.dumps(values)})
        expected = f"kernel PCA with {article} {FAMILIES[name].words}"
        assert embedding_words(decision).startswith(expected)


def test_no_two_kernels_look_or_read_alike():
    assert FAMILIES.keys() == KERNELS.keys()
    looks = [kernel_style(name) for name in [*FAMILIES, "raw", "pca", "mine"]]
    assert len({(look["color"], look["marker"]) for look in looks}) == len(looks)
    assert len({look["label"] for look in looks}) == len(looks)
    assert sorted(FAMILIES, key=simplicity)[0] == "linear"
    assert len({simplicity(name) for name in [*FAMILIES, "mine"]}) == len(FAMILIES) + 1


def test_the_table_of_the_documents_is_that_of_the_records():
    assert documented() == README.read_text(), "run python -m kpca.study.fitting.kernels"


def test_arguments_of_ones_own_kernel_are_not_taken_for_bandwidths():
    grid = points("own", {"callable": "mine:f", "parameters": {"width": [1, 2], "gamma": [3]}})
    assert [point.parameters for point in grid] == [{"gamma": 3, "width": w} for w in (1, 2)]
    assert {point.callable for point in grid} == {"mine:f"}


X = np.random.default_rng(0).normal(size=(40, 3)) * [1, 2, 5]


@pytest.mark.parametrize(
    ("kernel", "parameters", "expected"),
    [
        ("rbf", {"gamma": 0.7}, 0.7),
        ("rbf", {"sigma": 2}, 1 / 8),
        ("rbf", {"median": 3}, 3 / np.median(pdist(X, "sqeuclidean"))),
        ("laplacian", {"median": 3}, 3 / np.median(pdist(X, "cityblock"))),
        ("poly", {"scale": 2, "degree": 3}, 2 / (3 * X.var())),  # scikit-learn's, times 2
        ("poly", {"degree": 3}, None),  # left to the estimator
        ("linear", {}, None),
    ],
)
def test_a_bandwidth_is_given_in_four_ways(kernel, parameters, expected):
    assert resolve_gamma(Point(kernel, dict(parameters)), X) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("kernel", "axis"),
    [("cauchy", "shape"), ("cauchy", "degree"), ("rbf", "coef0"), ("linear", "sigma")],
)
def test_an_axis_that_the_kernel_does_not_read_is_refused(kernel, axis):
    point = Point(kernel, {axis: 2})
    with pytest.raises(ValueError, match=f"{axis} of the grid of {kernel}: the kernel reads"):
        fit_arrays(point, X, n_components=2, variance_share=0)


@pytest.mark.parametrize("path", ["no_such_module:f", "math:no_such_function", "no_python:f"])
def test_bad_imports_are_named(path, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "no_python.py").write_text("def f(:\n")
    with pytest.raises(InputError, match=f"`{path}` of the configuration.*\n.*check the spelling"):
        import_object(path)


GRID = points("rbf", {"median": [0.3, 3]})


def overlap(x, y, width):
    return float(np.exp(-np.abs(x - y).max() / width))


OWN = Point("own", {"width": 2.0}, f"{__name__}:overlap")


@pytest.fixture(scope="module")
def dataset():
    spec = {"generator": "rings", "n_train": 30, "n_test": 20, "noise": 0.1}
    return make_dataset("rings", spec, seed=3, replicates=2)


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("point", [*GRID, *chain.from_iterable(POINTS.values()), OWN])
def test_a_stored_model_is_the_fitted_one(dataset, point):
    split = dataset.split(1)
    entry = fit_arrays(point, split.X_train, n_components=2, variance_share=0)
    assert "X_fit_" not in entry  # it stands in the dataset already
    model = stored_model(entry, split.X_train)
    gamma = resolve_gamma(point, split.X_train)
    fitted = estimator(point, gamma, n_components=2).fit(split.X_train)
    np.testing.assert_array_equal(model.transform(split.X_test), fitted.transform(split.X_test))


def test_a_fit_is_as_wide_as_the_evaluation_and_the_share_need(dataset):
    X = dataset.split(0).X_train
    fits = (
        fit_arrays(Point("rbf", {"median": 30}), X, n_components=5, variance_share=share)
        for share in (0.1, 0.9)
    )
    few, many = (fit["explained_variance_ratio_"] for fit in fits)
    assert len(few) == 5 < len(many)
    assert many[:-1].sum() < 0.9 <= many.sum()


def test_different_axes_have_different_seeds_which_never_change():
    """Stored results would silently belong to other data."""
    assert seed_for(0, "rings", 0, "n_train") == 1742325877
    axes = [("a", "b"), ("b", "a"), ("a,b",), (1,), ("1",), (), ("",)]
    assert len({seed_for(seed, *names) for names in axes for seed in (0, 1)}) == 2 * len(axes)


def test_a_sample_is_ascending_without_repetition_and_always_the_same():
    rows = sample(100, 30)
    assert len(rows) == 30
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, sample(100, 30))
    np.testing.assert_array_equal(sample(5, 30), np.arange(5))
