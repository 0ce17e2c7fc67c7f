"""The paragraph for the methods section of an article."""

from typing import Any

import pytest

from pipeline.page.methods import latex, methods

DATA: dict[str, Any] = {"title": "iris", "columns": 4, "classes": 3.0, "replicates": 6}
DATA |= {"draws": "random splits", "train": 105, "test": 45}
DECISION: dict[str, Any] = {"model": "kernel PCA", "kernel": "rbf", "parameters": '{"gamma": 0.5}'}
DECISION |= {"n_components": 2, "measure": "balanced_accuracy", "score": 0.97, "low": 0.93}
DECISION |= {"high": 1.0, "chance": 1 / 3, "raw": 0.96, "pca": 0.95, "rows": 150}
DECISION |= {"gain": 0.02, "gain_low": -0.01, "gain_high": 0.05}
DECISION |= {"raw_gain": 0.01, "raw_low": -0.02, "raw_high": 0.04}
PROVENANCE = {"kpca": "0.1.0", "numpy": "2.4.6", "seed": "2026", "replicates": "6"}


def test_it_names_rows_scores_differences_model_versions_and_seed() -> None:
    text = methods(DATA, DECISION, PROVENANCE)

    assert "4 columns and 3 classes; 6 random splits had 105 training and 45 test rows" in text
    assert "mean balanced accuracy was 0.970 (95 % CI 0.930 to 1.000)" in text
    assert "It was 0.950 for PCA, 0.960 for the best predictor on raw features, 0.333" in text
    assert "from PCA is 2.0 points (95 % CI −1.0 to 5.0) and from the best predictor" in text
    assert "with the variance between rows and between splits" in text
    assert "Gaussian kernel, γ = 0.5, 2 components, fitted to 150 rows." in text
    assert text.endswith("Software: kpca 0.1.0, numpy 2.4.6; seed 2026.")


@pytest.mark.parametrize(
    ("changes", "there", "missing"),
    [
        ({"draws": "independent"}, "t intervals over the 6 independent draws, at", "Nadeau"),
        (
            {"model": "PCA", "kernel": "linear", "parameters": "{}"},
            "is PCA, 2 components",
            "kernel,",
        ),
        ({"score": None, "gain": None, "raw_gain": None}, "is Gaussian kernel", "Confidence"),
    ],
)
def test_it_says_what_is_known(changes: dict[str, Any], there: str, missing: str) -> None:
    text = methods(DATA | changes, DECISION | changes, PROVENANCE)

    assert there in text
    assert missing not in text.partition("final model")[2 if missing == "kernel," else 0]


def test_latex_has_no_sign_that_it_would_not_print() -> None:
    text = latex(methods(DATA | {"title": "a_b & 50 %"}, DECISION, PROVENANCE))

    assert r"a\_b \& 50 \%" in text
    assert r"$\gamma$ = 0.5" in text
    assert "$-$1.0 to 5.0" in text
    assert text.isascii()
