"""What is said of a user's own code before it is imported."""

from pathlib import Path

import pytest

from kpca.pipeline.own_code import problems, source_file

CODE = """
import no_such_module
from elsewhere import borrowed as lent

def kernel(x, y, width=1.0, *, power=2):
    return 0.0

def anything(x, y, **options):
    return 0.0

class Method:
    pass
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_own_kernels.py").write_text(CODE)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kernel", ["width", "power"]), ("anything", ["any"]), ("Method", []), ("lent", ["any"])],
)
def test_good_code_is_not_imported(own: Path, name: str, parameters: list[str]) -> None:
    assert list(problems(f"my_own_kernels:{name}", parameters)) == []


@pytest.mark.parametrize(
    ("path", "parameters", "message"),
    [
        ("my_own_kernels:kernl", [], "defines no `kernl`; did you mean 'kernel'?"),
        ("my_own_kernels:kernel", ["wide"], "`kernel` takes no argument `wide`"),
        ("my_own_kernels:kernel", ["x"], "`kernel` takes no argument `x`"),
        ("my_own_kernel:kernel", [], "no module `my_own_kernel` can be imported"),
        ("sklearn.decomposition:FactorAnalisis", [], "did you mean 'FactorAnalysis'?"),
    ],
)
def test_a_slip_is_named(own: Path, path: str, parameters: list[str], message: str) -> None:
    (found,) = problems(path, parameters)
    assert message in found


def test_what_is_no_python_comes_with_its_line(own: Path) -> None:
    (own / "my_own_kernels.py").write_text("x = 1\ndef kernel(:\n")
    (found,) = problems("my_own_kernels:kernel", [])
    assert "my_own_kernels.py, line 2" in found


def test_what_is_made_on_import_cannot_be_judged(own: Path) -> None:
    (own / "my_own_kernels.py").write_text("from elsewhere import *\n")
    assert list(problems("my_own_kernels:kernel", [])) == []
    assert list(problems("math:anything", [])) == []


def test_modules_and_packages_have_files(own: Path) -> None:
    assert source_file("my_own_kernels") == own / "my_own_kernels.py"
    file = source_file("sklearn.decomposition")
    assert file is not None
    assert file.name == "__init__.py"
