"""Sources of rows: the user's own files, OpenML, and scikit-learn."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kpca.files import sha256, write_text
from kpca.reading.columns import CATEGORY
from kpca.reading.errors import input_error, missing_file, shortlist
from kpca.reading.formats import file_table, unknown_format
from kpca.reading.table import Table, encode, frame_table, order_of
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.problems import cell_problems, label_problems, table_warnings
from kpca.study.datasets.sizes import size_problems

CACHE = "data"
# Dataset of scikit-learn → rows per class, so that checks need not load the data.
CLASS_SIZES: dict[str, tuple[int, ...]] = {
    "digits": (178, 182, 177, 183, 181, 182, 181, 179, 174, 180),
    "iris": (50, 50, 50),
    "wine": (59, 71, 48),
    "breast_cancer": (212, 357),
}


def read_user_file(name: str, spec: Mapping[str, Any], **needs: int) -> Dataset:
    """Read the file ``spec["path"]``; ``needs`` are folds and components that it must allow.

    If ``spec["sample"]`` is given, only so many first rows are read, and only cells are checked.
    """
    path = Path(spec["path"])
    subject = f"dataset {name!r}, file {path}"
    if problems := _path_problems(path, spec):
        raise input_error(subject, problems)
    rows = usable(name, subject, file_table(path, subject, spec), **needs)
    return rows if "sample" in spec else replace(rows, source=f"sha256:{sha256(path)}")


def read_given(name: str, spec: Mapping[str, Any], **needs: int) -> Dataset:
    """Read the data frame ``spec["frame"]`` in the same way as a file."""
    return usable(name, "table", frame_table(spec["frame"], "table", spec), **needs)


def read_openml(name: str, spec: Mapping[str, Any], **needs: int) -> Dataset:
    """Load an OpenML dataset, from the cache if possible, and check its version and checksum.

    Columns that OpenML calls identifiers are left out. Unless ``spec`` names a label or a target,
    OpenML's default target is the label.
    """
    from sklearn.datasets import fetch_openml

    subject = f"dataset {name!r}, OpenML {spec['openml']}"
    cache = spec.get("cache", CACHE)
    try:
        bunch = fetch_openml(data_id=spec["openml"], data_home=cache, as_frame=True)
    except (OSError, ValueError) as error:
        remedy = "check the id and the network, set a proxy, delete its files in the cache, or "
        remedy += "convert it to CSV and give its `path`"
        raise input_error(subject, [f"cannot be fetched ({error}); {remedy}"]) from error
    text = bunch.frame.to_csv(index=False, lineterminator="\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    if problems := _differences(digest, bunch.details, spec):
        raise input_error(subject, problems)
    write_text(cached_sum(spec), digest)
    if len(bunch.target_names) == 1 and not {"label", "target"} & {*spec}:
        spec = {**spec, "label": bunch.target_names[0]}
    rows = usable(name, subject, frame_table(bunch.frame, subject, spec), **needs)
    return replace(rows, source=f"sha256:{digest}")


def cached_sum(spec: Mapping[str, Any]) -> Path:
    """Return the path of a dataset's checksum; the file exists once the dataset was downloaded."""
    return Path(spec.get("cache", CACHE), "openml", f"{spec['openml']}.sha256")


def _differences(digest: str, details: Mapping[str, Any], spec: Mapping[str, Any]) -> list[str]:
    """List how checksum and version differ from those of the first download and of ``spec``."""
    problems = []
    stored = cached_sum(spec)
    first = stored.read_text() if stored.is_file() else digest
    if digest != first:
        now = f"the table has SHA-256 {digest} and had {first} when it was downloaded"
        problems.append(f"{now}; delete {stored} to take it as it is now")
    elif spec.get("sha256", digest) != digest:
        problems.append(f"`sha256` is {spec['sha256']}, but the table has {digest}; correct one")
    if str(spec.get("version", version := details["version"])) != str(version):
        other = f"id {spec['openml']} is version {version} of {details['name']!r}"
        remedy = "correct the id or the version"
        problems.append(f"`version` is {spec['version']}, but {other}; {remedy}")
    return problems


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


READERS: dict[str, Callable[..., Dataset]] = {
    "sklearn": read_builtin,
    "path": read_user_file,
    "frame": read_given,
    "openml": read_openml,
}


def usable(name: str, subject: str, table: Table, **needs: int) -> Dataset:
    """Return a table as a dataset without splits, or raise one error with all its problems."""
    leave_out_missing(table, subject)
    leave_out_small_classes(table, subject)
    problems = cell_problems(table)
    if "sample" not in table.spec:  # The first rows do not show all classes and sizes.
        # If a label is a measurement, problems of its tiny classes would only distract.
        problems += label_problems(table) or size_problems(table, **needs)
    if problems:
        raise input_error(subject, problems)
    table.warnings = list(table_warnings(table))
    return _dataset(name, table)


def _dataset(name: str, table: Table) -> Dataset:
    """Return the rows of a table without problems; they have no splits yet."""
    codes = {role: encode(table.names[role]) for role in ("label", "group") if role in table.names}
    y, class_names = codes.get("label", (None, ()))
    groups, _ = codes.get("group", (None, ()))
    target = table.roles.get("target")
    is_kernel = bool(table.spec.get("kernel_matrix"))
    fills = table.spec.get("missing") == "median"
    features = {*table.features}
    incomplete = {*table.numeric.columns[table.numeric.isna().any()]}
    read = [
        replace(
            column,
            may_be_missing=(fills and column.kind != CATEGORY) or column.names[0] in incomplete,
            positive=column.name in table.log,
        )
        for column in table.columns.values()
        if column.names[0] in features
    ]
    rows = Dataset(
        name=name,
        X=np.ascontiguousarray(table.numeric[[*table.features]]),
        y=y,
        target=None if target is None else table.numeric[target].to_numpy(),
        groups=groups,
        ids=np.array([*table.names["id"]], dtype=str) if "id" in table.roles else None,
        file_rows=table.numeric.index.to_numpy(),
        feature_names=() if is_kernel else tuple(table.features),
        class_names=class_names,
        categories=table.categories,
        log=tuple(table.log),
        columns=() if is_kernel else tuple(read),
        missing_words=tuple(table.missing),
        fill_missing=fills,
        precomputed=is_kernel,
        warnings=tuple(table.warnings),
    )
    if "time" not in table.roles:
        return rows
    time, is_date = order_of([*table.names["time"]], table.columns[table.roles["time"]])
    rows = replace(rows, time=time, time_is_date=is_date)
    return rows.take(np.argsort(time, kind="stable"))


def _path_problems(path: Path, spec: Mapping[str, Any]) -> list[str]:
    if missing := missing_file(path):
        return [missing]
    if unknown := unknown_format(path):
        return [unknown]
    if not path.stat().st_size:
        return ["is empty; write a header and rows into it"]
    of_a_matrix = {
        "must be an NPZ with the array K; convert it": path.suffix.lower() != ".npz",
        "has no columns to standardise; leave out `standardize`": spec.get("standardize"),
        "has no cells to be filled in; leave out `missing`": spec.get("missing"),
    }
    wrong = [text for text, holds in of_a_matrix.items() if holds and spec.get("kernel_matrix")]
    return [f"a kernel matrix {text}" for text in wrong]


def leave_out_missing(table: Table, subject: str) -> None:
    """Remove rows with missing cells from the table, if its ``spec["missing"]`` says so.

    With ``median``, only rows without a label, target, group or time are removed, because features
    are filled in later.
    """
    missing = table.spec.get("missing")
    if missing is None:
        return
    needed = [c for c in table.numeric if missing == "drop" or c == table.roles.get("target")]
    empty = table.numeric[needed].isna()
    for role, names in table.names.items():
        if role != "id":
            empty[table.roles[str(role)]] = names == ""
    gone = empty.any(axis=1)
    if not gone.any():
        return
    counts = empty.sum().sort_values(ascending=False, kind="stable")
    where = shortlist([f"{name!r} ({count})" for name, count in counts.items() if count])
    if gone.all() and "sample" not in table.spec:
        problem = f"every row has a missing cell, in column {where}, so that `missing: {missing}` "
        raise input_error(subject, [f"{problem}leaves none; `drop` leaves out such columns"])
    remedy = "; `missing: median` fills in features" if missing == "drop" else ""
    why = f"{gone.sum()} of {len(gone)} rows have missing cells, in column {where}"
    table.take(~gone, f"{why}, and are left out{remedy}")


def leave_out_small_classes(table: Table, subject: str) -> None:
    """Remove the classes smaller than ``spec["min_class_size"]``, and warn of the removal."""
    fewest = table.spec.get("min_class_size")
    if fewest is None or "sample" in table.spec:
        return
    if "label" not in table.names:
        problem = f"`min_class_size: {fewest}` needs classes; name their column as `label`"
        raise input_error(subject, [problem])
    labels = table.names["label"]
    counts = labels[labels != ""].value_counts()
    small = counts[counts < fewest].sort_index()
    remaining = len(counts) - len(small)
    if remaining < 2:
        problem = f"`min_class_size: {fewest}` leaves {remaining} of {len(counts)} classes"
        raise input_error(subject, [f"{problem}; lower it"])
    if len(small):
        named = shortlist([f"{name!r} ({count})" for name, count in small.items()])
        why = f"{small.sum()} of {len(labels)} rows are of classes with fewer than {fewest} rows"
        table.take(~labels.isin(small.index), f"{why}, {named}, and are left out")
