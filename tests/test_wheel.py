"""The wheel holds the mathematics alone, and fits with nothing of the pipeline's at hand."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIT = """
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

assert kpca.__file__.startswith(sys.argv[1]), kpca.__file__
X = np.random.default_rng(0).normal(size=(60, 3))
model = kpca.KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point").fit(X)
assert model.transform(X).shape == (60, 2)
assert model.denoise(X).shape == X.shape
assert model.residuals_.max() < 1e-8
kpca.PCA(2).fit_transform(X)
print(*sorted(REFUSED & {name.partition(".")[0] for name in sys.modules}))
"""


PACKAGE = {str(file.relative_to(ROOT)) for file in (ROOT / "kpca").rglob("*.py")} | {
    "kpca/py.typed"
}


def built(kind: str, source: Path, folder: Path) -> Path:
    """Build from a folder what pip or a release asks for: a wheel or an sdist."""
    build = f"from setuptools import build_meta; build_meta.build_{kind}({str(folder)!r})"
    command = [sys.executable, "-c", build]
    run = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return next(folder.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what is built from: setuptools leaves folders where it builds, and reads them again."""
    source = tmp_path_factory.mktemp("source")
    names = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "kpca/py.typed")
    listed = [ROOT / name for name in names] + [Path(__file__)]
    for file in listed + [f for name in ("kpca", "pipeline") for f in (ROOT / name).rglob("*.py")]:
        copy = source / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    return source


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    return zipfile.ZipFile(built("wheel", source, tmp_path_factory.mktemp("wheel")))


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == PACKAGE


def test_the_source_distribution_builds_the_same_wheel(
    source: Path, wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    with tarfile.open(built("sdist", source, tmp_path)) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("kpca-*/")

    again = zipfile.ZipFile(built("wheel", unpacked, tmp_path))

    assert {n: again.read(n) for n in again.namelist()} == {
        n: wheel.read(n) for n in wheel.namelist()
    }
    assert not (unpacked / "pipeline").exists()
    assert not (unpacked / "tests").exists()


def test_a_fit_needs_nothing_of_the_pipeline(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    command = [sys.executable, "-E", "-P", "-c", FIT, str(tmp_path)]

    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == ""
