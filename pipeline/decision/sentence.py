"""A decision in plain words: the comparisons, the final model, its stability, and caveats."""

import json
import math
from collections.abc import Iterator

from pipeline.decision.decision import Basis, Decision
from pipeline.tables.metrics import METRICS
from pipeline.tables.selection import ONLY_PCA
from pipeline.tables.statistics import FEWEST_GROUPS

KERNELS = {
    "linear": "linear kernel, which equals PCA",
    "poly": "polynomial kernel",
    "rbf": "Gaussian kernel",
    "laplacian": "Laplacian kernel",
    "sigmoid": "sigmoid kernel",
    "cosine": "cosine kernel",
    "precomputed": "given kernel matrix",
}
PREDICTORS = {
    "linear_svm": "a linear SVM",
    "linear_svm_whitened": "a linear SVM",
    "rbf_svm": "a Gaussian SVM",
    "logistic_regression": "logistic regression",
    "random_forest": "a random forest",
    "least_squares": "least squares",
    "ridge": "ridge regression",
    "svr": "a Gaussian support vector regression",
    "random_forest_regressor": "a random forest",
}
SYMBOLS = {"gamma": "γ", "coef0": "c"}
RARE_ROWS, RARE_FRACTION = 40, 0.05
"""With fewer rows of a class, intervals can be too narrow (docs/calibration.md)."""

MOST_DIGITS = 6


def sentence(decision: Decision, basis: Basis) -> str:
    """Return the answer for a dataset in a few short sentences, with the first caveat."""
    parts = [*_answer(decision, basis), _model(decision, basis), *_stability(decision, basis)]
    parts += caveats(decision, basis)[:1]
    return " ".join(parts)


def caveats(decision: Decision, basis: Basis) -> list[str]:
    """Return what limits the answer, the most important first."""
    return list(_caveats(decision, basis))


def _answer(decision: Decision, basis: Basis) -> Iterator[str]:
    """Yield the comparisons: with chance, with raw features, with PCA."""
    if not basis.validated:
        yield "Inconclusive: there are too few rows for cross-validation."
        return
    if basis.task == "none":
        yield "No comparison: neither a label nor a target was given."
        if not math.isnan(decision.score):
            yield (
                "The model was chosen by how well it keeps the nearest neighbours of held-out rows "
                f"(trustworthiness {_scored(decision)}; 1 is perfect). "
                "It may not suit another purpose."
            )
        return
    if math.isnan(decision.score):
        yield "No held-out score could be computed."
        return
    if few_groups(basis):
        yield (
            f"Inconclusive: {basis.groups} groups are too few for confidence intervals "
            f"({FEWEST_GROUPS} are needed)."
        )
    yield from _signal(decision, few=few_groups(basis))
    if basis.precomputed:
        yield "A kernel matrix has no raw features and no PCA to compare with."
        return
    yield from _compared_with_raw(decision)
    yield from _compared_with_pca(decision)


def _signal(decision: Decision, *, few: bool) -> Iterator[str]:
    what = "label" if decision.measure == "balanced_accuracy" else "target"
    scored = f"{METRICS[decision.measure].words} {_scored(decision)} on held-out rows"
    chance = f"chance gives {number(decision.chance)}"
    match decision.vs_chance:
        case "better":
            yield f"Kernel PCA predicts the {what}: {scored}; {chance}."
        case "enough" | "worse":
            yield f"No signal: {scored}, no better than chance ({number(decision.chance)})."
        case _ if few:
            yield f"Kernel PCA: {scored}; {chance}."
        case _:
            yield f"It is open whether there is any signal: {scored}; {chance}."


def _compared_with_raw(decision: Decision) -> Iterator[str]:
    """Yield how kernel PCA compares with the best predictor on raw features."""
    name = PREDICTORS.get(decision.raw_method)
    if name is None:
        return
    low, high = decision.raw_low, decision.raw_high
    match decision.vs_raw:
        case "better":
            size = difference(decision.measure, decision.raw_gain, low, high)
            yield f"It is better than raw features: {size} above {name}."
        case "worse":
            size = difference(decision.measure, -decision.raw_gain, -high, -low)
            yield f"Raw features are better: {name} scored {size} more."
        case "enough":
            size = difference(decision.measure, decision.raw_gain, low, high)
            yield f"Raw features are enough: the improvement over {name} is {size}."
        case _:
            size = difference(decision.measure, decision.raw_gain, low, high)
            yield f"Compared with raw features ({name}), it is inconclusive: {size}."


def _compared_with_pca(decision: Decision) -> Iterator[str]:
    low, high = decision.gain_low, decision.gain_high
    size = difference(decision.measure, decision.gain, low, high)
    margin = amount(METRICS[decision.measure].margin, decision.measure)
    match decision.vs_pca:
        case "better":
            yield f"It is better than PCA: {size}."
        case "worse":
            size = difference(decision.measure, -decision.gain, -high, -low)
            yield f"PCA is better: it scored {size} more."
        case "enough":
            yield (
                f"PCA is enough: an improvement of {margin} or more is ruled out; "
                f"the difference is {size}."
            )
        case "inconclusive":
            yield f"Compared with PCA, it is inconclusive: {size}."


def _model(decision: Decision, basis: Basis) -> str:
    """Return the exported model, with its held-out score."""
    m = decision.n_components
    if decision.model == ONLY_PCA:
        low, high = decision.model_low, decision.model_high
        scored = f"{METRICS[decision.measure].words} {with_ci(decision.model_score, low, high)}"
        return f"Final model: PCA, {_components(m)}, with {scored}."
    text = model_words(decision.kernel, decision.parameters, m, _origin(basis))
    if not basis.validated:
        return f"The model uses defaults that were not tested on these data: {text}."
    place = f", fitted to the {decision.rows} training rows of draw 0" if basis.independent else ""
    return f"Final model: {text}{place}."


def model_words(kernel: str, parameters: str, components: int, origin: str = "") -> str:
    """Return kernel, parameters and number of components of a model; origin is that of γ.

    >>> model_words("poly", '{"degree": 2, "gamma": 0.5}', 3)
    'polynomial kernel of degree 2, γ = 0.5, 3 components'
    """
    given = json.loads(parameters)
    words = [KERNELS.get(kernel, f"custom kernel {kernel}")]
    if "degree" in given:
        words[0] += f" of degree {given.pop('degree'):g}"
    for name, value in given.items():
        text = f"{value:.3g}" if isinstance(value, int | float) else str(value)
        words.append(f"{SYMBOLS.get(name, name)} = {text}{origin if name == 'gamma' else ''}")
    return ", ".join([*words, _components(components)])


def _components(m: int) -> str:
    return f"{m} component{'s' * (m != 1)}"


def _origin(basis: Basis) -> str:
    """Return where γ comes from."""
    match basis.point.parameters:
        case {"median": 1}:
            return " (median heuristic)"
        case {"median": multiple}:
            return f" ({multiple:g} × median heuristic)"
        case {"sigma": sigma}:
            return f" (σ = {sigma:g})"
    return ""


def _stability(decision: Decision, basis: Basis) -> Iterator[str]:
    if basis.families < 2 or not basis.validated or math.isnan(decision.score):
        return
    agreeing, replicates = decision.agreeing, decision.replicates
    splits = f"{replicates} random {'draws' if basis.independent else 'splits'}"
    kernel = "the linear kernel" if decision.model == ONLY_PCA else "this kernel"
    if 2 * agreeing > replicates:
        yield f"Cross-validation chose {kernel} in {agreeing} of {splits}."
    elif agreeing:
        yield f"The choice is unstable: only {agreeing} of {splits} chose {kernel}."
    else:
        yield f"The choice is unstable: none of the {splits} chose {kernel}."
    if not agreeing and decision.model != ONLY_PCA and not math.isnan(basis.alone[0]):
        yield f"Tuned alone in the same splits, it scored {with_ci(*basis.alone)}."


def _caveats(decision: Decision, basis: Basis) -> Iterator[str]:
    rows = sum(basis.classes.values())
    smallest = min(basis.classes, key=lambda name: basis.classes[name], default=None)
    if smallest is not None:
        n = basis.classes[smallest]
        if n < max(RARE_ROWS, RARE_FRACTION * rows):
            yield (
                f"Class {smallest!r} has only {n} of {rows} rows: "
                "its recall is uncertain, and the interval may be too narrow."
            )
    if decision.vs_chance not in ("better", "no comparison") and not few_groups(basis):
        yield "Without a clear signal, comparisons of methods say little."
    if basis.unconverged:
        fits = f"{basis.unconverged} fit{'s' * (basis.unconverged != 1)}"
        yield (
            f"{fits} of SVMs stopped before convergence: "
            "scale the columns, or leave out large values of C."
        )
    if basis.quick:
        yield f"This is a quick look. Leave out quick=true to add {basis.quick}."
    if decision.vs_pca == "inconclusive" and not math.isnan(decision.gain_high):
        half = (decision.gain_high - decision.gain_low) / 2
        least = METRICS[decision.measure].margin + half
        below = f" below about {amount(least, decision.measure)}"
        if least > 1 - decision.pca:
            below = f", which scored {number(decision.pca)},"
        yield f"With these {decision.rows} rows, an improvement over PCA{below} cannot be detected."
    if basis.sampled_from:
        yield (
            f"The comparison used a random sample of {decision.rows} of {basis.sampled_from} rows "
            "(max_rows); the final model was fitted to all rows."
        )
    if basis.validated and not math.isnan(decision.score) and not basis.independent:
        yield (
            f"Scores are those of models trained on {100 * basis.train_fraction:.0f} % of the "
            "rows; the final model uses all of them."
        )


def few_groups(basis: Basis) -> bool:
    """Return whether there are too few groups for confidence intervals."""
    return 0 < basis.groups < FEWEST_GROUPS


def _scored(decision: Decision) -> str:
    return with_ci(decision.score, decision.low, decision.high)


def with_ci(value: float, low: float, high: float) -> str:
    """Return a score with its CI.

    >>> with_ci(0.959, 0.941, 0.9771), with_ci(0.5, math.nan, math.nan)
    ('0.959 (95 % CI 0.941 to 0.977)', '0.500')
    """
    return f"{number(value)}{_ci(low, high, 3)}"


def difference(measure: str, value: float, low: float, high: float) -> str:
    """Return a difference with its CI, accuracies in percentage points."""
    text = amount(value, measure)
    if measure != "balanced_accuracy":
        return f"{text}{_ci(low, high, 3)}"
    return f"{text}{_ci(100 * low, 100 * high, 1)}"


def amount(value: float, measure: str) -> str:
    """Return a difference: of balanced accuracy in percentage points."""
    if measure != "balanced_accuracy":
        return number(value)
    text = number(100 * value, 1)
    return "1 point" if text == "1.0" else f"{text} points"


def _ci(low: float, high: float, digits: int) -> str:
    """Return a CI, with as many digits as tell its ends apart.

    >>> _ci(-0.02, 0.0301, 1), _ci(0.9412, 0.98, 3), _ci(math.nan, math.nan, 3)
    (' (95 % CI −0.02 to 0.03)', ' (95 % CI 0.941 to 0.980)', '')
    """
    if math.isnan(low):
        return ""
    while digits < MOST_DIGITS and number(low, digits) == number(high, digits):
        digits += 1
    return f" (95 % CI {number(low, digits)} to {number(high, digits)})"


def number(value: float, digits: int = 3) -> str:
    """Return a number with the minus sign that is as long as a digit, and no negative zero.

    >>> number(0.9624), number(-0.02), number(-0.0001)
    ('0.962', '−0.020', '0.000')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
