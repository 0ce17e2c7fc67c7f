"""What imports what: mathematics, machinery, studies, each in its place; starting costs little."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "kpca").rglob("*.py"))
MACHINERY = sorted((ROOT / "pipeline").rglob("*.py"))
STUDIES = sorted((ROOT / "workflow/scripts").glob("*/**/*.py"))
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]
SCRIPTS = [
    path
    for path in sorted((ROOT / "workflow/scripts").rglob("*.py"))
    if re.search(r"workflow.job import|^@style.script$", path.read_text(), re.M)
]
# Inside the core, from the bottom up: a folder or file, and what of the core it may import.
LAYERS = {
    "types": "",
    "text": "",
    "warning": "",
    "validation": "types warning",
    "calibration": "types validation",
    "linear": "types warning validation",
    "linalg": "types warning",
    "kernels": "types validation linalg",
    "operators": "types warning validation linalg kernels",
    "certificates": "types warning linalg kernels operators",
    "nystrom": "types warning validation linalg kernels operators certificates",
    "eigensolvers": "types warning validation linalg kernels operators certificates nystrom",
    "expansion": "types linalg kernels operators",
    "preimage": "types warning validation linalg kernels operators expansion",
    "kernel_pca": "types warning validation linalg kernels operators certificates eigensolvers "
    "nystrom expansion preimage",
    "folds": "types validation kernel_pca",
    "choice": "types warning validation preimage kernel_pca folds",
    "inspection": "types warning validation linalg kernels operators eigensolvers expansion "
    "kernel_pca folds",
    "novelty": "types warning validation kernels operators kernel_pca folds inspection",
    "persistence": "types linear certificates eigensolvers nystrom preimage kernel_pca novelty",
    "command": "types text warning kernels preimage kernel_pca novelty persistence",
}
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
def test_the_mathematics_stands_alone_and_imports_downwards_only(path: Path) -> None:
    """Imports anywhere in a file count, so that no import on use hides a circle."""
    # These read frames and dates where pandas is.
    command = ROOT / "kpca/command" in path.parents or path == ROOT / "kpca/reading/text.py"
    at_once = {*imports(path, anywhere=False)}
    others = {"pipeline", "workflow", "benchmarks"}
    heavy = {"yaml", "matplotlib", "snakemake", "jsonschema"} | (set() if command else {"pandas"})
    assert packages(path).isdisjoint(others | heavy)
    assert "pandas" not in {name.split(".")[0] for name in at_once}
    light = ("sklearn.base", "sklearn.utils", "sklearn.exceptions", "sklearn.pipeline")
    assert all(name.startswith(light) for name in at_once if name.startswith("sklearn"))

    own = path.relative_to(ROOT / "kpca").with_suffix("").parts[0]
    used = {name.split(".")[1] for name in imports(path) if name.startswith("kpca.")}
    if own == "__init__":  # the front exports on use, and imports nothing
        assert not used
    else:
        below = set(LAYERS[own].split())
        assert used - {own} <= below
        assert below <= set(list(LAYERS)[: list(LAYERS).index(own)])  # so that there is no circle


# What modules with the same task have in common: solvers, methods of pre-images, tables of rules.
SHARED = {"__all__", "RULES", "find", "logger", "memory", "solve"}


def test_no_two_things_in_the_core_share_a_name() -> None:
    """But for the command, which is a program of its own, and imported by nothing."""
    places: dict[str, list[str]] = {}
    for path in (path for path in CORE if ROOT / "kpca/command" not in path.parents):
        for node in ast.parse(path.read_text()).body:
            targets = [*getattr(node, "targets", []), getattr(node, "target", None)]
            named_here = {target.id for target in targets if isinstance(target, ast.Name)}
            for name in (named_here | {getattr(node, "name", "__all__")}) - SHARED:
                places.setdefault(name, []).append(named(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", MACHINERY + STUDIES, ids=named)
def test_a_study_imports_its_own_modules_alone_and_what_is_shared_knows_none(path: Path) -> None:
    """Of a paper: its own, and what all papers share."""
    assert packages(path).isdisjoint({"benchmarks", "tests"})
    if path in MACHINERY:
        assert "workflow" not in packages(path)
        return
    assert "snakemake" not in packages(path)
    *folders, _ = path.relative_to(ROOT / "workflow/scripts").parts
    for name in imports(path):
        if name.startswith("workflow."):
            assert name.split(".")[:3] == ["workflow", "scripts", folders[0]], name
            place = ROOT.joinpath(*name.split(".")[:4])
            if place.is_dir():
                assert folders[1:] == [place.name], name


def test_what_starts_often_waits_for_what_is_heavy_and_scripts_for_snakemake() -> None:
    """The package itself, the help of its command, and what the Snakefile imports."""
    ours = r"^(?:from|import) (?:kpca|pipeline|workflow|benchmarks)\b.*$"
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
