"""Kernel PCA: datasets, fits over a grid, evaluation, figures. The stages are in workflow/rules/."""

import sys
from pathlib import Path

from snakemake.logging import logger
from snakemake.utils import min_version

from kpca.reading.errors import InputError
from workflow.configuration.explain import read_yaml
from kpca.files import remove_abandoned
from workflow.messages import closing_words, last_words

min_version("9.20")


# A configuration named on the command line replaces the default one: it is complete in itself.
if "datasets" not in config:
    DEFAULT = Path(str(workflow.current_basedir), "config/config.yaml")
    try:
        read_yaml(DEFAULT)
    except InputError as error:
        logger.error(str(error))
        sys.exit(1)

    configfile: DEFAULT


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/sweep.smk"
include: "workflow/rules/decision.smk"
include: "workflow/rules/sweep_figures.smk"
include: "workflow/rules/choice.smk"
include: "workflow/rules/linear.smk"
include: "workflow/rules/input_space.smk"
include: "workflow/rules/papers.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/large_n.smk"
include: "workflow/rules/own_data.smk"
include: "workflow/rules/calibration.smk"
include: "workflow/rules/embeddings.smk"
include: "workflow/rules/benchmarks.smk"
include: "workflow/rules/page.smk"


rule all:
    default_target: True
    input:
        STORES,
        [results(f"fits/{name}") for name in DATASETS],
        MADE,
        rules.page.input.pages,
        rules.page.output,
        rules.crate.output,
    localrule: True


onstart:
    remove_abandoned(Path(config["results"]))


onsuccess:
    targets = [Path(file) for file in rules.all.input]
    logger.info(closing_words(Path(config["results"]), targets))


onerror:
    logger.error(last_words(Path(config["results"]), log, workflow.local_exec))
