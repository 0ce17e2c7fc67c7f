"""The description of a dataset in one row of ``tables/datasets.csv``."""

import numpy as np

from kpca.study.datasets.dataset import Dataset


def describe(dataset: Dataset) -> dict[str, str | int | float]:
    """Return the row that describes a dataset; docs/columns.md explains the columns."""
    train, test = dataset.splits[0]
    held_out = np.unique(np.concatenate([side for _, side in dataset.splits]))
    classes = np.zeros(len(dataset.X), np.int64) if dataset.y is None else dataset.y
    groups = 0 if dataset.groups is None else len(np.unique(dataset.groups))
    splits = "random splits" if dataset.time is None else "expanding windows"
    ratio = float(np.mean([len(test) / len(train) for train, test in dataset.splits]))
    return {
        "dataset": dataset.name,
        "rows": len(dataset.X),
        "rows_of_file": dataset.rows_of_file or len(dataset.X),
        "train": len(train),
        "test": len(test),
        "columns": dataset.X.shape[1],
        "classes": len(dataset.class_names),
        "task": dataset.task,
        "replicates": dataset.replicates,
        "draws": "independent" if dataset.independent else splits,
        "test_over_train": ratio,
        "groups": groups,
        "smallest_class": 0 if dataset.y is None else int(np.bincount(dataset.y).min()),
        "held_out": " ".join(map(str, np.bincount(classes[held_out]))),
        "source": dataset.source,
        "warnings": " | ".join(dataset.warnings),
    }
