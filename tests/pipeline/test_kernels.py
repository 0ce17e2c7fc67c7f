"""The records of kernels: complete, alike in library and pipeline, and light to import."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from kpca.kernels import KERNELS
from pipeline.configuration.config import check_config
from pipeline.configuration.explain import schema
from pipeline.decision.sentence import embedding_words
from pipeline.drawing.style import kernel_style
from pipeline.errors import InputError
from pipeline.fitted_models import arguments
from pipeline.grid import BANDWIDTHS, points
from pipeline.kernels import FAMILIES, README, documented
from pipeline.tables.selection import simplicity
from tests.pipeline.configuration.test_config import changed
from tests.pipeline.decision.test_sentence import BASIS, KERNEL

AXES = schema()["$defs"]["grid"]["properties"]
WITHOUT_NUMPY = """
import sys
sys.modules |= dict.fromkeys(["numpy", "scipy", "pandas", "sklearn", "matplotlib"])
import pipeline.configuration.explain, pipeline.grid, pipeline.kernels
"""


def test_both_records_have_the_same_kernels() -> None:
    assert FAMILIES.keys() == KERNELS.keys()


@pytest.mark.parametrize("name", FAMILIES)
def test_the_axes_are_the_parameters_that_the_kernel_reads(name: str) -> None:
    axes = FAMILIES[name].axes
    read = {"gamma" if axis in BANDWIDTHS else axis for axis in axes}
    assert (read, len(read)) == ({*KERNELS[name].uses}, FAMILIES[name].n_parameters)
    assert "gamma" not in read or "gamma" in axes
    assert ("median" in axes) == (KERNELS[name].median_power is not None)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_configuration_takes_its_axes_and_no_others(name: str) -> None:
    axes = FAMILIES[name].axes
    check_config(changed(f"kernels.{name}", {axis: [2] for axis in axes}), [])
    for axis in {*AXES} - {*axes}:
        with pytest.raises(InputError, match=f"kernels.{name}.{axis}: unknown key"):
            check_config(changed(f"kernels.{name}", {axis: [2]}), [])
    with pytest.raises(InputError, match=f"methods.{name}: the name is taken"):
        check_config(changed("methods", {name: "sklearn:PCA"}), [])


@pytest.mark.parametrize("name", FAMILIES)
def test_the_sentence_has_its_words_and_parameters(name: str) -> None:
    article = "an" if name == "anova" else "a"
    for point in points(name, {axis: [2] for axis in FAMILIES[name].axes}):
        values = arguments(point, np.eye(3))
        assert values.keys() == {*KERNELS[name].uses}
        decision: Any = KERNEL | {"kernel": name, "parameters": json.dumps(values)}
        expected = f"kernel PCA with {article} {FAMILIES[name].words}"
        assert embedding_words(decision, BASIS).startswith(expected)


def test_no_two_kernels_look_or_read_alike() -> None:
    looks = [kernel_style(name) for name in [*FAMILIES, "raw", "pca", "mine"]]
    assert len({(look["color"], look["marker"]) for look in looks}) == len(looks)
    assert len({look["label"] for look in looks}) == len(looks)
    assert sorted(FAMILIES, key=simplicity)[0] == "linear"
    assert len({simplicity(name) for name in [*FAMILIES, "mine"]}) == len(FAMILIES) + 1


def test_the_table_of_the_documents_is_that_of_the_records() -> None:
    assert documented() == README.read_text(), "run python -m pipeline.kernels"


def test_what_is_read_while_the_snakefile_is_parsed_needs_no_numpy() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], check=True)
