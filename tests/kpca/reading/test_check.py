"""Whether rows suffice, which seeds draw them, and files that cannot be read at all."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca.reading.errors import InputError
from kpca.study.datasets.make import check_dataset, make_dataset
from kpca.study.datasets.sizes import within_rows
from kpca.study.datasets.sources import CLASS_SIZES, read_builtin
from kpca.study.scoring.evaluate import make_problem
from kpca.study.seeds import seed_for
from tests.kpca.reading.conftest import read, says, table, write

MATRIX = {"kernel_matrix": True}


@pytest.mark.parametrize(
    ("path", "text", "spec", "expected"),
    [
        ("data/my.csv", None, {}, "there is no folder `"),
        ("brids.csv", None, {}, "did you mean `birds.csv`?"),
        (".", None, {}, "is a folder; give the path of a file"),
        ("my.ods", "PK\0", {}, "ends in '.ods'; convert it to one of .csv, .tsv, .txt, .data,"),
        ("my.npz.gz", "x", {}, "ends in '.gz'; convert it to one of .csv, .tsv, .txt"),
        ("my.xlsx", "x", {}, "cannot be read as an Excel workbook"),
        ("my.feather", "x", {}, "cannot be read as Feather"),
        ("my.csv", "", {}, "is empty; write a header and rows into it"),
        ("my.csv", "a,b", {"label": "b"}, "1 problem\n  - there are no rows, only names of col"),
        ("my.csv", "a\nx\ny\nx\ny", {"label": "a"}, "no column is left as a feature"),
        ("my.parquet", "age\n1", {}, "cannot be read as Parquet"),
        ("my.npz", "age\n1", {}, "is no NPZ"),
        ("k.csv", "a,b", MATRIX, "must be an NPZ with the array K"),
        ("k.npz", "K", MATRIX | {"standardize": True}, "no columns to standardise; leave out `st"),
        ("k.npz", "K", MATRIX | {"missing": "median"}, "has no cells to be filled in; leave out"),
    ],
)
def test_a_file_that_gives_no_rows_or_features_is_refused(refusal, path, text, spec, expected):
    write("birds.csv", table())
    if text is not None:
        Path(path).write_text(text)
    assert expected in refusal(path=path, **spec)


ALONE = {"label": None}


@pytest.mark.parametrize(
    ("cell", "rows", "spec", "expected"),
    [
        (lambda i: i * i % 7, 5, ALONE, "there are 5 rows, and folds and tests need at least 10"),
        (lambda i: "", 20, ALONE | {"missing": "drop"}, "in column 's' (20), …g: drop` leaves non"),
        (
            lambda i: "ab"[i < 4],
            30,
            {"folds": 3},
            "than the 6 rows that 3…or lower evaluation.fold",
        ),
        (lambda i: "ab"[i < 3], 30, {}, "leave such classes out by `min_class_size: 4`, or merge"),
        (lambda i: "ab"[i % 2], 16, {"folds": 3, "test_share": 0.7}, "'a' (8), 'b' (8) has fewer"),
        (
            lambda i: "abcd"[i % 4],
            40,
            {"max_rows": 11},
            "3 of 10 under `max_rows`…to 16 or more",
        ),
        (
            lambda i: "ab"[i < 3],
            40,
            {"max_rows": 20},
            "'b' (3) has fewer…`min_class_size: 4`, or",
        ),
        (lambda i: i % 4, 40, ALONE | {"group": "s", "folds": 3}, "holds 4 groups…at least 5"),
        (lambda i: "ab"[i % 10 < 2], 100, {"group": "p"}, "class 'b' (2) lies in fewer than 3 gro"),
        (lambda i: "a", 30, {}, "one class only, 'a'; …leave out `label` to go without a classifi"),
        (lambda i: f"{i * 1.37:.0f}", 50, {}, "'s' holds 50 distinct numbers…give it as `target:"),
        (lambda i: i % 21 / 2, 300, {}, "label column 's' holds 21 distinct numbers in 300 rows"),
    ],
)
def test_rows_that_do_not_suffice_are_refused(refusal, cell, rows, spec, expected):
    write("my.csv", ["x,z,p,s", *(f"{i / 2},1.5,{i % 10},{cell(i)}" for i in range(rows))])
    message = refusal(**{"path": "my.csv", "label": "s"} | spec)
    assert message.startswith("dataset 'mine', file my.csv: 1 problem\n")
    assert says(message, expected)


def test_two_points_and_many_numbered_classes_are_enough(folder):
    write("my.csv", ["x,y,person", *(f"1.5,{i % 2},{i % 40}" for i in range(400))])
    check_dataset("mine", {"path": "my.csv", "label": "person"}, folds=3)


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ({"path": "my.csv", "label": "species", "group": "patient", "target": "dose"}, 7),
        ({"generator": "rings", "n_train": 40, "n_test": 50}, 19),
        ({"sklearn": "iris", "max_rows": 60}, 20),
    ],
)
def test_more_components_than_rows_are_refused(refusal, spec, most):
    write("my.csv", table())
    check_dataset("mine", spec, n_components=most, folds=2)
    message = refusal(**spec, folds=2, n_components=most + 1)
    assert f"evaluation.n_components asks for {most + 1}, but 2 folds leave {most + 1}" in message


EVALUATION = {"n_components": [2, 5, 12, 32], "folds": 3}
CLASSES = {"label": "y"}


def written(folder, rows, small):
    """Write a file whose class b has so many rows, and whose rows are in seven groups."""
    is_b = [i % (rows // small) == 0 and i < rows // small * small for i in range(rows)]
    lines = [f"{i},{i * i % 7},{'ab'[b]},{i % 7}" for i, b in enumerate(is_b)]
    write(str(folder / "my.csv"), ["u,v,y,g", *lines])
    return str(folder / "my.csv")


def allowed(spec, evaluation=EVALUATION):
    rows = check_dataset("mine", spec, replicates=3)
    return within_rows(rows, spec, evaluation, quick=False, seed=0)[0]


@pytest.mark.parametrize("spec", [{"features": ["u", "v"]}, CLASSES, CLASSES | {"group": "g"}])
@pytest.mark.parametrize(
    ("rows", "small", "kept", "folds"),
    [(20, 5, [2, 5], 2), (20, 10, [2, 5], 3), (25, 6, [2, 5], 3), (60, 20, [2, 5, 12], 3)],
)
def test_what_rows_allow_is_accepted_and_no_more(tmp_path, spec, rows, small, kept, folds):
    spec = spec | {"path": written(tmp_path, rows, small)}
    folds = folds if "label" in spec else 3
    assert allowed(spec) == {"n_components": kept, "folds": folds}
    if kept == [2, 5]:  # half of the rows of a fold stands in for numbers that are too large
        assert 2 <= allowed(spec, {"n_components": [32], "folds": 3})["n_components"][0] < 6
    check_dataset("mine", spec, n_components=max(kept), folds=folds)
    with pytest.raises(InputError, match="n_components asks for 32"):
        check_dataset("mine", spec, n_components=32, folds=folds)
    if folds < EVALUATION["folds"]:
        with pytest.raises(InputError, match="rows that 3 folds need"):
            check_dataset("mine", spec, n_components=1, folds=3)
    dataset = make_dataset("mine", spec, seed=0, replicates=3)
    for replicate in range(3):
        problem = make_problem(dataset.split(replicate), folds, seed=0)
        assert all(len(train) > max(kept) or "group" in spec for train, _ in problem.folds)


# Of eight groups, two have two rows of class B, and one has nine.
UNEVEN = pd.DataFrame({"u": np.arange(80.0) ** 2 % 11, "v": np.arange(80.0) % 7, "y": "A"})
UNEVEN.loc[[0, 1, *range(10, 19), 20, 21], "y"] = "B"
UNEVEN["g"] = [f"p{i // 10}" for i in range(80)]


@pytest.mark.parametrize("most", [3, 5, 20])
@pytest.mark.parametrize("seed", range(5))
def test_inner_folds_of_uneven_groups_train_on_two_classes(seed, most):
    spec = {"frame": UNEVEN, "label": "y", "group": "g"}
    dataset = make_dataset("mine", spec, seed=seed, replicates=3)
    evaluation = {"n_components": [2], "folds": most}
    folds = within_rows(dataset, spec, evaluation, quick=False, seed=seed)[0]["folds"]
    for replicate in range(3):
        split = dataset.split(replicate)
        assert folds <= len(np.unique(split.groups_train))
        draw = seed_for(seed, "rows", replicate, "folds")
        for train, test in make_problem(split, folds, seed=draw).folds:
            assert len(np.unique(split.y_train[train])) == 2
            assert len(test)


def test_more_folds_than_training_groups_are_refused():
    frame = UNEVEN[["u"]].assign(g=[*["large"] * 72, *"aabbccdd"])
    spec = {"frame": frame, "group": "g"}
    with pytest.raises(InputError, match=r"of 2 groups, too few for 3 folds; lower evaluation"):
        make_dataset("mine", spec, seed=0, replicates=2, folds=3)
    dataset = make_dataset("mine", spec, seed=0, replicates=2)
    assert within_rows(dataset, spec, EVALUATION, quick=False, seed=0)[0]["folds"] == 2


TIMED = pd.DataFrame({"u": np.arange(600) ** 2 % 11, "t": np.arange(600)})
TIMED["g"] = [f"p{i % 12:02d}" for i in range(600)]


@pytest.mark.parametrize(
    ("columns", "roles", "message"),
    [
        ({"t": [2019] * 3 + [2020] * 597}, {"time": "t"}, "leave 0 rows to train for the small"),
        (
            {"y": np.where(np.arange(600) % 3 == 1, "B", "A")},
            {"time": "t", "label": "y", "group": "g"},
            r"replicate 1 \(from 0\) trains on class 'A' only, because one window tests all groups",
        ),
    ],
)
def test_windows_that_cannot_train_are_refused(columns, roles, message):
    spec = {"frame": TIMED.assign(**columns)} | roles
    spec["features"] = ["u"]
    with pytest.raises(InputError, match=message):
        make_dataset("mine", spec, seed=0, replicates=10)


def test_a_sample_knows_where_its_rows_stand_in_the_file(tmp_path):
    spec = {"path": written(tmp_path, 60, 20), "max_rows": 24, "features": ["u"], **CLASSES}
    dataset = make_dataset("mine", spec, seed=0, replicates=2)
    assert (dataset.rows_of_file, len(dataset.X)) == (60, 24)
    assert dataset.file_rows is not None
    np.testing.assert_array_equal(dataset.X[:, 0], dataset.file_rows - 1)
    again = dataset.take(np.array([3]))
    np.testing.assert_array_equal(again.file_rows, dataset.file_rows[[3]])


RINGS = {"generator": "rings", "n_train": 20, "n_test": 30, "noise": 0.1}
ROLL = {"generator": "swiss_roll", "n_train": 20, "n_test": 30, "standardize": True}


def _digests(dataset):
    return [dataset.split(replicate).digest for replicate in range(dataset.replicates)]


@pytest.mark.parametrize("spec", [RINGS, ROLL, {"sklearn": "iris", "max_rows": 60}])
def test_seeds_come_from_the_replicate_and_the_name_of_what_is_drawn(spec):
    three, five = (_digests(make_dataset("a", spec, seed=1, replicates=n)) for n in (3, 5))
    assert five[:3] == three
    assert len(set(five)) == 5
    assert not {*three} & {*_digests(make_dataset("a", spec, seed=2, replicates=3))}
    renamed = _digests(make_dataset("b", spec, seed=1, replicates=3))
    assert (renamed == three) == ("generator" not in spec)


def test_synthetic_replicates_are_independent_blocks(refusal):
    assert "'rings' has no parameter 'noize'; did you mean 'noise'" in refusal(**RINGS, noize=1)
    dataset = make_dataset("rings", RINGS, seed=1, replicates=3)
    assert dataset.independent
    assert dataset.X.shape == (150, 2)
    rows = np.concatenate([index for pair in dataset.splits for index in pair])
    np.testing.assert_array_equal(rows, np.arange(150))
    assert [len(index) for index in dataset.splits[0]] == [20, 30]
    longer = make_dataset("rings", {**RINGS, "n_test": 99}, seed=1, replicates=3)
    np.testing.assert_array_equal(longer.split(1).X_train, dataset.split(1).X_train)


@pytest.mark.parametrize("precomputed", [False, True])
def test_a_split_that_trains_on_equal_rows_is_refused(precomputed, tmp_path):
    x = np.eye(40)[:, [20]]
    np.savez(tmp_path / "my.npz", **({"K": x @ x.T} if precomputed else {"X": x}))
    spec = {"path": tmp_path / "my.npz", "kernel_matrix": precomputed}
    with pytest.raises(
        InputError, match=r"dataset 'mine', file .*\n.* trains on 28 rows that"
    ) as caught:
        make_dataset("mine", spec, seed=1, replicates=6)
    message = "(all distances are 0)" if precomputed else "in every feature ('x1'), and has no comp"
    assert f"are all the same {message}" in str(caught.value)


@pytest.mark.parametrize("name", CLASS_SIZES)
def test_sizes_of_scikit_learn_s_data_are_as_noted(name):
    rows = read_builtin(name, {"sklearn": name})
    assert tuple(np.bincount(rows.y)) == CLASS_SIZES[name]
    assert len(rows.feature_names) == rows.X.shape[1]
    assert len(rows.class_names) == len(CLASS_SIZES[name])
    assert rows.image_shape == ((8, 8) if name == "digits" else None)


SAMPLED = {"path": "my.csv", "label": "s", "max_rows": 1000}


def test_a_quick_look_leaves_a_rare_class_out_by_its_remedy(refusal):
    classes = ["a"] * 4000 + ["b"] * 1990 + ["rare"] * 3
    rows = [f"{i * 7 % 101},{i * 11 % 97},{name}" for i, name in enumerate(classes)]
    write("my.csv", ["x,z,s", *rows])
    assert says(refusal(**SAMPLED), "'rare' (3)…`min_class_size: 4`")
    assert read(**SAMPLED, min_class_size=4).class_names == ("a", "b")
