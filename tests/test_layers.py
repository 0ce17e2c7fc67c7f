"""What imports what: the mathematics knows nothing of the pipeline, and starting costs little."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted(
    path
    for path in (ROOT / "kpca").rglob("*.py")
    if "pipeline" not in path.relative_to(ROOT / "kpca").parts
)
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*.py"))
HEAVY = ("numpy", "scipy", "pandas", "sklearn", "matplotlib")


def imports(path: Path, *, anywhere: bool) -> Iterator[str]:
    """Modules that a file imports, at its top level or anywhere."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree) if anywhere else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def loaded(code: str) -> set[str]:
    """Top-level packages in memory after a fresh interpreter ran some code."""
    probe = f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_mathematics_stands_alone(path: Path) -> None:
    found = list(imports(path, anywhere=True))

    assert not [name for name in found if name.startswith("pipeline")]
    packages = {name.split(".")[0] for name in found}
    assert packages.isdisjoint({"yaml", "pandas", "matplotlib", "snakemake", "jsonschema"})


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_fitting_waits_for_nothing_but_numpy_and_scipy(path: Path) -> None:
    light = ("sklearn.base", "sklearn.utils", "sklearn.exceptions")
    learn = [name for name in imports(path, anywhere=False) if name.startswith("sklearn")]

    assert [name for name in learn if not name.startswith(light)] == []


def test_the_package_itself_costs_nothing() -> None:
    assert loaded("import kpca").isdisjoint(HEAVY)


def test_what_the_snakefile_imports_costs_no_numpy() -> None:
    rules = [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]
    lines = {
        line
        for path in rules
        for line in path.read_text().splitlines()
        if line.startswith(("from kpca", "import kpca", "from benchmarks", "import benchmarks"))
    }

    assert len(lines) > 3
    assert loaded("\n".join(sorted(lines))).isdisjoint(HEAVY)


def test_scripts_import_without_snakemake() -> None:
    code = "import runpy, sys\nsys.modules['snakemake'] = None\n"
    code += "\n".join(f"runpy.run_path({str(path)!r})" for path in SCRIPTS)

    assert len(SCRIPTS) > 5
    assert "kpca" in loaded(code)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_meets_snakemake_in_its_tail_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    tails = [node for node in tree.body if isinstance(node, ast.If)]
    before = [node for node in tree.body if node not in tails]

    names = {inner.id for node in before for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    assert "snakemake" not in names
    assert len(tails) == 1
