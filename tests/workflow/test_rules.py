"""The rules as a reader finds them: plain blocks, one whose script draws each figure."""

import ast
import re
import subprocess
import sys

import numpy as np
import yaml

from tests.workflow.pipeline import ROOT, snakemake, succeeded, write_small_config

CONFIG = f"--configfile={ROOT / 'config/config.yaml'}"
TEXT = "\n".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
PROFILES = {
    name: yaml.safe_load((ROOT / f"profiles/{name}/config.yaml").read_text())
    for name in ("default", "slurm")
}


def test_a_plan_is_that_of_the_catalog_and_says_why_each_job_runs(tmp_path, planned):
    run = succeeded(tmp_path, CONFIG, "--dry-run")
    assert run.jobs == planned.jobs
    reasons = re.findall(r"^ +reason: \w", run.output, flags=re.MULTILINE)
    assert len(reasons) == run.jobs.total() + 1  # The job of `all` has a reason, too.
    short = succeeded(tmp_path, CONFIG, "--dry-run", "--quiet", "rules")
    assert "\nrule " not in short.output
    assert short.jobs == planned.jobs
    catalog = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert catalog.keys() == {"mandatory-flags", "software-stack-deployment"}
    assert catalog["software-stack-deployment"].items() >= {"report": True, "conda": False}.items()
    assert {"workflow", "snakemake"} <= set((ROOT / "README.md").read_text().lower().split())


BARE = """
import importlib.metadata, os, sys
import snakemake.cli

installed = importlib.metadata.version
def version(name):
    if name in ("numpy", "scipy", "scikit-learn"):
        raise importlib.metadata.PackageNotFoundError(name)
    return installed(name)
importlib.metadata.version = version
gone = "bokeh joblib matplotlib numpy pandas pyarrow rocrate scipy sklearn threadpoolctl".split()
sys.modules.update(dict.fromkeys(gone))
for line in sys.argv[1:]:
    if child := os.fork():
        print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    else:
        sys.exit(snakemake.cli.main(line.split()))
"""


def test_the_catalog_needs_snakemake_alone(tmp_path):
    """It lints and draws without what the jobs import; a user's file cannot be checked so."""
    assert (ROOT / ".test").is_dir()  # Nothing is drawn without this folder.
    drawn = f"--forceall -s workflow/Snakefile -d {tmp_path} -c 1 --rulegraph"
    runs = ["--lint", drawn, "--dry-run --config data=config/config.yaml"]
    command = [sys.executable, "-c", BARE, *runs]
    merged = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    output = subprocess.run(command, cwd=ROOT, text=True, check=True, **merged).stdout
    lint, graph, data, _ = re.split("^ended with ", output, flags=re.MULTILINE)
    assert "your workflow is in a good condition" in lint
    assert graph.startswith("0\n")
    assert "digraph snakemake_dag" in graph
    assert data.startswith("0\n")
    assert "data are not checked and no job can run; " in data
    assert output.endswith("ended with 1\n")


def test_nothing_but_a_block_makes_a_rule():
    assert not re.search(r"^ +(?:rule|use rule)\b", TEXT, flags=re.MULTILINE)


def test_five_kernel_matrices_share_all_cores_and_have_no_explorer(tmp_path):
    np.savez(tmp_path / "kernel.npz", K=np.eye(40), y=np.arange(40) % 2)
    spec = {"path": "kernel.npz", "kernel_matrix": True}
    path = write_small_config(tmp_path, datasets={f"kernel{i}": spec for i in range(5)})
    run = succeeded(tmp_path, path, "--dry-run", "--cores=64")
    assert run.output.count("threads: 12") == 3 * 5  # fit, classify and cluster
    assert "no explorer: a kernel matrix has no rows" in run.output
    assert "explorer" not in run.jobs


def test_a_figure_has_one_rule_whose_script_draws_it(planned):
    """Who looks for the file finds the rule, and in its script a function of its name."""
    for name in planned.figures:
        assert TEXT.count(f'"figures/{name}.svg"') == 1, name
    for rule in re.split(r"^rule \w+:", TEXT, flags=re.MULTILINE)[1:]:
        for name in re.findall(r'"figures/(\w+)\.svg"', rule.partition("\nuse rule")[0]):
            script = re.search(r'"\.\./scripts/(\S+\.py)"', rule)
            code = (ROOT / "workflow/scripts" / script[1]).read_text()
            assert re.search(rf"^def (draw|{name})\(", code, flags=re.MULTILINE), name


def test_the_rings_need_no_other_dataset(tmp_path):
    run = succeeded(tmp_path, CONFIG, "--dry-run", "results/figures/rings.svg")
    assert run.jobs == dict.fromkeys(
        ("dataset", "fit", "classify", "cluster", "scores", "rings"), 1
    )


def test_what_a_failed_job_removes_is_missed(planned):
    """Snakemake looks for targets alone; what stands in the middle may be gone unnoticed."""
    [targets] = re.findall(r"rule all:\n +input: ([^\n]+)", planned.output)
    in_the_middle = {path for path in planned.outputs if "/scores/" in path}
    assert planned.outputs - set(targets.split(", ")) <= in_the_middle | {
        path for path in planned.outputs if "/claims/" in path
    }


def test_a_figure_of_nothing_is_refused(tmp_path):
    rolls = {"roll": {"generator": "swiss_roll", "n_train": 20, "n_test": 20}}
    config = write_small_config(tmp_path, datasets=rolls)
    run = snakemake(tmp_path, config, "--dry-run", "rings")
    assert run.status != 0
    assert "the configuration has no dataset that this could show" in run.output


def test_the_default_profile_leaves_the_cluster_its_own_settings():
    """It is read with every other profile, and wins where both have a key."""
    assert not PROFILES["default"].keys() & PROFILES["slurm"].keys()
    assert "cores" not in PROFILES["default"]
    for resource in ("mem_mb", "runtime"):
        assert "attempt" in PROFILES["slurm"]["default-resources"][resource]


def test_the_function_that_a_job_calls_is_the_last_of_its_script():
    """It is called when it is defined, so that nothing may be defined after it."""
    decorated = re.compile(r"^@(style\.)?script$", re.MULTILINE)
    paths = [*(ROOT / "workflow/scripts").rglob("*.py")]
    scripts = [path for path in paths if decorated.search(path.read_text(encoding="utf-8"))]
    assert len(scripts) > 40
    for path in scripts:
        last = ast.parse(path.read_text(encoding="utf-8")).body[-1]
        assert isinstance(last, ast.FunctionDef), path
        assert last.decorator_list, path
