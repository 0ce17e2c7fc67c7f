"""Shared by all rules: the loaded configuration, and functions that return paths and resources."""

import json
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from kpca.reading.errors import InputError
from kpca.study.datasets.spec import is_large
from workflow.configuration.usps import usps_files
from kpca.study.fitting.grid import grid_of
from kpca.study.scoring.methods import METHODS
from workflow import ROOT
from workflow.configuration.load import lend, load
from workflow.messages import MODEL_FILES

# Environment that is used only with `--software-deployment-method conda`.
ENVIRONMENT = "../envs/kpca.yaml"

try:
    LOADED = load(config, workflow.configfiles, workflow.config_settings.config)
except InputError as error:
    # Print the message directly, because Snakemake would add lines of its own to a WorkflowError.
    logger.error(str(error))
    sys.exit(1)
# Jobs on a cluster read the rules again; only the main process prints the notices.
if workflow.is_main_process:
    for words in LOADED.notices:
        logger.warning(words)
    for words in LOADED.left_out:
        logger.info(words)

# The configuration with which the run can be repeated. It leaves out the cache. It has the grids of
# the kernels, since the command line may give only their names.
GIVEN = config | {"kernels": LOADED.config["kernels"]}
GIVEN = json.dumps({key: value for key, value in GIVEN.items() if key != "cache"}, default=str)
config = LOADED.config
# Pass the path of modules and the cache in the environment, because a change of parameters would
# rerun jobs.
lend(config.pop("cache", ""))
QUICK = config["quick"]
DATASETS = config["datasets"]
EVALUATION = config["evaluation"]
# Seed of the random numbers in the scripts of the studies.
SEED = config["seed"]
# Studies of the run. For a user's file, these are only the studies of its own rows.
STUDIES = ["own_data", "large_n"] if "data" in config else config.get("studies", [])

ROWS = LOADED.with_rows()
LABELLED = LOADED.with_answer("label")
LABELLED_ROWS = [name for name in LABELLED if name in ROWS]
CLUSTERED = [] if QUICK else LABELLED
ANSWERED = LOADED.with_answer("label", "target")
# Whether the grid has several bandwidths to choose from.
CHOICE = ROWS and not QUICK and LOADED.sweeps("rbf", "median")
# Kernel family → its settings.
POINTS = {
    kernel: [vars(point) for point in family]
    for dataset in DATASETS
    for kernel, family in grid_of(config, dataset).items()
}
# Dataset → its settings.
GRIDS = {
    dataset: [vars(point) for family in grid_of(config, dataset).values() for point in family]
    for dataset in DATASETS
}


wildcard_constraints:
    dataset=r"\w+",


def shipped(path):
    """Return a file of the code as a local input, which no storage plugin has to provide.

    The path is relative to the working directory if the file is below it, so that a copy of the
    folder with its results has the same inputs.
    """
    file = ROOT / path
    return local(str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file))


def modules(*patterns):
    """Return the modules that match the patterns as inputs, whose edits rerun a job."""
    files = [file for pattern in patterns for file in sorted(ROOT.glob(pattern))]
    return [shipped(file.relative_to(ROOT)) for file in files]


# Modules of the library that are inputs of many rules.
CORE = modules(
    "kpca/*.py",
    "kpca/certificates/*.py",
    "kpca/eigensolvers/*.py",
    "kpca/kernels/*.py",
    "kpca/linalg/*.py",
    "kpca/nystrom/*.py",
    "kpca/operators/*.py",
    "kpca/persistence/*.py",
    "kpca/preimage/*.py",
)
DRAWING = modules("workflow/drawing/*.*")


def results(path):
    """Return a path below the folder of results."""
    return f"{config['results']}/{path}"


def growing(amount):
    """Return a resource that asks for ``amount`` (memory or time) times the attempt's number."""
    return lambda wildcards, attempt: amount * attempt


def growing_memory(amount):
    """Return a resource: the MB that a job asks for, by its attempt, input, processes and rows."""

    def asked(wildcards, input, threads, attempt):
        found = LOADED.found.get(wildcards.get("dataset"))
        rows = len(found.X) if found else 0
        each = max(500, 16e-6 * rows**2)  # MB of two kernel matrices; ``amount`` includes 500
        return attempt * round(amount + 20 * input.size_mb + each * threads - 500)

    return asked


def table(*names, **renamed):
    """Return tables as named inputs or outputs; ``renamed`` maps other names to tables."""
    files = dict(zip(names, names)) | renamed
    return {name: results(f"tables/{file}.csv") for name, file in files.items()}


# Name of a figure → what the page and the report say about it.
ABOUT = {}


def reported(file, category, title, caption):
    """Return an output that is shown by the report and the page."""
    is_figure, name = file.endswith(".svg"), Path(file).stem
    if is_figure:
        ABOUT[name] = {
            "name": name,
            "category": category,
            "title": title,
            "caption": f"workflow/scripts/{caption}.rst",
        }
    labels = {"figure" if is_figure else "table": title}
    return report(results(file), f"../scripts/{caption}.rst", category=category, labels=labels)


def drawn(category, folder, titles):
    """Return name → the two files of a figure: an SVG, which is `reported`, and a PNG."""
    files = {}
    for svg, title in titles.items():
        name = Path(svg).stem
        shown = reported(svg, category, title, f"{folder}/{name}")
        files[name] = [shown, results(f"figures/{name}.png")]
    return files


def refusal(message):
    """Return an input function that refuses to run a rule, with a message."""

    def refuse(wildcards):
        raise WorkflowError(message)

    return refuse


def made_of(pattern, datasets):
    """Return the files of a stage: ``pattern`` filled with the name of each of ``datasets``."""
    files = [results(pattern.format(dataset=dataset)) for dataset in datasets]
    return files or refusal("the configuration has no dataset that this could show")


def fitted(datasets):
    """Return datasets and their fits as named inputs."""
    stages = {"datasets": "datasets/{dataset}.npz", "fits": "fits/{dataset}"}
    return {name: made_of(pattern, datasets) for name, pattern in stages.items()}


def model_files(dataset):
    """Return the paths of embedding, model, predictor and novelty detector of a dataset.

    The results of a user's file have plain names. A file of rows has a detector of novel rows,
    unless it is a kernel matrix. With custom kernels there is no model, since a model file cannot
    hold a function. Without label and target there is no predictor.
    """
    detects = "path" in DATASETS[dataset] and dataset in ROWS
    custom = any(point["callable"] for point in GRIDS[dataset])
    return {
        what: results(plain) if "data" in config else results(f"models/{dataset}{end}")
        for what, (plain, end) in MODEL_FILES.items()
        if LOADED.is_answered(dataset) or not what.startswith("predictor")
        if detects or what != "novelty"
        if not custom or not plain.endswith(".npz")
    }


def own_file(wildcards):
    """Return the user's file of a dataset, if any, as a local input.

    A Snakemake module then adds no prefix to the path.
    """
    path = DATASETS[wildcards.dataset].get("path")
    return local(path) if path else []


def own_code(*sections):
    """Return an input function for the files of custom kernels or methods of a dataset."""
    files = [local(file) for section in sections for file in LOADED.own_files(section)]
    return lambda wildcards: files if wildcards.dataset in ROWS else []


def needs_of(wildcards):
    """Return the folds and components that a large file must allow; its own job checks this."""
    fewest = min(EVALUATION["n_components"])
    large = is_large(DATASETS[wildcards.dataset])
    return {"folds": EVALUATION["folds"], "n_components": fewest} if large else {}


def points_of(wildcards):
    """Return the settings of the kernels of a dataset."""
    return GRIDS[wildcards.dataset]


def methods_of(wildcards):
    """Return the custom methods for a dataset; a kernel matrix has none."""
    return (config.get("methods") or {}) if wildcards.dataset in ROWS else {}


def evaluation_without(*names):
    """Return the evaluation without some options, so that changes of these do not rerun a rule."""
    return {name: value for name, value in EVALUATION.items() if name not in names}


def processes(wildcards):
    """Return the number of processes for a dataset: its share of the cores of one machine.

    On eight cores, the default sweep is as fast with one process per job as with two, because
    classification and clustering of a dataset are scored at the same time, and because the largest
    dataset takes a fifth of the work.
    """
    here = workflow.is_main_process and workflow.local_exec
    cores = workflow.resource_settings.cores if here else None
    # On a cluster, a profile limits the number of processes.
    return max(1, cores // len(DATASETS)) if cores else 8


def claims_tables(topic, *names):
    """Return the cases and other tables of a topic of claims, as named outputs."""
    files = {name: results(f"tables/claims/{topic}_{name}.csv") for name in names}
    return files | {"claims": results(f"tables/claims/{topic}.csv")}


def finished_calibration(wildcards):
    """Return the files of `snakemake calibration` that exist, which the page shows as well."""
    return [str(file) for file in WHOLE_CALIBRATION if Path(file).is_file()]


def shown_figures(wildcards):
    """Return what the page says about the figures of a run, in the order of the targets."""
    files = [*SHOWN, *finished_calibration(wildcards)]
    return [ABOUT[Path(file).stem] for file in files if file.endswith(".svg")]


def page_sources(wildcards):
    """Return the inputs of the page that are not results: captions, templates and documents."""
    captions = {figure["caption"] for figure in shown_figures(wildcards)}
    documents = [*ROOT.glob("docs/columns*.md"), "docs/checks.md", "docs/glossary.md"]
    documents += ["workflow/populations.csv", "workflow/populations.yaml", "CITATION.cff"]
    return sorted([*map(shipped, [*captions, *documents]), *TEMPLATES])


# Templates of all pages; they are listed as inputs because the scripts do not import them.
TEMPLATES = [shipped(path) for path in sorted(ROOT.glob("workflow/page/templates/*.*"))]
# Data for a published table and for the study of linear methods.
PITPROPS = shipped("workflow/scripts/papers/zou2006/pitprops.csv")
# Folder of the USPS images, which are not shipped. If it is None, results that need these images
# are left out.
USPS = config.get("usps")
USPS_IMAGES = (
    [local(path) for path in usps_files(USPS).values()]
    if USPS
    else refusal("`usps` names no folder with the images: see config/README.md")
)
