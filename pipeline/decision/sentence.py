"""A decision in plain words: the comparisons, the final model, its stability, and caveats."""

import json
import math
from collections.abc import Iterator
from itertools import islice

from pipeline.decision.decision import GAIN, Basis, Decision
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
COMPARED = {
    "chance": {
        "better": "Kernel PCA predicts the {what}: {scored}; chance gives {chance}.",
        "enough": "No signal: {scored}, no better than chance ({chance}).",
        "worse": "No signal: {scored}, no better than chance ({chance}).",
        "inconclusive": "It is open whether there is any signal: {scored}; chance gives {chance}.",
        "few groups": "Kernel PCA: {scored}; chance gives {chance}.",
    },
    "raw": {
        "better": "It is better than raw features: {size} above {predictor}.",
        "worse": "Raw features are better: {predictor} scored {size} more.",
        "enough": "Raw features are enough: the improvement over {predictor} is {size}.",
        "inconclusive": "Compared with raw features ({predictor}), it is inconclusive: {size}.",
    },
    "pca": {
        "better": "It is better than PCA: {size}.",
        "worse": "PCA is better: it scored {size} more.",
        "enough": "PCA is enough: an improvement of {margin} or more is ruled out; "
        "the difference is {size}.",
        "inconclusive": "Compared with PCA, it is inconclusive: {size}.",
    },
}
"""Baseline → verdict → what is said of the comparison."""

RARE_ROWS, RARE_FRACTION = 40, 0.05
"""With fewer rows of a class, intervals can be too narrow (docs/calibration.md)."""

MOST_DIGITS = 6


def sentence(decision: Decision, basis: Basis) -> str:
    """Return the answer for a dataset in a few short sentences, with the first caveat."""
    parts = [*_answer(decision, basis), _model(decision, basis), *_stability(decision, basis)]
    return " ".join([*parts, *islice(caveats(decision, basis), 1)])


def _answer(d: Decision, basis: Basis) -> Iterator[str]:
    """Yield the comparisons: with chance, with raw features, with PCA."""
    if not basis.validated:
        yield "Inconclusive: there are too few rows for cross-validation."
        return
    if d["measure"] == "trustworthiness":
        yield "No comparison: neither a label nor a target was given."
        if not math.isnan(d["score"]):
            yield (
                "The model was chosen by how well it keeps the nearest neighbours of held-out rows "
                f"(trustworthiness {with_ci(d['score'], d['low'], d['high'])}; 1 is perfect). "
                "It may not suit another purpose."
            )
        return
    if math.isnan(d["score"]):
        yield "No held-out score could be computed."
        return
    if _few_groups(basis):
        yield (
            f"Inconclusive: {basis.groups} groups are too few for confidence intervals "
            f"({FEWEST_GROUPS} are needed)."
        )
    yield from _compared(d, "chance", "few groups" if _few_groups(basis) else d["vs_chance"])
    if math.isnan(d["features"]):
        yield "A kernel matrix has no raw features and no PCA to compare with."
        return
    if d["raw_method"]:
        yield from _compared(d, "raw", d["vs_raw"])
    yield from _compared(d, "pca", d["vs_pca"])


def _compared(d: Decision, baseline: str, verdict: str) -> Iterator[str]:
    """Yield what is said of a comparison; if kernel PCA is worse, the difference is turned."""
    if verdict not in COMPARED[baseline]:
        return
    measure, metric = d["measure"], METRICS[d["measure"]]
    names = GAIN if baseline == "pca" else [f"{baseline}_{end}" for end in ("gain", "low", "high")]
    gain, low, high = (d[name] for name in names)
    if verdict == "worse":
        gain, low, high = -gain, -high, -low
    yield COMPARED[baseline][verdict].format(
        what="label" if measure == "balanced_accuracy" else "target",
        scored=f"{metric.words} {with_ci(d['score'], d['low'], d['high'])} on held-out rows",
        chance=number(d["chance"]),
        predictor=PREDICTORS.get(d["raw_method"]),
        size=difference(measure, gain, low, high),
        margin=amount(metric.margin, measure),
    )


def _model(d: Decision, basis: Basis) -> str:
    """Return the exported model, with its held-out score."""
    m = d["n_components"]
    if d["model"] == ONLY_PCA:
        scored = with_ci(d["model_score"], d["model_low"], d["model_high"])
        return f"Final model: PCA, {_components(m)}, with {METRICS[d['measure']].words} {scored}."
    text = model_words(d["kernel"], d["parameters"], m, _origin(basis))
    if not basis.validated:
        return f"The model uses defaults that were not tested on these data: {text}."
    place = f", fitted to the {d['rows']} training rows of draw 0" if basis.independent else ""
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


def _stability(d: Decision, basis: Basis) -> Iterator[str]:
    if basis.families < 2 or not basis.validated or math.isnan(d["score"]):
        return
    agreeing, is_pca = d["agreeing"], d["model"] == ONLY_PCA
    splits = f"{d['replicates']} random {'draws' if basis.independent else 'splits'}"
    kernel = "the linear kernel" if is_pca else "this kernel"
    if 2 * agreeing > d["replicates"]:
        yield f"Cross-validation chose {kernel} in {agreeing} of {splits}."
    else:
        some = f"only {agreeing} of {splits}" if agreeing else f"none of the {splits}"
        yield f"The choice is unstable: {some} chose {kernel}."
    if not agreeing and not is_pca and not math.isnan(basis.alone[0]):
        yield f"Tuned alone in the same splits, it scored {with_ci(*basis.alone)}."


def caveats(d: Decision, basis: Basis) -> Iterator[str]:
    """Yield what limits the answer, the most important first."""
    rows = sum(basis.classes.values())
    name, n = min(basis.classes.items(), key=lambda item: item[1], default=("", rows))
    if n < max(RARE_ROWS, RARE_FRACTION * rows) and basis.classes:
        yield (
            f"Class {name!r} has only {n} of {rows} rows: "
            "its recall is uncertain, and the interval may be too narrow."
        )
    if d["vs_chance"] not in ("better", "no comparison") and not _few_groups(basis):
        yield "Without a clear signal, comparisons of methods say little."
    if basis.unconverged:
        yield (
            f"{basis.unconverged} fit{'s' * (basis.unconverged != 1)} of SVMs stopped before "
            "convergence: scale the columns, or leave out large values of C."
        )
    if basis.quick:
        yield f"This is a quick look. Leave out quick=true to add {basis.quick}."
    if d["vs_pca"] == "inconclusive" and not math.isnan(d["gain_high"]):
        least = METRICS[d["measure"]].margin + (d["gain_high"] - d["gain_low"]) / 2
        below = f" below about {amount(least, d['measure'])}"
        if least > 1 - d["pca"]:
            below = f", which scored {number(d['pca'])},"
        yield f"With these {d['rows']} rows, an improvement over PCA{below} cannot be detected."
    if basis.sampled_from:
        yield (
            f"The comparison used a random sample of {d['rows']} of {basis.sampled_from} rows "
            "(max_rows); the final model was fitted to all rows."
        )
    if basis.validated and not math.isnan(d["score"]) and not basis.independent:
        yield (
            f"Scores are those of models trained on {100 * basis.train_fraction:.0f} % of the "
            "rows; the final model uses all of them."
        )


def _few_groups(basis: Basis) -> bool:
    """Return whether there are too few groups for confidence intervals."""
    return 0 < basis.groups < FEWEST_GROUPS


def with_ci(value: float, low: float, high: float) -> str:
    """Return a score with its CI.

    >>> with_ci(0.959, 0.941, 0.9771), with_ci(0.5, math.nan, math.nan)
    ('0.959 (95 % CI 0.941 to 0.977)', '0.500')
    """
    return f"{number(value)}{_ci(low, high, 3)}"


def difference(measure: str, value: float, low: float, high: float) -> str:
    """Return a difference with its CI, accuracies in percentage points."""
    scale, digits = (100, 1) if measure == "balanced_accuracy" else (1, 3)
    return amount(value, measure) + _ci(scale * low, scale * high, digits)


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
