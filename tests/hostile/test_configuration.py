"""A configuration that is damaged or made to do harm is refused, with its place and a remedy."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.configuration.__main__ import SCHEMA, check_file
from pipeline.configuration.config import check_config, resolve
from pipeline.configuration.reduced import reduced
from pipeline.configuration.yaml_lines import DEEPEST, read_yaml
from pipeline.plan import grid_of, source_of
from tests.hostile import NAMES, as_many, damaged, survived
from tests.workflow.pipeline import ROOT

FILES = {name: (ROOT / f"config/{name}.yaml").read_bytes() for name in ("config", "test")}
FOREIGN = "!!python/object/apply:pathlib.Path.touch [harm]"
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 3, 10**400, 0.5, -0.0, float("nan"), float("inf"), 1e308, "", "1e5"),
    *([], {}, [[]], [None], {"a": None}, {3: 4}, {None: 1}, {True: "x"}, [1, 1.0, True], b"\xff"),
    *("../../up", "/dev/null", "/dev/zero", "/", "a" * 5000, "a\0b", "~", "~nobody/x", "~\0/x"),
    *("math:sqrt", "os:system", ":", "a.b:c", "moons", "data", "results", *NAMES),
)
WORDS = (
    *(b"nan0.3", b"nan 8", b"2026-13-01", b"2026-01-01T25:00:00Z", b"0x_", b"1:60:3", b"9" * 5000),
    *(
        b"&a ",
        b"*a",
        b"&a [*a, *a]",
        b"<<: ",
        b"<<: *a\n",
        b"? ",
        b"- ",
        b"[",
        b"]",
        b"{",
        b"}",
        b": ",
    ),
    *(
        b"[" * 20_000,
        b"{a: " * 2000,
        b"!!binary ",
        b"!!set ",
        b"!!omap ",
        b"!!int ",
        b"%YAML 9.9\n",
    ),
    *(b"---\n", b"...\n", b"\t", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xc2\x85", b"|\n", b"'"),
    *(FOREIGN.encode(), b"data: ", b"label: ", b"  own: {callable: 'a:b'}\n", b"~: ", b"3: "),
)


def check(file: Path) -> None:
    """Check a file as a run does, to the point where jobs would begin."""
    check_file(file)
    config = resolve(read_yaml(file))
    if "data" not in config:
        config, _ = reduced(config)
    for name, spec in config["datasets"].items():
        source_of(spec), grid_of(config, name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the checks run; nothing is written there, nor around it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    yield tmp_path / "here"
    assert {path.name for path in tmp_path.rglob("*")} == {"here", "wrong.yaml"}


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file(name: str, folder: Path) -> None:
    @as_many()
    @given(data=damaged(FILES[name], WORDS))
    def each(data: bytes) -> None:
        (folder / "wrong.yaml").write_bytes(data)
        survived(partial(check, folder / "wrong.yaml"))

    each()


@st.composite
def altered(draw: st.DrawFn, whole: dict[str, Any]) -> dict[str, Any]:
    """A configuration with other values, keys and sections in places that it has."""
    config = json.loads(json.dumps(whole))
    values, names = st.sampled_from(VALUES).map(deepcopy), st.sampled_from((*NAMES, 3, None, True))
    for _ in range(draw(st.integers(1, 3))):
        inside: Any = config
        while True:
            keys = [*inside] if isinstance(inside, dict) else [*range(len(inside))]
            key = draw(st.sampled_from(keys)) if keys else 0
            if not keys or not isinstance(inside[key], dict | list) or draw(st.booleans()):
                break
            inside = inside[key]
        if isinstance(inside, list):
            inside.append(draw(values))
        else:
            known = st.sampled_from(("data", "label", "features", "path", "callable", "results"))
            inside[draw(known | names if draw(st.booleans()) else st.just(key))] = draw(values)
    return config


@pytest.mark.parametrize("name", FILES)
def test_other_values(name: str, folder: Path) -> None:
    @as_many()
    @given(config=altered(yaml.safe_load(FILES[name])))
    def each(config: dict[str, Any]) -> None:
        text = yaml.dump(config, Dumper=yaml.CSafeDumper, allow_unicode=True)
        (folder / "wrong.yaml").write_text(text, encoding="utf-8")
        survived(partial(check, folder / "wrong.yaml"))

    each()


def laughs(levels: int) -> str:
    """Ten aliases for ten aliases, and so on."""
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(["a0: &a0 [x]", *lines])


@pytest.mark.parametrize(
    "text",
    [
        laughs(12),
        "studies: &a [*a]",
        "datasets: &a {b: {c: *a}}",
        "studies: " + "[" * 100_000,
        "studies: " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 2000))]),
    ],
)
def test_what_unfolds_without_end(text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(f"{FILES['test'].decode()}\n{text}\n")

    said = survived(partial(check_file, file))
    assert said is not None
    assert f"more than {DEEPEST} levels or" in said
    # As Snakemake hands it over, which has read the file by itself.
    schema = json.loads(SCHEMA.read_text())
    assert survived(partial(check_config, {}, schema, [file])) == said


def test_aliases_may_spare_words(tmp_path: Path) -> None:
    text = FILES["test"].decode().replace("C: [1, 10]", "C: &few [1, 10]")
    (tmp_path / "c.yaml").write_text(text.replace("n_components: [1, 2, 8]", "n_components: *few"))

    assert survived(partial(check_file, tmp_path / "c.yaml")) is None or "few" in text


def test_a_tag_builds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.yaml").write_text(f"seed: {FOREIGN}\n")

    assert "could not determine a constructor" in str(survived(partial(read_yaml, Path("c.yaml"))))
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("data", "~nobody_of_this_name/x.csv", "no file"),
        ("data", "~\0/x.csv", "null byte"),
        ("data", "a" * 5000, "File name too long"),
        ("results", "a\0b", "no part of a name"),
        ("usps", "a{b}", "'{', '}', no part of a name"),
        ("results", "<b>", "'<b>', no part of a name"),
    ],
)
def test_paths_that_the_system_refuses(key: str, value: str, said: str, tmp_path: Path) -> None:
    config = yaml.safe_load(FILES["test"]) | {key: value}
    (tmp_path / "c.yaml").write_text(yaml.safe_dump(config))

    assert said in str(survived(partial(check_file, tmp_path / "c.yaml")))
