"""Write what other tools read of the provenance of the run."""

import json
from collections.abc import Sequence
from pathlib import Path

from pipeline.crate import metadata
from pipeline.files import write_atomically
from pipeline.job import script


@script
def write_crate(made: Sequence[str], snakefile: str, config: str, paths: Sequence[str]) -> None:
    """Write the metadata of the crate that the folder of the results is, and its workflow."""
    workflow = Path(snakefile).read_bytes()
    write_atomically(paths[1], lambda file: file.write(workflow))
    found = metadata(Path(paths[0]).parent, made, config)
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    write_atomically(paths[0], lambda file: file.write(text.encode()))
