"""The questions of the report, and the answers that are computed from the tables of a run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import yaml

from kpca.study.decision.importance import importance_sentence
from kpca.study.decision.record import Decision, number
from workflow.drawing import style
from workflow.drawing.finding import amount, between, enumerated
from workflow.drawing.losses import (
    PCA,
    largest_loss,
    losses_by_kernel,
    losses_by_width,
    metrics_of,
)

# Path of a table → its rows; a table that the run has not made is missing.
Tables = Mapping[str, pd.DataFrame]

WIDTHS = (1, 3)  # multiples of the median heuristic whose largest loss `which_kernel` states
DEFAULT = "rbf"  # kernel that is called a good default if it loses at most `MOST_LOST`
MOST_LOST = 0.02  # largest loss of score, on any dataset, that a good default may have


@dataclass(frozen=True)
class Question:
    """The question of a section of the report, and what the section shows."""

    title: str
    answer: str  # name of one of `ANSWERS`
    figures: Sequence[str]  # names of figures, in the order of the section
    claims: Sequence[str] = ()  # beginnings of the names of claims that belong to the section
    step: int = 0  # number of the step of the lesson that explains the question, or 0
    view: Sequence[Any] = ()  # dataset, setting and number of components that the explorer opens
    derivation: str = ""  # anchor in docs/derivation.md


class Section(NamedTuple):
    """A section of the report of a run."""

    number: int
    question: Question
    answer: str
    figures: list[Mapping[str, Any]]
    claims: list[Mapping[str, Any]]


def when_it_helps(tables: Tables) -> str:
    """Return on which datasets kernel PCA improves on PCA, and how raw features compare there."""
    decisions = tables["tables/decisions.csv"].set_index("dataset")
    decisions = decisions[decisions["vs_pca"] != "no comparison"]
    if len(decisions) < 2:  # The page states this for a single dataset above its sections.
        return ""
    better = decisions[decisions["vs_pca"] == "better"]
    if better.empty:
        return f"Kernel PCA is shown to improve on PCA on none of {len(decisions)} datasets."
    gains = [
        f"{style.title(name)} ({amount(row['gain'], row['measure'])})"
        for name, row in better.sort_values("gain", ascending=False).iterrows()
    ]
    beyond = better.index[better["vs_raw"] == "better"]
    raw = "It is not shown to be better than a predictor on the raw features on any of them."
    if len(beyond):
        raw = f"It is better than raw features, too, on {enumerated(map(style.title, beyond))}."
    elif better["vs_raw"].isin(["enough", "worse"]).all():
        raw = "A predictor on the raw features, up to gradient boosting, does as well on each of "
        raw += "them."
    return (
        f"Kernel PCA improves on PCA on {len(better)} of {len(decisions)} datasets: "
        f"{enumerated(gains)}. {raw}{_before_clustering(tables)}"
    )


def _before_clustering(tables: Tables) -> str:
    if "tables/claims.csv" not in tables:
        return ""
    claims = _by_name(tables["tables/claims.csv"])
    tuned, untuned = (claims.get(f"8-kmeans-{how}-pca") for how in ("tuned", "label-free"))
    if not (tuned and untuned):
        return ""
    return (
        f" Before k-means it is shown to help on {_held(tuned)} datasets if labels tune the "
        f"kernel, and on {_held(untuned)} without labels."
    )


def which_kernel(tables: Tables) -> str:
    """Return whether the Gaussian kernel is a good default, and what each width γ loses."""
    losses = losses_by_width(tables["tables/scores.csv"]).drop(columns=PCA, errors="ignore")
    near = [multiple for multiple in WIDTHS if multiple in losses]
    if losses.shape[1] < 2 or not near:
        return ""
    metrics = metrics_of(tables["tables/scores.csv"])
    least = losses.columns.min()
    largest = losses.columns.max()
    where = ""
    if len(losses) > 1:
        where = f" on all {len(losses)} datasets"
    default = "a good default"
    by_kernel = losses_by_kernel(tables["tables/scores.csv"], [])
    if by_kernel[DEFAULT].max() > MOST_LOST:
        default = "no safe default"
    return (
        f"The Gaussian kernel is {default}: at most {largest_loss(by_kernel[[DEFAULT]], metrics)} "
        f"below the best kernel{where}. With γ at "
        f"{enumerated(f'{multiple:g}' for multiple in near)} times the median heuristic, it is "
        f"within {largest_loss(losses[near], metrics)} of the best γ. At {least:g} times the "
        f"median it is up to {largest_loss(losses[[least]], metrics)} lower, and at {largest:g} "
        f"times up to {largest_loss(losses[[largest]], metrics)}."
    )


def what_a_component_sees(tables: Tables) -> str:
    """Return how much of a component is affine in the feature space and in the input space."""
    claims = _by_name(tables["tables/claims.csv"])
    cases = tables["tables/claims_cases.csv"]
    readings = cases.loc[cases["claim"] == "11-reading", "measured"].dropna()
    if readings.empty:
        return ""
    curved = claims["5-level-lines-input"]["measured"]
    return (
        "A component is linear in the feature space and curved in the input space: under the "
        "kernel (x·y)², an affine function of the input variables explains "
        f"{number(100 * (1 - curved), 2)} % of its variance. At the most accurate γ of the "
        f"Gaussian kernel it explains {between(readings)} % of the variance of five components "
        f"on {len(readings)} datasets."
    )


def what_goes_wrong(tables: Tables) -> str:
    """Return what centring and a high degree do, and whether a kernel unrolls the Swiss roll."""
    claims = _by_name(tables["tables/claims.csv"])
    centring = claims["2-uncentred"]
    roll = claims["5-roll-two"]
    sentence = (
        "Components need centring: without it the first is the direction of the mean in "
        f"{_held(claims['2-mean-direction'])} cases. A linear SVM on five components loses "
        f"accuracy without it in {_held(centring)}, and is shown not to in "
        f"{int(centring['fails'])}. With 32 components, degree 9 is worse than the best on "
        f"{_held(claims['6-degree-tuned-test'])} datasets."
    )
    if roll["verdict"] != "fails":
        return sentence
    return (
        f"{sentence} No kernel of the grid unrolls the Swiss roll by two components: their "
        f"mean correlation with its arc length is at most {number(roll['measured'])}."
    )


def images_and_noise(tables: Tables) -> str:
    """Return the errors of denoised digits, and the gain of more components than pixels."""
    errors = tables["tables/denoising.csv"]
    chosen = errors[errors["chosen"] & (errors["noise"] == "gaussian")]
    means = chosen.groupby("method")["mse"].mean()
    others = means.drop(labels=["pca", "none"], errors="ignore")
    if others.empty:
        return ""
    words = "does not remove"
    if others.min() < means["pca"]:
        words = "removes"
    noise = (
        f"Kernel PCA {words} Gaussian noise from digits better than PCA: the mean squared error is "
        f"{number(others.min())} compared with {number(means['pca'])}."
    )
    cases = tables["tables/claims_cases.csv"]
    gains = cases[(cases["claim"] == "8-images-pca") & (cases["verdict"] == "holds")]
    if gains.empty:
        return noise
    best = gains.sort_values("measured").iloc[-1]
    return (
        f"{noise} On all 1797 images, {best['case']} gain {number(100 * best['measured'], 1)} "
        "points of balanced accuracy over PCA before a linear SVM."
    )


def its_relatives(tables: Tables) -> str:
    """Return how many statements on related methods hold, and how many landmarks suffice."""
    claims = tables["tables/claims.csv"]
    related = claims[claims["claim"].str.startswith(("3-", "12-", "13-", "14-"))]
    if related.empty:
        return ""
    holding = (related["verdict"] == "holds").sum()
    refuted = (related["verdict"] == "fails as expected").sum()
    judged = (
        f"Of {len(related)} statements on PCA, sparse PCA, the SVD and landmarks, {holding} hold, "
        f"and {refuted} errors of the sources are refuted."
    )
    enough = tables.get("tables/landmarks_enough.csv", pd.DataFrame())
    if enough.empty:
        return judged
    is_subspace = (enough["measure"] == "subspace") & (enough["method"] != "fourier")
    fewest = enough[is_subspace].groupby("data")["m"].min()
    counts = [f"{int(m)} on {style.title(name)}" for name, m in fewest.dropna().items()]
    many = fewest.index[fewest.isna()]
    counts += [f"more than were tried on {style.title(name)}" for name in many]
    return (
        f"{judged} Landmarks find the leading subspace with a tenth of the sampling error: it "
        f"takes {enumerated(counts)}."
    )


def how_sure(tables: Tables) -> str:
    """Return how often the intervals of simulated datasets contained the truth."""
    effects = tables["calibration/effects.csv"]
    covered = effects[effects["comparison"].isin(["score", "pca", "raw"])].dropna(subset="coverage")
    if covered.empty:
        return ""
    right = (covered["coverage"] * covered["intervals"]).groupby(covered["comparison"]).sum()
    shares = right / covered.groupby("comparison")["intervals"].sum()
    return (
        f"In simulated datasets, 95 % CIs contained the true value in {between(shares)} % of "
        "cases, for scores and for differences from PCA and from raw features."
    )


def what_drives(tables: Tables) -> str:
    """Return which columns of a user's file drive the prediction."""
    importance = tables["tables/importance.csv"]
    (decision,) = tables["tables/decisions.csv"].to_dict("records")
    return importance_sentence(importance, Decision.of(decision))


# Name → a function that returns a sentence, which is empty if the tables cannot tell.
ANSWERS: dict[str, Callable[[Tables], str]] = {
    "when_it_helps": when_it_helps,
    "which_kernel": which_kernel,
    "what_a_component_sees": what_a_component_sees,
    "what_goes_wrong": what_goes_wrong,
    "images_and_noise": images_and_noise,
    "its_relatives": its_relatives,
    "how_sure": how_sure,
    "what_drives": what_drives,
}

_FILE = Path(__file__).parent / "templates/questions.yaml"
QUESTIONS = [Question(**entry) for entry in yaml.safe_load(_FILE.read_text(encoding="utf-8"))]


def question_of(claim: str) -> Question:
    """Return the question of a claim: the one that lists the longest beginning of its name."""
    beginnings = {beginning: question for question in QUESTIONS for beginning in question.claims}
    longest = max(filter(claim.startswith, beginnings), key=len)
    return beginnings[longest]


def sections(
    tables: Tables,
    figures: Iterable[Mapping[str, Any]],
    claims: Sequence[Mapping[str, Any]],
) -> list[Section]:
    """Return the sections of a page that have a figure, a claim or an answer.

    Raises
    ------
    ValueError
        If a figure belongs to no question.
    """
    by_name = {figure["name"]: figure for figure in figures}
    belonging = {name for question in QUESTIONS for name in question.figures}
    for name in by_name.keys() - belonging:
        raise ValueError(
            f"figure {name!r} belongs to no question: add it to templates/questions.yaml"
        )
    answered = []
    for number_of_question, question in enumerate(QUESTIONS, start=1):
        try:
            answer = ANSWERS[question.answer](tables)
        except KeyError:  # The run has not made this table, or judged this claim.
            answer = ""
        drawn = [by_name[name] for name in question.figures if name in by_name]
        judged = [claim for claim in claims if question_of(claim["claim"]) is question]
        if answer or drawn or judged:
            answered.append(Section(number_of_question, question, answer, drawn, judged))
    return answered


def _by_name(claims: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    return {row["claim"]: row for row in claims.to_dict("records")}


def _held(claim: Mapping[Any, Any]) -> str:
    """Return in how many of its applicable cases a claim holds."""
    judged = int(claim["holds"] + claim["fails"] + claim["inconclusive"])
    return f"{int(claim['holds'])} of {judged}"
