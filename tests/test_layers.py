"""What is imported at once: starting costs little."""

import re
import sys

from tests.workflow.pipeline import ROOT, finished

ROOMS = {ROOT / "kpca" / name for name in ("study", "reading", "command")}
CORE = [path for path in sorted((ROOT / "kpca").rglob("*.py")) if ROOMS.isdisjoint(path.parents)]
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))]
HEAVY = ("numpy", "scipy", "pandas", "sklearn", "matplotlib")


def loaded(code):
    """Top-level packages in memory after a fresh interpreter ran some code."""
    probe = f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    run = finished([sys.executable, "-c", probe], check=True)
    return set(run.stdout.splitlines()[-1].split())


def test_the_core_imports_heavy_modules_on_use():
    """`lint-imports` checks what the core may import at all; this, what it imports at once."""
    heavy = r"^(?:from|import) sklearn\b(?!\.(?:base|utils|exceptions|pipeline)\b)"
    late = [path for path in CORE if re.search(heavy, path.read_text(), re.MULTILINE)]
    assert late == []


def test_what_starts_often_waits_for_what_is_heavy():
    """The package itself, the help of its command, and what the Snakefile imports."""
    ours = r"^(?:from|import) (?:kpca|workflow|benchmarks)\b.*$"
    lines = {line for path in RULES for line in re.findall(ours, path.read_text(), re.MULTILINE)}
    helped = "import contextlib\nfrom kpca.command import main\n"
    helped += "with contextlib.suppress(SystemExit):\n    main(['transform', '--help'])"
    assert len(lines) > 3
    assert loaded("\n".join(["import kpca", helped, *sorted(lines)])).isdisjoint(HEAVY)
