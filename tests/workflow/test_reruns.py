"""What an edit runs again: the table in docs/develop.md, row by row."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from kpca.study import fingerprint, tasks
from tests.kpca.study.test_fingerprint import forget
from tests.workflow.pipeline import ROOT, copy_of_the_project, succeeded, write_config

CONFIG = ROOT / "config/test.yaml"
CODE = "\nEDITED = 1\n"
STAGES = {"dataset", "sweep", "choice_measures", "tables", "models"}
# Kind of edit: files with an old and a new text; what has no old text is added.
EDITS: dict[str, list[tuple[str, str, str]]] = {
    "a comment, a docstring, or the text of an error": [
        ("kpca/kernels/registry.py", "", "\n# Of course.\n"),
        ("kpca/eigensolvers/solve.py", '"""', '"""Of course: '),
        ("kpca/validation.py", "memory_budget allows", "memory_budget grants"),
    ],
    "the console command": [("kpca/command/match.py", "", CODE)],
    "the novelty detector": [("kpca/novelty/detector.py", "", CODE)],
    "a pre-image": [("kpca/preimage/ridge.py", "", CODE)],
    "how a model file is written": [("kpca/persistence/codec.py", "", CODE)],
    "the script of a figure": [("workflow/scripts/sweep/figure_sweep.py", "", CODE)],
    "words, label or mark of a method": [
        ("kpca/study/scoring/methods.py", 'words="a linear SVM"', 'words="a linear machine"')
    ],
    "a selection": [("kpca/study/evidence/selection.py", "", CODE)],
    "a method or a metric": [("kpca/study/scoring/methods.py", "", CODE)],
    "a kernel or an eigensolver": [("kpca/eigensolvers/dense.py", "", CODE)],
    "a generator": [("kpca/study/datasets/generators.py", "", CODE)],
    "the time of a file": [],
}
NOTHING = [
    *("a comment, a docstring, or the text of an error", "the time of a file"),
    "the console command",
]
# Kinds that `make test-all` alone tries: each plan takes seconds.
SLOW = ("the novelty detector", "how a model file is written", "a generator", "a pre-image")
SLOW += ("words, label or mark of a method", "a method or a metric", "the script of a figure")
KINDS = [
    pytest.param([kind], marks=pytest.mark.slow if kind in SLOW else (), id=kind)
    for kind in EDITS
    if kind not in NOTHING
]
# Setting of the evaluation: its new value. Fits are kept while their number of components is.
SETTINGS = {"another C": ("C", [1, 100]), "another number of components": ("n_components", [2, 8])}


def promised() -> dict[str, tuple[set[str], str]]:
    """Kind of edit: jobs that run again, and which results are computed anew."""
    table = (ROOT / "docs/develop.md").read_text().split("| Edit of")[1]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")]
    parts = [(kind.strip(), re.findall(r"`(\w+)`", jobs), new.strip()) for kind, jobs, new in rows]
    return {kind: ({*jobs}, new) for kind, jobs, new in parts}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def planned_anew(swept: Path, project: Path) -> Callable[..., set[str]]:
    """Jobs that a change of the copy runs again, without those that follow from `tables`.

    That it is a copy runs the pages again.
    """

    def jobs(argument: str = f"--configfile={CONFIG}") -> set[str]:
        given = {"snakefile": project / "Snakefile", "packages": [project]}
        run = succeeded(swept, argument, "--dry-run", "page", "models", **given)
        found = set(run.jobs) - {"explorer", "lesson", "page", "provenance"}
        return found & STAGES if "tables" in found else found

    return jobs


@pytest.fixture
def codes(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """Say which results the code of the copy computes anew."""

    def read() -> dict[str, str]:
        forget()
        return tasks.codes_of_results.__wrapped__()

    before = read()
    monkeypatch.setattr(fingerprint, "ROOT", project)
    yield lambda: ", ".join(kind for kind, code in read().items() if code != before[kind])
    monkeypatch.undo()
    forget()


def test_the_table_has_every_kind_of_edit() -> None:
    assert promised().keys() == {*EDITS, *SETTINGS}


@pytest.mark.parametrize("kinds", [pytest.param(NOTHING, id="nothing"), *KINDS])
def test_an_edit_runs_again_what_the_table_says(
    kinds: list[str], project: Path, planned_anew: Callable[[], set[str]], codes: Callable[[], str]
) -> None:
    """Those that run nothing again are made together; a clone or a branch changes the times."""
    edits = [each for kind in kinds for each in EDITS[kind]]
    for name, old, new in edits:
        text = (project / name).read_text()
        assert old in text
        (project / name).write_text(text.replace(old, new, 1) if old else text + new)
    for file in project.rglob("*.py") if kinds == NOTHING else ():
        os.utime(file)
    try:
        found = planned_anew(), codes()
    finally:
        for name, _, _ in edits:
            shutil.copy2(ROOT / name, project / name)
    assert [found] * len(kinds) == [promised()[kind] for kind in kinds]


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_setting_runs_again_what_the_table_says(
    kind: str, tmp_path: Path, planned_anew: Callable[[str], set[str]]
) -> None:
    changed = yaml.safe_load(CONFIG.read_text())
    name, value = SETTINGS[kind]
    changed["evaluation"][name] = value
    assert planned_anew(write_config(tmp_path / "c.yaml", changed)) == promised()[kind][0]
