"""Fingerprints follow what code does, on a small project of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline import fingerprint as fingerprints
from pipeline.fingerprint import own_fingerprint, reachable

FILES = {
    "ours/__init__.py": '"""Lazy."""\n_EXPORTS = {"f": "ours.exported", "g": "ours.other"}\n',
    "ours/exported.py": "def f():\n    return 1\n",
    "ours/other.py": "def g():\n    return 1\n",
    "ours/direct.py": '"""Doc."""\nfrom ours import indirect\n\n\ndef h():\n    """Doc."""\n',
    "ours/indirect.py": "SOLVERS = {'a': 'ours.registered', 'b': 'ours.named.f'}\nVALUE = 1\n",
    "ours/registered.py": "VALUE = 1\n",
    "ours/named.py": "def f(x=1):\n    warn(f'{x} is wrong')\n    raise ValueError('one')\n",
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
        ("ours/indirect.py", "VALUE", "# A comment.\nVALUE"),
        ("ours/indirect.py", "VALUE", "\n\n\nVALUE"),
        ("ours/direct.py", '"""Doc."""\nfrom', '"""Other."""\nfrom'),
        ("ours/direct.py", '    """Doc."""', '    """Other."""'),
        ("ours/direct.py", "def h", "assert True\n\n\ndef h"),
        ("ours/named.py", "'one'", "'two'"),
        ("ours/named.py", "{x} is wrong", "{x} fails"),
        ("ours/other.py", "return 1", "return 2"),
    ],
)
def test_what_changes_nothing_that_runs_counts_for_nothing(
    changes: Edit, file: str, old: str, new: str
) -> None:
    assert not changes(file, old, new)


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
    for name, text in (OWN | {"own_code.py": f"import numpy as np\n{line}\n"}).items():
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
    code = f"from pipeline import fingerprint; print(fingerprint.code_of({str(script)!r}))"
    seen = set()
    for seed in range(4):
        surroundings = os.environ | {"PYTHONHASHSEED": str(seed)}
        seen.add(subprocess.check_output([sys.executable, "-c", code], env=surroundings))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + 1", "x - 1"),
        ("x + 1", "x + 1.0"),
        ("(x, y=2)", "(x, y=3)"),
        ("(x, y=2)", "(x, z=2)"),
        ("{1, 2}", "{1, 3}"),
        ("ValueError", "TypeError"),
        ("lambda a: a", "lambda a: -a"),
        ("finally:", "except OSError:"),
    ],
)
def test_an_edit_of_what_code_does_is_seen(
    changes: Edit, project: Path, old: str, new: str
) -> None:
    text = """
def f(x, y=2):
    if x in {1, 2}:
        raise ValueError
    try:
        return x + 1, lambda a: a
    finally:
        x = 0
"""
    (project / "ours/named.py").write_text(text)

    assert changes("ours/named.py", old, new)


def test_datasets_depend_on_no_fit_and_fits_on_no_description() -> None:
    dataset = reachable(["workflow.scripts.sweep.make_dataset"])
    fit = reachable(["workflow.scripts.sweep.fit_and_score"])
    assert {name for name in dataset if name.startswith("kpca")} == {"kpca", "kpca.text"}
    assert not {name for name in fit if name.endswith(".described") or ".command" in name}
