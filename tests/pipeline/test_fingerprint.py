"""Fingerprints follow what code does, on a copy of the package."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from kpca.pipeline.fingerprint import own_fingerprint

ROOT = Path(__file__).parents[2]
FITS, SCORES = "kpca.pipeline.fits", "kpca.pipeline.evaluation.families"


ALL = {"linear", "cosine", "rbf", "laplacian", "poly", "sigmoid"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package."""
    folder = tmp_path_factory.mktemp("copy") / "kpca"
    return Path(
        shutil.copytree(ROOT / "kpca", folder, ignore=shutil.ignore_patterns("__pycache__"))
    )


def load(package: Path) -> ModuleType:
    """Load the copy's module anew, since it reads each file once."""
    spec = importlib.util.spec_from_file_location("copy", package / "pipeline/fingerprint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def families(package: Path) -> dict[tuple[str, str], str]:
    """Fingerprints of fits and scores by kernel."""
    fingerprint = load(package).fingerprint
    return {(m, k): fingerprint(m, kernel=k) for m in (FITS, SCORES) for k in ALL}


@pytest.fixture(scope="module")
def unedited(package: Path) -> dict[tuple[str, str], str]:
    return families(package)


@pytest.fixture
def moved(
    package: Path, unedited: dict[tuple[str, str], str], request: pytest.FixtureRequest
) -> Callable[..., set[str]]:
    """Edit a file; return the kernels whose code, of fits or of scores, is another then."""

    def edit(file: str, old: str, new: str, module: str = FITS) -> set[str]:
        text = (package / file).read_text()
        assert old in text
        request.addfinalizer(lambda: (package / file).write_text(text))
        (package / file).write_text(text.replace(old, new, 1))
        edited = families(package)
        return {kernel for kernel in ALL if edited[module, kernel] != unedited[module, kernel]}

    return edit


@pytest.mark.parametrize(
    ("old", "new", "kernels"),
    [
        ("np.multiply(T, T, out=T)", "np.multiply(T, T.copy(), out=T)", {"poly"}),
        ("np.tanh(T, out=T)", "np.tanh(T * 1, out=T)", {"sigmoid"}),
        ("np.exp(T, out=T)", "np.exp(T * 1, out=T)", {"rbf", "laplacian"}),
        ("np.abs(difference", "np.fabs(difference", {"laplacian"}),
        ("-squared_norms(X), 1.0)", "-1.0 * squared_norms(X), 1.0)", {"rbf"}),
    ],
)
def test_a_formula_concerns_its_kernels_alone(
    moved: Callable[..., set[str]], old: str, new: str, kernels: set[str]
) -> None:
    assert moved("kernels/registry.py", old, new) == kernels


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("kernels/registry.py", "import numpy", "# A comment.\nimport numpy"),
        ("kernels/registry.py", '"""Kernels', '"""All kernels'),
        ("kernels/registry.py", "def _tanh(", "\n\n\ndef _tanh("),
        ("pipeline/fits.py", '"""Return the name', '"""Give the name'),
        ("pipeline/comparison.py", "0.01", "0.02"),
    ],
    ids=["comment", "docstring", "layout", "inner docstring", "code not used"],
)
def test_what_changes_no_fit_changes_no_fingerprint(
    moved: Callable[..., set[str]], file: str, old: str, new: str
) -> None:
    assert moved(file, old, new) == set()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pipeline/fits.py", "seed=0", "seed=1"),
        ("bandwidth.py", "import numpy as np", "import numpy as np\nEDITED = 1"),
        ("solvers/dense.py", "import numpy as np", "import numpy as np\nEDITED = 1"),
        ("kernels/bound.py", "self.kernel.link(out,", "self.kernel.link(out + 0,"),
    ],
    ids=["itself", "imported", "imported when it runs", "what every kernel goes through"],
)
def test_code_on_the_way_concerns_every_kernel(
    moved: Callable[..., set[str]], file: str, old: str, new: str
) -> None:
    assert moved(file, old, new) == ALL


def test_evaluation_does_not_touch_fits(moved: Callable[..., set[str]]) -> None:
    edit = ("pipeline/evaluation/metrics.py", "right.mean()", "right.mean() + 0")

    assert moved(*edit) == set()


def test_evaluation_touches_scores(moved: Callable[..., set[str]]) -> None:
    edit = ("pipeline/evaluation/metrics.py", "right.mean()", "right.mean() + 0")

    assert moved(*edit, module=SCORES) == ALL


@pytest.mark.parametrize("module", ["own_module", "own_package", "own_package.inner"])
def test_ones_own_code_counts_by_what_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_package").mkdir()
    for file in ("own_module.py", "own_package/__init__.py", "own_package/inner.py"):
        # Importing it would fail.
        (tmp_path / file).write_text("import no_such_module\n\ndef f(x, y):\n    return 1\n")
    file = tmp_path / f"{module.replace('.', '/')}.py"
    file = file if file.exists() else tmp_path / module / "__init__.py"
    before = own_fingerprint([f"{module}:f"])

    file.write_text(file.read_text() + "# A comment.\n")
    assert own_fingerprint([f"{module}:f"]) == before

    file.write_text(file.read_text().replace("return 1", "return 2"))
    assert own_fingerprint([f"{module}:f"]) != before


def test_names_do_not_depend_on_their_order(package: Path) -> None:
    fingerprint = load(package).fingerprint

    assert fingerprint(FITS, SCORES) == fingerprint(SCORES, FITS)
    assert fingerprint(FITS) != fingerprint(SCORES)


def test_what_a_rule_uses_is_reached(package: Path) -> None:
    reached = load(package).reachable((FITS,))

    assert {"kpca.kernel_pca", "kpca.kernels.registry", "kpca.solvers.arpack"} <= reached
    assert reached.isdisjoint({"kpca.pipeline.tables", "kpca.linear.sparse_pca"})
