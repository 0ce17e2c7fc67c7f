"""What every stage uses: the checked configuration, its grid, and functions of wildcards."""

import json
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from pipeline.configuration.config import check_config, resolve
from pipeline.datasets.csv_header import read_header
from pipeline.datasets.usps import check_usps, usps_files
from pipeline.errors import InputError
from pipeline.fingerprint import code_below, code_of
from pipeline.outlook import outlook
from pipeline.plan import card_key, grid_of, key_of, origin_of, source_of, sweep_of


def refuse_bad_input():
    """Stop before any job with everything that is wrong with the configuration and the data."""
    file = workflow.source_path("../schemas/config.schema.json")
    schema = json.loads(Path(file).read_text())
    try:
        check_config(config, schema, [Path(file) for file in workflow.configfiles])
    except InputError as error:
        raise WorkflowError(error)
    resolved = resolve(config)
    if problems := list(data_problems(resolved)):
        raise WorkflowError("\n".join(problems))
    return resolved


def data_problems(resolved):
    """Yield what is wrong with each dataset that has changed, or that no run has read yet."""
    evaluation = resolved["evaluation"]
    needs = {
        "n_components": max(evaluation["n_components"]),
        "folds": evaluation["folds"],
    }
    for name, spec in resolved["datasets"].items():
        made = Path(resolved["results"], "datasets", f"{name}.npz")
        if is_newer(spec.get("path"), made):
            # Only here: a dry run should not pay for NumPy.
            from pipeline.datasets.make import check_dataset

            try:
                check_dataset(name, source_of(spec), **needs)
            except InputError as error:
                yield str(error)
    if resolved.get("usps"):
        try:
            check_usps(resolved["usps"])
        except InputError as error:
            yield str(error)


def is_newer(path, made):
    """Return whether a dataset has to be read (again): reading it costs more than a dry run."""
    return not made.exists() or (
        path and Path(path).stat().st_mtime > made.stat().st_mtime
    )


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
    part=r"\d+",
    parts=r"\d+",
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


def grid(dataset):
    """Return the kernel families of a dataset with their points."""
    return grid_of(CONFIG, dataset)


def own_file(wildcards):
    """Return the user's file behind a dataset, if there is one."""
    return DATASETS[wildcards.dataset].get("path", [])


def dataset_spec(wildcards):
    """Return the source of a dataset for `params`."""
    return source_of(DATASETS[wildcards.dataset])


def replicates(wildcards):
    """Return the number of replicates of a dataset."""
    return DATASETS[wildcards.dataset].get("replicates", CONFIG["replicates"])


def parts_of(wildcards):
    """Return marks of the jobs that compute the parts of a dataset, where it has several."""
    parts = DATASETS[wildcards.dataset].get("parts", 1)
    numbers = range(parts if parts > 1 else 0)
    mark = f"parts/{wildcards.dataset}"
    return [results(f"{mark}-{number}-of-{parts}") for number in numbers]


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
    if str(spec.get("path", "")).endswith(".csv"):
        return (
            len(read_header(spec["path"])[1])
            - len({"label", "group", "target"} & set(spec))
            == 2
        )
    return "sklearn" not in spec and not spec.get("kernel_matrix")
