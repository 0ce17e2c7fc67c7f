"""What the Snakefile pays for the import."""

import subprocess
import sys

import pytest

import kpca.pipeline.datasets as package


def test_importing_the_package_leaves_numpy_out() -> None:
    code = "import sys, kpca.pipeline.datasets; sys.exit('numpy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", package.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(package, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'make_datasets'"):
        package.__getattr__("make_datasets")
