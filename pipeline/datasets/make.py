"""From a dataset's part of the configuration to a dataset."""

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.datasets.builtin import read_builtin
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.openml import read_openml
from pipeline.datasets.rows import Rows, redrawn
from pipeline.datasets.synthetic import draw_dataset
from pipeline.datasets.user_file import read_user_file

READERS: dict[str, Callable[..., Rows]] = {
    "sklearn": read_builtin,
    "path": read_user_file,
    "openml": read_openml,
}


def make_dataset(name: str, spec: Mapping[str, Any], *, seed: int, replicates: int) -> Dataset:
    """Draw or read one dataset, with its splits.

    Parameters
    ----------
    name : str
        The key in the configuration. Seeds derive from it, so that other datasets can come and
        go without changing this one.
    spec : mapping
        Its source under one of the keys `generator`, `sklearn`, `path`, `openml`, and the
        options of that source.
    seed : int
        Root seed of the configuration.
    replicates : int
        Independent draws of synthetic data, re-drawn splits of real data. More replicates
        leave the earlier ones as they were.

    Raises
    ------
    InputError
        With everything that is wrong with the data, each with place and remedy.
    """
    source = source_of(spec)
    if source == "generator":
        return draw_dataset(name, spec, seed=seed, replicates=replicates)
    return redrawn(name, READERS[source](name, spec), spec, seed=seed, replicates=replicates)


def source_of(spec: Mapping[str, Any]) -> str:
    """Return the one source key of a spec, which the check of the configuration found there."""
    return next(key for key in ("generator", *READERS) if key in spec)
