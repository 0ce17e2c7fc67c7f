"""The wheel holds the mathematics alone, and fits with nothing of the pipeline's at hand."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kpca import KernelPCA, save
from tests.workflow.pipeline import ROOT

ALONE = """
import sys

REFUSED = {"pandas", "yaml", "jsonschema", "matplotlib", "snakemake", "pyarrow"}
REFUSED |= {"pipeline", "benchmarks", "workflow"}


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Refuse())
sys.path.insert(0, sys.argv[1])
import numpy as np
import kpca
from kpca.command import main

assert kpca.__file__.startswith(sys.argv[1]), kpca.__file__
X = np.random.default_rng(0).normal(size=(60, 3))
model = kpca.KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point").fit(X)
assert model.transform(X).shape == (60, 2)
assert model.denoise(X).shape == X.shape
assert model.residuals_.max() < 1e-8
kpca.PCA(2).fit_transform(X)
for module in (kpca.choice, kpca.inspection, kpca.novelty):
    assert all(hasattr(module, name) for name in module.__all__)
for words in ("info m", "transform m new.csv -o out.csv"):
    assert main(words.split()) == 0
print("refused:", *sorted(REFUSED & {name.partition(".")[0] for name in sys.modules}))
"""


def test_the_wheel_holds_the_whole_package_alone_and_needs_nothing_else(tmp_path: Path) -> None:
    """Built from a copy: setuptools leaves folders where it builds, and reads them again."""
    source, folder, installed = (tmp_path / name for name in ("source", "wheel", "installed"))
    for name in ("kpca", "pipeline", "tests/kpca"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    folder.mkdir()
    subprocess.run([sys.executable, "-c", build], cwd=source, capture_output=True, check=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(installed)

    package = {*(ROOT / "kpca").rglob("*.py"), ROOT / "kpca/py.typed"}
    files = {path.relative_to(installed) for path in installed.rglob("*") if path.is_file()}
    found = {path for path in files if ".dist-info" not in path.parts[0]}
    assert found == {path.relative_to(ROOT) for path in package}
    [entry_points] = installed.glob("*.dist-info/entry_points.txt")
    assert "kpca = kpca.command:main" in entry_points.read_text()

    rows = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=["a", "b", "c"])
    rows[["c", "b", "a"]].to_csv(tmp_path / "new.csv", index=False)
    model = make_pipeline(StandardScaler(), KernelPCA(2, kernel="poly")).fit(rows)
    save(model, tmp_path / "m")
    # With what the wheel holds, and without what the pipeline needs.
    command = [sys.executable, "-B", "-E", "-P", "-c", ALONE, str(installed)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "StandardScaler → KernelPCA" in run.stdout
    assert run.stdout.endswith("refused:\n")  # nothing of that is in memory
    scores = np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(scores, model.transform(rows))
