"""What the explorer knows, and what it may not become by the words of data."""

import base64
import gzip
import json
import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from kpca.study.datasets.dataset import Dataset
from kpca.study.seeds import sample
from tests.workflow.page.conftest import GRID, HOSTILE, datasets, write_fits
from workflow.drawing.display_choice import Swept
from workflow.scripts.page.write_explorer import (
    LEAST,
    MOST_TEST,
    MOST_TRAIN,
    SIDE,
    _telling_features,
    explored,
    explorer,
    validated,
)


@pytest.fixture(scope="module")
def text(taken):
    return explorer(**taken)


@pytest.fixture(scope="module")
def explored_datasets(text):
    """Dataset: what the page has of it."""
    script = re.search(r'id="given">(.*?)</script>', text)
    unpacked = gzip.decompress(base64.b64decode(script[1]))
    whole = json.loads(unpacked, parse_constant=pytest.fail)  # no NaN
    return whole["datasets"]


@pytest.fixture(scope="module")
def plane(explored_datasets):
    return explored_datasets["plane"]


def test_words_of_data_are_words_and_nothing_else(text, plane):
    assert len(text) < 100_000
    assert "<script>window.broken" not in text
    assert "<img src=x" not in text
    assert plane["ids"][0] == plane["features"][0] == HOSTILE


def test_rows_and_fits_that_are_there_are_shown(explored_datasets, plane):
    assert list(explored_datasets) == ["plane", "pictures"]
    labels = [family["label"] for family in plane["families"]]
    assert labels == ["linear", "Gaussian"]  # poly is in the grid, but was not fitted
    cells = plane["families"][1]["cells"]
    for cell, multiple in zip(cells, ("0.3", "1", "3"), strict=True):
        assert re.fullmatch(rf"γ = [\d.]+ \({multiple} × median heuristic\)", cell["label"])


@pytest.mark.parametrize(
    ("cell", "chosen", "first"),
    [("rbf-median3", {"family": 1, "size": 1}, 2), ("unknown", None, 1)],
)
def test_the_view_starts_at_the_setting_of_the_final_model(taken, cell, chosen, first):
    """Else at the median heuristic."""
    decision = {"cell": cell, "n_components": 2}
    view = explored(taken["sweep"][0], validated(taken["scores"]), decision)
    assert (view["chosen"], view["families"][1]["first"]) == (chosen, first)


@pytest.mark.parametrize(("family", "kernel"), enumerate(["linear", "rbf"]))
def test_embeddings_are_those_of_the_model(taken, plane, family, kernel):
    before = 0.0
    split = datasets()[0].split(0)
    for point, cell in zip(GRID[kernel], plane["families"][family]["cells"], strict=True):
        model = taken["sweep"][0].model(point)
        expected = model.transform(np.vstack([split.X_train, split.X_test]))
        k = expected.shape[1]
        Z = np.array(cell["Z"])[:k]

        assert np.abs(Z) == pytest.approx(np.abs(expected.T), rel=6e-3)
        assert not np.any(cell["Z"][k:])  # components that are lacking
        assert ((Z * before).sum(axis=1) >= 0).all()
        before = Z
        assert cell["shares"] == pytest.approx(model.explained_variance_ratio_, rel=1e-3)
        assert np.shape(cell["surface"]) == (k, SIDE**2)


def test_shades_are_the_component_there(taken, plane):
    """The mesh is of features as they were read, while the model takes standardised ones."""
    rows = datasets()[0]
    cell = plane["families"][1]["cells"][0]
    west, east, bottom, top = plane["box"]
    x, y = np.meshgrid(np.linspace(west, east, SIDE), np.linspace(bottom, top, SIDE))
    X = rows.X[rows.splits[0][0]]
    prepared = (np.column_stack([x.ravel(), y.ravel()]) - X.mean(axis=0)) / X.std(axis=0)
    heights = taken["sweep"][0].model(GRID["rbf"][0]).transform(prepared)
    ends = np.abs(cell["Z"]).max(axis=1)[: heights.shape[1]]

    surface = np.cumsum(cell["surface"], axis=1)
    assert np.abs(surface / LEAST) == pytest.approx(
        np.abs(np.clip(heights / ends, -1, 1)).T, abs=0.01
    )


@pytest.mark.parametrize("name", ["plane", "pictures"])
def test_scores_are_those_that_validation_chooses(explored_datasets, name):
    cells = [cell for family in explored_datasets[name]["families"] for cell in family["cells"]]
    assert [cell["scores"]["2"] for cell in cells] == [
        pytest.approx([0.52 + position / 10, 0.4 + position / 10]) for position in range(4)
    ]
    assert explored_datasets[name]["sizes"] == [1, 2]
    assert explored_datasets[name]["pca"] == {"1": [0.55, 0.55]}


def test_an_image_is_dark_where_its_row_is_large(explored_datasets, plane):
    X = datasets()[1].X
    images = explored_datasets["pictures"]["images"]
    with Image.open(BytesIO(base64.b64decode(images[26].partition(",")[2]))) as image:
        assert image.size == (4, 3)
        assert np.corrcoef(np.array(image).ravel(), X[26])[0, 1] < -0.999
    assert plane["images"] is None


def test_a_large_dataset_is_shown_by_some_rows(taken, tmp_path):
    n = 2 * MOST_TRAIN
    drawn = sample(n, MOST_TRAIN)
    X = np.random.default_rng(1).normal(size=(2 * n, 3))
    X[drawn[0], 1] = np.nan
    splits = ((np.arange(n), np.arange(n, 2 * n)),)
    dataset = Dataset(name="plane", X=X, fill_missing=True, feature_names=(*"abc",), splits=splits)
    point = GRID["linear"][0]
    path = write_fits(tmp_path / "large", dataset, [point], 2)
    decision = {"cell": "linear", "n_components": 1}
    swept = Swept(dataset, path, {"linear": {"linear": point}})
    view = explored(swept, validated(taken["scores"]), decision)

    assert view["numbers"][:MOST_TRAIN] == (drawn + 1).tolist()
    assert len(view["numbers"]) == len(view["columns"][0]) == MOST_TRAIN + MOST_TEST
    assert view["box"] is None
    assert view["columns"][1][0] is None


def test_the_features_that_are_shown_first_predict_the_answer():
    """As of the Swiss roll, whose second column is noise; missing values do no harm."""
    t, noise = np.random.default_rng(0).uniform(4, 14, size=(2, 300))
    X = np.column_stack([t * np.cos(t), noise, t * np.sin(t)])
    X[0, 1] = np.nan
    for answers in (t, np.where(t > 9, "a", "b")):
        assert _telling_features(X, answers) == [0, 2]
    assert _telling_features(X[:, :1], t) == [0]
