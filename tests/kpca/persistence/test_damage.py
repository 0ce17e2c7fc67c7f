"""Whatever happens to a file, a model that was read is the one that was saved."""

import io
import json
import os
import re
import warnings
import zipfile
from copy import deepcopy

import numpy as np
import pytest
from numpy.lib import format as npy
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from kpca import KernelPCA, LandmarkKernelPCA, from_arrays, load, save, to_arrays
from kpca.calibration import CalibratedPipeline
from tests.damage import BYTES
from tests.kpca.eigensolvers.test_memory import peak

PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "300")) // 15  # cases of each damage
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3))
MIXED = np.column_stack([X.round(2).astype(object), RNG.choice(["a", "b", "cde"], 30)])
ROWS = ColumnTransformer(
    [
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), [0, 1, 2]),
        ("words", OneHotEncoder(handle_unknown="ignore"), [3]),
    ]
)
MODELS = {
    "exact": KernelPCA(2, kernel="rbf", fit_inverse_transform=True).fit(
        X, sample_weight=X[:, 0] ** 2
    ),
    "landmarks": LandmarkKernelPCA(2, kernel="rbf", n_landmarks=9).fit(X),
    "pipeline": make_pipeline(ROWS, KernelPCA(2, kernel="rbf")).fit(MIXED),
    "classifier": make_pipeline(KernelPCA(2, kernel="rbf"), SVC(kernel="linear")).fit(
        X, np.arange(30) % 3
    ),
    "forest": CalibratedPipeline([("forest", RandomForestClassifier(3, random_state=0))])
    .fit(X, np.arange(30) % 3)
    .calibrate(X, np.arange(30) % 3),
    "boosting": HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3).fit(
        X, np.arange(30) % 3
    ),
}


def of_arrays(change):
    """Damage to one array of a file that is whole otherwise."""

    def damage(data, rng):
        arrays = dict(np.load(io.BytesIO(data)))
        name = str(rng.choice([key for key in arrays if arrays[key].ndim and arrays[key].size]))
        changed = change(arrays.pop(name), rng)
        file = io.BytesIO()
        np.savez(file, **arrays, **({} if changed is None else {name: changed}))
        return file.getvalue()

    return damage


def cut(array, rng):
    return np.delete(array, -1, axis=int(rng.integers(array.ndim)))


DAMAGES = {
    **BYTES,
    "cut": of_arrays(cut),
    "lack": of_arrays(lambda array, rng: None),
    "turn": of_arrays(lambda array, rng: array[None].T),
    "retype": of_arrays(lambda array, rng: np.zeros(array.shape, "f4")),
}


def equal(a, b):
    return a.keys() == b.keys() and all(a[key].tobytes() == b[key].tobytes() for key in a)


def read_or_refused(path):
    """Arrays of the model in a file, or the message that refuses it."""
    try:
        with warnings.catch_warnings(action="error"):
            return to_arrays(load(path))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", MODELS)
def test_damage_is_named_or_changes_nothing(kind, damage, tmp_path):
    path = tmp_path / "some model.npz"
    save(MODELS[kind], path)
    whole = path.read_bytes()
    expected = to_arrays(MODELS[kind])
    refused = 0
    for seed in range(PROBLEMS):
        path.write_bytes(DAMAGES[damage](whole, np.random.default_rng(seed)))
        loaded = read_or_refused(path)
        if isinstance(loaded, str):
            refused += 1
            assert re.fullmatch(f"{re.escape(str(path))}: .*[^.]. Save the model again.", loaded)
        else:
            assert equal(loaded, expected)
    # Nobody reads the dates, say, in which a few bytes may differ.
    assert refused > PROBLEMS / 2 if damage in ("flip", "overwrite") else refused == PROBLEMS


def rewritten(model, **arrays):
    """A model's arrays with others, of which the description is told."""
    whole = to_arrays(model)
    description = json.loads(str(whole["description"]))
    for name, array in arrays.items():
        description["attributes"][name]["array"] = [name, array.dtype.str, list(array.shape)]
    return {**whole, **arrays, "description": np.array(json.dumps(description))}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("_n_support", np.array(counts, np.int32)) for counts in ([-1, 11, 3], [9, 9, 9])),
        *((name, None) for name in ("_dual_coef_", "_intercept_", "support_vectors_")),
    ],
)
def test_support_vectors_are_as_many_as_libsvm_will_read(name, value):
    model = deepcopy(MODELS["classifier"][-1])
    setattr(model, name, getattr(model, name)[:-1] if value is None else value)
    with pytest.raises(ValueError, match=f"{name} (=|has shape) .* does not go with"):
        to_arrays(model)


TREES = [
    *(("forest", "left_child", 0, value) for value in (10**6, -2)),
    *(("forest", "right_child", node, value) for node, value in ((0, 0), (0, 1), (-1, 3))),
    *(("forest", "feature", 0, value) for value in (3, -2)),
    ("boosting", "left", 0, 10**6),
    # an endless loop, and a node of two parents
    *(("boosting", "right", 0, value) for value in (0, 1)),
    ("boosting", "is_leaf", -1, 0),
    *(("boosting", "feature_idx", 0, value) for value in (3, -2)),
    ("boosting", "is_categorical", 0, 1),  # The file has no sets of categories.
]


@pytest.mark.parametrize(("kind", "field", "node", "value"), TREES)
def test_a_tree_leads_nowhere_else(kind, field, node, value):
    """Nothing checks the numbers of nodes when rows go down a tree."""
    arrays = to_arrays(MODELS[kind])
    name = next(name for name in arrays if arrays[name].dtype.names)
    changed = arrays[name].copy()
    changed[field][node] = value
    for nodes in (changed, arrays[name][::-1].copy()):
        with pytest.raises(ValueError, match=r"do not go together|splits by more than 3 columns"):
            from_arrays({**arrays, name: nodes})


@pytest.mark.parametrize("kind", ["forest", "boosting"])
def test_a_tree_has_a_root(kind):
    arrays = to_arrays(MODELS[kind])
    name = next(name for name in arrays if arrays[name].dtype.names)
    description = json.loads(
        str(arrays["description"]), object_hook=lambda entry: without_nodes(entry, name)
    )
    arrays |= {name: arrays[name][:0], "description": np.array(json.dumps(description))}
    with pytest.raises(ValueError, match="nodes of a decision tree do not go together"):
        from_arrays(arrays)


def without_nodes(entry, name):
    """Change the declared length of an array in a description to none."""
    if entry.get("array", [""])[0] == name:
        entry["array"][2] = [0]
    return entry


def test_trees_take_the_columns_of_their_forest():
    text = str(to_arrays(MODELS["forest"])["description"])
    for old, new in (('"n_features_in_": 3', '"n_features_in_": 2'), ("[3, 3,", "[9, 3,")):
        arrays = to_arrays(MODELS["forest"])
        assert old in text
        arrays["description"] = np.array(text.replace(old, new, 1))
        with pytest.raises(ValueError, match="columns of trees do not go with"):
            from_arrays(arrays)


@pytest.mark.parametrize("kind", ["exact", "landmarks"])
def test_shapes_are_compared_with_one_another(kind):
    model = MODELS[kind]
    names = [key for key, value in vars(model).items() if getattr(value, "ndim", 0)]
    assert len(names) > 8
    for name in names:
        whole = getattr(model, name)
        # How many training points there were, only eigenvectors of landmarks say.
        alone = (kind, name) == ("landmarks", "eigenvectors_")
        for axis in range(alone, whole.ndim):
            with pytest.raises(ValueError, match=r"has shape .* does not go with .* again"):
                from_arrays(rewritten(model, **{name: np.delete(whole, 0, axis)}))
        with pytest.raises(ValueError, match=f"{name} has shape .* must have . lengths"):
            from_arrays(rewritten(model, **{name: whole[None]}))


@pytest.mark.parametrize(
    ("member_too", "message"),
    [
        (False, r"more.npy declares shape \(1000000000, 100\).*80 bytes"),
        (True, "declares more than its .* bytes"),
    ],
)
def test_a_large_header_allocates_nothing(member_too, message, tmp_path):
    path = tmp_path / "m.npz"
    member = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**9, 100)}
    npy.write_array_header_1_0(member, header)
    save(MODELS["exact"], path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.npy", member.getvalue() + bytes(80))
        if member_too:
            more = archive.getinfo("more.npy")
            more.file_size = more.compress_size = len(member.getvalue()) + 8 * 10**11
    with pytest.raises(ValueError, match=message):
        peak(lambda: load(path), 1e7)


def test_compressed_pickled_or_other_members_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "m.npz"
    arrays = to_arrays(MODELS["exact"])
    other = io.BytesIO()
    np.savez_compressed(path, **arrays)
    with pytest.raises(ValueError, match=r"m.npz: .* is compressed"):
        load(path)
    np.savez(path, **arrays, X=np.array([print], dtype=object))
    with pytest.raises(ValueError, match=r"m.npz: .*X.npy .*object"):
        load(path)
    npy.write_array(other, np.zeros(3), version=(2, 0))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("values.npy", other.getvalue())
    with pytest.raises(ValueError, match="has another version of NumPy's format"):
        load(path)

    def short(*_, **__):
        raise MemoryError("none left")

    save(MODELS["exact"], path)
    monkeypatch.setattr(npy, "read_array", short)
    with pytest.raises(MemoryError, match="none left"):  # Lack of memory is no damage.
        load(path)


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m"
    save(MODELS["exact"], path)
    old = path.read_bytes()

    def full_disk(file, **_):
        file.write(b"half")
        raise OSError("No space left on device")

    with pytest.raises(ValueError, match="cannot be saved"):
        save(KernelPCA(2, kernel=lambda x, y: float(x @ y)).fit(X), path)
    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(OSError, match="No space"):
        save(MODELS["landmarks"], path)
    assert [file.name for file in tmp_path.iterdir()] == ["m"]
    assert path.read_bytes() == old


def test_links_are_followed_and_pipes_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder/m")
    save(MODELS["exact"], tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    load(tmp_path / "folder/m")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="it is a pipe or a device, not a file"):
        load(tmp_path / "pipe")


@pytest.mark.parametrize("value", [np.nan, -1.0])
def test_eigenvalues_that_no_fit_gives_are_refused(value):
    arrays = to_arrays(MODELS["exact"])
    name = next(key for key in arrays if key.endswith("eigenvalues_"))
    with pytest.raises(ValueError, match="eigenvalues_ has NaN, infinite or negative values"):
        from_arrays({**arrays, name: np.array([1.0, value])})
