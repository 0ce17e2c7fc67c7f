"""Captions have no number of a result, in digits or in words: figures draw those from tables.

A number in a caption is a setting of the code that makes the figure.
"""

import re
from inspect import signature
from math import prod

import pytest
from sklearn.datasets import load_digits

from benchmarks import costs as timed
from benchmarks import scaling
from pipeline.evaluation import faithfulness
from pipeline.evaluation.metrics import METRICS
from pipeline.tables.statistics import LEVEL
from tests.test_writing import CAPTIONS
from workflow.scripts.claims import (
    centring,
    figures,
    images,
    population,
    rkhs,
    separability,
    setting,
    shift,
    unrolling,
)
from workflow.scripts.input_space import denoising
from workflow.scripts.input_space import figures as of_digits
from workflow.scripts.large_n import figure_landmarks, landmarks
from workflow.scripts.linear import agreement, sparse_paths, svd_errors
from workflow.scripts.own_data import features, novelty
from workflow.scripts.papers.mika1998 import table
from workflow.scripts.sweep import figures_of_fits

YEARS = {1998, 2006, 2011, 2025}
# Components, replicates and axes are counted from 0 or 1; the margin is one point.
EVERYWHERE = {0, 1, 100 * METRICS["balanced_accuracy"].margin, round(100 * (1 - LEVEL)), *YEARS}
# Words for two and three count classes, panels and axes.
WORDS = {"four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12}
WORDS |= {"tenth": 0.1, "quarter": 0.25, "third": 1 / 3, "half": 0.5, "halves": 0.5, "twice": 2}
NEGLIGIBLE = 1 / figure_landmarks.NEGLIGIBLE
LANDMARKS = signature(landmarks.landmarks).parameters
SVD = signature(svd_errors.randomized_errors).parameters
NUMBERS: dict[str, set[float]] = {
    "benchmark_speed": {10, 64},  # to a power, and bits
    "claims_centring": {centring.SHOWN},
    "claims_costs": {timed.DEGREE, timed.ROUNDS, timed.K},
    "claims_degree": {setting.REPLICATES},
    "claims_images": {images.INPUTS, len(load_digits().target), setting.REPLICATES},
    "claims_limits": {setting.REPLICATES},
    "claims_population": {population.DRAWS, population.K},
    "claims_readings": {setting.REPLICATES},
    "claims_rkhs": {rkhs.N_STARTS},
    "claims_separability": {separability.LEAST},
    "claims_shift": {shift.N_COMPONENTS, figures.SMALL_SHIFT},
    "claims_uncentred": {figures.ALONG},
    "claims_unrolling": {unrolling.UNROLLED, unrolling.REPLICATES},
    "contours": {figures_of_fits.DEGREE},
    "denoised_images": {len(of_digits.SHOWN)},
    "denoising": {prod(denoising.SHAPE)},
    "embeddings": {faithfulness.NEIGHBOURS},
    "gallery": {len(figures_of_fits.TYPES)},
    "landmarks": {LANDMARKS["n_points"].default, LANDMARKS["replicates"].default, NEGLIGIBLE},
    "landmarks_enough": {NEGLIGIBLE},
    "linear_agreement": {
        len(agreement.ROUTES),
        signature(agreement.table).parameters["n_components"].default,
    },
    "linear_svd_errors": {
        *SVD["shape"].default,
        SVD["n_oversamples"].default,
        SVD["draws"].default,
    },
    "mika1998": {table.READINGS["doubled"]},
    "own_features": {features.COMPONENTS},
    "own_novelty": {100 * novelty.SHARE, 100 * novelty.FALSE_ALARM},
    "scaling": {scaling.LANDMARKS, 10},  # 10 to a power
    "sparse_loadings": {sparse_paths.NONZEROS["digits"]},
    "sparse_paths": {*sparse_paths.WIDE, sparse_paths.SPARSE},
    "spectrum": {100 * share for share in figures_of_fits.SHARES},
    # Of what is shown, by name: digits, and degrees, components and figures of a paper.
    "scholkopf1998": {3, 4, 3000},
    "scholkopf_clusters": {2, 3, 4, 5, 6, 8},
    "scholkopf_parabola": {3, 4},
}


@pytest.mark.parametrize("caption", CAPTIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_numbers_in_captions_are_those_of_the_code(caption) -> None:
    name = caption.parent.name if caption.stem == "caption" else caption.stem
    text = re.sub(r"(?<=\d) (?=000\b)", "", caption.read_text())
    found = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    found |= {WORDS[word] for word in re.findall(r"\w+", text.lower()) if word in WORDS}
    assert found - EVERYWHERE == NUMBERS.get(name, set()) - EVERYWHERE
