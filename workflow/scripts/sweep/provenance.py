"""What a run was made of: versions, code and parameters, one per row."""

import json
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_info

from kpca.files import modules_digest
from workflow import ROOT
from workflow.job import script

LIBRARIES = ("kpca", "numpy", "scipy", "scikit-learn", "pandas", "matplotlib", "snakemake")


def _leaves(config: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


@script
def provenance(config: Mapping[str, Any]) -> pd.DataFrame:
    """Return versions (also of the BLAS and its instruction set), code digests and parameters."""
    digests = {f"{name}/": modules_digest(ROOT / name) for name in ("kpca", "workflow")}
    versions = {"python": platform.python_version()}
    versions |= {name: version(name) for name in LIBRARIES}
    for library in threadpool_info():
        if library["user_api"] == "blas":
            details = library.get("version"), library.get("architecture")
            versions[library["internal_api"]] = " ".join(filter(None, details))
    parameters = {name: json.dumps(value) for name, value in _leaves(config)}
    rows = [
        (kind, name, value)
        for kind, entries in (("version", versions), ("code", digests), ("parameter", parameters))
        for name, value in entries.items()
    ]
    return pd.DataFrame(rows, columns=["kind", "name", "value"])
