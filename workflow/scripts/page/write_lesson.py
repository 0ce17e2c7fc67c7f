"""Write the lesson: kernel PCA in five steps, with pictures that the browser computes."""

import re
from collections.abc import Sequence

import pandas as pd

from kpca.files import write_text
from workflow.drawing import style
from workflow.job import script
from workflow.page.html import render
from workflow.page.summary import summary

MOST_SENTENCES = 3


def lesson(decisions: pd.DataFrame | None = None, *, site: bool = False) -> str:
    """Return the lesson as a page that ends with the answer of a run, or as a part of the site."""
    run = "" if decisions is None else answer(decisions)
    return render("lesson.html.j2", run=run, site=site)


def answer(decisions: pd.DataFrame) -> str:
    """Return at most three sentences on the only dataset, or the summary of several datasets."""
    if len(decisions) > 1:
        return summary(decisions)
    [(name, sentences)] = decisions[["dataset", "sentence"]].to_numpy()
    first = re.split(r"(?<=[.:]) (?=[A-Z])", sentences)[:MOST_SENTENCES]
    return f"{style.title(name)}: {' '.join(first)}"


@script
def write_lesson(decisions: pd.DataFrame, paths: Sequence[str]) -> None:
    """Write the lesson to one file of HTML."""
    write_text(paths[0], lesson(decisions))
