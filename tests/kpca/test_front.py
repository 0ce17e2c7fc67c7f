"""What ``import kpca`` gives, and that it gives it on use."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import kpca


@pytest.mark.parametrize("name", kpca.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(kpca, name).__name__ == name


@pytest.mark.parametrize("name", ["choice", "inspection", "novelty"])
def test_public_modules_need_no_import_of_their_own(name: str) -> None:
    code = f"import kpca\nmodule = kpca.{name}\nprint(*module.__all__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    module = getattr(kpca, name)
    assert run.stdout.split() == module.__all__
    assert all(hasattr(module, exported) for exported in module.__all__)


def test_the_version_is_that_of_the_package() -> None:
    assert kpca.__version__ == version("kpca")
    assert "__version__" in dir(kpca)


def test_there_is_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gram'"):
        _ = kpca.gram
