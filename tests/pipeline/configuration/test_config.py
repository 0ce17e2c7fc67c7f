"""Every problem of a configuration, with its place and its remedy."""

import copy
import math
import re
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.configuration.__main__ import check_file
from pipeline.configuration.config import FOLDERS, _walk, check_config, named_kernels, resolve
from pipeline.configuration.explain import schema
from pipeline.configuration.load import input_problems
from pipeline.errors import InputError

ROOT = Path(__file__).parents[3]
SCHEMA = schema()
GOOD = yaml.safe_load((ROOT / "config/test.yaml").read_text())


def changed(place: str, value: Any, of: dict[str, Any] = GOOD) -> dict[str, Any]:
    """Return a configuration, by default the good one, with another value at a dotted place."""
    config = copy.deepcopy(of)
    *folders, key = place.split(".")
    reduce(getitem, folders, config)[key] = value
    return config


def refusal(config: dict[str, Any], *files: Path) -> str:
    with pytest.raises(InputError) as caught:
        check_config(config, files, further=input_problems)
    return str(caught.value)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("evaluation.fold", 3, "evaluation.fold: unknown key; did you mean 'folds'?"),
        ("evaluation.n_components", [0], "evaluation.n_components[0]: 0 must be at least 1"),
        ("evaluation.n_components", [], "evaluation.n_components: empty: give at least one"),
        ("evaluation.C", [1, 1], "evaluation.C: [1, 1] holds a value twice: remove one"),
        ("evaluation.C", ["2.5e4"], '"2.5e4" is text, since YAML 1.1 wants a point'),
        ("evaluation.C", ["1e3", "1e-3"], "exponent in a number: write 1.0e-3"),
        ("n_components", "2x", '"2x" must be integers: n_components=2 or n_components=2,5'),
        ("evaluation.C", ["one"], 'evaluation.C[0]: "one" must be a number'),
        ("evaluation.C", 10, "evaluation.C: 10 must be a list: write [10]"),
        ("replicates", "two", 'replicates: "two" must be an integer'),
        ("evaluation.scaling", ["unity"], '"unity" is none of unit, whiten'),
        ("evaluation.variance_share", 1, "evaluation.variance_share: 1 must be less than 1"),
        ("replicates", 1, "replicates: 1 must be at least 2"),
        ("datasets", {}, "datasets: empty"),
        ("datasets.8x", {"sklearn": "iris"}, '"8x" must be a name of letters, digits'),
        ("datasets.mine", {"standardize": True}, "datasets.mine: no source, or several: give"),
        ("datasets.mine", {"sklearn": "irs"}, '"irs" is none of digits, iris'),
        ("datasets.mine", {"generator": "rings", "n_test": 10}, "`n_train` is missing: Training"),
        ("datasets.mine", {"path": "a", "lable": 1}, "mine.lable: unknown key; did you mean 'lab"),
        ("datasets.mine", {"path": ""}, "datasets.mine.path: empty: give"),
        ("datasets.mine", {"sklearn": "iris", "openml": 61}, "mine: no source, or several"),
        ("datasets.mine", {"path": "~/no.csv"}, f"path: no file `{Path.home()}/no.csv` (looked in"),
        ("datasets.mine", {"path": "a", "label": "a", "target": "b"}, "mine.target: cannot be com"),
        ("data", "~nobody_of_this_name/x.csv", "no file"),
        ("data", "a\nb.csv", "which Snakemake does not take"),
        ("usps", "a{b}", "'{', '}', which Snakemake does not take"),
        ("data", "no.csv", "data: no file `no.csv` (looked in"),
        ("drop", "a,b", "is only valid with `data`: give data=FILE, or put `drop` in a dataset"),
        ("missing", "fill", 'missing: "fill" is none of drop, median'),
        ("features", 1.5, "features: 1.5 must be text or an integer or a list"),
        ("datasets.mine", {"path": "no.csv", "drop": "a,b"}, '"a,b" must be a list: write ["a,b"]'),
        ("kernels.lapacian", {"gamma": [1]}, "lapacian: unknown kernel; did you mean 'laplacian'?"),
        ("kernels.rbf", {"gamma": [0]}, "kernels.rbf.gamma[0]: 0 must be greater than 0"),
        ("kernels.rbf", {}, "kernels.rbf: empty: give at least one entry"),
        ("kernels.own", {"callable": "mine.py"}, '"mine.py" must be package.module:name'),
        ("kernels.raw", {"callable": "mine:f"}, "kernels.raw: the name is taken: choose another"),
        ("methods", {"rbf_svm": "sklearn:PCA"}, "methods.rbf_svm: the name is taken"),
        ("kernels", {"k" * 41: {"callable": "mine:f"}}, "is longer than 40 characters"),
        ("datasets", {1: {"sklearn": "iris"}}, "datasets: 1 must be text"),
        ("kernels.rbf", {"gamma": [math.nan]}, "kernels.rbf.gamma[0]: nan must be a finite number"),
        ("datasets.mine", {"path": "a" * 300}, "`: File name too long"),
        ("datasets.mine", {"path": "a\0b"}, "which Snakemake does not take"),
        ("usps", "a" * 300, "there is no file zip.train.gz"),
        ("methods", {"mine": "sklearn.PCA"}, '"sklearn.PCA" must be package.module:name'),
        ("methods", {"mine": {"parameters": {}}}, "methods.mine: `class` is missing: package"),
    ],
)
def test_a_problem_is_named_with_its_remedy(place: str, value: Any, message: str) -> None:
    assert message in refusal(changed(place, value))


def test_what_is_wrong_in_one_place_does_not_hide_what_is_wrong_in_another() -> None:
    config = changed("methods", {"pca": "sklearn:PCA", "mine": {"parameters": {}}})
    config["datasets"] |= {"mine": {"path": "no.csv"}, "yours": {"sklearn": "irs"}}
    config["replicates"] = []
    message = refusal(config)
    assert message.startswith("configuration: 5 problems")
    assert "\n  - target: cannot be" in refusal(GOOD | {"data": "x", "label": "a", "target": "b"})
    places = ("methods.pca", "methods.mine", "datasets.mine.path", "datasets.yours", "replicates")
    assert all(place in message for place in places)


def test_problems_are_found_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("kernels:\n  rbf: {gamma: [1]}\n  rbf: {gamma: [2]}\nevaluation:\n  folds: 1\n")
    message = refusal(changed("evaluation.folds", 1), file)
    assert "mine.yaml, line 5): 1 must be at least 2" in message
    assert "kernels.rbf" in message
    assert "the key is there twice, in lines 2 and 3; YAML keeps only the last" in message


def test_what_the_command_line_gave_is_said_to_come_from_there(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("evaluation: {folds: 3}\n")
    (tmp_path / "empty.yaml").touch()
    check_config(GOOD, [tmp_path / "mine.yaml", tmp_path / "empty.yaml"])
    config, given = changed("evaluation.folds", "3"), {"evaluation": {"folds": "3"}}
    with pytest.raises(InputError) as caught:
        check_config(config, [tmp_path / "mine.yaml"], command_line=given)
    assert 'evaluation.folds (command line): "3" must be an integer; ' in str(caught.value)
    assert "within braces for text: put it in a file" in str(caught.value)


@pytest.mark.parametrize("stem", ["a" * 300, "é" * 60, "2" * 50])
def test_the_name_of_a_file_becomes_a_name_of_a_dataset(stem: str) -> None:
    (name,) = resolve(GOOD | {"data": f"{stem}.csv"})["datasets"]
    assert len(name) <= 40
    assert re.fullmatch(r"[^\W\d]\w*", name)


def test_every_key_is_described_and_unknown_ones_are_refused_everywhere() -> None:
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


@pytest.mark.parametrize(
    ("given", "columns"),
    [
        ({"features": "a, b,a"}, {"features": ["a", "b"]}),
        ({"drop": ["a,b", 2020], "id": "name"}, {"drop": ["a,b", 2020], "id": "name"}),
        ({"categorical": 2020, "missing": "drop"}, {"categorical": ["2020"], "missing": "drop"}),
        ({"log": "a,b", "min_class_size": 5}, {"log": ["a", "b"], "min_class_size": 5}),
        ({"encoding": "cp1252", "sheet": 2}, {"encoding": "cp1252", "sheet": 2}),
        ({"standardize": "false"}, {"standardize": False}),
        ({"standardize": True, "max_rows": 90}, {"max_rows": 90}),
        ({"quick": "true"}, {"max_rows": 1000}),
        ({"quick": True, "max_rows": 90}, {"max_rows": 90}),
    ],
)
def test_columns_are_named_beside_the_file(given: dict[str, Any], columns: dict[str, Any]) -> None:
    resolved = resolve(GOOD | {"data": "~/my.tsv.gz"} | given)
    path = str(Path.home() / "my.tsv.gz")
    source = {"path": path, "standardize": True, "max_rows": 5000}
    assert resolved["datasets"] == {"my": source | columns}
    assert not (given.keys() - {"quick"}) & resolved.keys()


@pytest.mark.parametrize(
    ("config", "folder"),
    [
        ({}, "results"),
        ({"data": "in/my flowers.csv"}, "results/my_flowers"),
        ({"data": "full.csv"}, "results/data_full"),  # of config/full.yaml
        ({"data": "my.csv", "results": "elsewhere"}, "elsewhere"),
    ],
)
def test_a_file_of_ones_own_has_its_results_to_itself(config: dict[str, str], folder: str) -> None:
    nameless = {key: value for key, value in GOOD.items() if key != "results"}
    assert resolve(nameless | config)["results"] == folder


@pytest.mark.parametrize(("given", "numbers"), [(2, [2]), ("5, 2", [2, 5]), ([5, 2, 2], [2, 5])])
def test_numbers_of_components_beside_the_file_replace_those_of_the_evaluation(
    given: Any, numbers: list[int]
) -> None:
    resolved = resolve(GOOD | {"data": "my.csv", "n_components": given})
    assert resolved["evaluation"] == GOOD["evaluation"] | {"n_components": numbers}


def test_paths_are_plain_and_quick_takes_a_sample_of_what_is_not_drawn() -> None:
    datasets = {
        "blood": {"openml": 1464, "cache": "~/cache"},
        "rings": {"generator": "rings", "n_train": 5000},
    }
    given = {"results": "./out/", "usps": "~/usps/", "datasets": datasets, "quick": True}
    resolved = resolve(GOOD | given)
    assert (resolved["results"], resolved["usps"]) == ("out", str(Path.home() / "usps"))
    assert resolved["datasets"]["blood"]["cache"] == str(Path.home() / "cache")
    assert resolved["datasets"]["blood"]["max_rows"] == 1000
    assert "max_rows" not in resolved["datasets"]["rings"]


def test_kernels_are_named_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kernels: {rbf: {median: [1]}, linear: {}}\n")
    found = named_kernels("rbf, lineer", [tmp_path / "a.yaml"])
    assert found == {"rbf": {"median": [1]}, "lineer": {}}


def test_folders_of_results_are_those_that_the_rules_write_to() -> None:
    rules = [path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")]
    written = set(re.findall(r'results\(f?"(\w+)[/"]', "".join(rules)))
    assert written | {"entries"} == FOLDERS  # which the sweep has beside its outputs


def test_the_order_of_keys_means_nothing() -> None:
    backwards = copy.deepcopy(GOOD)
    backwards["evaluation"] = dict(reversed(GOOD["evaluation"].items()))
    backwards["datasets"]["rings"] = dict(reversed(GOOD["datasets"]["rings"].items()))
    # Snakemake compares parameters as they print.
    assert repr(resolve(backwards)) == repr(resolve(GOOD))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"a: 1\nb: {c: 1\nd: 2\n", r", line 3, column \d+: .*brackets"),
        (b"a:\n\tb: 1\n", r", line 2, column \d+: .*brackets"),
        (b"a: 1\nb: 2026-13-01\n", ", line 2, column 4: cannot be read .* in quotes"),
        (b"a: 1\nb: !!bool perhaps\n", ", line 2, column 4: cannot be read .* in quotes"),
        (b"a: \xff", ": byte 3 is not UTF-8"),
        (b"a: \x01", ": .*control characters"),
        (b"", ": there are no keys"),
        (b"seed: x\n", ", line 1.: .*an integer"),
    ],
)
def test_a_file_can_be_checked_without_a_run(tmp_path: Path, text: bytes, problem: str) -> None:
    (tmp_path / "mine.yaml").write_bytes(text)
    with pytest.raises(InputError, match=rf"mine\.yaml{problem}"):
        check_file(tmp_path / "mine.yaml")
