"""Rules that are alike, made from tables of entries: a figure and a job that writes tables."""

import re

# Figure: what the page says of it.
SHOWN = {}


def figure(category, title, inputs=None, *, shown=True, **options):
    """Return an entry of a table of figures: its inputs, and where it stands in the report.

    Figures that are not `shown` are left out of `all`. Options are `params`, the parameters of the
    script, and `script` and `caption`, which are `figure_NAME`, without the name of the study, and
    `NAME` unless they are given.
    """
    entry = {"params": {}, "script": "", "caption": ""} | options
    entry |= {"category": category, "title": title}
    return entry | {"inputs": inputs or {}, "shown": shown}


def shown(figures):
    """Return the files of the figures of a table that `all` draws."""
    return drawn(*(name for name, entry in figures.items() if entry["shown"]))


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
        short = name.removeprefix(f"{folder}_")
        place = f"{folder}/{entry['script'] or f'figure_{short}'}"
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
            **entry["inputs"],
        output:
            report(svg, f"../scripts/{caption}", category=entry["category"], labels=labels),
            png,
        log:
            results(f"logs/figures/{figure_name}.log"),
        params:
            **entry["params"],
            code=script_code(place),
        script:
            f"../scripts/{place}.py"


def study_table(script, outputs, inputs=None, *, shown=True, **params):
    """Return an entry of a table of jobs that write tables: a script with what it is given.

    Outputs are named tables, or the only one.
    """
    entry = {"script": script, "inputs": inputs or {}, "outputs": outputs}
    return entry | {"params": params, "shown": shown}


def reported(table_file, caption, category, title):
    """Return a table as an output that the report shows, with its caption and title."""
    labels = {"table": title}
    caption = f"../scripts/{caption}.rst"
    return report(results(table_file), caption, category=category, labels=labels)


def paper(name, title, inputs=None, *, script="table", **params):
    """Return the job that writes the table of a paper, quick or whole."""
    table = f"papers/{name}/table{{version}}.csv"
    return study_table(
        f"{name}/{script}",
        reported(table, f"papers/{name}/caption", "Published results", f"{title}{{version}}"),
        {"published": f"{PAPERS_FOLDER}/{name}/published.csv"} | (inputs or {}),
        **params,
    )


def tables_of(jobs):
    """Return the tables that `all` makes of a table of jobs."""
    outputs = [entry["outputs"] for entry in jobs.values() if entry["shown"]]
    return flat(some.values() if isinstance(some, dict) else some for some in outputs)


def add_study_tables(folder, jobs):
    """Add one rule per job that writes tables; scripts stand in a folder of `workflow/scripts`."""
    for name, entry in jobs.items():
        add_study_table(name, entry, f"{folder}/{entry['script']}")


def add_study_table(rule_name, entry, place):
    """Add the rule of a job that writes tables; its log has the wildcards of the tables."""
    outputs = entry["outputs"]
    named = outputs if isinstance(outputs, dict) else {}
    wildcard_names = re.findall(r"{\w+}", flat([outputs] if not named else [*named.values()])[0])

    rule:
        name:
            rule_name
        input:
            **entry["inputs"],
        output:
            [] if named else outputs,
            **named,
        log:
            results(f"logs/{'_'.join([rule_name, *wildcard_names])}.log"),
        # Tables take longer than figures, which fill the processors at the end of a run.
        priority: 1
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
            **entry["output"],
        log:
            results(f"logs/{entry['log']}.log"),
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
