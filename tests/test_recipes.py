"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project, suffice.

All are followed in one copy: recipes do not disturb each other, and the tests there run once.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.workflow.pipeline import ROOT, copy_of_the_project, environment, finished

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


class Recipe(NamedTuple):
    """What a maintainer does, and how it is seen to work."""

    # ``# FILE``, and below it lines that stay (=), go (-) and come (+); lines that only come are
    # added at the end of a file, which may be new. The recipe names each file.
    edits: str
    check: str  # body of a test that runs in the copy
    tests: tuple[str, ...] = ()  # parametrised tests that have to take the new thing

    def changes(self):
        """Yield files, with a text of each and what takes its place."""
        blocks = re.findall(r"# (\S+)\n((?:[=+-].*\n)+)", textwrap.dedent(self.edits))
        for path, block in blocks:
            lines = [(line[0], line[2:]) for line in block.splitlines()]
            old, new = ([text for sign, text in lines if sign != other] for other in "+-")
            yield path, "\n".join(old), "\n".join(new)


RECIPES = {
    "a kernel": Recipe(
        """
        # kpca/kernels/registry.py
        + KERNELS["again"] = KERNELS["rbf"]
        # tests/kpca/naive.py
        + DEFINITIONS["again"] = DEFINITIONS["rbf"]
        # kpca/study/fitting/kernels.py
        = FAMILIES = {
        +     "again": Family("kernel again", "again", "#000000", "<", ("gamma",)),
        """,
        """
        from workflow.drawing import style
        assert style.kernel_style("again")["label"] == "again"
        """,
        (
            "tests/kpca/kernels/test_kernels.py::test_matrix_equals_the_definition_dense_or_sparse[again]",
            "tests/kpca/study/fitting/test_kernels.py::test_the_configuration_takes_its_axes_and_no_others[again]",
        ),
    ),
    "a solver": Recipe(
        """
        # kpca/eigensolvers/again.py
        + from kpca.eigensolvers.dense import memory as memory, solve as solve
        # kpca/eigensolvers/solve.py
        + from kpca.eigensolvers import again
        = SOLVERS: dict[str, Any] = {
        +     "again": again,
        """,
        """
        from kpca import KernelPCA
        X = np.random.default_rng(0).normal(size=(300, 4))
        found = KernelPCA(3, eigen_solver="again").fit(X)
        assert found.solver_.name == "again"
        np.testing.assert_allclose(found.eigenvalues_, KernelPCA(3).fit(X).eigenvalues_)
        """,
    ),
    "a dataset": Recipe(
        """
        # kpca/study/datasets/generators.py
        + def again(n: int, rng: Generator, noise: float = 0.1) -> Draw:
        +     return rings(n, rng, noise=noise)
        = GENERATORS: dict
        # kpca/study/datasets/generators.py
        = for function in (
        + again,
        # kpca/study/datasets/synthetic.py
        = SYNTHETIC = {
        +     "again": Synthetic("rings again"),
        # workflow/schemas/config.schema.yaml
        - enum: [rings,
        + enum: [again, rings,
        # config/README.md
        - `rings`, `moons`,
        + `again`, `rings`, `moons`,
        """,
        """
        assert planned["fit"] == 1
        """,
        (
            "tests/kpca/study/datasets/test_generators.py::test_rows_labels_and_target_fit_each_other_"
            "and_what_the_rules_are_told[again]",
        ),
    ),
    "a downstream method": Recipe(
        """
        # kpca/study/scoring/methods.py
        +     "strong": Method(
        +         gives="classes",
        +         follows="raw",
        +         estimator=lambda Z, options: _standardized(_svc(options, C=1e4)),
        +         words="a strong SVM",
        +         label="strong SVM",
        +     ),
        =     "most_frequent": Method(
        """,
        """
        from kpca.study.decision.sentence import predictor_words
        from workflow.drawing import forest
        from kpca.study.scoring.settings import Cell, Settings
        from kpca.study.evidence.selection import PREDICTORS
        settings = Settings((2,), (1.0,), 2, ("unit",), 1, 0.9)
        assert "strong" in Cell("raw", Point("raw")).methods("classification", settings)
        assert "strong" not in Cell("pca", Point("pca")).methods("classification", settings)
        assert [*PREDICTORS].index("strong") == len(PREDICTORS) - 1
        assert predictor_words("strong") == "a strong SVM"
        row = {"main": True, "baseline": "pca", "criterion": "cv", "dataset": "a"}
        rows = pd.DataFrame([row | {"kernel": "raw", "method": "strong"}])
        assert forest.order(forest.lines(rows, ["strong"])) == {"strong": "strong SVM, raw"}
        """,
        (
            "tests/kpca/study/scoring/test_downstream.py::"
            "test_each_method_is_scikit_learns[strong]",
            "tests/scripts/decision/test_models.py::"
            "test_the_predictor_on_raw_features_is_the_one_that_was_scored[strong-True]",
        ),
    ),
    "a metric": Recipe(
        """
        # kpca/study/scoring/metrics.py
        +     "accuracy": Metric(
        +         "classes",
        +         lambda truth, found: float((truth == found).mean()),
        +         words="accuracy",
        +         symbol="share",
        +         margin=0.01,
        +     ),
        =     "ami": Metric(
        """,
        """
        from kpca.study.datasets.make import make_dataset
        from kpca.study.scoring.evaluate import Fold, outcomes
        from kpca.study.scoring.settings import Settings
        from workflow.scripts.experiments.setting import tuned
        Z, y = np.arange(20.0)[:, None], np.arange(20) // 10
        found = outcomes(Fold(Z, Z, y, y, Z, 0), Settings((1,), (1.0,), 2, ("unit",), 1, 0.9),
                         "linear_svm")
        assert {o.metric for o in found} == {"balanced_accuracy", "accuracy"}
        rings = {"generator": "rings", "n_train": 60, "n_test": 60}
        split = make_dataset("rings", rings, seed=0, replicates=1).split(0)
        settings = Settings((2, 4), (1.0, 10.0), 2, ("unit",), 1, 0.9)
        assert tuned(split, Point("rbf", {"median": 1}), settings).shape == (2, 3)
        """,
    ),
    "a column": Recipe(
        """
        # kpca/study/evidence/described.py
        +         "again": 1,
        =         "train": len(train)
        # docs/columns.md
        =   before `max_rows` took a sample
        + - `again`: its name
        """,
        """
        from kpca.study.evidence.described import describe
        from kpca.study.datasets.make import make_dataset
        from tests.columns import columns_of
        rings = {"generator": "rings", "n_train": 20, "n_test": 20}
        found = describe(make_dataset("rings", rings, seed=0, replicates=2))
        assert columns_of("tables/datasets.csv") == [*found, "left_out"]
        """,
    ),
    "a figure": Recipe(
        '''
        # workflow/rules/sweep_figures.smk
        +
        + rule means:
        +     input:
        +         **table("scores"),
        +         code=DRAWING,
        +     output:
        +         svg=reported(
        +             "figures/means.svg", "Methods", "means again", "sweep_figures/means"
        +         ),
        +         png=results("figures/means.png"),
        +     log:
        +         results("logs/figures/means.log"),
        +     script:
        +         "../scripts/sweep_figures/figure_means.py"
        +
        + SWEEP_FIGURES += rules.means.output
        # workflow/scripts/sweep_figures/figure_means.py
        + """Draw."""
        + import pandas as pd
        + from workflow.drawing import style
        + @style.script
        + def draw(scores: pd.DataFrame) -> style.Figure:
        +     return style.note(str(len(scores)))
        # workflow/scripts/sweep_figures/means.rst
        + There are scores.
        ''',
        """
        assert planned["means"] == 1
        """,
    ),
    "a claim": Recipe(
        """
        # workflow/scripts/claims/statements.csv
        + 3-again,One is one.,1 = 1,universal,,|1 − 1|,below,1e-12,claims_centring,
        # workflow/scripts/experiments/identities.py
        +         "3-again": 0.0,
        =         "3-semidefinite-sigmoid":
        """,
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
import pytest

from kpca.study.fitting.grid import Point
from tests.workflow.pipeline import small_config, succeeded, write_config


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planned")
    again = {"generator": "again", "n_train": 20, "n_test": 20}
    config = write_config(folder / "c.yaml", small_config(datasets={"again": again}))
    return succeeded(folder, config, "--dry-run").jobs
"""


@pytest.fixture(scope="module")
def passed(tmp_path_factory):
    """Names of the tests that pass in a copy in which all recipes were followed."""
    copy = copy_of_the_project(tmp_path_factory.mktemp("followed"))
    text = HEAD
    for name, recipe in RECIPES.items():
        for path, old, new in recipe.changes():
            file = copy / path
            before = file.read_text() if file.exists() else ""
            assert old in before, (path, old)
            file.write_text(before.replace(old, new, 1) if old else f"{before}{new}\n")
        body = textwrap.indent(textwrap.dedent(recipe.check).strip(), "    ")
        text += f"\n\ndef test_{name.replace(' ', '_')}(planned):\n{body}\n"
    (copy / "tests/test_followed.py").write_text(text)
    wanted = ["tests/test_followed.py", *(test for r in RECIPES.values() for test in r.tests)]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *wanted]
    done = finished(command, copy, env=environment(copy))
    print(done.stdout, done.stderr)  # which pytest shows of a test that fails
    return set(re.findall(r"^PASSED (\S+)", done.stdout, flags=re.MULTILINE))


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_suffices_and_names_what_it_edits(name, passed):
    """Files by their path, or by that of their folder with a name in capitals."""
    check = f"tests/test_followed.py::test_{name.replace(' ', '_')}"
    assert {check, *RECIPES[name].tests} <= passed
    recipe = (
        CONTRIBUTING.split(f"## Add {name}\n")[1]
        .split("\n## ")[0]
        .replace("STUDY", "sweep_figures")
    )
    for path, _, _ in RECIPES[name].changes():
        general = [re.sub(r"\w+(\.\w+)$", rf"{n}\1", path) for n in ("NAME", "figure_NAME")]
        assert any(file in recipe for file in (path, *general, Path(path).name)), path
