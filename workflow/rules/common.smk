"""What every stage uses: the loaded configuration, and functions from its parts to files."""

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

# Read with `--software-deployment-method conda` alone.
ENVIRONMENT = "../envs/kpca.yaml"

try:
    LOADED = load(config, workflow.configfiles, workflow.config_settings.config)
except InputError as error:
    # Snakemake would put its own lines around those of a WorkflowError.
    logger.error(str(error))
    sys.exit(1)
# Jobs of a cluster read the rules anew; the run that asks for them has said everything.
if workflow.is_main_process:
    for words in LOADED.notices:
        logger.warning(words)
    for words in LOADED.left_out:
        logger.info(words)

# As it was given, for a rerun of the same, which reads no cache; kernels are named on the command
# line, too.
GIVEN = config | {"kernels": LOADED.config["kernels"]}
GIVEN = json.dumps({key: value for key, value in GIVEN.items() if key != "cache"}, default=str)
config = LOADED.config
# Jobs find our modules and the cache in their environment: a parameter would rerun them.
lend(config.pop("cache", ""))
QUICK = config["quick"]
DATASETS = config["datasets"]
EVALUATION = config["evaluation"]
# What the scripts of the studies draw from.
SEED = config["seed"]
# One's own file asks for its own figures only.
STUDIES = ["own_data", "large_n"] if "data" in config else config.get("studies", [])

ROWS = LOADED.with_rows()
LABELLED = LOADED.with_answer("label")
LABELLED_ROWS = [name for name in LABELLED if name in ROWS]
CLUSTERED = [] if QUICK else LABELLED
ANSWERED = LOADED.with_answer("label", "target")
# Whether there are bandwidths to choose from.
CHOICE = ROWS and not QUICK and LOADED.sweeps("rbf", "median")
# Kernel family: its settings.
POINTS = {
    kernel: [vars(point) for point in family]
    for dataset in DATASETS
    for kernel, family in grid_of(config, dataset).items()
}
# Dataset: its settings.
GRIDS = {
    dataset: [vars(point) for family in grid_of(config, dataset).values() for point in family]
    for dataset in DATASETS
}


wildcard_constraints:
    dataset=r"\w+",


def shipped(path):
    """Return a file of the code as an input: jobs have it, and no storage does.

    Relative to the working directory where it lies below it, so that a copy of the folder with its
    results has the same inputs.
    """
    file = ROOT / path
    return local(str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file))


def modules(*patterns):
    """Return modules of the code, by patterns, as inputs: an edit of one reruns a job."""
    files = [file for pattern in patterns for file in sorted(ROOT.glob(pattern))]
    return [shipped(file.relative_to(ROOT)) for file in files]


# Modules of a step, which are inputs of it; results of another step are inputs, too.
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
    """Return memory or time that a job asks for once more at each new attempt, for `resources`."""
    return lambda wildcards, attempt: amount * attempt


def growing_memory(amount):
    """Return the MB that a job asks for at each attempt, by its input, processes and rows."""

    def asked(wildcards, input, threads, attempt):
        found = LOADED.found.get(wildcards.get("dataset"))
        rows = len(found.X) if found else 0
        each = max(500, 16e-6 * rows**2)  # two kernel matrices; the first 500 are in the amount
        return attempt * round(amount + 20 * input.size_mb + each * threads - 500)

    return asked


def table(*names, **renamed):
    """Return tables as named inputs or outputs, some under other names than their own."""
    files = dict(zip(names, names)) | renamed
    return {name: results(f"tables/{file}.csv") for name, file in files.items()}


# Name of a figure: what the page says of it, which is what the report does.
ABOUT = {}


def reported(file, category, title, caption):
    """Return an output that the report and the page show."""
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
    """Return both files of figures by name: SVG, which `reported` shows with its title, and PNG."""
    files = {}
    for svg, title in titles.items():
        name = Path(svg).stem
        shown = reported(svg, category, title, f"{folder}/{name}")
        files[name] = [shown, results(f"figures/{name}.png")]
    return files


def refusal(message):
    """Return an input function that refuses to run a rule which this configuration lacks."""

    def refuse(wildcards):
        raise WorkflowError(message)

    return refuse


def made_of(pattern, datasets):
    """Return what a stage made of some datasets."""
    files = [results(pattern.format(dataset=dataset)) for dataset in datasets]
    return files or refusal("the configuration has no dataset that this could show")


def fitted(datasets):
    """Return datasets and their fits as named inputs."""
    stages = {"datasets": "datasets/{dataset}.npz", "fits": "fits/{dataset}"}
    return {name: made_of(pattern, datasets) for name, pattern in stages.items()}


def model_files(dataset):
    """Return where embedding, model and predictor of a dataset are written.

    A user's file has a folder of results of its own, and a detector of novel rows, unless it is a
    kernel matrix. With custom kernels there is no model, since a file holds no function; without
    label and target there is no predictor.
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
    """Return the user's file behind a dataset, if there is one; a module's prefix leaves it."""
    path = DATASETS[wildcards.dataset].get("path")
    return local(path) if path else []


def own_code(*sections):
    """Return an input function of the files of custom kernels or methods, if a dataset has them."""
    files = [local(file) for section in sections for file in LOADED.own_files(section)]
    return lambda wildcards: files if wildcards.dataset in ROWS else []


def needs_of(wildcards):
    """Return what the rows of a large file must suffice for, which only its job reads."""
    fewest = min(EVALUATION["n_components"])
    large = is_large(DATASETS[wildcards.dataset])
    return {"folds": EVALUATION["folds"], "n_components": fewest} if large else {}


def points_of(wildcards):
    """Return the settings of the kernels of a dataset."""
    return GRIDS[wildcards.dataset]


def methods_of(wildcards):
    """Return the methods of the user's own, of which a kernel matrix has none."""
    return (config.get("methods") or {}) if wildcards.dataset in ROWS else {}


def evaluation_without(*names):
    """Return the part of the evaluation for a step: an edit of the rest does not rerun it."""
    return {name: value for name, value in EVALUATION.items() if name not in names}


def processes(wildcards):
    """Return how many processes a dataset gets: an equal part of the cores of one machine.

    On eight cores, the default sweep is as fast with one process per job as with two: classes and
    clusters of a dataset are scored side by side, and the work of the largest is a fifth of all.
    """
    here = workflow.is_main_process and workflow.local_exec
    cores = workflow.resource_settings.cores if here else None
    # A profile limits those on a cluster.
    return max(1, cores // len(DATASETS)) if cores else 8


def claims_tables(topic, *names):
    """Return the cases of a topic and other tables of its, as named outputs."""
    files = {name: results(f"tables/claims/{topic}_{name}.csv") for name in names}
    return files | {"claims": results(f"tables/claims/{topic}.csv")}


def finished_calibration(wildcards):
    """Return the files of `snakemake calibration` that exist: the page shows them, unrequested."""
    return [str(file) for file in WHOLE_CALIBRATION if Path(file).is_file()]


def shown_figures(wildcards):
    """Return what the page says of the figures of a run, in the order of its targets."""
    files = [*SHOWN, *finished_calibration(wildcards)]
    return [ABOUT[Path(file).stem] for file in files if file.endswith(".svg")]


def page_sources(wildcards):
    """Return what the page is written from beside results: captions, templates, documents."""
    captions = {figure["caption"] for figure in shown_figures(wildcards)}
    documents = [*ROOT.glob("docs/columns*.md"), "docs/checks.md", "docs/glossary.md"]
    documents += ["workflow/populations.csv", "workflow/populations.yaml", "CITATION.cff"]
    return sorted([*map(shipped, [*captions, *documents]), *TEMPLATES])


# Templates of all pages, which their scripts do not import.
TEMPLATES = [shipped(path) for path in sorted(ROOT.glob("workflow/page/templates/*.*"))]
# Data of a paper and of the study of the linear methods.
PITPROPS = shipped("workflow/scripts/papers/zou2006/pitprops.csv")
# Folder of images that are not shipped: None leaves out what needs them.
USPS = config.get("usps")
USPS_IMAGES = (
    [local(path) for path in usps_files(USPS).values()]
    if USPS
    else refusal("`usps` names no folder with the images: see config/README.md")
)
