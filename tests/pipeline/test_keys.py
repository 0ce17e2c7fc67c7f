"""The keys of results cover all that computes them, and nothing that only tells of it."""

import ast
import sys
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
from pipeline.tasks import STORED
from tests.workflow.pipeline import ROOT

FITS, SCORES = "pipeline/fitted_models.py", "pipeline/evaluation/evaluate.py"
ROWS = ("pipeline.datasets.dataset",)
KERNELS: dict[str, dict[str, Any]] = {
    "linear": {},
    "poly": {"degree": [2], "scale": [1], "coef0": [1]},
    "rbf": {"median": [0.01, 30]},
    "laplacian": {"median": [1]},
    "sigmoid": {"scale": [1], "coef0": [0]},
    "cosine": {},
}
SETTINGS = Settings((2, 9), (1.0,), 3, ("unit", "whiten"), 2, 0.9)


def covered(script: str, *without: str) -> set[str]:
    name = script.removesuffix(".py").replace("/", ".")
    return reachable([name], (*STORED, *without))


def file_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def ran(frame: FrameType, seen: set[str]) -> None:
    seen.add(str(frame.f_globals.get("__name__")))


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_every_function_that_runs_is_covered() -> None:
    """Fits and scores of every kernel on classes, a target and rows without an answer."""
    fitted: set[str] = set()
    scored: set[str] = set()
    for spec in ({"sklearn": "iris"}, {"generator": "swiss_roll", "n_train": 40, "n_test": 20}):
        dataset = make_dataset("d", spec, seed=0, replicates=1)
        problem = make_problem(dataset.split(0), 3, seed=0)
        grid = [point for name, axes in KERNELS.items() for point in points(name, dict(axes))]
        X = problem.split.X_train
        for cell in cells(grid, {}, task=dataset.task, precomputed=False):
            fit: Any = None
            folds: Any = ()
            sys.setprofile(lambda frame, event, _: ran(frame, fitted) if event == "call" else None)
            try:
                if cell.kind == "kernel":
                    fit = fit_arrays(cell.point, X, n_components=9, variance_share=0.9)
                    folds = fold_scores(cell.point, X, problem.folds, n_components=9)
                sys.setprofile(
                    lambda frame, event, _: ran(frame, scored) if event == "call" else None
                )
                evaluate_cell(problem, cell, SETTINGS, fit, folds=folds)
            finally:
                sys.setprofile(None)
    ours = tuple(f"{package}." for package in OWN_PACKAGES)
    for names, known in ((fitted, covered(FITS, *ROWS)), (scored, covered(SCORES))):
        own = {name for name in names if name.startswith(ours)}
        assert len(own) > 10
        stored = {name for name in own if name.startswith(STORED)}
        assert own - stored - known == set()
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


class Mutant(ast.NodeTransformer):
    """Changes a number, which may be a default, a comparison, or what is called: the one place."""

    def __init__(self, place: int) -> None:
        self.left = place
        self.done = ""

    def visit(self, node: ast.AST) -> Any:
        if (
            self.done
            or isinstance(node, ast.Raise)
            or (isinstance(node, ast.Expr) and "warn" in ast.unparse(node))
        ):
            return node
        match node:
            case ast.Constant(value=int() | float() as value):
                kind, changed = "number", ast.Constant(value + 1)
            case ast.Compare(left=left, ops=[first, *others], comparators=values):
                other = ast.NotEq() if isinstance(first, ast.Lt) else ast.Lt()
                kind, changed = "comparison", ast.Compare(left, [other, *others], values)
            case ast.Call(args=args, keywords=keywords):
                other = ast.Name("other", ast.Load())
                kind, changed = "callee", ast.Call(other, args, keywords)
            case _:
                return self.generic_visit(node)
        if self.left:
            self.left -= 1
            return self.generic_visit(node)
        self.done = kind
        return ast.copy_location(changed, node)


def test_a_mutant_of_each_module_of_a_key_changes_it(tmp_path: Path) -> None:
    """At random places; keys hold the digest of every module that they cover."""
    rng, seen = np.random.default_rng(0), set()
    for name in sorted(covered(FITS, *ROWS) | covered(SCORES)):
        text = file_of(name).read_text()
        digests = set()
        for number, place in enumerate([10**6, *rng.choice(60, size=5, replace=False)]):
            mutant = Mutant(int(place))
            copy = tmp_path / f"{number}/{name}.py"
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(ast.unparse(mutant.visit(ast.parse(text))))
            if mutant.done or not number:
                seen.add(mutant.done)
                digest = code_of(copy, words=False)
                assert digest not in digests, (name, mutant.done, copy.read_text())
                digests.add(digest)
    assert seen == {"", "number", "comparison", "callee"}
