"""A decision in plain words, which say no more than is known."""

import json
import math

from pipeline.decision.decision import Basis, Decision
from pipeline.tables.metrics import METRICS
from pipeline.tables.statistics import ROUNDING

KERNELS = {
    "linear": "linear kernel, which is PCA",
    "poly": "polynomial kernel",
    "rbf": "Gaussian kernel",
    "laplacian": "Laplacian kernel",
    "sigmoid": "sigmoid kernel",
    "cosine": "cosine kernel",
    "precomputed": "given kernel matrix",
}
SYMBOLS = {"gamma": "γ", "coef0": "c"}
_NO_LABEL = (
    "No label and no target is known: kernels were compared by how well they keep the neighbours "
    "of rows not seen, which need not serve another end."
)


def sentence(decision: Decision, basis: Basis) -> str:
    """Return what was chosen, what choosing so scores, and whether PCA would do as well.

    Scores and gains are those of the procedure: each replicate chooses anew from its training rows.
    """
    if not basis.validated:
        parts = [
            "Undecided: there were too few rows to validate any kernel. "
            f"{_choice(decision, basis)}, a convention that nothing here supports",
            _scored(decision),
        ]
    elif _pca_was_chosen(decision, basis) and not decision.gain_high <= _margin(decision):
        worth = _gain(_margin(decision), decision.measure)
        why = f"of all kernels the linear one was chosen, but a gain above {worth} is not ruled out"
        parts = [f"undecided: {why}", _scored(decision), f"Chosen: {_choice(decision, basis)}"]
    elif why := _pca_is_enough(decision, basis):
        parts = [f"PCA is enough: {why}", _scored(decision), f"Chosen: {_choice(decision, basis)}"]
    elif decision.verdict == "undecided":
        parts = [_open(decision, basis), _scored(decision), f"Chosen: {_choice(decision, basis)}"]
    else:
        parts = [_choice(decision, basis), _scored(decision)]
        if decision.kernel == "linear":
            parts.append("the gain is that of replicates which chose other kernels")
    parts += [*_agreement(decision, basis), *_chosen_on(decision, basis)]
    text = ". ".join(part[0].upper() + part[1:] for part in parts) + "."
    return f"{text} {_NO_LABEL}" if basis.task == "none" else text


def _pca_is_enough(decision: Decision, basis: Basis) -> str:
    """Return why, or nothing where it is not known to be."""
    worth = _gain(_margin(decision), decision.measure)
    if decision.verdict == "no gain shown":
        return f"choosing among kernels does not beat it by {worth} on these data"
    if _equal(decision) and (decision.agreeing or basis.families < 2):
        return f"it scored as the chosen kernels in each of {decision.replicates} replicates"
    return "of all kernels the linear one was chosen" if _pca_was_chosen(decision, basis) else ""


def _pca_was_chosen(decision: Decision, basis: Basis) -> bool:
    """Return whether the linear kernel was, of several, and no other is known to be better."""
    several = basis.families > 1 and decision.verdict != "gain shown"
    return several and decision.kernel == "linear"


def _margin(decision: Decision) -> float:
    return METRICS[decision.measure].margin


def _equal(decision: Decision) -> bool:
    gains = (decision.gain, decision.gain_low, decision.gain_high)
    return all(abs(gain) <= ROUNDING for gain in gains)


def _open(decision: Decision, basis: Basis) -> str:
    margin = _margin(decision)
    low, high = decision.gain_low, decision.gain_high
    if high - low <= ROUNDING:
        same = f"the gain is the same in each of {decision.replicates} replicates"
        return f"undecided: {same}, which does not tell how far it may be off"
    interval = f"the interval of the gain, {_gains(low, high, decision.measure)}"
    worth = _gain(margin, decision.measure)
    if low < margin < high:
        what = f"{interval}, holds both gains above {worth}, which matter, and smaller ones"
    else:
        side = "above" if low >= margin else "below"
        what = f"{interval}, lies {side} {worth}, but not after correction for all kernels compared"
    more = "more replicates" if basis.independent else "more rows, and to a degree more replicates,"
    return f"undecided: {what}; {more} would narrow it"


def _choice(decision: Decision, basis: Basis) -> str:
    """Return the kernel with its parameters and the number of components."""
    given = json.loads(decision.parameters)
    words = [KERNELS.get(decision.kernel, f"own kernel {decision.kernel}")]
    if "degree" in given:
        words[0] += f" of degree {given.pop('degree'):g}"
    for name, value in given.items():
        text = f"{value:.3g}" if isinstance(value, int | float) else str(value)
        origin = _origin(basis) if name == "gamma" else ""
        words.append(f"{SYMBOLS.get(name, name)} = {text}{origin}")
    m = decision.n_components
    return ", ".join([*words, f"{m} component{'s' * (m != 1)}"])


def _origin(basis: Basis) -> str:
    """Return where γ comes from."""
    match basis.point.parameters:
        case {"median": 1}:
            return " (the median heuristic's)"
        case {"median": multiple}:
            return f" ({multiple:g} times the median heuristic's)"
        case {"sigma": sigma}:
            return f" (σ = {sigma:g})"
    return ""


def _scored(decision: Decision) -> str:
    """Return the score of the procedure, and its gain over PCA."""
    if math.isnan(decision.score):
        return "what choosing so scores on rows it had not seen is not known"
    low, high, spread = decision.low, decision.high, ""
    if decision.replicates < 2:
        spread = " (one replicate, hence no interval)"
    elif high - low <= ROUNDING:
        spread = f" (in each of {decision.replicates} replicates, which gives no interval)"
    interval = "" if spread else f" [{_number(low)}, {_number(high)}]"
    score = f"{_number(decision.score)}{interval} {METRICS[decision.measure].words}"
    return f"choosing so scored {score} on rows it had not seen{spread}{_beside_pca(decision)}"


def _beside_pca(decision: Decision) -> str:
    if math.isnan(decision.gain):
        return "; there is no PCA to compare it with"
    if _equal(decision):
        return ", as PCA did"
    if decision.gain < 0:
        text = f", {_gain(-decision.gain, decision.measure)} under PCA"
    else:
        text = f", {_gain(decision.gain, decision.measure)} over PCA"
    low, high = decision.gain_low, decision.gain_high
    if high - low > ROUNDING and decision.verdict != "undecided":
        text += f", gain {_gains(low, high, decision.measure)}"
    return f"{text}: {decision.verdict}" if decision.verdict != "undecided" else text


def _agreement(decision: Decision, basis: Basis) -> list[str]:
    if basis.families < 2 or not basis.validated:
        return []
    agreeing, replicates = decision.agreeing, decision.replicates
    if not agreeing:
        own = "and how well this one does on rows not seen is not known"
        return [f"none of {replicates} replicates chose the same kernel, {own}"]
    few = "only " if 2 * agreeing <= replicates else ""
    return [f"{few}{agreeing} of {replicates} replicates chose the same kernel"]


def _chosen_on(decision: Decision, basis: Basis) -> list[str]:
    if basis.sampled_from:
        return [f"The rows were a sample of {decision.rows} of {basis.sampled_from} (max_rows)"]
    if basis.independent:
        return [f"Chosen on the {decision.rows} training rows of the first draw"]
    return []


def _gain(value: float, measure: str) -> str:
    """Return a difference: of balanced accuracy in points, hundredths of it."""
    if measure != "balanced_accuracy":
        return _number(value)
    text = _signed(f"{100 * value:.1f}")
    return "1 point" if text == "1.0" else f"{text} points"


def _gains(low: float, high: float, measure: str) -> str:
    """Return an interval of differences."""
    if measure != "balanced_accuracy":
        return f"[{_number(low)}, {_number(high)}]"
    return _signed(f"[{100 * low:.1f}, {100 * high:.1f}] points")


def _number(value: float) -> str:
    """Return three decimals, without a zero before them.

    >>> _number(0.9624), _number(1.0), _number(-0.02)
    ('.962', '1.000', '−.020')
    """
    text = f"{value:.3f}"
    return _signed(text.replace("0.", ".", 1) if abs(value) < 0.9995 else text)


def _signed(text: str) -> str:
    """Return numbers with the sign that is as long as a digit."""
    return text.replace("-", "−")
