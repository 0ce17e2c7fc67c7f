"""Write the lesson: kernel PCA in five steps, with pictures that compute in the browser."""

import re
from collections.abc import Sequence

import pandas as pd

from pipeline.drawing import style
from pipeline.files import write_text
from pipeline.job import script
from pipeline.page.html import render

MOST_SENTENCES = 3
GROUPS = {
    "better": "Kernel PCA is better than PCA on {}.",
    "enough": "PCA is enough on {}, because a relevant improvement is unlikely there.",
}
"""Verdict against PCA → what is said of the datasets that have it."""


def lesson(decisions: pd.DataFrame | None = None, *, site: bool = False) -> str:
    """Return the lesson as a page that ends with the answer of a run, or as a part of the site."""
    run = [] if decisions is None else answer(decisions)
    return render("lesson.html.j2", run=run, site=site)


def answer(decisions: pd.DataFrame) -> list[str]:
    """Return at most three sentences: those of the only dataset, or the verdicts of several."""
    if len(decisions) == 1:
        name, sentences = decisions[["dataset", "sentence"]].iloc[0]
        first, *more = re.split(r"(?<=[.:]) (?=[A-Z])", sentences)
        return [f"{style.title(name)}: {first}", *more[: MOST_SENTENCES - 1]]
    titles = decisions["dataset"].map(style.title)
    groups = {verdict: [*titles[decisions["vs_pca"] == verdict]] for verdict in GROUPS}
    said = [GROUPS[verdict].format(_listed(names)) for verdict, names in groups.items() if names]
    left = len(decisions) - sum(map(len, groups.values()))
    if left:
        said.append(f"For the other {left} of {len(decisions)} datasets, the data do not decide.")
    return said


def _listed(names: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])


@script
def write_lesson(decisions: pd.DataFrame, paths: Sequence[str]) -> None:
    """Write one file of HTML."""
    write_text(paths[0], lesson(decisions))
