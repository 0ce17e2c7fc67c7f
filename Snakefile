"""Kernel PCA: datasets, fits over a grid, evaluation, figures. The stages are in workflow/rules/."""

from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from pipeline.errors import InputError
from pipeline.configuration.yaml_lines import check_syntax

min_version("9.20")


# A configuration named on the command line replaces the default one: it is complete in itself.
if "datasets" not in config:
    DEFAULT = Path(str(workflow.current_basedir), "config/config.yaml")
    try:
        check_syntax(DEFAULT)
    except InputError as error:
        raise WorkflowError(error)

    configfile: DEFAULT


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/plots.smk"
include: "workflow/rules/choice.smk"
include: "workflow/rules/linear.smk"
include: "workflow/rules/input_space.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/large_n.smk"
include: "workflow/rules/papers.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/benchmarks.smk"


rule all:
    default_target: True
    input:
        STORES,
        TABLES,
        FIGURES,
        LINEAR_FIGURES if "linear" in STUDIES else [],
        INPUT_FIGURES if "input_space" in STUDIES else [],
        PAPERS if "papers" in STUDIES else [],
        [*rules.claims_table.output, *CLAIM_FIGURES] if "claims" in STUDIES else [],
        LARGE_N_FIGURES if "large_n" in STUDIES else [],
    localrule: True
