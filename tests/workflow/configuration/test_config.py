"""The configuration: every problem with its place and its remedy, and as the rules use it."""

import copy
import re
from functools import partial, reduce
from operator import getitem
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.reading.errors import InputError
from kpca.study.datasets import make, spec
from kpca.study.datasets.make import make_dataset
from kpca.study.fitting.grid import grid_of, method_points, points
from kpca.study.fitting.own_code import try_kernel, try_method
from tests.workflow.pipeline import ROOT
from workflow.configuration.config import FOLDERS, _walk, check_config, resolve
from workflow.configuration.explain import read_yaml, schema
from workflow.configuration.load import input_problems, load

SCHEMA = schema()
GOOD = yaml.safe_load((ROOT / "config/test.yaml").read_text())
CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text().replace("OWN", __name__))


def changed(key_path, value, of=GOOD):
    """Return a configuration, by default the good one, with another value at a dotted place."""
    config = copy.deepcopy(of)
    *folders, key = key_path.split(".")
    reduce(getitem, folders, config)[key] = value
    return config


def refusal(config, *files, **options):
    with pytest.raises(InputError) as caught:
        check_config(config, files, further=partial(input_problems, found={}), **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("key_path", "value", "message"),
    [
        *CASES["configuration"],
        ("datasets.mine", {"path": "~/no.csv"}, f"path: no file `{Path.home()}/no.csv` (looked in"),
        ("datasets.mine", {"path": "a" * 300}, "`: File name too long"),
        ("kernels", {"k" * 41: {"callable": "mine:f"}}, "is longer than 40 characters"),
        ("usps", "a" * 300, "there is no file zip.train.gz"),
    ],
)
def test_a_problem_is_named_with_its_remedy(key_path, value, message):
    assert message in refusal(changed(key_path, value))


def test_folders_that_cannot_be_written_are_refused_and_others_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert "results: `file` is no folder: name another" in refusal(GOOD | {"results": "file"})
    assert load(GOOD | {"results": "here"}).notices == []
    notice = f"results are written outside of this folder, to {tmp_path.parent / 'there'}"
    assert load(GOOD | {"results": "../there"}).notices == [notice]
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    refused = refusal(GOOD | {"results": "here/new"})
    assert f"results: `{tmp_path}` is read-only: name another folder" in refused


def test_a_huge_grid_says_how_many_fits_it_has():
    """Settings × replicates × (folds and the whole), for each dataset."""
    settings = 1 + 2 + 3  # settings of linear, poly and rbf
    assert load(GOOD).n_fits() == len(GOOD["datasets"]) * settings * 2 * (1 + 2)
    huge = load(changed("kernels.rbf", {"gamma": [1 + i / 1000 for i in range(5000)]}))
    [notice] = huge.notices
    assert notice.startswith(f"the sweep has up to {huge.n_fits():,} fits of kernel PCA; fewer")


def test_what_is_wrong_in_one_place_does_not_hide_what_is_wrong_in_another():
    config = changed("methods", {"pca": "sklearn:PCA", "mine": {"parameters": {}}})
    config["datasets"] |= {"mine": {"path": "no.csv"}, "yours": {"sklearn": "irs"}}
    config["replicates"] = []
    message = refusal(config)
    assert message.startswith("configuration: 5 problems")
    assert "\n  - target: cannot be" in refusal(GOOD | {"data": "x", "label": "a", "target": "b"})
    key_paths = (
        "methods.pca",
        "methods.mine",
        "datasets.mine.path",
        "datasets.yours",
        "replicates",
    )
    assert all(key_path in message for key_path in key_paths)


def test_problems_are_found_in_the_file(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("kernels:\n  rbf: {gamma: [1]}\n  rbf: {gamma: [2]}\nevaluation:\n  folds: 1\n")
    message = refusal(changed("evaluation.folds", 1), file)
    assert "mine.yaml, line 5): 1 must be at least 2" in message
    assert "kernels.rbf" in message
    assert "the key is there twice, in lines 2 and 3; YAML keeps only the last" in message


def test_what_the_command_line_gave_is_said_to_come_from_there(tmp_path):
    (tmp_path / "mine.yaml").write_text("evaluation: {folds: 3}\n")
    (tmp_path / "empty.yaml").touch()
    check_config(GOOD, [tmp_path / "mine.yaml", tmp_path / "empty.yaml"])
    command_line = {"evaluation": {"folds": "3"}}
    config = changed("evaluation.folds", "3")
    message = refusal(config, tmp_path / "mine.yaml", command_line=command_line)
    assert 'evaluation.folds (command line): "3" must be an integer; ' in message
    assert "within braces for text: put it in a file" in message


def test_every_key_is_described_and_unknown_ones_are_refused_everywhere():
    objects = [n for _, n in _walk(SCHEMA) if isinstance(n, dict) and "properties" in n]
    assert len(objects) > 8
    for node in objects:
        assert {"additionalProperties", "dependentSchemas"} & {*node}
        for key, child in node["properties"].items():
            target = SCHEMA["$defs"].get(child.get("$ref", "").split("/")[-1], {})
            assert "description" in child | target, key
    sources = SCHEMA["$defs"]["dataset"]["dependentSchemas"].values()
    keys = {key for source in sources for key in source["propertyNames"]["enum"]}
    assert keys == {*SCHEMA["$defs"]["dataset"]["properties"]}


@pytest.mark.parametrize(("options", "columns"), CASES["columns"])
def test_columns_are_named_beside_the_file(options, columns):
    resolved = resolve(GOOD | {"data": "~/my.tsv.gz"} | options)
    path = str(Path.home() / "my.tsv.gz")
    source = {"path": path, "standardize": True, "max_rows": 5000}
    assert resolved["datasets"] == {"my": source | columns}
    assert not (options.keys() - {"quick"}) & resolved.keys()


def test_folders_of_results_are_those_that_the_rules_write_to():
    rules = [path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")]
    written = set(re.findall(r'results\(f?"(\w+)[/"]', "".join(rules)))
    assert written | {"cache"} == FOLDERS  # The sweep has a cache beside its outputs.


def test_the_order_of_keys_means_nothing():
    backwards = copy.deepcopy(GOOD)
    backwards["evaluation"] = dict(reversed(GOOD["evaluation"].items()))
    backwards["datasets"]["rings"] = dict(reversed(GOOD["datasets"]["rings"].items()))
    # Snakemake compares parameters as they print.
    assert repr(resolve(backwards)) == repr(resolve(GOOD))


@pytest.mark.parametrize(
    ("text", "problem"), [*CASES["words"], ("a: \xff", ": byte 3 is not UTF-8")]
)
def test_what_is_no_yaml_is_named_with_its_place(tmp_path, text, problem):
    (tmp_path / "mine.yaml").write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=rf"mine\.yaml{problem}"):
        read_yaml(tmp_path / "mine.yaml")


DEFAULT = yaml.safe_load((ROOT / "config/config.yaml").read_text())
ALLOWED = "{} rows, {} in the smallest class, allow {} components ({} left out) and 2 folds in "
ALLOWED += "place of 3"
SAMPLED = "my.csv has 20 rows, of which a sample of 16 stratified by class is swept: max_rows=20 "
SAMPLED += "takes all"


def write_rows(n):
    rows = [f"{i},{i * i % 101},{'ab'[i % 4 == 0]}" for i in range(n)]
    Path("my.csv").write_text("\n".join(["u,v,y", *rows]))


@pytest.fixture
def with_file(tmp_path, monkeypatch):
    """The default configuration with a file of 20 rows, five of them in class b."""
    monkeypatch.chdir(tmp_path)
    write_rows(20)
    return DEFAULT | {"data": "my.csv", "label": "y", "results": "results"}


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [
        ({}, [ALLOWED.format(20, 5, "2", "5, 12, 32, 64, 128")]),
        ({"max_rows": 16}, [SAMPLED, ALLOWED.format(16, 5, "2", "5, 12, 32, 64, 128")]),
        ({"evaluation": DEFAULT["evaluation"] | {"n_components": [1], "folds": 2}}, []),
    ],
)
def test_a_small_file_gets_what_its_rows_allow(with_file, changes, left_out):
    before = copy.deepcopy(with_file | changes)
    assert load(with_file | changes).left_out == left_out
    assert with_file | changes == before
    assert [path.name for path in Path.cwd().iterdir()] == ["my.csv"]


@pytest.mark.parametrize("kind", ["csv", "parquet", "feather"])
def test_the_job_of_a_large_file_checks_what_stands_below_its_first_rows(
    with_file, kind, monkeypatch
):
    """Also if all of the first rows are of one class."""
    monkeypatch.setattr(spec, "LARGE", 100)
    monkeypatch.setattr(make, "SAMPLE", 12)

    def written(odd_row=-1):
        rows = [("x" if i == odd_row else i * i % 7, i * i % 11, "ab"[i > 14]) for i in range(30)]
        frame = pd.DataFrame(rows, columns=["u", "v", "y"]).astype({"u": str})
        getattr(frame, f"to_{kind}")(f"my.{kind}", **({"index": False} if kind == "csv" else {}))
        return load(with_file | {"data": f"my.{kind}"})

    loaded = written()
    assert loaded.notices[-1].endswith("its first job checks the others, before any fit")
    assert (loaded.left_out, len(loaded.found["my"].X)) == ([], 12 - (kind == "csv"))
    making = partial(make_dataset, "my", loaded.config["datasets"]["my"], seed=0, replicates=2)
    assert len(making(folds=2, n_components=5).X) == 30
    with pytest.raises(InputError, match="n_components asks for 32"):
        making(folds=2, n_components=32)
    written(odd_row=20)
    with pytest.raises(InputError, match="column 'u' holds text"):
        making()
    with pytest.raises(InputError, match="column 'u' holds text"):
        written(odd_row=3)


def test_quick_is_a_small_part_of_the_whole(with_file):
    write_rows(3000)
    part = load(with_file | {"quick": "true"})
    whole = load(with_file | {"quick": "false"})

    def settings(config):
        return config["replicates"] * sum(map(len, grid_of(config, "my").values()))

    assert settings(part.config) < settings(whole.config) / 4
    assert part.config["datasets"]["my"]["max_rows"] == 1000
    sample, look = part.left_out
    assert sample.startswith("my.csv has 3000 rows, of which a sample of 1000 stratified by class")
    assert sample.endswith("is swept: leave out quick=true for more")
    assert look.startswith("a quick look: 3 of ")
    assert "3 of 6 kernels (linear, poly, rbf" in look
    assert look.endswith("no clustering; leave out quick=true for all of it")


def test_quick_takes_any_configuration():
    kernels = {"mine": {"callable": "math:dist"}}
    datasets = {"rings": {"generator": "rings", "n_train": 99, "n_test": 40, "replicates": 9}}
    part = load(DEFAULT | {"kernels": kernels, "datasets": datasets, "quick": True}).config
    assert part["kernels"] == kernels
    assert part["datasets"]["rings"]["replicates"] == 3
    assert part["studies"] == []


def test_what_is_known_of_datasets_before_any_job(with_file):
    np.savez("k.npz", K=np.eye(40), y=np.arange(40) % 2)
    Path("copies.csv").write_text("\n".join(["x,é,s", *("1,2,a", "2,2,b") * 20]))
    i = np.arange(40)
    pd.DataFrame({"u": i / 3, "v": i * i % 7, "y": i % 9}).to_parquet("my.parquet")
    evaluation = DEFAULT["evaluation"] | {"n_components": [2]}
    config = DEFAULT | {"datasets": CASES["datasets"], "evaluation": evaluation}
    loaded = load(config)

    assert (loaded.config, loaded.left_out) == (resolve(config), [])
    assert loaded.with_rows() == ["rings", "roll", "iris", "flowers", "dose", "wide", "copies"]
    assert loaded.with_answer("label") == ["rings", "iris", "flowers", "kernel", "copies"]
    answered = loaded.with_answer("label", "target")
    assert loaded.config["datasets"].keys() - answered == {"wide"}
    assert loaded.in_the_plane() == ["rings", "dose", "copies"]
    assert loaded.sweeps("rbf", "median")
    assert not loaded.sweeps("rbf", "gamma")
    constant, copies = loaded.notices
    assert constant.startswith("dataset 'copies': column 'é' is constant")
    assert copies.startswith("dataset 'copies': 40 of 40 rows equal another one")


@pytest.mark.parametrize(
    ("name", "path", "label", "remark"),
    [
        ("my", "old/my.csv", "y", "results for old/my.csv; this run overwrites them with those fo"),
        ("my", "my.csv", "kind", "results for label kind; this run overwrites them with those for"),
        ("my", "my.csv", "y", None),
        ("yours", "my.csv", "kind", None),
    ],
)
def test_results_of_another_file_or_answer_are_noticed(with_file, name, path, label, remark):
    rows = [
        "kind,name,value",
        f'parameter,datasets.{name}.path,"""{path}"""',
        f'parameter,datasets.{name}.label,"""{label}"""',
    ]
    Path("results").mkdir()
    Path("results/provenance.csv").write_text("\n".join(rows))
    remarks = [notice for notice in load(with_file).notices if "overwrites" in notice]
    assert len(remarks) == bool(remark)
    assert (remark or "") in "".join(remarks)


def test_every_problem_is_said_in_the_words_of_the_command_line(with_file):
    kernels = {"kernels": "rbf,lineer"}
    with pytest.raises(InputError, match="there is no column 'z'") as caught:
        load(with_file | kernels | {"label": "z"}, command_line=kernels)
    assert "kernels.lineer (command line): unknown kernel" in str(caught.value)


def right(x, y, factor=1):
    return factor * float(x @ y)


def one_sided(x, y):
    return float(x[0] - y[0])


def five_columns(x, y):
    return float(x[4] * y[4])


class Fragile:
    def __init__(self, size=1):
        if size < 1:
            raise ValueError("size must be positive")

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X


SOUND = CASES["sound"]


def test_what_serves_passes(with_file):
    assert list(input_problems(SOUND, {})) == []
    family = points("own", {"callable": f"{__name__}:right", "parameters": {"factor": [1, 2]}})
    for rows in ({"sklearn": "iris"}, {}, {"path": "no.csv"}):
        try_kernel(family, rows)
    try_method(method_points("m", "sklearn.decomposition:FastICA"))
    try_method(method_points("m", f"{__name__}:Fragile"))


@pytest.mark.parametrize(("key_path", "value", "problem"), CASES["data and code"])
def test_what_is_wrong_with_data_and_code_is_named(with_file, key_path, value, problem):
    assert problem in "\n".join(input_problems(changed(key_path, value, SOUND), {}))
