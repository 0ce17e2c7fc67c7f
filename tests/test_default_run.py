"""What the run that `make` makes has to show: numbers of the README, and a page that one can send.

`make docs` makes the run first. Without it, or with another configuration, these tests are skipped.
"""

import re

import pandas as pd
import pytest
import yaml

from tests.workflow.pipeline import ROOT
from workflow.scripts.sweep.provenance import provenance

REPORT = ROOT / "results/report"
MOST_BYTES = 4_000_000  # limit for the page itself
MOST_WITH_PICTURES = 4_000_000  # limit for the page with the pictures beside it
MOST_FIGURES = 27


def of_default_run():
    """Return whether the results are those of the configuration as it is shipped."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    shipped, run = (
        table[table["name"].str.match(r"(datasets|kernels|evaluation)\.|seed|replicates|studies")]
        for table in (provenance(config), pd.read_csv(ROOT / "results/provenance.csv"))
    )
    return dict(shipped[["name", "value"]].values) == dict(run[["name", "value"]].values)


pytestmark = pytest.mark.skipif(
    not (REPORT / "results.md").exists() or not of_default_run(),
    reason="compares with results/ of the default run: `make` makes them",
)


def test_the_findings_of_the_readme_are_those_of_the_run():
    """Each is a finding of the report, word for word, so that no number is stale."""
    section = (ROOT / "README.md").read_text().split("## What the study found\n")[1]
    findings = re.findall(r"^- (.*?)(?=\n- |\s*\Z)", section.split("\n## ")[0], re.S | re.M)
    printed = " ".join((REPORT / "results.md").read_text().split())
    assert len(findings) == 5
    for finding in findings:
        assert f"**{' '.join(finding.split())}**" in printed


def test_the_report_is_small_and_its_figures_are_few():
    text = (REPORT / "index.html").read_text()
    figures = re.findall(r'<figure class="card" id="figure-(\w+)"', text)
    pictures = [REPORT.parent / f"figures/{name}.svg" for name in figures]
    size = len(text.encode())
    assert size < MOST_BYTES
    assert size + sum(picture.stat().st_size for picture in pictures) < MOST_WITH_PICTURES
    assert 20 <= len(figures) <= MOST_FIGURES
