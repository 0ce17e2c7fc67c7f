"""Rules that are alike, made from tables of entries: jobs that write tables, figures, timings."""

import re
import shlex
from functools import partial  # for the files of studies

# Read with `--software-deployment-method conda` alone.
ENVIRONMENT = "../envs/kpca.yaml"
# Figure: what the page says of it.
SHOWN = {}


def study_table(script, outputs, inputs=None, *, shown=True, priority=1, memory=2000, **params):
    """Return an entry of a table of jobs that write tables: a script with what it is given.

    Outputs are named tables, or the only one. What is not `shown` is left out of `all`. Tables
    take longer than figures, which fill the processors at the end of a run: hence the priority.
    """
    entry = {"script": script, "inputs": inputs or {}, "outputs": outputs, "params": params}
    return entry | {"shown": shown, "priority": priority, "memory": memory}


def figure(category, title, inputs=None, *, script="", caption="", shown=True, params=None):
    """Return an entry of a table of figures: its inputs, and where it stands in the report.

    Script and caption are `figure_NAME`, without the name of the study, and `NAME` unless they are
    given.
    """
    entry = study_table(script, [], inputs, shown=shown, priority=0, **(params or {}))
    return entry | {"category": category, "title": title, "caption": caption}


def tables_of(jobs):
    """Return the tables that `all` makes of a table of jobs."""
    return flat(entry["outputs"] for entry in jobs.values() if entry["shown"])


def reported(file, category, title, caption=""):
    """Return an output that the report shows; its caption has its name unless one is given."""
    labels = {"figure" if file.endswith(".svg") else "table": title}
    caption = f"../scripts/{caption or Path(file).with_suffix('')}.rst"
    return report(results(file), caption, category=category, labels=labels)


def log_of(name, entry):
    """Return the log of a rule, which has the wildcards of its outputs in its name."""
    wildcard_names = re.findall(r"{\w+}", flat(entry["outputs"])[0])
    return results(f"logs/{'_'.join([name, *wildcard_names])}.log")


def add_study(folder, jobs, figures=None):
    """Add one rule per entry of a study, and say what `all` makes of it.

    Scripts and captions stand in a folder of `workflow/scripts`.
    """
    for name, entry in jobs.items():
        add_rule(name, entry, f"{folder}/{entry['script']}", log_of(name, entry))
    for name, entry in (figures or {}).items():
        caption = f"{folder}/{entry['caption'] or name}"
        labels = {"category": entry["category"], "title": entry["title"]}
        SHOWN[name] = labels | {"name": name, "caption": f"workflow/scripts/{caption}.rst"}
        drawing = reported(f"figures/{name}.svg", *labels.values(), caption)
        outputs = {"outputs": [drawing, results(f"figures/{name}.png")]}
        script = entry["script"] or f"figure_{name.removeprefix(f'{folder}_')}"
        add_rule(name, entry | outputs, f"{folder}/{script}", results(f"logs/figures/{name}.log"))
    seen = [name for name, entry in (figures or {}).items() if entry["shown"]]
    TARGETS[folder] = [*tables_of(jobs), *drawn(*seen)]


# A function, since Snakemake reads `script` when the job runs: a loop would be at its end then.
def add_rule(rule_name, entry, place, log_file):
    """Add the rule of an entry, with a script of `workflow/scripts`, which `--list` names."""
    named = entry["outputs"] if isinstance(entry["outputs"], dict) else {}

    rule:
        name:
            rule_name
        input:
            **entry["inputs"],
        output:
            [] if named else entry["outputs"],
            **named,
        log:
            log_file,
        priority: entry["priority"]
        group:
            "figures" if "category" in entry else None
        conda:
            ENVIRONMENT
        threads: entry.get("threads", 1)
        resources:
            mem_mb=growing_memory(entry["memory"]),
            runtime=growing(entry.get("runtime", 60)),
        params:
            **{"code": script_code(place)} | entry["params"],
        script:
            f"../scripts/{place}.py"

    if workflow.is_rule(rule_name):  # used as a module it has another name
        title = f"{entry['title']}: " if "title" in entry else ""
        workflow.get_rule(rule_name).docstring = f"{title}workflow/scripts/{place}.py"


def add_timing(rule_name, entry):
    """Add the rule of a timing, which has the machine to itself; its script has arguments.

    The profiles give out `timing` once, and Slurm a whole node. Snakemake cuts the threads to what
    --cores allows; the cores of this process would be those of a cluster's login node, or none.
    """
    script_name, *_ = entry["script"].split()

    rule:
        name:
            rule_name
        input:
            **entry["inputs"],
        output:
            **entry["outputs"],
        log:
            log_of(rule_name, entry),
        conda:
            ENVIRONMENT
        threads: 8
        resources:
            timing=1,
            slurm_extra="--exclusive",
            mem_mb=growing(16000),
            runtime=growing(240),
        params:
            **entry["params"],
            launch=f"{shlex.quote(sys.executable)} -m",
            code=code_of(f"benchmarks/{script_name}.py"),
        shell:
            f"{{params.launch}} benchmarks.{entry['script']} 2> {{log}}"


def add_target(target_name, files):
    """Add a target of its own: some files, which `all` need not make."""

    rule:
        name:
            target_name
        input:
            files,
        localrule: True
