"""Captions have no number of a result, in digits or in words: figures draw those from tables.

A number in a caption is a setting of the code that makes the figure. A finding in words is checked
on tables of small runs, here or in the tests of its study; other captions begin with how to read
the figure.
"""

import re
from inspect import signature
from math import comb, prod

import numpy as np
import pytest
from sklearn.datasets import load_digits

from benchmarks import scaling
from kpca import KernelPCA
from kpca.inspection.reproducibility import COMES_BACK
from kpca.kernels.bandwidth import median_gamma
from kpca.study.datasets.make import make_dataset
from kpca.study.evidence import faithfulness
from kpca.study.evidence.statistics import LEVEL
from kpca.study.fitting.fitted_models import components_for
from kpca.study.scoring.metrics import METRICS
from kpca.study.store import read_table
from tests.scripts.claims import STATEMENTS
from tests.scripts.test_studies import measured
from tests.test_writing import CAPTIONS, ROOT
from workflow.scripts.calibration import figure_calibration
from workflow.scripts.claims.claim import room
from workflow.scripts.experiments import centring, degree, setting, shapes
from workflow.scripts.input_space import denoising
from workflow.scripts.input_space import figures as of_digits
from workflow.scripts.large_n import figure_landmarks, landmarks
from workflow.scripts.linear import decompositions, sparse_paths
from workflow.scripts.linear import figures as of_linear
from workflow.scripts.own_data import features, novelty
from workflow.scripts.papers.mika1998 import table
from workflow.scripts.papers.scholkopf1998 import table as scholkopf
from workflow.scripts.sweep_figures import contours, spectrum

WINE = make_dataset("wine", setting.DATA["wine"], seed=0, replicates=1).split(0).X_train
WINE_TRAIN, WINE_MONOMIALS = len(WINE), comb(WINE.shape[1] + degree.LOW, degree.LOW)
YEARS = {1998, 2006, 2011, 2025}
# Components, replicates and axes are counted from 0 or 1; the margin is one point.
EVERYWHERE = {0, 1, 100 * METRICS["balanced_accuracy"].margin, round(100 * (1 - LEVEL)), *YEARS}
# Words for two and three count classes, panels and axes.
WORDS = {"four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12}
WORDS |= {"tenth": 0.1, "quarter": 0.25, "third": 1 / 3, "half": 0.5, "halves": 0.5, "twice": 2}
NEGLIGIBLE = 1 / figure_landmarks.NEGLIGIBLE
LANDMARKS = signature(landmarks.landmarks).parameters
SVD = signature(decompositions.randomized_errors).parameters
NUMBERS = {
    "benchmark_speed": {10, 64},  # to a power, and bits
    "claims_centring": {centring.SHOWN},
    "claims_degree": {setting.REPLICATES, WINE_MONOMIALS, WINE_TRAIN, degree.LOW},
    "claims_images": {degree.INPUTS, len(load_digits().target), setting.REPLICATES},
    "claims_limits": {setting.REPLICATES},
    "claims_readings": {setting.REPLICATES, 0.5},
    "claims_uncentred": {centring.REPLICATES},
    "claims_unrolling": {shapes.UNROLLED, shapes.REPLICATES},
    "contours": {contours.DEGREE},
    "denoised_images": {len(of_digits.SHOWN)},
    "denoising": {prod(denoising.SHAPE)},
    "embeddings": {faithfulness.NEIGHBOURS},
    "landmarks": {LANDMARKS["n_points"].default, LANDMARKS["replicates"].default, NEGLIGIBLE},
    "landmarks_enough": {NEGLIGIBLE},
    "linear_agreement": {len(decompositions.ROUTES), decompositions.N_COMPONENTS},
    "linear_svd_errors": {
        *SVD["shape"].default,
        SVD["n_oversamples"].default,
        SVD["draws"].default,
    },
    "mika1998": {table.READINGS["doubled"]},
    "own_components": {COMES_BACK, 0.5},
    "own_features": {features.COMPONENTS},
    "own_monitoring": {100 * novelty.SHARE, 100 * novelty.FALSE_ALARM},
    "own_novelty": {100 * novelty.FALSE_ALARM},
    "scaling": {scaling.LANDMARKS, 10},  # 10 to a power
    "sparse_loadings": {sparse_paths.NONZEROS["digits"]},
    "sparse_paths": {*sparse_paths.WIDE, sparse_paths.SPARSE},
    "spectrum": {100 * spectrum.SHARE},
    # Of what is shown, by name: digits, and degrees, components and figures of a paper.
    "scholkopf1998": {3, 3000},
    "scholkopf_clusters": {3, 4, 5, 6, 8},
    "scholkopf_parabola": {3, 4},
}


@pytest.mark.parametrize("caption", CAPTIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_numbers_in_captions_are_those_of_the_code(caption):
    name = caption.parent.name if caption.stem == "caption" else caption.stem
    text = re.sub(r"(?<=\d) (?=000\b)", "", caption.read_text())
    found = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    found |= {WORDS[word] for word in re.findall(r"\w+", text.lower()) if word in WORDS}
    assert found - EVERYWHERE == NUMBERS.get(name, set()) - EVERYWHERE


def kept(topic, *claims):
    """Return whether a small run is on the side of the rules of some claims."""
    cases = measured(f"claims/{topic}")["claims"].merge(STATEMENTS, on="claim")
    rows = cases[cases["claim"].isin(claims)]
    return min(map(room, rows["measured"], rows["side"], rows["threshold"])) > 0


def calibrated():
    """Return whether intervals and probabilities hold, of the shipped calibration."""
    folder = ROOT / "workflow/scripts/calibration"
    effects, reliability = (
        read_table(folder / f"{name}.csv") for name in ("effects", "reliability")
    )
    drawn = effects[effects["comparison"].isin(figure_calibration.COMPARISONS)]
    covered = 100 * drawn["coverage"].dropna() >= figure_calibration.TARGET
    return bool(covered.all() and reliability["held"].mean() > 0.5)


def deflated():
    """Return whether the first direction spreads points most, and the second one least."""
    X = of_linear.tilted_cloud(0)
    first, second = decompositions.principal_axes(X, 2, route="deflation").axes
    between = (first + second) / np.sqrt(2)
    variances = [(X @ w).var() for w in (first, between, second)]
    return sorted(variances, reverse=True) == variances and abs(first @ second) < 1e-12


def curvature(degree):
    X = scholkopf.parabola_draw(np.random.default_rng(0)).X
    scores = scholkopf.polynomial(X, degree).transform(X)[:, :1]
    return float(shapes.curvature(X, scores)[0])


def spectrum(kernel):
    """Return how many components reach 90 % of the variance of iris, and how many there are."""
    X = make_dataset("iris", {"sklearn": "iris"}, seed=0, replicates=2).X
    gamma = median_gamma(X) if kernel == "rbf" else None
    ratio = KernelPCA(None, kernel=kernel, gamma=gamma).fit(X).explained_variance_ratio_
    return components_for(0.9, ratio), int((ratio > 1e-12).sum())


# Figure: whether a small run shows what its caption tells first.
FOUND = {
    "calibration_effects": calibrated,
    "claims_degree": lambda: kept("degree", "6-degree-all-test"),
    "claims_images": lambda: kept("degree", "8-images-pca"),
    "claims_limits": lambda: kept("gaussian", "6-sigma-linear", "6-sigma-near"),
    "claims_readings": lambda: kept("gaussian", "6-sigma-linear"),
    "linear_deflation": deflated,
    "linear_svd_errors": lambda: (
        measured("linear")["linear_svd_errors"]
        .query("n_iter > 0 and normalizer != 'none' and error > 1")
        .empty
    ),
    "scholkopf_parabola": lambda: curvature(1) < 1e-12 < 0.1 < curvature(2),
    "spectrum": lambda: np.greater(spectrum("rbf"), spectrum("linear")).all(),
}


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("figure", FOUND)
def test_what_a_caption_tells_first_is_found_in_a_small_run(figure):
    assert FOUND[figure]()
