"""Measures of embeddings against scikit-learn, and on embeddings whose worth is known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.manifold import trustworthiness

from kpca.study.datasets.make import make_dataset
from kpca.study.evidence.faithfulness import faithfulness
from tests.columns import differences
from tests.scripts.drawing import assert_drawn_well
from workflow.scripts.embeddings import embeddings as module
from workflow.scripts.embeddings.figure_embeddings import draw

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4))
FEW = {"extent": {"rows": 50, "replicates": 2, "seeds": 1, "bootstraps": 1}, "seed": 0}


def test_measures_of_the_rows_themselves_are_those_of_scikit_learn():
    Z = X[:, :2] + 0.3 * RNG.standard_normal((60, 2))
    measures = faithfulness(X, Z)
    assert measures.trustworthiness == pytest.approx(trustworthiness(X, Z, n_neighbors=10))
    assert measures.continuity == pytest.approx(trustworthiness(Z, X, n_neighbors=10))


def test_a_rotation_keeps_everything_and_noise_nothing():
    rotation = np.linalg.qr(RNG.standard_normal((4, 4)))[0]
    turned = faithfulness(X[:20], X[:20] @ rotation, (X[20:], X[20:] @ rotation))
    assert turned == pytest.approx((1, 1, 1))
    noise = RNG.standard_normal((60, 2))
    lost = faithfulness(X[:20], noise[:20], (X[20:], noise[20:]))
    assert np.abs(np.array(lost) - (0.5, 0.5, 0)).max() < 0.25


def test_only_methods_with_transform_place_held_out_rows(tmp_path):
    """Both tables are documented, and the figure is drawn."""
    make_dataset("iris", {"sklearn": "iris"}, seed=0, replicates=2).save(tmp_path / "iris.npz")
    paths = [str(tmp_path / name) for name in ("measures.csv", "seconds.csv")]
    module.embeddings([str(tmp_path / "iris.npz")], **FEW, paths=paths)
    table, seconds = map(pd.read_csv, paths)
    assert differences({"embeddings/small.csv": table, "timings/embeddings.csv": seconds}) == []
    assert_drawn_well(draw, tmp_path, embeddings=table)
    seconds = seconds.set_index("method")
    transductive = ["spectral embedding", "t-SNE"]
    assert (seconds["fit"] > 0).all()
    assert set(seconds.index[seconds["transform"].isna()]) == set(transductive)
    means = table.pivot(index="method", columns="measure", values="mean")
    held_out = ["trustworthiness", "continuity", "distances", "alone"]
    assert means.loc[transductive, held_out].isna().all(axis=None)
    assert means.drop(index=transductive).notna().all(axis=None)
    assert (means["training"] > 0.8).all()
    assert means.loc["PCA", ["alone", "seeds"]].tolist() == pytest.approx([1, 1])
    assert (table["low"].dropna() <= table["mean"].dropna()).all()


def test_few_rows_are_embedded_and_a_single_column_is_left_out(tmp_path):
    spec = {"generator": "moons", "n_train": 14, "n_test": 6, "noise": 0.1}
    moons = make_dataset("moons", spec, seed=0, replicates=2)
    moons.save(tmp_path / "moons.npz")
    replace(moons, name="one", X=moons.X[:, :1]).save(tmp_path / "one.npz")
    paths = [str(tmp_path / f"{name}.npz") for name in ("moons", "one")]
    out = str(tmp_path / "measures.csv")
    module.embeddings(paths, **FEW, paths=[out])
    assert set(pd.read_csv(out)["dataset"]) == {"moons"}
    module.embeddings(paths[1:], **FEW, paths=[out])
    assert pd.read_csv(out).empty
    assert_drawn_well(draw, tmp_path, embeddings=pd.read_csv(out))
