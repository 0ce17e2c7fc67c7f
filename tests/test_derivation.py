"""The derivation on the site: its code computes kernel PCA, and its claims are tested."""

import re
from csv import DictReader

import numpy as np

from kpca import KernelPCA
from tests.workflow.pipeline import ROOT
from workflow.page.questions import QUESTIONS

PAGE = (ROOT / "docs/derivation.md").read_text(encoding="utf-8")


def test_the_code_of_the_derivation_is_kernel_pca():
    [code] = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    rng = np.random.default_rng(0)
    names = {"X": rng.normal(size=(30, 3)), "X_new": rng.normal(size=(7, 3)), "gamma": 0.5, "m": 4}
    exec(code, names)
    model = KernelPCA(4, kernel="rbf", gamma=0.5).fit(names["X"])
    np.testing.assert_allclose(names["eigenvalues"], model.eigenvalues_)
    scores = model.transform(names["X_new"])
    np.testing.assert_allclose(np.abs(names["scores"]), np.abs(scores), atol=1e-12)


def test_every_claim_that_the_derivation_names_is_computed():
    with (ROOT / "workflow/scripts/claims/statements.csv").open(encoding="utf-8") as file:
        claims = {row["claim"] for row in DictReader(file)}
    named = {*re.findall(r"\b\d{1,2}-[a-z][a-z-]+", PAGE)}
    assert len(named) > 20
    assert named <= claims


def test_the_report_links_parts_that_the_derivation_has():
    headings = re.findall(r"^#+ (.+)$", PAGE, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    anchors |= {*re.findall(r"^\((.+)\)=$", PAGE, flags=re.MULTILINE)}
    assert {question.derivation for question in QUESTIONS} <= anchors | {""}
