"""The defaults and options of a study of one table are those of the shipped configuration."""

from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from kpca.reading.errors import InputError
from kpca.study.design import EVALUATION, KERNELS, REPLICATES, SEED, complete_design
from kpca.study.options import check_options
from tests.workflow.pipeline import ROOT
from workflow.configuration.explain import schema

SHIPPED = yaml.safe_load((ROOT / "config/config.yaml").read_text())
VALUES = yaml.safe_load(Path(__file__).with_name("options.yaml").read_text())


def test_the_defaults_are_those_of_the_shipped_configuration():
    assert SHIPPED["kernels"] == KERNELS
    assert SHIPPED["evaluation"] == EVALUATION
    assert (SHIPPED["seed"], SHIPPED["replicates"]) == (SEED, REPLICATES)


@pytest.mark.parametrize(("option", "value"), [(o, v) for o in VALUES for v in VALUES[o]])
def test_an_option_takes_in_python_what_the_schema_takes(option, value):
    configuration = SHIPPED | {"data": "table.csv", option: value}
    allowed = Draft202012Validator(schema()).is_valid(configuration)
    if allowed:
        check_options({option: value})
    else:
        with pytest.raises(InputError, match=f"`{option}`: .* must be "):
            check_options({option: value})


def test_every_wrong_option_is_named_with_what_it_must_be():
    with pytest.raises(InputError) as refused:
        check_options({"quik": True, "folds": 1, "missing": "mean"})
    _, unknown, *others = str(refused.value).splitlines()
    assert unknown.startswith("  - `quik`: unknown; did you mean 'quick'? There are ")
    assert others == [
        "  - `folds`: 1 must be an integer from 2 to 20",
        "  - `missing`: 'mean' must be drop or median",
    ]


def test_unknown_kernels_and_keys_are_refused_together():
    config = {"kernels": {"rfb": {}, "rbf": {"sigm": [1]}}, "evaluation": EVALUATION | {"c": [1]}}
    with pytest.raises(InputError) as refused:
        complete_design("table", "table.csv", {}, config)
    for problem in ("kernels.rfb: unknown", "kernels.rbf.sigm: unknown", "evaluation.c: unknown"):
        assert problem in str(refused.value)
