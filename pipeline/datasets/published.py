"""Datasets that others publish: those of OpenML, and those that come with scikit-learn."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.problems import LEAST_FOLDS
from pipeline.datasets.table import frame_table
from pipeline.datasets.user_file import usable
from pipeline.errors import input_error
from pipeline.files import write_atomically

CACHE = "data"


def read_openml(
    name: str, spec: Mapping[str, Any], *, folds: int = LEAST_FOLDS, n_components: int = 1
) -> Dataset:
    """Load a dataset of OpenML, from the cache where it is there.

    The spec has `openml` (its id) and where wanted `version`, `sha256` of the table as CSV (both
    checked), `cache` (scikit-learn's ``data_home``), and the keys of the user's own files. Columns
    that OpenML marks as identifiers are left out. Without `label` and `target` in the spec,
    OpenML's default target is the label.

    Raises
    ------
    InputError
        When the download fails, differs from what was asked for, or cannot be used.
    """
    from sklearn.datasets import fetch_openml

    subject, cache = f"dataset {name!r}, OpenML {spec['openml']}", spec.get("cache", CACHE)
    try:
        bunch = fetch_openml(data_id=spec["openml"], data_home=cache, as_frame=True)
    except (OSError, ValueError) as error:
        problem = (
            f"cannot be fetched ({error}); check the id and the network, set a proxy, delete its "
            "files in the cache, or convert it to CSV and give its `path`"
        )
        raise input_error(subject, [problem]) from error
    table_text = bunch.frame.to_csv(index=False, lineterminator="\n")
    digest = hashlib.sha256(table_text.encode()).hexdigest()
    if problems := _differences(digest, bunch.details, spec):
        raise input_error(subject, problems)
    write_atomically(_sum(spec), lambda file: file.write(digest.encode()))
    if len(bunch.target_names) == 1 and not {"label", "target"} & {*spec}:
        spec = {**spec, "label": bunch.target_names[0]}
    table = frame_table(bunch.frame, subject, spec)
    rows = usable(name, subject, table, spec, folds, n_components)
    return replace(rows, source=f"sha256:{digest}")


def is_cached(spec: Mapping[str, Any]) -> bool:
    """Whether a dataset was downloaded before."""
    return _sum(spec).is_file()


def _sum(spec: Mapping[str, Any]) -> Path:
    return Path(spec.get("cache", CACHE), "openml", f"{spec['openml']}.sha256")


def _differences(found: str, details: Mapping[str, Any], spec: Mapping[str, Any]) -> list[str]:
    """Compare checksum and version with those of the first download and of the configuration."""
    problems, kept = [], _sum(spec).read_text() if is_cached(spec) else found
    if found != kept:
        problems.append(
            f"the table has SHA-256 {found} and had {kept} when it was downloaded; delete "
            f"{_sum(spec)} to take it as it is now"
        )
    elif spec.get("sha256", found) != found:
        problems.append(f"`sha256` is {spec['sha256']}, but the table has {found}; correct one")
    if str(spec.get("version", details["version"])) != str(details["version"]):
        problems.append(
            f"`version` is {spec['version']}, but id {spec['openml']} is version "
            f"{details['version']} of {details['name']!r}; correct the id or the version"
        )
    return problems


# Rows of each class, so that a configuration can be checked without loading the data.
CLASS_SIZES: dict[str, tuple[int, ...]] = {
    "digits": (178, 182, 177, 183, 181, 182, 181, 179, 174, 180),
    "iris": (50, 50, 50),
    "wine": (59, 71, 48),
    "breast_cancer": (212, 357),
}


def read_builtin(name: str, spec: Mapping[str, Any]) -> Dataset:
    """Load ``spec["sklearn"]``: digits, iris, wine or breast_cancer, with its labels."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{spec['sklearn']}")()
    return Dataset(
        name=name,
        X=np.ascontiguousarray(bunch.data, dtype=np.float64),
        y=np.asarray(bunch.target, dtype=np.int64),
        feature_names=tuple(map(str, bunch.feature_names)),
        class_names=tuple(map(str, bunch.target_names)),
        file_rows=np.arange(1, len(bunch.data) + 1),
        image_shape=bunch.images.shape[1:] if "images" in bunch else None,
        source=f"scikit-learn {spec['sklearn']}",
    )
