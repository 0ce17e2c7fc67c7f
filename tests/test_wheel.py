"""The wheel alone fits without the packages of the study, and answers without the workflow."""

import io
import shutil
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from kpca import KernelPCA, save
from kpca.study import answer
from tests.workflow.pipeline import ROOT, finished

# Packages that the wheel must do without, and what refuses them before a program begins.
WORKFLOW = ("yaml", "jsonschema", "matplotlib", "snakemake", "pipeline", "benchmarks", "workflow")
STUDY = ("pandas", "pyarrow")
REFUSAL = """
import sys

REFUSED = {refused!r}


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Refuse())
sys.path.insert(0, sys.argv[1])
"""
ALONE = """
import numpy as np
import kpca

assert kpca.__file__.startswith(sys.argv[1]), kpca.__file__
X = np.random.default_rng(0).normal(size=(60, 3))
model = kpca.KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point").fit(X)
assert model.transform(X).shape == (60, 2)
assert model.denoise(X).shape == X.shape
assert model.residuals_.max() < 1e-8
kpca.PCA(2).fit_transform(X)
kpca.save(model, "m")
assert (kpca.load("m").transform(X) == model.transform(X)).all()
for module in (kpca.choice, kpca.inspection, kpca.novelty):
    assert all(hasattr(module, name) for name in module.__all__)
print("refused:", *sorted({*REFUSED} & {name.partition(".")[0] for name in sys.modules}))
"""


OPTIONS = {"splits": 2, "folds": 2, "kernels": "cosine", "n_components": 2, "svm_C": 1}
ANSWER = f"""
import kpca.study
from sklearn.datasets import load_wine

assert kpca.__file__.startswith(sys.argv[1]), kpca.__file__
X, y = load_wine(return_X_y=True)
answer = kpca.study.answer(X[::3], y[::3], processes=1, **{OPTIONS})
print(answer.ranking.to_json())
"""


def run_without(refused, program, folder, *arguments):
    """Run a program in a folder with the wheel alone, and none of some packages."""
    whole = REFUSAL.format(refused=refused) + program
    command = [sys.executable, "-B", "-E", "-P", "-c", whole, *map(str, arguments)]
    return finished(command, folder)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the wheel, unpacked.

    It is built from a copy: setuptools leaves folders where it builds, and reads them again.
    """
    tmp_path = tmp_path_factory.mktemp("wheel")
    source, folder, installed = (tmp_path / name for name in ("source", "wheel", "installed"))
    for name in ("kpca", "pipeline", "tests/kpca"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    folder.mkdir()
    finished([sys.executable, "-c", build], source, check=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(installed)
    return installed


def test_the_wheel_answers_without_the_workflow(installed, tmp_path):
    alone = run_without(WORKFLOW, ANSWER, tmp_path, installed)
    ranking = pd.read_json(io.StringIO(alone.stdout.splitlines()[-1]))
    X, y = load_wine(return_X_y=True)
    expected = answer(X[::3], y[::3], processes=1, **OPTIONS).ranking
    pd.testing.assert_frame_equal(ranking, expected, check_dtype=False)


@pytest.mark.parametrize("words", ["info m", "transform m new.csv"])
def test_without_the_extra_the_command_names_it(words, installed, tmp_path):
    rows = np.random.default_rng(0).normal(size=(60, 2))
    np.savetxt(tmp_path / "new.csv", rows, delimiter=",", header="a,b", comments="")
    save(KernelPCA(2).fit(rows), tmp_path / "m")
    program = "from kpca.command import main\nmain(sys.argv[2:])"
    run = run_without(WORKFLOW + STUDY, program, tmp_path, installed, *words.split())
    error = "kpca: ModuleNotFoundError: No module named 'pandas': pip install \"kpca[study]\"\n"
    assert (run.stdout, run.stderr) == ("", error)


def test_the_wheel_holds_the_whole_package_alone(installed):
    package = {*(ROOT / "kpca").rglob("*.py"), ROOT / "kpca/py.typed"}
    files = {path.relative_to(installed) for path in installed.rglob("*") if path.is_file()}
    modules = {path for path in files if ".dist-info" not in path.parts[0]}
    assert modules == {path.relative_to(ROOT) for path in package}
    [entry_points] = installed.glob("*.dist-info/entry_points.txt")
    assert "kpca = kpca.command:main" in entry_points.read_text()


def test_the_wheel_needs_nothing_else(installed, tmp_path):
    run = run_without(WORKFLOW + STUDY, ALONE, tmp_path, installed)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "refused:\n"  # nothing of that is in memory
