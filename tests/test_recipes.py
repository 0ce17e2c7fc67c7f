"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project, suffice.

All are followed in one copy: recipes do not disturb each other, and the tests there run once.
"""

import re
import sys
import textwrap
from itertools import chain
from pathlib import Path

import pytest
import yaml

from tests.workflow.pipeline import ROOT, copy_of_the_project, environment, finished

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


RECIPES = yaml.safe_load(Path(__file__).with_name("recipes.yaml").read_text())


def taking(name):
    """Return the tests that have to take what a recipe adds."""
    return RECIPES[name].get("tests", [])


def changes(recipe):
    """Yield files, with a text of each and what takes its place."""
    for path, block in re.findall(r"# (\S+)\n((?:[=+-].*\n)+)", recipe["edits"]):
        lines = [(line[0], line[2:]) for line in block.splitlines()]
        old, new = ([text for sign, text in lines if sign != other] for other in "+-")
        yield path, "\n".join(old), "\n".join(new)


HEAD = """import numpy as np
import pandas as pd
import pytest

from kpca.study.fitting.grid import Point
from tests.workflow.pipeline import small_config, succeeded, write_config


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planned")
    again = {"generator": "again", "n_train": 20, "n_test": 20}
    config = write_config(folder / "c.yaml", small_config(datasets={"again": again}))
    return succeeded(folder, config, "--dry-run").jobs
"""


@pytest.fixture(scope="module")
def passed(tmp_path_factory):
    """Names of the tests that pass in a copy in which all recipes were followed."""
    copy = copy_of_the_project(tmp_path_factory.mktemp("followed"))
    text = HEAD
    for name, recipe in RECIPES.items():
        for path, old, new in changes(recipe):
            file = copy / path
            before = file.read_text() if file.exists() else ""
            assert old in before, (path, old)
            file.write_text(before.replace(old, new, 1) if old else f"{before}{new}\n")
        body = textwrap.indent(recipe["check"], "    ")
        text += f"\n\ndef test_{name.replace(' ', '_')}(planned):\n{body}"
    (copy / "tests/test_followed.py").write_text(text)
    wanted = ["tests/test_followed.py", *chain.from_iterable(map(taking, RECIPES))]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *wanted]
    done = finished(command, copy, env=environment(copy))
    print(done.stdout, done.stderr)  # Pytest shows this output if the test fails.
    return set(re.findall(r"^PASSED (\S+)", done.stdout, flags=re.MULTILINE))


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_suffices_and_names_what_it_edits(name, passed):
    """Files by their path, or by that of their folder with a name in capitals."""
    check = f"tests/test_followed.py::test_{name.replace(' ', '_')}"
    assert {check, *taking(name)} <= passed
    recipe = (
        CONTRIBUTING.split(f"## Add {name}\n")[1]
        .split("\n## ")[0]
        .replace("STUDY", "sweep_figures")
    )
    for path, _, _ in changes(RECIPES[name]):
        general = [re.sub(r"\w+(\.\w+)$", rf"{n}\1", path) for n in ("NAME", "figure_NAME")]
        assert any(file in recipe for file in (path, *general, Path(path).name)), path
