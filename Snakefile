"""Kernel PCA: datasets, fits over a grid, evaluation, figures. The stages are in workflow/rules/."""

from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from pipeline.errors import InputError
from pipeline.configuration.yaml_lines import read_yaml
from pipeline.files import remove_abandoned

min_version("9.20")


# A configuration named on the command line replaces the default one: it is complete in itself.
if "datasets" not in config:
    DEFAULT = Path(str(workflow.current_basedir), "config/config.yaml")
    try:
        read_yaml(DEFAULT)
    except InputError as error:
        raise WorkflowError(error)

    configfile: DEFAULT


report: "workflow/report/workflow.rst"


# What `studies` may name: each a file of rules, a folder of scripts and a folder of tests.
KNOWN_STUDIES = [
    "linear",
    "input_space",
    "papers",
    "claims",
    "large_n",
    "own_data",
    "calibration",
]


# Every other file needs this one; the order of the rest means nothing.
include: "workflow/rules/common.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/sweep_figures.smk"
include: "workflow/rules/decision.smk"
include: "workflow/rules/choice.smk"
include: "workflow/rules/linear.smk"
include: "workflow/rules/input_space.smk"
include: "workflow/rules/papers.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/large_n.smk"
include: "workflow/rules/own_data.smk"
include: "workflow/rules/calibration.smk"
include: "workflow/rules/benchmarks.smk"
include: "workflow/rules/explorer.smk"
include: "workflow/rules/page.smk"


# Tables and stores too: Snakemake does not miss what a failed job has removed in the middle.
MADE = flat([STORES, TABLES, DECISIONS, SWEEP_FIGURES, CHOICE_MADE, EXPLORER])
MADE += flat(TARGETS[study] for study in STUDIES)


rule all:
    default_target: True
    input:
        MADE,
        rules.page.output,
    localrule: True


onstart:
    remove_abandoned(Path(CONFIG["results"]))


onsuccess:
    targets = [Path(file) for file in rules.all.input]
    logger.info(closing_words(Path(CONFIG["results"]), targets))


onerror:
    logger.error(GO_ON if workflow.local_exec else GO_ON_CLUSTER)
