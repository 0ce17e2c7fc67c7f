"""Write the provenance of a run as an RO-Crate, which other tools can read."""

import json
from collections.abc import Sequence
from pathlib import Path

from kpca.files import write_text
from workflow.crate import metadata
from workflow.job import script


@script
def write_crate(made: Sequence[str], snakefile: str, config: str, paths: Sequence[str]) -> None:
    """Write the metadata that make the folder of results a crate, and a copy of the workflow."""
    write_text(paths[1], Path(snakefile).read_text(encoding="utf-8"))
    description = metadata(Path(paths[0]).parent, made, config)
    write_text(paths[0], json.dumps(description, indent=1, ensure_ascii=False) + "\n")
