"""What is imported at once: starting costs little."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {ROOT / "kpca" / name for name in ("study", "reading", "command")}
CORE = [path for path in sorted((ROOT / "kpca").rglob("*.py")) if ROOMS.isdisjoint(path.parents)]
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]
SCRIPTS = [
    path
    for path in sorted((ROOT / "workflow/scripts").rglob("*.py"))
    if re.search(r"workflow.job import|^@style.script$", path.read_text(), re.M)
]
HEAVY = ("numpy", "scipy", "pandas", "sklearn", "matplotlib")


def imports(path: Path, *, anywhere: bool = True) -> Iterator[str]:
    """Modules that a file imports, and what it takes from them, anywhere or at its top level."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree) if anywhere else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)}


def loaded(code: str) -> set[str]:
    """Top-level packages in memory after a fresh interpreter ran some code."""
    probe = f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stdout.splitlines()[-1].split())


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CORE, ids=named)
def test_the_core_imports_heavy_modules_on_use(path: Path) -> None:
    """`lint-imports` checks what the core may import at all; this, what it imports at once."""
    at_once = {*imports(path, anywhere=False)}
    light = ("sklearn.base", "sklearn.utils", "sklearn.exceptions", "sklearn.pipeline")
    assert all(name.startswith(light) for name in at_once if name.startswith("sklearn"))


def test_what_starts_often_waits_for_what_is_heavy_and_scripts_for_snakemake() -> None:
    """The package itself, the help of its command, and what the Snakefile imports."""
    ours = r"^(?:from|import) (?:kpca|workflow|benchmarks)\b.*$"
    lines = {line for path in RULES for line in re.findall(ours, path.read_text(), re.MULTILINE)}
    helped = "import contextlib\nfrom kpca.command import main\n"
    helped += "with contextlib.suppress(SystemExit):\n    main(['transform', '--help'])"
    assert len(lines) > 3
    assert loaded("\n".join(["import kpca", helped, *sorted(lines)])).isdisjoint(HEAVY)
    code = "import runpy, sys\nsys.modules['snakemake'] = None\n"
    code += "\n".join(f"runpy.run_path({str(path)!r})" for path in SCRIPTS)
    assert len(SCRIPTS) > 30
    assert "kpca" in loaded(code)


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_a_script_meets_snakemake_at_its_end(path: Path) -> None:
    """`script` runs a function at once: what stands below it would not be there yet."""
    tree = ast.parse(path.read_text())
    functions, last = [n for n in tree.body if isinstance(n, ast.FunctionDef)], tree.body[-1]
    marks = {"script", "style.script"}
    decorated = [f for f in functions if marks & {*map(ast.unparse, f.decorator_list)}]
    tail = isinstance(last, ast.If) and ast.unparse(last.test) == "__name__ == '__main__'"

    assert decorated == ([] if tail else tree.body[-len(decorated) :])
    names = {inner.id for inner in ast.walk(tree) if isinstance(inner, ast.Name)}
    assert "snakemake" not in names
    # Snakemake puts lines of its own before the script, and this import has to be the first.
    assert "__future__" not in packages(path)
