"""Captions have no number of a result, in digits or in words: figures draw those from tables.

A number in a caption is a setting of the code that makes the figure. A finding in words is checked
on tables of small runs, here or in the tests of its study; other captions begin with how to read
the figure.
"""

import re
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.datasets import load_digits

from benchmarks import scaling
from kpca import KernelPCA
from kpca.inspection.reproducibility import COMES_BACK
from kpca.kernels.bandwidth import median_gamma
from kpca.study.datasets.make import make_dataset
from kpca.study.evidence import faithfulness
from kpca.study.evidence.statistics import LEVEL
from kpca.study.fitting.fitted_models import components_for
from kpca.study.monitoring import ordinary_rows
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
from workflow.scripts.sweep_figures import figure_spectrum

WINE = make_dataset("wine", setting.DATA["wine"], seed=0, replicates=1).split(0).X_train
WINE_TRAIN = len(WINE)
WINE_MONOMIALS = comb(WINE.shape[1] + degree.LOW, degree.LOW)
YEARS = {1998, 2006, 2011, 2025}
# Components, replicates and axes are counted from 0 or 1; the margin is one point.
EVERYWHERE = {0, 1, 100 * METRICS["balanced_accuracy"].margin, round(100 * (1 - LEVEL)), *YEARS}
# Words for two and three count classes, panels and axes.
WORDS = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text())
NEGLIGIBLE = 1 / figure_landmarks.NEGLIGIBLE
NUMBERS = {
    "benchmark_speed": {10, 64},  # exponent of a number of samples, and bits
    "claims_centring": {centring.SHOWN},
    "claims_degree": {setting.REPLICATES, WINE_MONOMIALS, WINE_TRAIN, degree.LOW},
    "claims_images": {degree.INPUTS, len(load_digits().target), setting.REPLICATES},
    "claims_limits": {setting.REPLICATES},
    "claims_readings": {setting.REPLICATES, 0.5},
    "claims_uncentred": {centring.REPLICATES},
    "claims_unrolling": {shapes.UNROLLED, shapes.REPLICATES},
    "denoised_images": {len(of_digits.SHOWN)},
    "denoising": {prod(denoising.SHAPE)},
    "embeddings": {faithfulness.NEIGHBOURS},
    "landmarks": {landmarks.N_POINTS, landmarks.REPLICATES, NEGLIGIBLE},
    "landmarks_enough": {NEGLIGIBLE},
    "linear_agreement": {len(decompositions.ROUTES), decompositions.N_COMPONENTS},
    "linear_svd_errors": {
        *decompositions.SHAPE,
        decompositions.N_OVERSAMPLES,
        decompositions.DRAWS,
    },
    "mika1998": {table.READINGS["doubled"]},
    "own_components": {COMES_BACK, 0.5},
    "own_features": {features.COMPONENTS},
    "own_monitoring": {100 * ordinary_rows.SHARE, 100 * novelty.FALSE_ALARM},
    "own_novelty": {100 * novelty.FALSE_ALARM},
    "scaling": {scaling.LANDMARKS, 10},  # 10 to a power
    "sparse_loadings": {sparse_paths.NONZEROS["digits"]},
    "sparse_paths": {*sparse_paths.WIDE, sparse_paths.SPARSE},
    "spectrum": {100 * figure_spectrum.SHARE},
    # Of what is shown, by name: digits, and degrees, components and figures of a paper.
    "scholkopf1998": {3, 3000},
    "scholkopf_clusters": {3, 4, 5, 6, 8},
    "scholkopf_parabola": {3, 4},
}


@pytest.mark.parametrize("caption", CAPTIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_numbers_in_captions_are_those_of_the_code(caption):
    name = caption.parent.name if caption.stem == "caption" else caption.stem
    text = re.sub(r"(?<=\d) (?=000\b)", "", caption.read_text())
    numbers = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    numbers |= {WORDS[word] for word in re.findall(r"\w+", text.lower()) if word in WORDS}
    assert numbers - EVERYWHERE == NUMBERS.get(name, set()) - EVERYWHERE


@pytest.mark.parametrize(
    ("topic", "claim"),
    [
        ("degree", "6-degree-all-test"),
        ("degree", "8-images-pca"),
        ("gaussian", "6-sigma-linear"),
        ("gaussian", "6-sigma-near"),
    ],
)
def test_a_small_run_is_on_the_side_that_the_caption_of_a_claim_tells_first(topic, claim):
    cases = measured(f"claims/{topic}")["claims"].merge(STATEMENTS, on="claim")
    rows = cases[cases["claim"] == claim]
    assert min(map(room, rows["measured"], rows["side"], rows["threshold"])) > 0


def test_intervals_and_probabilities_of_the_shipped_calibration_hold():
    folder = ROOT / "workflow/scripts/calibration"
    effects = read_table(folder / "effects.csv")
    drawn = effects[effects["comparison"].isin(figure_calibration.COMPARISONS)]
    assert (100 * drawn["coverage"].dropna() >= figure_calibration.TARGET).all()
    assert read_table(folder / "reliability.csv")["held"].mean() > 0.5


def test_the_first_direction_of_deflation_spreads_points_most_and_the_second_one_least():
    X = of_linear.tilted_cloud(0)
    first, second = decompositions.principal_axes(X, 2, route="deflation").axes
    between = (first + second) / np.sqrt(2)
    most, middle, least = ((X @ w).var() for w in (first, between, second))
    assert most > middle > least
    assert abs(first @ second) < 1e-12


def test_normalised_power_iterations_keep_the_error_of_the_svd_at_its_bound():
    errors = measured("linear")["linear_svd_errors"]
    assert errors.query("n_iter > 0 and normalizer != 'none'")["error"].max() <= 1


def test_level_lines_on_a_parabola_are_straight_at_degree_1_alone():
    X = scholkopf.parabola_draw(np.random.default_rng(0)).X
    straight, curved = (
        shapes.curvature(X, scholkopf.polynomial_kpca(X, degree).transform(X)[:, :1])[0]
        for degree in (1, 2)
    )
    assert straight < 1e-12 < 0.1 < curved


def test_a_gaussian_kernel_has_more_components_and_needs_more_of_them():
    X = make_dataset("iris", {"sklearn": "iris"}, seed=0, replicates=2).X
    ratios = [
        KernelPCA(None, kernel=kernel, gamma=median_gamma(X)).fit(X).explained_variance_ratio_
        for kernel in ("linear", "rbf")
    ]
    few, many = (components_for(0.9, ratio) for ratio in ratios)
    assert few < many
    few, many = ((ratio > 1e-12).sum() for ratio in ratios)
    assert few < many
