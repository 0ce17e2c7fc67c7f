"""Small tables of the user's own, written as text."""

import re
from pathlib import Path

import pytest

from kpca.reading.errors import InputError
from kpca.study.datasets.make import check_dataset, make_dataset


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in an empty folder, so that messages hold short paths."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refusal(folder):
    """Return the message with which a spec is refused."""

    def message(*, folds=2, n_components=1, **spec):
        with pytest.raises(InputError) as caught:
            check_dataset("mine", spec, folds=folds, n_components=n_components)
        return str(caught.value)

    return message


def says(message, words):
    """Return whether a message holds words in their order, with others in place of each …."""
    return bool(re.search(".*".join(map(re.escape, words.split("…"))), message))


def read(path="my.csv", *, replicates=2, **spec):
    return make_dataset("mine", {"path": path} | spec, seed=0, replicates=replicates)


def table(rows=24):
    """Lines of a CSV file: two features, a label, a group, a target."""
    header = "age,height,species,patient,dose"
    return [header, *(f"{i + 0.5},{i * 0.5},{'ab'[i % 2]},p{i // 2},{i / 10}" for i in range(rows))]


def write(path, lines):
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
