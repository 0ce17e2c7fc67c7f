"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project, suffice.

All are followed in one copy: recipes do not disturb each other, and the tests there run once.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.workflow.copies import copy_of_the_project
from tests.workflow.pipeline import ROOT, environment

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


class Recipe(NamedTuple):
    """What a maintainer does, and how it is seen to work.

    Attributes
    ----------
    edits : dict of str to list
        File → pairs of a text and what takes its place; what replaces no text is added at the end,
        of a file that may be new. The recipe names each of these files.
    check : str
        Body of a test that runs in the copy.
    tests : tuple of str
        Parametrised tests that have to take the new thing by themselves.
    """

    edits: dict[str, list[tuple[str, str]]]
    check: str
    tests: tuple[str, ...] = ()


RECIPES = {
    "a kernel": Recipe(
        {
            "kpca/kernels/registry.py": [("", '\nKERNELS["again"] = KERNELS["rbf"]\n')],
            "pipeline/kernels.py": [
                (
                    "FAMILIES = {",
                    "FAMILIES = {\n"
                    '    "again": Family("kernel again", "again", "#000000", "<", ("gamma",)),',
                )
            ],
        },
        """
        from kpca import kernel_matrix
        from pipeline.drawing import style
        X = np.eye(4)
        np.testing.assert_array_equal(kernel_matrix(X, kernel="again"), kernel_matrix(X))
        assert style.kernel_style("again")["label"] == "again"
        """,
        (
            "tests/kpca/kernels/test_kernels.py::test_matrix_equals_the_definition_dense_or_sparse[again]",
            "tests/pipeline/test_kernels.py::test_the_configuration_takes_its_axes_and_no_others[again]",
        ),
    ),
    "a solver": Recipe(
        {
            "kpca/eigensolvers/again.py": [
                ("", "from kpca.eigensolvers.dense import memory as memory, solve as solve\n")
            ],
            "kpca/eigensolvers/solve.py": [
                (
                    "SOLVERS: dict[str, Any] = {",
                    "from kpca.eigensolvers import again\n\n"
                    'SOLVERS: dict[str, Any] = {\n    "again": again,',
                )
            ],
        },
        """
        from kpca import KernelPCA
        X = np.random.default_rng(0).normal(size=(300, 4))
        found = KernelPCA(3, eigen_solver="again").fit(X)
        assert found.solver_.name == "again"
        np.testing.assert_allclose(found.eigenvalues_, KernelPCA(3).fit(X).eigenvalues_)
        """,
    ),
    "a dataset": Recipe(
        {
            "pipeline/datasets/generators.py": [
                (
                    "GENERATORS: dict",
                    "def again(n: int, rng: Generator, noise: float = 0.1) -> Draw:\n"
                    "    return rings(n, rng, noise=noise)\n\n\nGENERATORS: dict",
                ),
                ("for function in (rings,", "for function in (again, rings,"),
            ],
            "pipeline/datasets/synthetic.py": [
                ("SYNTHETIC = {", 'SYNTHETIC = {\n    "again": Synthetic("rings again"),')
            ],
            "workflow/schemas/config.schema.yaml": [("enum: [rings,", "enum: [again, rings,")],
            "config/README.md": [("`rings`, `moons`,", "`again`, `rings`, `moons`,")],
        },
        """
        jobs = planned(datasets={"again": {"generator": "again", "n_train": 20, "n_test": 20}})
        assert "sweep" in jobs
        """,
        (
            "tests/pipeline/datasets/test_generators.py::test_rows_labels_and_target_fit_each_other_"
            "and_what_the_rules_are_told[again]",
        ),
    ),
    "a downstream method": Recipe(
        {
            "pipeline/evaluation/methods.py": [
                (
                    '    "most_frequent": Method(',
                    '    "strong": Method(\n'
                    '        gives="classes",\n'
                    '        follows="raw",\n'
                    "        estimator=lambda Z, options: _standardized(_svc(options, C=1e4)),\n"
                    '        words="a strong SVM",\n'
                    '        label="strong SVM",\n'
                    "    ),\n"
                    '    "most_frequent": Method(',
                )
            ]
        },
        """
        from pipeline.decision.sentence import predictor_words
        from pipeline.drawing import forest
        from pipeline.evaluation.settings import Cell, Settings
        from pipeline.tables.selection import PREDICTORS
        settings = Settings((2,), (1.0,), 2, ("unit",), 1, 0.9)
        assert "strong" in Cell("raw", Point("raw")).methods("classification", settings)
        assert "strong" not in Cell("pca", Point("pca")).methods("classification", settings)
        assert [*PREDICTORS].index("strong") == len(PREDICTORS) - 1
        assert predictor_words("strong") == "a strong SVM"
        rows = comparison(kernel="raw", method="strong")
        assert forest.order(forest.lines(rows, ["strong"])) == {"strong": "strong SVM, raw"}
        """,
        (
            "tests/pipeline/evaluation/test_downstream.py::"
            "test_each_method_is_scikit_learns[strong]",
            "tests/scripts/decision/test_models.py::"
            "test_the_predictor_on_raw_features_is_the_one_that_was_scored[strong-True]",
        ),
    ),
    "a metric": Recipe(
        {
            "pipeline/evaluation/metrics.py": [
                (
                    '    "ami": Metric(',
                    '    "accuracy": Metric(\n'
                    '        "classes",\n'
                    "        lambda truth, found: float((truth == found).mean()),\n"
                    '        words="accuracy",\n'
                    '        symbol="share",\n'
                    "        margin=0.01,\n"
                    "    ),\n"
                    '    "ami": Metric(',
                )
            ]
        },
        """
        from pipeline.evaluation.downstream import Fold, outcomes
        from pipeline.evaluation.settings import Settings
        Z, y = np.arange(20.0)[:, None], np.arange(20) // 10
        found = outcomes(Fold(Z, Z, y, y, Z, 0), Settings((1,), (1.0,), 2, ("unit",), 1, 0.9),
                         "linear_svm")
        assert {o.metric for o in found} == {"balanced_accuracy", "accuracy"}
        """,
    ),
    "a column": Recipe(
        {
            "pipeline/tables/described.py": [
                ('        "train": len(train)', '        "again": 1,\n        "train": len(train)')
            ],
            "docs/columns.md": [
                (
                    "  before `max_rows` took a sample\n",
                    "  before `max_rows` took a sample\n- `again`: its name\n",
                )
            ],
        },
        """
        from pipeline.tables.described import describe
        from pipeline.datasets.make import make_dataset
        from tests.columns import columns_of
        rings = {"generator": "rings", "n_train": 20, "n_test": 20}
        found = describe(make_dataset("rings", rings, seed=0, replicates=2))
        assert columns_of("tables/datasets.csv") == [*found, "left_out"]
        """,
    ),
    "a figure": Recipe(
        {
            "workflow/rules/sweep_figures.smk": [
                (
                    "SWEEP = {",
                    'SWEEP = {\n    "means": figure("Methods", "means again", table("scores")),',
                )
            ],
            "workflow/scripts/sweep/figure_means.py": [
                (
                    "",
                    '"""Draw."""\n\nimport pandas as pd\n\nfrom pipeline.drawing import style\n\n\n'
                    "@style.script\ndef draw(scores: pd.DataFrame) -> style.Figure:\n"
                    '    """Draw."""\n    return style.note(str(len(scores)))\n',
                )
            ],
            "workflow/scripts/sweep/means.rst": [("", "There are scores.\n")],
        },
        """
        assert planned()["means"] == 1
        """,
    ),
    "a claim": Recipe(
        {
            "workflow/scripts/claims/statements.csv": [
                (
                    "",
                    "3-again,One is one.,1 = 1,universal,,|1 − 1|,below,1e-12,claims_centring,\n",
                )
            ],
            "workflow/scripts/claims/identities.py": [
                (
                    '        "3-semidefinite-sigmoid":',
                    '        "3-again": 0.0,\n        "3-semidefinite-sigmoid":',
                )
            ],
        },
        """
        from tests.scripts.claims import STATEMENTS
        from workflow.scripts.claims.claim import exactly, joined
        found = joined(STATEMENTS, identities=pd.DataFrame([exactly("3-again", 0.0)]))
        assert found["claims"]["verdict"].tolist() == ["holds"]
        """,
    ),
}

HEAD = """import numpy as np
import pandas as pd

from pipeline.grid import Point
from tests.scores import score
from tests.workflow.pipeline import small_config, succeeded, write_config


def comparison(**changes):
    row = {"main": True, "baseline": "pca", "criterion": "cv", "dataset": "a"}
    return pd.DataFrame([row | changes])


def planned(tmp_path, **changes):
    return succeeded(tmp_path, write_config(tmp_path / "c.yaml", small_config(**changes)),
                     "--dry-run").jobs
"""


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the tests that pass in a copy in which all recipes were followed."""
    copy = copy_of_the_project(tmp_path_factory.mktemp("followed"))
    text = HEAD
    for name, recipe in RECIPES.items():
        for path, changes in recipe.edits.items():
            file = copy / path
            for old, new in changes:
                before = file.read_text() if file.exists() else ""
                assert old in before, (path, old)
                file.write_text(before.replace(old, new, 1) if old else before + new)
        body = textwrap.indent(textwrap.dedent(recipe.check).strip(), "    ")
        body = body.replace("planned(", "planned(tmp_path, ")
        text += f"\n\ndef test_{name.replace(' ', '_')}(tmp_path):\n{body}\n"
    (copy / "tests/test_followed.py").write_text(text)
    wanted = ["tests/test_followed.py", *(test for r in RECIPES.values() for test in r.tests)]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *wanted]
    done = subprocess.run(
        command, cwd=copy, env=environment(copy), capture_output=True, text=True, check=False
    )
    print(done.stdout)  # which pytest shows of a test that fails
    return set(re.findall(r"^PASSED (\S+)", done.stdout, flags=re.MULTILINE))


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_suffices(name: str, passed: set[str]) -> None:
    own = f"tests/test_followed.py::test_{name.replace(' ', '_')}"
    assert {own, *RECIPES[name].tests} <= passed


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_names_what_it_edits(name: str) -> None:
    """By its path, or by that of its folder with a name in capitals."""
    recipe = CONTRIBUTING.split(f"## Add {name}\n")[1].split("\n## ")[0]
    for path in RECIPES[name].edits:
        named = (path, re.sub(r"\w+(\.\w+)$", r"NAME\1", path), Path(path).name)
        assert any(
            each.replace("figure_NAME", "NAME")
            in recipe.replace("STUDY", "sweep").replace("figure_NAME", "NAME")
            for each in named
        ), path
