"""What every stage uses: the checked configuration, its grid, and functions of wildcards."""

import json
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from pipeline.configuration.config import as_typed, check_config, named_kernels, resolve
from pipeline.configuration.inputs import columns_of, input_problems
from pipeline.configuration.reduced import QUICK_FIGURES, left_out_by_quick, reduced
from pipeline.datasets.synthetic import SYNTHETIC
from pipeline.datasets.usps import usps_files
from pipeline.errors import InputError
from pipeline.fingerprint import ROOT, code_below, code_of
from pipeline.outcome import GO_ON, GO_ON_CLUSTER, closing_words, replaced_file
from pipeline.tasks import source_key, grid_of, key_of, origin_of, source_of, sweep_of


def refuse_bad_input():
    """Stop before any job with everything that is wrong with the configuration and its data."""
    file = workflow.source_path("../schemas/config.schema.json")
    schema = json.loads(Path(file).read_text(encoding="utf-8"))
    schema["properties"]["studies"]["items"]["enum"] = KNOWN_STUDIES
    try:
        check_config(
            config,
            schema,
            [Path(file) for file in workflow.configfiles],
            command_line=workflow.config_settings.config,
            further=lambda resolved: input_problems(resolved, tell),
        )
    except InputError as error:
        # Snakemake would put its own lines around those of a WorkflowError.
        tell(error, logger.error)
        sys.exit(1)
    return resolve(config)


def tell(message, say=logger.warning):
    """Say something of the input, in the words of the command line if it names the data."""
    say(as_typed(str(message)) if "data" in config else str(message))


def warn_of_replacing(resolved):
    """Say that results of another file make way, where both files have one name."""
    [(name, spec)] = resolved["datasets"].items()
    folder = resolved["results"]
    if before := replaced_file(Path(folder), name, spec["path"]):
        logger.warning(
            f"{folder} has results of {before}, which those of {spec['path']} replace: to keep "
            "both, name another folder, --config results=FOLDER"
        )


if isinstance(config.get("kernels"), str):
    config["kernels"] = named_kernels(config["kernels"], workflow.configfiles)
# Jobs of a cluster read the rules anew, but the run that asks for them has checked everything.
CONFIG = refuse_bad_input() if workflow.is_main_process else resolve(config)
if "data" in config:
    warn_of_replacing(CONFIG)
# What a user's rows do not allow, and what `quick` leaves out, in words.
WHOLE = CONFIG
CONFIG, LEFT_OUT = reduced(WHOLE)
QUICK_LEAVES_OUT = left_out_by_quick(WHOLE, CONFIG) if CONFIG["quick"] else ""
if workflow.is_main_process:
    for words in LEFT_OUT:
        logger.info(words)
QUICK = CONFIG["quick"]
DATASETS = CONFIG["datasets"]
EVALUATION = CONFIG["evaluation"]
METHODS = CONFIG.get("methods") or {}
# One's own file asks for its own figures only.
STUDIES = ["own_data", "large_n"] if "data" in config else CONFIG.get("studies", [])
ENVIRONMENT = "../../environment.yml"


wildcard_constraints:
    dataset=r"\w+",
    part=r"\d+",
    parts=r"\d+",
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


def model_files(dataset):
    """Return where model, embedding and script of a dataset are written.

    A user's file has a folder of results of its own. If custom kernels are compared, there
    is no model.
    """
    files = {
        "embedding": results(f"models/{dataset}.csv"),
        "script": results(f"models/{dataset}.py"),
        "model": results(f"models/{dataset}.npz"),
    }
    if "data" in config:
        files = {
            "embedding": results("embedding.csv"),
            "script": results("model.py"),
            "model": results("model.npz"),
        }
    if any(point.callable for family in grid(dataset).values() for point in family):
        files.pop("model")
    return files


def drawn(*names):
    """Return the two files of each figure."""
    return [
        results(f"figures/{name}.{kind}") for name in names for kind in ("svg", "png")
    ]


def figure(category, title, inputs=None, *, shown=True, **options):
    """Return an entry of a table of figures: its inputs, and where it stands in the report.

    Figures that are not `shown` are left out of `all`. Options are `params`, the parameters of the
    script; `needs`, files that are no argument of it; and `script` and `caption`, which are
    `figure_NAME` and `NAME` unless they are given.
    """
    entry = {"needs": [], "params": {}, "script": "", "caption": ""} | options
    entry |= {"category": category, "title": title}
    return entry | {"inputs": inputs or {}, "shown": shown}


def add_figures(folder, figures):
    """Add one rule per figure; scripts and captions stand in a folder of `workflow/scripts`."""
    for name, entry in figures.items():
        caption = f"{folder}/{entry['caption'] or name}.rst"
        SHOWN[name] = {
            "name": name,
            "category": entry["category"],
            "title": entry["title"],
            "caption": f"workflow/scripts/{caption}",
        }
        place = f"{folder}/{entry['script'] or f'figure_{name}'}"
        add_figure(name, entry, place, caption)


# A function, since Snakemake reads `script` when the job runs: a loop would be at its end then.
def add_figure(figure_name, entry, place, caption):
    """Add the rule of a figure, named after it."""
    svg, png = drawn(figure_name)
    labels = {"figure": entry["title"]}

    rule:
        name:
            figure_name
        input:
            entry["needs"],
            **entry["inputs"],
        output:
            report(
                svg, f"../scripts/{caption}", category=entry["category"], labels=labels
            ),
            png,
        log:
            results(f"logs/figures/{figure_name}.log"),
        conda:
            ENVIRONMENT
        params:
            **entry["params"],
            code=script_code(place),
        script:
            f"../scripts/{place}.py"


def shown(figures):
    """Return the files of the figures of a table that `all` draws."""
    return drawn(*(name for name, entry in figures.items() if entry["shown"]))


def study_table(script, outputs, inputs=None, *, shown=True, needs=(), **params):
    """Return an entry of a table of jobs that write tables: a script with what it is given.

    Outputs are named tables, or the only one; `needs` are files that are no argument of it.
    """
    entry = {"script": script, "inputs": inputs or {}, "needs": needs}
    return entry | {"outputs": outputs, "params": params, "shown": shown}


def add_study_tables(folder, jobs):
    """Add one rule per job that writes tables; scripts stand in a folder of `workflow/scripts`."""
    for name, entry in jobs.items():
        add_study_table(name, entry, f"{folder}/{entry['script']}")


def add_study_table(rule_name, entry, place):
    """Add the rule of a job that writes tables; its log has the wildcards of the tables."""
    outputs = entry["outputs"]
    named = outputs if isinstance(outputs, dict) else {}
    wildcard_names = re.findall(
        r"{\w+}", flat([outputs] if not named else [*named.values()])[0]
    )

    rule:
        name:
            rule_name
        input:
            entry["needs"],
            **entry["inputs"],
        output:
            [] if named else outputs,
            **named,
        log:
            results(f"logs/{'_'.join([rule_name, *wildcard_names])}.log"),
        # Tables take longer than figures, which fill the processors at the end of a run.
        priority: 1
        conda:
            ENVIRONMENT
        resources:
            mem_mb=growing(2000),
            runtime=growing(60),
        params:
            **entry["params"],
            code=script_code(place),
        script:
            f"../scripts/{place}.py"


def add_timing(rule_name, entry, launch):
    """Add the rule of a timing, which has the machine to itself.

    The profiles give out `timing` once, and Slurm a whole node. Snakemake cuts the threads to what
    --cores allows; the cores of this process would be those of a cluster's login node, or none.
    """
    script_name, *_ = entry["command"].split()

    rule:
        name:
            rule_name
        input:
            entry.get("input", []),
        output:
            entry["output"],
        log:
            results(f"logs/{entry['log']}.log"),
        conda:
            ENVIRONMENT
        threads: 8
        resources:
            timing=1,
            slurm_extra="--exclusive",
            mem_mb=growing(16000),
            runtime=growing(240),
        params:
            **entry.get("params", {}),
            launch=launch,
            code=code_of(f"benchmarks/{script_name}.py"),
        shell:
            f"{{params.launch}} benchmarks.{entry['command']} 2> {{log}}"


def reported(table_file, caption, category, title):
    """Return a table as an output that the report shows, with its caption and title."""
    labels = {"table": title}
    caption = f"../scripts/{caption}.rst"
    return report(results(table_file), caption, category=category, labels=labels)


def tables_of(jobs):
    """Return the tables that `all` makes of a table of jobs."""
    outputs = [entry["outputs"] for entry in jobs.values() if entry["shown"]]
    return flat(some.values() if isinstance(some, dict) else some for some in outputs)


def flat(files):
    """Return the paths that stand in lists, and in lists of lists."""
    if isinstance(files, str):
        return [files]
    return [path for some in files for path in flat(some)]


def shown_figures(wildcards):
    """Return what the page says of the figures of a run, in the order of its targets."""
    files = [*MADE, *finished_calibration(wildcards)]
    return [SHOWN[Path(file).stem] for file in files if file.endswith(".svg")]


def page_sources(wildcards):
    """Return what the page is written from beside results: captions, templates, columns."""
    captions = {ROOT / figure["caption"] for figure in shown_figures(wildcards)}
    columns = ROOT.glob("docs/columns*.md")
    return sorted(map(str, [*captions, *page_templates(wildcards), *columns]))


def page_templates(wildcards):
    """Return the templates of both pages, which their scripts do not import."""
    return sorted(map(str, ROOT.glob("pipeline/page/templates/*.*")))


def table(*names):
    """Return tables as named inputs."""
    return {name: results(f"tables/{name}.csv") for name in names}


def of_files(**names):
    """Return tables as inputs or outputs of other names than their own."""
    return {name: results(f"tables/{file}.csv") for name, file in names.items()}


def of_topic(topic, *names):
    """Return what a topic of the claims writes for a figure, all or some, as named files."""
    return {
        name: results(f"tables/claims/{topic}_{name}.csv")
        for name in names or TOPICS[topic]
    }


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
    return {"fits": made_of("fits", datasets)}


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
    if "openml" in spec and not {"label", "target"} & set(spec):
        return column == "label"
    # Arrays of an NPZ are named in the file.
    return column in spec or str(spec.get("path", "")).lower().endswith(".npz")


def in_the_plane(name, spec):
    """Return whether a dataset has two features as a kernel sees them."""
    if "generator" in spec:
        return SYNTHETIC[spec["generator"]].features == 2
    if "sklearn" in spec or spec.get("kernel_matrix"):
        return False
    # Of the whole configuration it is known what its check found.
    return columns_of(WHOLE, name) == 2


def with_source(key, value):
    """Return the datasets that have a source, such as the generator `rings`."""
    return [name for name, spec in DATASETS.items() if spec.get(key) == value]


SCORES = {dataset: results(f"scores/{dataset}.npz") for dataset in DATASETS}
# What the scripts of the studies draw from.
SEED = CONFIG["seed"]
# Figure: what the page says of it.
SHOWN = {}
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
PLANE = [name for name, spec in DATASETS.items() if in_the_plane(name, spec)]
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
# What reads fits or scores names it in `params` (`origin_of`).
ORIGIN = key_of([origin_of(CONFIG, dataset) for dataset in DATASETS])
# Parameters of the bandwidth that the grid varies.
WIDTHS = [name for name in ("median", "gamma", "sigma") if sweeps("rbf", name)]
# Whether there are bandwidths to choose from.
CHOICE = ROWS and not QUICK and sweeps("rbf", "median")
