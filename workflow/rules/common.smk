"""What every stage uses: the checked configuration, its grid, and functions of wildcards."""

import json
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from pipeline.configuration.config import check_config, resolve
from pipeline.datasets.csv_header import read_header
from pipeline.datasets.synthetic import SYNTHETIC
from pipeline.datasets.usps import check_usps, usps_files
from pipeline.errors import InputError
from pipeline.fingerprint import code_below, code_of, own_fingerprint
from pipeline.grid import Point, points
from pipeline.outcome import GO_ON, GO_ON_CLUSTER, closing_words, replaced_file


def refuse_bad_input():
    """Stop before any job with everything that is wrong with the configuration and the data."""
    file = workflow.source_path("../schemas/config.schema.json")
    schema = json.loads(Path(file).read_text())
    schema["properties"]["studies"]["items"]["enum"] = KNOWN_STUDIES
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


def source_of(spec):
    """Return where a dataset comes from, without how often it is drawn."""
    return {key: value for key, value in spec.items() if key != "replicates"}


def warn_of_replacing(resolved):
    """Say that results of another file make way, where both files have one name."""
    [(name, spec)] = resolved["datasets"].items()
    folder = resolved["results"]
    if before := replaced_file(Path(folder), name, spec["path"]):
        logger.warning(
            f"{folder} has results of {before}, which those of {spec['path']} replace: to keep "
            "both, name another folder, --config results=FOLDER"
        )


def is_newer(path, made):
    """Return whether a dataset has to be read (again): reading it costs more than a dry run."""
    return not made.exists() or (
        path and Path(path).stat().st_mtime > made.stat().st_mtime
    )


# Jobs of a cluster read the rules anew, but the run that asks for them has checked everything.
CONFIG = refuse_bad_input() if workflow.is_main_process else resolve(config)
if "data" in config:
    warn_of_replacing(CONFIG)
DATASETS = CONFIG["datasets"]
EVALUATION = CONFIG["evaluation"]
METHODS = CONFIG.get("methods") or {}
# One's own file asks for its own figures only.
STUDIES = [] if "data" in config else CONFIG.get("studies", [])
ENVIRONMENT = "../../environment.yml"


wildcard_constraints:
    dataset=r"\w+",
    kernel=r"\w+",


def beside_snakefile(path):
    """Return the path of a file of this workflow, wherever it is run from."""
    return str(Path(str(workflow.current_basedir), "../..", path).resolve())


def script_code(script):
    """Return the digest of a script and of what it imports, for `params`: an edit reruns it."""
    return code_of(f"workflow/scripts/{script}.py")


def results(path):
    """Return a path below the folder of results."""
    return f"{CONFIG['results']}/{path}"


def growing(amount):
    """Return memory or time that a job asks for once more at each new attempt, for `resources`."""
    return lambda wildcards, attempt: amount * attempt


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


def drawn(*names):
    """Return the two files of each figure."""
    return [
        results(f"figures/{name}.{kind}") for name in names for kind in ("svg", "png")
    ]


def figure(place, category, title, *, version=""):
    """Return the two files of a figure as outputs, the first for the report.

    Its place is that of its caption below `workflow/scripts`, and ends in its name. Versions of
    a figure share their caption.
    """
    svg, png = drawn(Path(place).name + version)
    caption = f"../scripts/{place}.rst"
    return [report(svg, caption, category, labels={"figure": title}), png]


def table(*names):
    """Return tables as named inputs."""
    return {name: results(f"tables/{name}.csv") for name in names}


def of_topic(topic, *names):
    """Return what a topic of the claims writes for its figure, as named files."""
    return {name: results(f"tables/claims/{topic}_{name}.csv") for name in names}


def refusal(message):
    """Return an input function in place of files that the configuration does not have.

    A rule stands in every configuration; where it has nothing to work on it says so when asked.
    """

    def refuse(wildcards):
        raise WorkflowError(message)

    return refuse


def made_of(folder, datasets):
    """Return what a stage made of some datasets."""
    files = [results(f"{folder}/{dataset}.npz") for dataset in datasets]
    return files or refusal("the configuration has no dataset that this could show")


def fits_of(datasets):
    """Return the fits of datasets as named inputs."""
    return {
        "fits": made_of("fits", datasets),
        "finished": [finished(results(f"fits/{name}.npz")) for name in datasets],
    }


def fitted(datasets):
    """Return datasets and their fits as named inputs."""
    return {"datasets": made_of("datasets", datasets), **fits_of(datasets)}


def sweeps(kernel, parameter):
    """Return whether the grid of a kernel has at least two values of a parameter."""
    return len((CONFIG["kernels"].get(kernel) or {}).get(parameter, [])) > 1


def may_have(column, spec):
    """Return whether a dataset has, or may turn out to have, labels or a target."""
    if "generator" in spec:
        return SYNTHETIC[spec["generator"]].answer == column
    if "sklearn" in spec:
        return column == "label"
    # Arrays of an NPZ are named in the file.
    return column in spec or str(spec.get("path", "")).endswith(".npz")


def in_the_plane(spec):
    """Return whether a dataset has, or may turn out to have, two features."""
    if "generator" in spec:
        return SYNTHETIC[spec["generator"]].features == 2
    if "features" in spec:
        return len(spec["features"]) == 2
    if str(spec.get("path", "")).endswith(".csv"):
        return (
            len(read_header(spec["path"])[1])
            - len({"label", "group", "target"} & set(spec))
            == 2
        )
    return "sklearn" not in spec and not spec.get("kernel_matrix")


def with_source(key, value):
    """Return the datasets that have a source, such as the generator `rings`."""
    return [name for name, spec in DATASETS.items() if spec.get(key) == value]


# Study: what `all` makes of it, said in its own file.
TARGETS = {}
# Folder of images that are not shipped: None leaves out what needs them.
USPS = CONFIG.get("usps")
USPS_IMAGES = (
    [*usps_files(USPS).values()]
    if USPS
    else refusal("`usps` names no folder with the images: see config/README.md")
)
ROWS = [name for name, spec in DATASETS.items() if not spec.get("kernel_matrix")]
PLANE = [name for name, spec in DATASETS.items() if in_the_plane(spec)]
LABELLED = [name for name, spec in DATASETS.items() if may_have("label", spec)]
LABELLED_ROWS = [name for name in LABELLED if name in ROWS]
# With labels or a target.
ANSWERED = [
    name
    for name, spec in DATASETS.items()
    if name in LABELLED or may_have("target", spec)
]
CURVED = [kernel for kernel in CONFIG["kernels"] if kernel != "linear"]
POINTS = {
    kernel: [point.as_dict() for point in family]
    for dataset in DATASETS
    for kernel, family in grid(dataset).items()
}
# Whether there are bandwidths to choose from.
CHOICE = ROWS and sweeps("rbf", "median")
