"""What every stage uses: the loaded configuration, and functions from its parts to files."""

import json
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from workflow.configuration.load import QUICK_FIGURES, load
from kpca.study.datasets.usps import usps_files
from kpca.reading.errors import InputError
from kpca.study.scoring.methods import METHODS, ON_SCORES
from kpca.study.fingerprint import ROOT, code_below, code_of, key_of
from workflow.messages import MODEL_FILES
from kpca.study.fitting.grid import grid_of
from kpca.study.tasks import STORED, input_digest_of, is_large, lend
from kpca.study.tasks import source_key, source_of, sweep_of

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
CACHE = lend(config.pop("cache", ""))
QUICK = config["quick"]
DATASETS = config["datasets"]
EVALUATION = config["evaluation"]
# What the scripts of the studies draw from.
SEED = config["seed"]
# One's own file asks for its own figures only.
STUDIES = ["own_data", "large_n"] if "data" in config else config.get("studies", [])
# Study: what `all` makes of it, said in its own file.
TARGETS = {}

ROWS = LOADED.with_rows()
LABELLED = LOADED.with_answer("label")
LABELLED_ROWS = [name for name in LABELLED if name in ROWS]
ANSWERED = LOADED.with_answer("label", "target")
# Whether there are bandwidths to choose from.
CHOICE = ROWS and not QUICK and LOADED.sweeps("rbf", "median")
POINTS = {
    kernel: [vars(point) for point in family]
    for dataset in DATASETS
    for kernel, family in grid_of(config, dataset).items()
}
# Jobs that read fits or scores name it in `params` (`input_digest_of`).
INPUT_DIGEST = key_of([input_digest_of(config, dataset) for dataset in DATASETS])


wildcard_constraints:
    dataset=r"\w+",
    part=r"\d+",
    parts=r"\d+",


def script_code(script):
    """Return the digest of a script and of what it imports, for `params`: an edit reruns it."""
    return code_of(f"workflow/scripts/{script}.py")


def shipped(path):
    """Return a file of the code as an input: jobs have it, and no storage does."""
    return local(str(ROOT / path))


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


def drawn(*names):
    """Return the two files of each figure."""
    return expand(results("figures/{name}.{kind}"), name=names, kind=["svg", "png"])


def flat(files):
    """Return the paths that stand in lists and dictionaries, whatever these stand in."""
    if isinstance(files, str):
        return [files]
    some = files.values() if isinstance(files, dict) else files
    return [path for each in some for path in flat(each)]


def refusal(message):
    """Return an input function that refuses to run a rule which this configuration lacks."""

    def refuse(wildcards):
        raise WorkflowError(message)

    return refuse


def made_of(folder, datasets):
    """Return what a stage made of some datasets."""
    files = [results(f"{folder}/{dataset}.npz") for dataset in datasets]
    return files or refusal("the configuration has no dataset that this could show")


def fitted(datasets):
    """Return datasets and their fits as named inputs."""
    return {folder: made_of(folder, datasets) for folder in ("datasets", "fits")}


def own_file(wildcards):
    """Return the user's file behind a dataset, if there is one; a module's prefix leaves it."""
    path = DATASETS[wildcards.dataset].get("path")
    return local(path) if path else []


def draw_of(wildcards):
    """Return how a dataset is drawn; of a large file, also what its rows must suffice for."""
    spec, most = DATASETS[wildcards.dataset], max(EVALUATION["n_components"])
    needs = {"folds": EVALUATION["folds"], "n_components": most} if is_large(spec) else {}
    return {"seed": SEED, "replicates": spec.get("replicates", config["replicates"])} | needs


def parts_of(wildcards):
    """Return marks of the jobs that compute the parts of a dataset, where it has several."""
    parts = DATASETS[wildcards.dataset].get("parts", 1)
    marks = [results(f"parts/{wildcards.dataset}-{i}-of-{parts}") for i in range(parts)]
    if parts > 1 and not CACHE and workflow.storage_settings.default_storage_provider:
        raise WorkflowError(
            f"`parts` of {wildcards.dataset} needs `cache: FOLDER`, a folder that all jobs reach: "
            "a storage keeps no cache. Name one, or leave out `parts`."
        )
    return marks if parts > 1 else []


def threads_of_sweep(wildcards):
    """Return how many processes a dataset gets: an equal share of the cores of one machine."""
    here = workflow.is_main_process and workflow.local_exec
    cores = workflow.resource_settings.cores if here else None
    return max(1, cores // len(DATASETS)) if cores else 8  # a profile limits those on a cluster


def model_files(dataset):
    """Return where embedding, model and predictor of a dataset are written, and their scripts.

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


def shown_figures(wildcards):
    """Return what the page says of the figures of a run, in the order of its targets."""
    files = [*MADE, *finished_calibration(wildcards)]
    return [SHOWN[Path(file).stem] for file in files if file.endswith(".svg")]


def simulated(cells, sets):
    """Return the files of the batches of some cells of the calibration."""
    batch = 50  # datasets that a job simulates
    return [
        results(f"calibration/answers/{population}-{rows}-{first}-{min(first + batch, sets)}.csv")
        for population, sizes in cells.items()
        for rows in sizes
        for first in range(0, sets, batch)
    ]


def finished_calibration(wildcards):
    """Return the files of `snakemake calibration` that exist: the page shows them, unrequested."""
    return [file for file in CALIBRATION if Path(file).is_file()]


def page_sources(wildcards):
    """Return what the page is written from beside results: captions, templates, documents."""
    captions = {figure["caption"] for figure in shown_figures(wildcards)}
    documents = [*ROOT.glob("docs/columns*.md"), "docs/checks.md", "docs/glossary.md"]
    documents += ["workflow/populations.csv", "CITATION.cff"]
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
