"""A paragraph for the methods section of an article, from what a run has written."""

import math
from collections.abc import Mapping
from typing import Any

from pipeline.decision import sentence
from pipeline.page.html import environment
from pipeline.tables.metrics import METRICS

VERSIONS = ("kpca", "python", "numpy", "scipy", "scikit-learn")

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
    text = (
        environment()
        .get_template("methods.txt.j2")
        .render(
            data=data,
            d={name: math.nan if x is None else x for name, x in decision.items()},
            metric=METRICS[decision["measure"]].words,
            versions=[f"{name} {provenance[name]}" for name in VERSIONS if name in provenance],
            seed=provenance.get("seed", "unknown"),
            words=sentence,
        )
    )
    return " ".join(text.split())


def latex(text: str) -> str:
    r"""Return text for LaTeX, in a document with an encoding of UTF-8.

    >>> print(latex("95 % CI −0.1 to 0.2, γ = 3"))
    95 \% CI $-$0.1 to 0.2, $\gamma$ = 3
    """
    return text.translate(_LATEX)
