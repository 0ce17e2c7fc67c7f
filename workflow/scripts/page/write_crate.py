"""Write what other tools read of the provenance of the run."""

import json
from collections.abc import Sequence
from pathlib import Path

from kpca.files import write_text
from workflow.crate import metadata
from workflow.job import script


@script
def write_crate(made: Sequence[str], snakefile: str, config: str, paths: Sequence[str]) -> None:
    """Write the crate that the folder of the results is: metadata, and the workflow."""
    write_text(paths[1], Path(snakefile).read_text(encoding="utf-8"))
    description = metadata(Path(paths[0]).parent, made, config)
    write_text(paths[0], json.dumps(description, indent=1, ensure_ascii=False) + "\n")
