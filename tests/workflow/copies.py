"""Copies of the project, which tests edit as a maintainer would."""

import shutil
import subprocess
from pathlib import Path

from tests.workflow.pipeline import ROOT


def copy_of_the_project(folder: Path) -> Path:
    """Copy what git tracks and has not lost into a folder, and return it."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder
