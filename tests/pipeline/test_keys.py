"""The keys of results cover all that computes them, and nothing that only tells of it."""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.make import make_dataset
from pipeline.evaluation.evaluate import evaluate_cell, make_problem
from pipeline.evaluation.metrics import METRICS
from pipeline.evaluation.settings import Settings, cells
from pipeline.fingerprint import OWN_PACKAGES, SAID, code_of, reachable
from pipeline.fitted_models import fit_arrays, fold_scores
from pipeline.grid import points
from pipeline.kernels import FAMILIES
from pipeline.tasks import STORED
from tests.workflow.pipeline import ROOT

FITS, SCORES = "pipeline/fitted_models.py", "pipeline/evaluation/evaluate.py"
ROWS = ("pipeline.datasets.dataset",)
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
    fits, scores = covered(FITS, *ROWS), covered(SCORES)
    apart = ("kpca.preimage", "kpca.command", "kpca.novelty", "kpca.persistence", "kpca.inspection")
    assert not [name for name in fits | scores if name.startswith((*apart, "pipeline.tables"))]
    assert not [name for name in fits if name.startswith(("pipeline.evaluation", *ROWS))]


def test_words_of_records_are_read_by_nothing_that_scores() -> None:
    for name in covered(SCORES):
        if name.startswith("pipeline."):
            nodes = [*ast.walk(ast.parse(file_of(name).read_text()))]
            read = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & {*SAID}
            # The records themselves: a predictor has words, and a mark its line.
            assert read <= (
                {"words", "marker"} if name == "pipeline.evaluation.methods" else set()
            ), name
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
    for place in rng.permutation(len(places))[:3]:
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
