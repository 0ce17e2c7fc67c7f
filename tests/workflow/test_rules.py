"""The rules as a reader finds them: one a figure, in any order, their code in the report."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from tests.workflow.pipeline import ROOT, Run, small_config, snakemake, succeeded, write_config
from workflow.page.html import to_html

CONFIG = f"--configfile={ROOT / 'config/config.yaml'}"
TEXTS = [file.read_text() for file in sorted((ROOT / "workflow/rules").glob("*.smk"))]
TEXT = "\n".join(TEXTS)
RULES = [
    rule
    for text in TEXTS
    for rule in re.split(r"^ *(?=rule [\w ]*:|rule:)", text, flags=re.MULTILINE)[1:]
]
PROFILES = {
    name: yaml.safe_load((ROOT / f"profiles/{name}/config.yaml").read_text())
    for name in ("default", "slurm")
}


def test_a_plan_is_that_of_the_catalog_and_says_why_each_job_runs(
    tmp_path: Path, planned: Run
) -> None:
    run = succeeded(tmp_path, CONFIG, "--dry-run")
    assert run.jobs == planned.jobs
    reasons = re.findall(r"^ +reason: \w", run.output, flags=re.MULTILINE)
    assert len(reasons) == run.jobs.total() + 1  # that of `all` too
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


def test_the_catalog_needs_snakemake_alone(tmp_path: Path) -> None:
    """It lints and draws without what the jobs import; a user's file cannot be checked so."""
    assert (ROOT / ".test").is_dir()  # without it nothing is drawn
    drawn = f"--forceall -s workflow/Snakefile -d {tmp_path} -c 1 --rulegraph"
    given = ["--lint", drawn, "--dry-run --config data=config/config.yaml"]
    command = [sys.executable, "-c", BARE, *given]
    merged: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    said = subprocess.run(command, cwd=ROOT, text=True, check=True, **merged).stdout
    lint, graph, data, _ = re.split("^ended with ", said, flags=re.MULTILINE)
    assert "your workflow is in a good condition" in lint
    assert graph.startswith("0\n")
    assert "digraph snakemake_dag" in graph
    assert data.startswith("0\n")
    assert "data are not checked and no job can run; " in data
    assert said.endswith("ended with 1\n")


def test_captions_are_valid_text() -> None:
    for path in (ROOT / "workflow/scripts").rglob("*.rst"):
        assert "<cite>" not in to_html(path.read_text()), f"{path} has single backticks"


def test_the_recipe_of_a_figure_is_an_entry() -> None:
    recipe = (ROOT / "CONTRIBUTING.md").read_text().split("## Add a figure")[1]
    [block] = re.findall(r"```\n(.*?)```", recipe, flags=re.S)[:1]
    lines = [line.strip() for line in block.splitlines()]
    entries = [line.strip() for line in TEXT.splitlines()]
    start = entries.index(lines[0])
    assert [*filter(None, lines)] == entries[start : start + len([*filter(None, lines)])]


def test_five_kernel_matrices_share_all_cores_and_have_no_explorer(tmp_path: Path) -> None:
    np.savez(tmp_path / "kernel.npz", K=np.eye(40), y=np.arange(40) % 2)
    spec = {"path": "kernel.npz", "kernel_matrix": True}
    config = small_config(datasets={f"kernel{i}": spec for i in range(5)})
    path = write_config(tmp_path / "c.yaml", config)
    run = succeeded(tmp_path, path, "--dry-run", "--cores=64")
    assert run.output.count("threads: 12") == 5
    assert "no explorer: a kernel matrix has no rows" in run.output
    assert "explorer" not in run.jobs


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Rule: its script, as `snakemake --list` says."""
    said = succeeded(tmp_path_factory.mktemp("listed"), "--list").output
    found = re.findall(r"^(\w+) \((?:.*: )?(\S+\.py)\)$", said, flags=re.MULTILINE)
    return {name: ROOT / script for name, script in found}


def test_a_figure_has_a_rule_and_a_function_of_its_name(
    planned: Run, listed: dict[str, Path]
) -> None:
    """Who looks for one of them finds the entry in the rules, and the function in the script."""
    assert planned.figures < set(planned.jobs)
    for name in planned.figures:
        assert f'"{name}": ' in TEXT
        assert re.search(rf"^def (draw|{name})\(", listed[name].read_text(), flags=re.MULTILINE)


def test_what_a_failed_job_removes_is_missed(planned: Run) -> None:
    """Snakemake looks for targets alone; what stands in the middle may be gone unnoticed."""
    [targets] = re.findall(r"rule all:\n +input: ([^\n]+)", planned.output)
    assert planned.outputs <= set(targets.split(", "))


def test_the_report_shows_the_code_of_every_figure(
    swept: Path, tmp_path: Path, listed: dict[str, Path]
) -> None:
    report = tmp_path / "report.html"
    succeeded(swept, f"--configfile={ROOT / 'config/test.yaml'}", "--report", str(report))

    text = report.read_text().split("var rules = ")[1]
    shown: dict[str, Any] = json.JSONDecoder().raw_decode(text)[0]
    drawn = {path.stem for path in (swept / "results/figures").iterdir()} & set(listed)
    assert len(drawn) > 10
    assert drawn <= set(shown)
    for name in drawn:
        code = html.unescape(re.sub("<[^>]+>", "", shown[name]["code"]))
        assert listed[name].read_text().strip() in code, name


def test_a_figure_of_nothing_is_refused(tmp_path: Path) -> None:
    rolls = {"roll": {"generator": "swiss_roll", "n_train": 20, "n_test": 20}}
    config = write_config(tmp_path / "c.yaml", small_config(datasets=rolls))
    run = snakemake(tmp_path, config, "--dry-run", "rings")
    assert run.status != 0
    assert "the configuration has no dataset that this could show" in run.output


@pytest.mark.parametrize("rule", RULES, ids=[rule.split(":")[0] for rule in RULES])
def test_a_rule_fits_a_cluster(rule: str) -> None:
    """It knows no machine, asks for more when it failed, and is local only if it does nothing."""
    assert "workflow.cores" not in rule
    for amount in re.findall(r"^ +(?:mem_mb|runtime)=(.+),$", rule, flags=re.MULTILINE):
        assert re.match(r"growing(_memory)?\(", amount), amount
    if "localrule" in rule:
        assert not re.search(r"^ +(output|script|shell|run):", rule, flags=re.MULTILINE)


def test_the_default_profile_leaves_the_cluster_its_own_settings() -> None:
    """It is read with every other profile, and wins where both have a key."""
    assert not PROFILES["default"].keys() & PROFILES["slurm"].keys()
    assert "cores" not in PROFILES["default"]
    for resource in ("mem_mb", "runtime"):
        assert "attempt" in PROFILES["slurm"]["default-resources"][resource]
