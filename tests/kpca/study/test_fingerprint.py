"""Fingerprints and keys follow what code does, and cover all that computes a result."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from kpca.study import fingerprint as fingerprints
from kpca.study.datasets.make import make_dataset
from kpca.study.fingerprint import OWN_PACKAGES, SAID, code_of, own_fingerprint, reachable
from kpca.study.fitting.fitted_models import fit_arrays, fold_scores
from kpca.study.fitting.grid import points
from kpca.study.fitting.kernels import FAMILIES
from kpca.study.scoring.evaluate import evaluate_cell, make_problem
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.settings import Settings, cells
from kpca.study.tasks import STORED
from tests.workflow.pipeline import ROOT

FILES = {
    "ours/__init__.py": '"""Lazy."""\n_EXPORTS = {"f": "ours.exported", "g": "ours.other"}\n',
    "ours/exported.py": "def f():\n    return 1\n",
    "ours/other.py": "def g():\n    return 1\n",
    "ours/direct.py": '"""Doc."""\nfrom ours import indirect\n\n\ndef h():\n    """Doc."""\n',
    "ours/indirect.py": "SOLVERS = {'a': 'ours.registered', 'b': 'ours.named.f'}\nVALUE = 1\n",
    "ours/registered.py": "VALUE = 1\n",
    "ours/named.py": """
def f(x, y=2):
    warn(f'{x} is wrong')
    if x in {1, 2}:
        raise ValueError('one')
    try:
        return x + 1, lambda a: a
    finally:
        x = 0
""",
    "ours/in_function.py": "VALUE = 1\n",
    "inner/studies/in_tail.py": "VALUE = 1\n",
    "script.py": """
from ours import f
from ours.direct import h

def draw():
    from ours.in_function import VALUE

if __name__ == "__main__":
    import inner.studies.in_tail
""",
}


def forget() -> None:
    """Let every file be read anew: within one start no file changes."""
    for function in vars(fingerprints).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(fingerprints, "ROOT", tmp_path)
    monkeypatch.setattr(fingerprints, "OWN_PACKAGES", ("ours", "inner.studies"))
    forget()
    yield tmp_path
    forget()


Edit = Callable[[str, str, str], bool]


@pytest.fixture
def changes(project: Path) -> Edit:
    """Edit a file; return whether the script's code is another then."""

    def edit(file: str, old: str, new: str) -> bool:
        forget()
        before = fingerprints.code_of("script.py")
        text = (project / file).read_text()
        assert old in text
        (project / file).write_text(text.replace(old, new, 1))
        forget()
        return fingerprints.code_of(project / "script.py") != before

    return edit


@pytest.mark.parametrize("file", sorted(set(FILES) - {"ours/__init__.py", "ours/other.py"}))
def test_an_edit_of_what_a_script_reaches_counts(changes: Edit, file: str) -> None:
    assert changes(file, FILES[file], f"{FILES[file]}\nEDITED = 1\n")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("indirect", "VALUE", "# A comment.\nVALUE"),
        ("direct", '"""Doc."""\nfrom', '"""Other."""\nfrom'),
        ("direct", '    """Doc."""', '    """Other."""'),
        ("direct", "def h", "assert True\n\n\ndef h"),
        ("named", "'one'", "'two'"),
        ("named", "{x} is wrong", "{x} fails"),
        ("other", "return 1", "return 2"),  # an export that the script does not use
    ],
)
def test_what_changes_nothing_that_runs_counts_for_nothing(
    changes: Edit, file: str, old: str, new: str
) -> None:
    assert not changes(f"ours/{file}.py", old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + 1", "x - 1"),
        ("(x, y=2)", "(x, z=2)"),
        ("ValueError", "TypeError"),
        ("lambda a: a", "lambda a: -a"),
        ("finally:", "except OSError:"),
    ],
)
def test_an_edit_of_what_code_does_is_seen(changes: Edit, old: str, new: str) -> None:
    assert changes("ours/named.py", old, new)


OWN = {
    "own_package/__init__.py": "",
    "own_package/inner.py": "from . import scale\nimport no_such_module\nVALUE = 1\n",
    "own_helper.py": "def helped():\n    import own_package.inner\n",
}
USES = ("import own_helper", "from own_package import inner", "from own_package.inner import VALUE")


@pytest.mark.parametrize("line", USES)
def test_custom_code_counts_by_what_it_does_and_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    (tmp_path / "own_package").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in (OWN | {"own_code.py": f"{line}\n"}).items():
        (tmp_path / name).write_text(text)
    seen = []
    for scale in ("SCALE = 1\n", "# A comment.\nSCALE = 1\n", "SCALE = 1000\n"):
        (tmp_path / "own_package/scale.py").write_text(scale)
        forget()
        seen.append(own_fingerprint("own_code:f"))
    assert seen[0] == seen[1] != seen[2]


def test_installed_code_counts_by_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = own_fingerprint("sklearn.decomposition:PCA")
    forget()
    monkeypatch.setattr(fingerprints.metadata, "version", lambda name: "999")
    assert own_fingerprint("sklearn.decomposition:PCA") != before
    forget()


def test_a_fingerprint_is_the_same_in_every_process(project: Path) -> None:
    """Python compiles a set of texts to another order with another seed of their hashes."""
    script = project / "script.py"
    script.write_text("def f(x):\n    return x in {'a', 'b', 'c', 'd'}\n")
    code = f"from kpca.study import fingerprint; print(fingerprint.code_of({str(script)!r}))"
    seen = set()
    for seed in range(4):
        surroundings = os.environ | {"PYTHONHASHSEED": str(seed)}
        seen.add(subprocess.check_output([sys.executable, "-c", code], env=surroundings))
    assert len(seen) == 1


FITS, SCORES = "kpca/study/fitting/fitted_models.py", "kpca/study/scoring/evaluate.py"
ROWS = ("kpca.study.datasets.dataset",)
GRID = [p for name in FAMILIES for p in points(name, {axis: [2] for axis in FAMILIES[name].axes})]
SETTINGS = Settings((2, 9), (1.0,), 3, ("unit", "whiten"), 2, 0.9)


def covered(script: str, *without: str) -> set[str]:
    name = script.removesuffix(".py").replace("/", ".")
    return reachable([name], (*STORED, *without))


def file_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@contextmanager
def noted(modules: set[str]) -> Iterator[None]:
    """Note the modules of all functions that are called."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            modules.add(str(frame.f_globals.get("__name__")))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.mark.filterwarnings("ignore")
def test_every_function_that_runs_is_covered() -> None:
    """Fits and scores of every kernel on classes, and on a target."""
    fitted: set[str] = set()
    scored: set[str] = set()
    generated = {"generator": "swiss_roll", "n_train": 24, "n_test": 12}
    for spec, grid in (({"sklearn": "iris", "max_rows": 45}, GRID), (generated, GRID[-1:])):
        dataset = make_dataset("d", spec, seed=0, replicates=1)
        problem = make_problem(dataset.split(0), 3, seed=0)
        X, sizes = problem.split.X_train, {"n_components": 9}
        for cell in cells(grid, {}, task=dataset.task, precomputed=False):
            fit: Any = None
            folds: Any = ()
            with noted(fitted):
                if cell.kind == "kernel":
                    fit = fit_arrays(cell.point, X, **sizes, variance_share=0.9)
                    folds = fold_scores(cell.point, X, problem.folds, **sizes)
            with noted(scored):
                evaluate_cell(problem, cell, SETTINGS, fit, folds=folds)
    ours = tuple(f"{package}." for package in OWN_PACKAGES)
    for names, known in ((fitted, covered(FITS, *ROWS)), (scored, covered(SCORES))):
        own = {name for name in names if name.startswith(ours) and not name.startswith(STORED)}
        assert len(own) > 10
        assert own - known == set()
    assert not any(name.startswith(("kpca.preimage", "kpca.novelty")) for name in fitted | scored)


def test_keys_leave_out_what_computes_no_score() -> None:
    dataset = reachable(["workflow.scripts.sweep.make_dataset"])
    assert not dataset & {
        "kpca.kernel_pca",
        "kpca.eigensolvers.solve",
        "kpca.study.scoring.evaluate",
    }
    fit = reachable(["workflow.scripts.sweep.fit_and_score"])
    assert not {name for name in fit if name.endswith(".described") or ".command" in name}
    fits, scores = covered(FITS, *ROWS), covered(SCORES)
    apart = ("kpca.preimage", "kpca.command", "kpca.novelty", "kpca.persistence", "kpca.inspection")
    assert not [name for name in fits | scores if name.startswith((*apart, "kpca.study.evidence"))]
    assert not [name for name in fits if name.startswith(("kpca.study.scoring", *ROWS))]


def test_words_of_records_are_read_by_nothing_that_scores() -> None:
    for name in covered(SCORES):
        if name.startswith("kpca.study."):
            nodes = [*ast.walk(ast.parse(file_of(name).read_text()))]
            read = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & {*SAID}
            # The records themselves: a predictor has words, a mark its line, and a label a name.
            known = {"words", "marker", "label"}
            assert read <= (known if name == "kpca.study.scoring.methods" else set()), name
    assert {"words", "symbol", "margin"} <= set(SAID) & {*vars(METRICS["ami"])}


def mutants(text: str, rng: np.random.Generator) -> Iterator[tuple[type[ast.AST], str]]:
    """Yield a module with another number, which may be a default, comparison or callee each."""
    tree = ast.parse(text)
    nodes = [*ast.walk(tree)]
    silent = [node for node in nodes if isinstance(node, ast.Raise | ast.Assert)]
    silent += [n for n in nodes if isinstance(n, ast.Expr) and "warn" in ast.unparse(n)]
    silent += [n for n in nodes if isinstance(n, ast.keyword) and n.arg in SAID]
    left_out = {inner for node in silent for inner in ast.walk(node)}
    numbers = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, int | float)]
    changed = [*numbers, *(n for n in nodes if isinstance(n, ast.Compare | ast.Call))]
    places = [node for node in changed if node not in left_out]
    for place in rng.permutation(len(places))[:1]:
        node, before = places[place], dict(vars(places[place]))
        match node:
            case ast.Constant():
                node.value = 2 * node.value + 1
            case ast.Compare(ops=[first, *others]):
                node.ops = [ast.NotEq() if isinstance(first, ast.Lt) else ast.Lt(), *others]
            case ast.Call():
                node.func = ast.Name("other", ast.Load())
        yield type(node), ast.unparse(tree)
        vars(node).update(before)


def test_a_mutant_of_each_module_of_a_key_changes_it(tmp_path: Path) -> None:
    """At random places; keys hold the digest of every module that they cover."""
    rng, seen = np.random.default_rng(0), set()
    for name in sorted(covered(FITS, *ROWS) | covered(SCORES)):
        text = file_of(name).read_text()
        digests = set()
        for number, (kind, mutant) in enumerate([(ast.Module, text), *mutants(text, rng)]):
            copy = tmp_path / f"{number}/{name}.py"
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(ast.unparse(ast.parse(mutant)))
            digest = code_of(copy, words=False)
            assert digest not in digests, (name, kind, mutant)
            digests.add(digest)
            seen.add(kind)
    assert seen == {ast.Module, ast.Constant, ast.Compare, ast.Call}
