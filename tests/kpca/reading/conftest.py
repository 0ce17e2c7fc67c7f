"""Small tables of the user's own, written as text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kpca.reading.errors import InputError
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.make import check_dataset, make_dataset

Refusal = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, so that messages hold short paths."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refusal(folder: Path) -> Refusal:
    """Return the message with which a spec is refused."""

    def message(*, folds: int = 2, n_components: int = 1, **spec: Any) -> str:
        with pytest.raises(InputError) as caught:
            check_dataset("mine", spec, folds=folds, n_components=n_components)
        return str(caught.value)

    return message


def says(message: str, words: str) -> bool:
    """Return whether a message holds words in their order, with others in place of each …."""
    return bool(re.search(".*".join(map(re.escape, words.split("…"))), message))


def read(path: str = "my.csv", *, replicates: int = 2, **spec: Any) -> Dataset:
    return make_dataset("mine", {"path": path} | spec, seed=0, replicates=replicates)


def table(rows: int = 24) -> list[str]:
    """Lines of a CSV file: two features, a label, a group, a target."""
    header = "age,height,species,patient,dose"
    return [header, *(f"{i + 0.5},{i * 0.5},{'ab'[i % 2]},p{i // 2},{i / 10}" for i in range(rows))]


def write(path: str, lines: list[str]) -> None:
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
