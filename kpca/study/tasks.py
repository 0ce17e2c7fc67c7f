"""What determines a result: keys and digests of configuration, data, code and libraries."""

import functools
import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kpca.reading.files import sha256
from kpca.study.fingerprint import ROOT, code_of, key_of, own_fingerprint
from kpca.study.fitting.grid import grid_of, method_points

WHOLE = "all"  # in place of the number of a replicate: all rows, which are validated and not tested


CACHE = "KPCA_CACHE"  # environment variable
LARGE = 200_000_000  # bytes of a file that is not read as a whole when the Snakefile is
SAMPLE = 20_000  # its rows that are
# Code that keeps results, and says what is wrong with them.
STORED = ("kpca.persistence", "kpca.reading.errors", "kpca.reading.files", "kpca.study.store")


def lend(cache: str) -> str:
    """Tell jobs where our modules are, and the folder of the cache if one is named; return it."""
    paths = (str(ROOT), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    os.environ[CACHE] = cache or os.environ.get(CACHE, "")
    return os.environ[CACHE]


def sweep_of(config: Mapping[str, Any], dataset: str) -> dict[str, Any]:
    """Return what of configuration and code determines fits and scores, plain for `params`."""
    families = grid_of(config, dataset)
    given = config["datasets"][dataset].get("kernel_matrix")
    methods = {} if given else config.get("methods") or {}
    named = families | {name: method_points(name, method) for name, method in methods.items()}
    paths = {name: family[0].callable for name, family in named.items()}
    return {
        "points": [vars(point) for family in families.values() for point in family],
        "methods": methods,
        "settings": config["evaluation"],
        "seed": config["seed"],
        "code": codes_of_results(),
        "own_code": {name: own_fingerprint(path) for name, path in paths.items() if path},
    }


@functools.cache
def codes_of_results() -> dict[str, str]:
    """Return digests of the code that fits, and of the code that scores, without storage."""
    rows = ("kpca.study.datasets.dataset",)
    return {
        "fits": code_of("kpca/study/fitting/fitted_models.py", (*STORED, *rows), words=False),
        "scores": code_of("kpca/study/scoring/evaluate.py", STORED, words=False),
    }


def is_large(spec: Mapping[str, Any]) -> bool:
    """Return whether a dataset is a file of which the Snakefile reads only the first rows."""
    path = Path(spec.get("path", ""))
    whole = path.suffix.lower() in (".npz", ".xlsx") or not path.is_file()
    return not whole and path.stat().st_size > LARGE


def source_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a dataset comes from, without how often it is drawn and in how many jobs."""
    return {key: value for key, value in spec.items() if key not in ("replicates", "parts")}


def source_key(config: Mapping[str, Any], dataset: str) -> str:
    """Return the key of what a dataset is made from: its configuration, and its file.

    Its content counts, since times of files do not tell if it changed while a job read it. Of a
    large file, size and time do.
    """
    spec = config["datasets"][dataset]
    replicates = spec.get("replicates", config["replicates"])
    content = _content(Path(spec["path"]), is_large(spec)) if "path" in spec else ""
    return key_of(source_of(spec), content, config["seed"], replicates)


def input_digest_of(config: Mapping[str, Any], dataset: str) -> str:
    """Return a digest of all that determines the fits and scores of a dataset, and its rows.

    In `params` of rules that read them, it makes Snakemake notice if a failed job removed them.
    """
    making = code_of("workflow/scripts/sweep/make_dataset.py")
    return key_of(sweep_of(config, dataset), source_key(config, dataset), making, libraries())


@functools.cache
def _content(path: Path, large: bool) -> str:
    """Return a digest of a file as it was when the run began."""
    status = path.stat()
    return key_of(status.st_size, status.st_mtime_ns) if large else sha256(path)


@functools.cache
def libraries() -> dict[str, str]:
    """Return the versions of what the numbers come from: they may change the digits of a result."""
    try:
        return {name: version(name) for name in ("numpy", "scipy", "scikit-learn")}
    except PackageNotFoundError:  # where rules are read, and no job runs
        return {}
