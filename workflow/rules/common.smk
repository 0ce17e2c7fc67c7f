"""What every stage uses: the checked configuration, its grid, and functions of wildcards."""

import json
from pathlib import Path

from snakemake.exceptions import WorkflowError

from pipeline.configuration.config import check_config, resolve
from pipeline.configuration.inputs import input_problems, source_of
from pipeline.datasets.csv_header import read_header
from pipeline.datasets.usps import usps_files
from pipeline.errors import InputError
from pipeline.fingerprint import code_below, code_of, own_fingerprint
from pipeline.grid import Point, points


def refuse_bad_input():
    """Stop before any job with everything that is wrong with the configuration and its data."""
    file = workflow.source_path("../schemas/config.schema.json")
    schema = json.loads(Path(file).read_text())
    try:
        check_config(
            config,
            schema,
            [Path(file) for file in workflow.configfiles],
            command_line=workflow.config_settings.config,
            further=input_problems,
        )
    except InputError as error:
        raise WorkflowError(error)
    return resolve(config)


CONFIG = refuse_bad_input()
DATASETS = CONFIG["datasets"]
EVALUATION = CONFIG["evaluation"]
METHODS = CONFIG.get("methods") or {}
# One's own file asks for its own figures only.
STUDIES = [] if "data" in config else CONFIG.get("studies", [])
# Folder of images that are not shipped: None leaves out what needs them.
USPS = CONFIG.get("usps")
USPS_FILES = [*usps_files(USPS).values()] if USPS else []
ENVIRONMENT = "../../environment.yml"


wildcard_constraints:
    dataset=r"\w+",
    kernel=r"\w+",
    figure=r"\w+",


def beside_snakefile(path):
    """Return the path of a file of this workflow, wherever it is run from."""
    return str(Path(str(workflow.current_basedir), "../..", path).resolve())


def script_code(script):
    """Return the digest of a script and of what it imports, for `params`: an edit reruns it."""
    return code_of(f"workflow/scripts/{script}.py")


def results(path):
    """Return a path below the folder of results."""
    return f"{CONFIG['results']}/{path}"


def finished(store):
    """Return an empty file that stands only where the last job that wrote a store succeeded.

    After a failure Snakemake restores the previous version of an `update()` output, but
    records it as the result of the job that failed. What reads a store therefore asks for
    this file too: without it, the next run would find nothing to do.
    """
    return f"{store}.finished"


def grid(dataset):
    """Return the kernel families of a dataset with their points."""
    if DATASETS[dataset].get("kernel_matrix"):
        return {"precomputed": [Point("precomputed")]}
    return {kernel: points(kernel, axes) for kernel, axes in CONFIG["kernels"].items()}


def plain_points(wildcards):
    """Return the whole grid of a dataset for `params`, where it triggers reruns."""
    families = grid(wildcards.dataset).values()
    return [point.as_dict() for family in families for point in family]


def own_file(wildcards):
    """Return the user's file behind a dataset, if there is one."""
    return DATASETS[wildcards.dataset].get("path", [])


def dataset_spec(wildcards):
    """Return the source of a dataset for `params`."""
    return source_of(DATASETS[wildcards.dataset])


def replicates(wildcards):
    """Return the number of replicates of a dataset."""
    return DATASETS[wildcards.dataset].get("replicates", CONFIG["replicates"])


def own_kernels(wildcards):
    """Return kernel of the user's own → digest of its module, of those that a dataset has."""
    axes = {kernel: CONFIG["kernels"].get(kernel) for kernel in grid(wildcards.dataset)}
    own = {kernel: (values or {}).get("callable") for kernel, values in axes.items()}
    return {kernel: own_fingerprint([path]) for kernel, path in own.items() if path}


def own_methods():
    """Return method of the user's own → digest of its module."""
    paths = {
        m: own if isinstance(own, str) else own["class"] for m, own in METHODS.items()
    }
    return {method: own_fingerprint([path]) for method, path in paths.items()}


def shown(topic):
    """Return the tables that a topic writes for its figure."""
    return {
        name: results(f"tables/claims/{topic}_{name}.csv")
        for name in TOPICS.get(topic, [])
    }


def cases(*topics):
    """Return the cases of topics by their name."""
    return {topic: results(f"tables/claims/{topic}.csv") for topic in topics}


def table1_errors(wildcards):
    """Return the files of errors that a version of Table 1 is made of, where USPS is given."""
    version = TABLE1[wildcards.whole]
    return [
        results(f"papers/scholkopf1998/errors/{images}_{degree}_{subset}.csv")
        for images in ("smoothed", "plain")
        for degree in version[images]
        for subset in range(version["subsets"])
        if USPS
    ]


def paper_tables(wildcards):
    """Return a table a paper; only Schölkopf et al. (1998) has a quick and a whole one."""
    return [
        results(f"papers/{name}/table{wildcards.whole * (name in QUICK_PAPERS)}.csv")
        for name in PAPER_NAMES
    ]


def in_the_plane(spec):
    """Return whether a dataset has, or may turn out to have, two columns."""
    if "generator" in spec:
        return spec["generator"] != "swiss_roll"
    if "features" in spec:
        return len(spec["features"]) == 2
    if str(spec.get("path", "")).lower().endswith(".csv"):
        return (
            len(read_header(spec["path"])[1])
            - len({"label", "group", "target"} & set(spec))
            == 2
        )
    return "sklearn" not in spec and not spec.get("kernel_matrix")
