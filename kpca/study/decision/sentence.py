"""A decision in plain words: what to use, with probabilities, and the comparisons."""

import json
import math
from collections.abc import Iterable, Iterator

from kpca.study.decision.decision import ReasonedDecision
from kpca.study.decision.dependence import Dependence
from kpca.study.decision.record import GAIN, RECOMMENDED, number
from kpca.study.evidence.selection import KERNEL_PCA, ONLY_PCA, RAW_FEATURES
from kpca.study.evidence.statistics import FEWEST_GROUPS
from kpca.study.fitting.grid import AXES
from kpca.study.fitting.kernels import FAMILIES
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS

# Verdict on the recommended option against chance → sentence before the answers.
SIGNAL = {
    "inconclusive": "The data do not show whether there is any signal.",
    "enough": "No signal: no option is better than chance.",
    "worse": "No signal: no option is better than chance.",
}
# Verdict on kernel PCA against PCA → their comparison in the sentence on components.
COMPARED = {
    "better": "kernel PCA is better than PCA by {size}",
    "worse": "kernel PCA is worse by {size}",
    "enough": "PCA is enough, and kernel PCA differs by {size}",
    "inconclusive": "kernel PCA is not shown to be better, and differs by {size}",
}
LIKELIER = "kernel PCA is likelier better than PCA, but not shown: it differs by {size}"
MOST_DIGITS = 3


def sentence(d: ReasonedDecision) -> str:
    """Return the answer for a dataset in short sentences, on components and on prediction."""
    return " ".join(filter(None, [*_before(d), components_sentence(d), predict_sentence(d)]))


def _answered(d: ReasonedDecision) -> bool:
    """Return whether there are scores that support an answer."""
    overrated = d.dependence is not None and d.dependence.harmful
    return d.validated and not math.isnan(d.recommended_score) and not overrated


def _before(d: ReasonedDecision) -> Iterator[str]:
    """Yield sentences that limit the answers on components and prediction, or that replace them."""
    if d.measure == "trustworthiness":
        share = f"{d.variance_share:.0%}".replace("%", " %")
        yield "No comparison: neither a label nor a target was given."
        yield (
            f"The exported model is {embedding_words(d)}. It is a convention, with as many "
            f"components as keep {share} of the variance, and these data do not test it."
        )
    elif not d.validated:
        yield "Inconclusive: there are too few rows for cross-validation."
        yield f"The model uses defaults that were not tested on these data: {setting_words(d)}."
    elif math.isnan(d.recommended_score):
        yield "No held-out score could be computed."
    elif d.dependence is not None and d.dependence.harmful:
        yield from _overrated(d, d.dependence)
    elif few_groups(d):
        yield (
            f"Inconclusive: {d.groups} groups are too few for confidence intervals "
            f"({FEWEST_GROUPS} are needed)."
        )
    elif d.vs_chance in SIGNAL:
        yield SIGNAL[d.vs_chance]


def components_sentence(d: ReasonedDecision) -> str:
    """Return the sentence on which components to use; empty if scores support no answer."""
    if not _answered(d):
        return ""
    embedding = embedding_words(d)
    if math.isnan(d.features):
        return f"As components, use {embedding}: a kernel matrix has no PCA to compare with."
    measure = d.measure
    verdict = d.vs_pca
    template = COMPARED.get(verdict, COMPARED["inconclusive"])
    if verdict == "inconclusive" and d.model == KERNEL_PCA:
        template = LIKELIER
    gain, low, high = d.interval(GAIN)
    odds = d.probability_pca
    if verdict == "worse":
        gain, low, high = -gain, -high, -low
    if verdict in ("better", "worse"):
        odds = math.nan
    comparison = template.format(size=difference(measure, gain, low, high, odds))
    if len(d.gains) > 1:
        unit = " points" if measure == "balanced_accuracy" else ""
        sizes = _listing(_scaled(gain, measure) for gain in d.gains.values())
        sizes_of = _listing(map(str, d.gains))
        comparison += f". With {sizes_of} components it differs by {sizes}{unit}"
    if d.linear_chosen:
        comparison += (
            f". In {d.linear_chosen} of {d.replicates} {replicates_name(d)} the linear kernel, "
            "which equals PCA, would have been chosen"
        )
    return f"As components, use {embedding}: {comparison}."


def _listing(items: Iterable[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}"


def predict_sentence(d: ReasonedDecision) -> str:
    """Return the sentence on what to predict from; empty if scores support no answer."""
    if not _answered(d):
        return ""
    scored = with_ci(*d.interval(RECOMMENDED))
    answer = (
        f"To predict, use {d.recommended}: {METRICS[d.measure].words} {scored} on held-out rows; "
        f"chance gives {number(d.chance)}."
    )
    return " ".join([answer, *_compared(d), *_exported(d)])


def _compared(d: ReasonedDecision) -> Iterator[str]:
    """Yield how the recommended option compares with the simplest one.

    If the simplest option is recommended, it is compared with the next best option.
    """
    if d.recommended != d.default and d.over_default.low > 0:
        size = difference(d.measure, *d.over_default[:3])
        yield f"It is better than {d.default} by {size}."
    elif d.recommended != d.default:
        size = difference(d.measure, *d.over_default[:4])
        yield f"It is likelier better than {d.default}, but not shown: it differs by {size}."
    elif d.behind.high < 0:
        size = difference(d.measure, *d.behind[:3])
        yield f"{d.next[0].upper()}{d.next[1:]} is shown to be worse: it differs by {size}."
    elif d.next:
        simplest = f"{d.recommended} {'are' if d.recommended == RAW_FEATURES else 'is'}"
        size = difference(d.measure, *d.behind[:4])
        yield (
            f"No option is shown to be better, and {simplest} the simplest: {d.next} differs by "
            f"{size}."
        )


def _exported(d: ReasonedDecision) -> Iterator[str]:
    """Yield what is chosen in each split, and what is exported.

    The held-out score measures the choices in the splits, not the exported setting.
    """
    split, where = ("draw", "the first draw") if d.independent else ("split", "these rows")
    chosen = f"{number(d.predictor_score)}, chosen on {where}"
    agreeing = f"{chosen}; {d.agreeing} of {d.replicates} {replicates_name(d)} chose this"
    if d.recommended == RAW_FEATURES:
        often = predictor_words(d.raw_method)
        yield f"The predictor is chosen in each {split}, most often {often}."
        chosen = f"{agreeing} predictor"
    elif d.recommended == ONLY_PCA:
        yield f"The number of components is chosen in each {split}."
    else:
        yield f"Kernel, parameters and number of components are chosen in each {split}."
        chosen = f"{agreeing} kernel"
    yield f"Exported: {option_words(d)} ({chosen})."


def _overrated(d: ReasonedDecision, dependence: Dependence) -> Iterator[str]:
    """Yield that scores are too high, and the scores if rows are held out at random or together."""
    option = option_words(d)
    column = dependence.resemblance.column
    together = f"rows with equal {column!r}" if column else "neighbouring rows of the file"
    yield "The rows depend on each other, so random splits overrate every score."
    by_rows = number(dependence.by_rows)
    by_groups = number(dependence.by_groups)
    yield (
        f"{option[0].upper()}{option[1:]}: {METRICS[d.measure].words} {by_rows} if rows are held "
        f"out at random, {by_groups} if {together} are held out together."
    )


def option_words(d: ReasonedDecision) -> str:
    """Return what is exported in words: features or components, and the predictor on them."""
    predictor = predictor_words(d.predictor)
    if d.recommended == RAW_FEATURES:
        return f"{predictor} on the raw features"
    embedding = embedding_words(d)
    if d.recommended == KERNEL_PCA:  # The parameters of kernel PCA are in the tables.
        embedding = embedding.split(", ")[0]
    return f"{embedding} and {predictor}"


def predictor_words(name: str) -> str:
    """Return the name of a predictor for a sentence."""
    return METHODS[name].words if name in METHODS else name


def embedding_words(d: ReasonedDecision) -> str:
    """Return the exported embedding in words."""
    if d.model == ONLY_PCA:
        return f"PCA with {_components(d.n_components)}"
    setting = setting_words(d)
    article = "an" if setting[0] in "AEIOU" else "a"
    return f"kernel PCA with {article} {setting}"


def setting_words(d: ReasonedDecision) -> str:
    """Return the exported setting in words, with the origin of γ."""
    origin = ""
    match d.point.parameters:
        case {"median": 1}:
            origin = " (median heuristic)"
        case {"median": multiple}:
            origin = f" ({multiple:g} × median heuristic)"
        case {"sigma": sigma}:
            origin = f" (σ = {sigma:g})"
    return model_words(d.kernel, d.parameters, d.n_components, origin)


def replicates_name(d: ReasonedDecision) -> str:
    """Return what the replicates of a decision are."""
    return "independent draws" if d.independent else "splits"


def percentage(probability: float) -> str:
    """Return a probability with two decimals, and never 0 or 1; empty if it is not known."""
    if math.isnan(probability):
        return ""
    if probability < 0.01:
        return "below 0.01"
    return "above 0.99" if probability > 0.99 else number(probability, 2)


def option_names(measure: str, raw_method: str) -> dict[str, str]:
    """Return option → words that follow its name in tables, and say which predictor is used."""
    last = "a linear SVM" if measure == "balanced_accuracy" else "least squares"
    most = f"most often {predictor_words(raw_method)}"
    return {
        RAW_FEATURES: f"and the best predictor, chosen in each split; {most}",
        ONLY_PCA: f"and {last}",
        KERNEL_PCA: f"with a non-linear kernel, and {last}",
    }


def model_words(kernel: str, parameters: str, components: int, origin: str = "") -> str:
    """Return kernel, parameters (γ with its ``origin``) and number of components in words."""
    values = json.loads(parameters)
    given_matrix = "given kernel matrix" if kernel == "precomputed" else f"custom kernel {kernel}"
    parts = [FAMILIES[kernel].words if kernel in FAMILIES else given_matrix]
    if "degree" in values:
        parts[0] += f" of degree {values.pop('degree'):g}"
    for name, value in values.items():
        text = f"{value:.3g}" if isinstance(value, int | float) else str(value)
        symbol = AXES[name].symbol if name in AXES else name
        parts.append(f"{symbol} = {text}{origin if name == 'gamma' else ''}")
    return ", ".join([*parts, _components(components)])


def _components(m: int) -> str:
    return f"{m} component{'s' * (m != 1)}"


def few_groups(d: ReasonedDecision) -> bool:
    """Return whether there are too few groups for confidence intervals."""
    return 0 < d.groups < FEWEST_GROUPS


def with_ci(value: float, low: float, high: float) -> str:
    """Return a score with its CI."""
    text = number(value)
    return text if math.isnan(low) else f"{text} (95 % CI {ends(low, high)})"


def difference(
    measure: str, value: float, low: float, high: float, probability: float = math.nan
) -> str:
    """Return a difference in words with its CI and, if given, the probability that it is above 0.

    Differences of balanced accuracy are in percentage points.
    """
    certainty = []
    if not math.isnan(low):
        interval = ends(low, high)
        if measure == "balanced_accuracy":
            interval = ends(100 * low, 100 * high, 1)
        certainty.append(f"95 % CI {interval}")
    if not math.isnan(probability):
        certainty.append(f"P(better) = {percentage(probability)}")
    text = amount(value, measure)
    return f"{text} ({'; '.join(certainty)})" if certainty else text


def amount(value: float, measure: str) -> str:
    """Return a difference in words, in points for balanced accuracy; empty if it is NaN."""
    if math.isnan(value):
        return ""
    text = _scaled(value, measure)
    if measure != "balanced_accuracy":
        return text
    return "1 point" if text == "1.0" else f"{text} points"


def _scaled(value: float, measure: str) -> str:
    """Return a difference as a number, in percentage points for balanced accuracy."""
    return number(100 * value, 1) if measure == "balanced_accuracy" else number(value)


def ends(low: float, high: float, digits: int = 3) -> str:
    """Return the ends of an interval with ``digits`` decimals, or up to three if they look equal.

    If the lower end rounds to 1.000, "above 0.999" is returned.

    >>> ends(0.9412, 0.98), ends(0.9996, 1.0), ends(-0.02, 0.0301, digits=1)
    ('0.941 to 0.980', 'above 0.999', '−0.02 to 0.03')
    """
    while digits < MOST_DIGITS and number(low, digits) == number(high, digits):
        digits += 1
    if number(low, digits) == number(1, MOST_DIGITS):
        return "above 0.999"
    return f"{number(low, digits)} to {number(high, digits)}"
