"""Kernel PCA: datasets, fits over a grid, evaluation, figures. The stages are in workflow/rules/."""

import sys
from pathlib import Path

from snakemake.logging import logger
from snakemake.utils import min_version

from kpca.reading.errors import InputError
from workflow.configuration.explain import read_yaml
from kpca.reading.files import remove_abandoned
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


# Every other file needs the first two; the order of the rest means nothing.
STUDY_FILES = ("choice", "linear", "input_space", "papers", "claims", "large_n", "own_data")
STUDY_FILES += ("calibration", "embeddings", "benchmarks")
for name in ("common", "entries", "evaluation", "sweep_figures", "decision", *STUDY_FILES, "page"):

    include: f"workflow/rules/{name}.smk"


# Tables and stores too: Snakemake does not miss what a failed job has removed in the middle.
MADE = flat([STORES, map(tables_of, [SWEEP_TABLES, DECISION_TABLES]), SWEEP_FIGURES])
MADE += flat([TARGETS["choice"], tables_of(PAGES), *(TARGETS[study] for study in STUDIES)])


rule all:
    default_target: True
    input:
        MADE,
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
