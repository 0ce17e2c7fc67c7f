"""Numbers in captions are those of the code that makes the figures."""

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
    degree,
    figures,
    images,
    landmark_choices,
    population,
    separability,
    unrolling,
)
from workflow.scripts.input_space import denoising
from workflow.scripts.large_n import landmarks
from workflow.scripts.linear import sparse_paths, svd_errors
from workflow.scripts.own_data import novelty
from workflow.scripts.sweep import figures_of_fits

YEARS = {1998, 2006, 2011, 2025}
# Components, replicates and axes are counted from 0 or 1; the margin is one point.
EVERYWHERE = {0, 1, 100 * METRICS["balanced_accuracy"].margin, round(100 * (1 - LEVEL)), *YEARS}
KERNEL_OVER_N = timed.SERIES["kernel over n"].sizes
SVD = signature(svd_errors.randomized_errors).parameters
NUMBERS: dict[str, set[float]] = {
    "claims_costs": {timed.DEGREE, KERNEL_OVER_N[0][0], KERNEL_OVER_N[-1][0]},
    "claims_degree": set(degree.DEGREES[-2:]),
    "claims_images": {images.INPUTS, len(load_digits().target)},
    "claims_landmark_choices": {landmark_choices.N},
    "claims_population": {population.DRAWS},
    "claims_separability": {separability.LEAST},
    "claims_uncentred": {figures.ALONG},
    "claims_unrolling": {unrolling.UNROLLED},
    "contours": {figures_of_fits.DEGREE},
    "denoising": {prod(denoising.SHAPE)},
    "embeddings": {faithfulness.NEIGHBOURS},
    "landmarks": {signature(landmarks.landmarks).parameters["n_points"].default},
    "linear_svd_errors": {*SVD["shape"].default, SVD["n_oversamples"].default},
    "own_novelty": {100 * novelty.SHARE, 100 * novelty.FALSE_ALARM},
    "scaling": {scaling.LANDMARKS, 10},  # 10 to a power
    "sparse_paths": {*sparse_paths.WIDE, sparse_paths.SPARSE},
    "spectrum": {100 * share for share in figures_of_fits.SHARES},
    # Of what is shown, by name: digits, and degrees, components and figures of a paper.
    "digits": {4, 6},
    "scholkopf1998": {3, 4, 3000},
    "scholkopf_clusters": {2, 3, 4, 5, 6, 8},
    "scholkopf_parabola": {3, 4},
}
OTHERS = {"benchmark_speed", "calibration", "figure_calibration"}  # of a machine, of settings


@pytest.mark.parametrize("caption", CAPTIONS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_numbers_in_captions_are_those_of_the_code(caption) -> None:
    name = caption.parent.name if caption.stem == "caption" else caption.stem
    text = re.sub(r"(?<=\d) (?=000\b)", "", caption.read_text())
    found = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)}
    if name not in OTHERS:
        assert found - EVERYWHERE == NUMBERS.get(name, set()) - EVERYWHERE
