"""Tables of the studies have the columns of the documents, and figures are drawn from them.

Each study is measured with as little as it takes.
"""

import functools
from importlib import import_module
from inspect import signature
from pathlib import Path
from unittest import mock

import pandas as pd
import pytest
import yaml

from tests.columns import differences
from tests.scripts.claims import STATEMENTS, TOPICS
from tests.scripts.claims import measured as measured_topic
from tests.scripts.drawing import assert_caption_is_short, assert_drawn_well
from tests.workflow.pipeline import ROOT
from workflow.scripts.claims import costs, studies
from workflow.scripts.input_space import denoising
from workflow.scripts.large_n import landmarks
from workflow.scripts.linear import decompositions, sparse_paths

pytestmark = [
    pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"),
    pytest.mark.filterwarnings("ignore::kpca.preimage.PreImageWarning"),
]
PITPROPS = pd.read_csv(ROOT / "workflow/scripts/papers/zou2006/pitprops.csv")
TIMES = pd.read_csv(ROOT / "benchmarks/costs.csv")
SEED = {"seed": 0}
SIZES = yaml.safe_load(Path(__file__).with_name("sizes.yaml").read_text())


def small(module):
    """Measure with the sizes of the tests in place of those of a module."""
    return mock.patch.dict(vars(module), SIZES[module.__name__.rpartition(".")[2]])


def of_linear():
    with small(sparse_paths), small(decompositions):
        sparse = sparse_paths.tables(PITPROPS, **SEED)
        tables = {f"sparse_{name}": table for name, table in sparse.items()}
        samples = {name: X[:400] for name, X in decompositions.tall_and_wide(0).items()}
        tables["linear_agreement"] = decompositions.agreement(samples, n_components=3)
        return tables | {"linear_svd_errors": decompositions.randomized_errors(**SEED)}


def of_input_space():
    with small(denoising):
        return {"denoising": denoising.denoising(**SEED)}


def of_large_n():
    with small(landmarks):
        tables = landmarks.landmarks(**SEED)
    return {f"landmarks_{name}".replace("_errors", ""): table for name, table in tables.items()}


def of(study, *names, **others):
    """Return tables of a study under their own names or others, when they are asked for."""
    tables = dict(zip(names, names, strict=True)) | others
    return lambda: {name: measured(study)[table] for name, table in tables.items()}


OF_DENOISING = of("input_space", digits="denoising")
OF_LINEAR = of(
    "linear",
    variances="sparse_paths",
    loadings="sparse_loadings",
    wide="sparse_wide",
    errors="linear_svd_errors",
)
STUDIES = {
    "linear": of_linear,
    "input_space": of_input_space,
    "large_n": of_large_n,
    "claims/studies": lambda: studies.measure(**OF_LINEAR(), **OF_DENOISING()),
    "costs": lambda: {"costs": costs.statements_on(TIMES, STATEMENTS)},
}


@functools.cache
def measured(study):
    """Return the tables of a study, by the name of their file below its folder."""
    topic = study.removeprefix("claims/")
    return measured_topic(topic) if topic in TOPICS else STUDIES[study]()


@pytest.mark.parametrize("study", [*STUDIES, *(f"claims/{topic}" for topic in TOPICS)])
def test_tables_have_the_columns_of_the_documents(study):
    folder, _, topic = study.partition("/")
    prefix = f"tables/{folder}/{topic}" if topic else "tables/"
    names = {name: f"_{name}" if topic else name for name in measured(study)} | {"claims": ""}
    tables = {f"{prefix}{names[name]}.csv": table for name, table in measured(study).items()}
    assert differences(tables) == []


FIGURES = {
    "linear.figures:linear_deflation": dict,
    "linear.figures:linear_svd_errors": of("linear", errors="linear_svd_errors"),
    "linear.figures:sparse_paths": of(
        "linear", explained="sparse_paths", exact_path="sparse_exact_path", wide="sparse_wide"
    ),
    "linear.figures:sparse_loadings": of("linear", loadings="sparse_loadings"),
    "input_space.figures:denoising": OF_DENOISING,
    "input_space.figures:denoised_images": OF_DENOISING,
    "papers.scholkopf1998.level_lines:scholkopf_parabola": dict,
    "papers.scholkopf1998.level_lines:scholkopf_clusters": dict,
    "claims_figures.figures:claims_centring": of("claims/centring", "spectra"),
    "claims_figures.figures:claims_degree": of("claims/degree", "scores"),
    "claims_figures.figures:claims_feature_space": dict,
    "claims_figures.figures:claims_images": of("claims/degree", "images"),
    "claims_figures.figures:claims_limits": of("claims/gaussian", "widths"),
    "claims_figures.figures:claims_readings": of("claims/gaussian", "shares"),
    "claims_figures.figures:claims_uncentred": of("claims/centring", "losses"),
    "claims_figures.figures:claims_unrolling": of("claims/shapes", "embeddings"),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_is_legible_and_drawn_again_the_same(figure, tmp_path):
    script, _, name = figure.partition(":")
    draw = getattr(import_module(f"workflow.scripts.{script}"), name)
    seed = SEED if "seed" in signature(draw).parameters else {}
    fig = assert_drawn_well(draw, tmp_path, **FIGURES[figure](), **seed)
    assert_caption_is_short(name, fig.get_label())
