"""The first code of the README draws its first picture, and the other runs.

`python -m tests.test_readme` draws the picture anew.
"""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image

from tests.workflow.pipeline import ROOT
from workflow.scripts.sweep.provenance import provenance

RESULTS = ROOT / "results/report/results.md"  # of the run that `make` makes
PICTURE = ROOT / "docs/rings.png"


def run_code() -> dict[str, Any]:
    """Return the names that the code of the README defines, all blocks one after the other."""
    mpl.use("agg")
    names: dict[str, Any] = {}
    with mpl.rc_context():
        mpl.rcdefaults()
        for code in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
            exec(code, names)
    return names


def drawn(names: dict[str, Any], target: Path | BytesIO) -> None:
    names["fig"].savefig(target, dpi=150, metadata={"Software": None}, format="png")


def test_the_code_of_the_readme_draws_its_picture(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_code()
    assert "proven: no eigenvalue" in capsys.readouterr().out
    with BytesIO() as target:
        drawn(names, target)
        again = np.asarray(Image.open(target).convert("RGB"), dtype=float)
    kept = np.asarray(Image.open(PICTURE).convert("RGB"), dtype=float)
    assert kept.shape == again.shape
    assert np.abs(kept - again).mean() < 1  # of 255: fonts and rounding differ a little


def of_default_run() -> bool:
    """Return whether the results are those of the configuration as it is shipped."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    tables = provenance(config), pd.read_csv(ROOT / "results/provenance.csv")
    shipped, run = (
        table[table["name"].str.match(r"(datasets|kernels|evaluation)\.|seed|replicates|studies")]
        for table in tables
    )
    values = [dict(zip(table["name"], table["value"], strict=True)) for table in (shipped, run)]
    return values[0] == values[1]


def test_the_findings_of_the_readme_are_those_of_the_run() -> None:
    """Each is a finding of the report, word for word, so that no number is stale."""
    if not RESULTS.exists() or not of_default_run():
        pytest.skip("compares with results/ of the default run: `make` makes them")
    section = (ROOT / "README.md").read_text().split("## What the study found\n")[1]
    findings = re.findall(r"^- (.*?)(?=\n- |\n\n)", section.split("\n## ")[0], re.S | re.M)
    printed = " ".join(RESULTS.read_text().split())
    assert len(findings) == 5
    for finding in findings:
        assert f"**{' '.join(finding.split())}**" in printed


if __name__ == "__main__":
    drawn(run_code(), PICTURE)
