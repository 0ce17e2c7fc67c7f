"""A paragraph for the methods section of an article, from what a run has written."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from pipeline.decision.sentence import difference, model_words, number, with_ci
from pipeline.tables.metrics import METRICS
from pipeline.tables.selection import ONLY_PCA

VERSIONS = ("kpca", "python", "numpy", "scipy", "scikit-learn")
BASELINES = {"pca": "PCA", "raw": "the best predictor on raw features", "chance": "chance"}
DIFFERENCES = (
    ("PCA", "gain", "gain_low", "gain_high"),
    ("the best predictor on raw features", "raw_gain", "raw_low", "raw_high"),
)

_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "%_&#${}"}
    | {sign: f"${name}$" for sign, name in {"−": "-", "×": r"\times", "γ": r"\gamma"}.items()}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
)


def methods(
    data: Mapping[str, Any], decision: Mapping[str, Any], provenance: Mapping[str, str]
) -> str:
    """Return the paragraph of a dataset.

    Parameters
    ----------
    data, decision : mapping
        The row of the dataset in ``datasets.csv``, with its title, and in ``decisions.csv``.
    provenance : mapping of str to str
        Versions and parameters by name.
    """
    return " ".join(_sentences(data, decision, provenance))


def latex(text: str) -> str:
    r"""Return text for LaTeX, in a document with an encoding of UTF-8.

    >>> print(latex("95 % CI −0.1 to 0.2, γ = 3"))
    95 \% CI $-$0.1 to 0.2, $\gamma$ = 3
    """
    return text.translate(_LATEX)


def _sentences(
    data: Mapping[str, Any], decision: Mapping[str, Any], provenance: Mapping[str, str]
) -> Iterator[str]:
    d: dict[str, Any] = {
        name: math.nan if value is None else value for name, value in decision.items()
    }
    independent = data["draws"] == "independent"
    splits = f"{data['replicates']} {'independent draws' if independent else 'random splits'}"
    classes = f" and {data['classes']:g} classes" if data["classes"] else ""
    yield (
        f"The dataset {data['title']} has {data['columns']} columns{classes}; {splits} had "
        f"{data['train']} training and {data['test']} test rows each."
    )
    if pd.notna(d["score"]):
        yield (
            "In each of them, cross-validation in the training set chose the kernel, its "
            "parameters and the number of components of kernel PCA."
        )
        scored = with_ci(d["score"], d["low"], d["high"])
        yield f"On test rows its mean {METRICS[d['measure']].words} was {scored}."
    others = [
        f"{number(d[column])} for {words}"
        for column, words in BASELINES.items()
        if pd.notna(d[column])
    ]
    if others:
        yield f"It was {', '.join(others)}."
    compared = [
        f"from {words} is {difference(d['measure'], d[gain], d[low], d[high])}"
        for words, gain, low, high in DIFFERENCES
        if pd.notna(d[gain])
    ]
    if compared:
        yield f"The mean paired difference {' and '.join(compared)}."
        corrected = "" if independent else " with the variance between rows and between splits"
        yield (
            f"Confidence intervals (CI) are t intervals over the {splits}{corrected}, "
            "at least as wide as the number of held-out rows allows."
        )
    words = model_words(d["kernel"], d["parameters"], d["n_components"])
    model = f"PCA, {words.split(', ')[-1]}" if d["model"] == ONLY_PCA else words
    yield f"The final model is {model}, fitted to {d['rows']} rows."
    versions = [f"{name} {provenance[name]}" for name in VERSIONS if name in provenance]
    yield f"Software: {', '.join(versions)}; seed {provenance.get('seed', 'unknown')}."
