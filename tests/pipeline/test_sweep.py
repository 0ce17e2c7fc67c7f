"""The folder of entries: only what is new is computed, and nothing that is damaged is used."""

import json
import logging
import os
import shutil
import signal
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from pipeline import plan
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.entries import Entries
from pipeline.outlook import outlook
from pipeline.plan import WHOLE, card_key, key_of, sweep_of
from pipeline.prune import prune
from pipeline.store import read_store
from pipeline.sweep import Sweep
from pipeline.tables.scores import scores_table, validation_table
from tests.workflow.pipeline import small_config

CONFIG = small_config(kernels={"rbf": {"gamma": [1, 2]}}, methods={})
CONFIG["evaluation"] |= {"n_components": [1, 3], "C": [1, 10]}
FIRST = "4 of 4 fits and 74 of 74 scores are new"


def changed(section: str, **values: Any) -> dict[str, Any]:
    config = deepcopy(CONFIG)
    config[section] |= values
    return config


def drawn(config: dict[str, Any], **changes: Any) -> Dataset:
    spec = config["datasets"]["rings"] | changes
    return make_dataset("rings", spec, seed=config["seed"], replicates=config["replicates"])


def sweep(folder: Path, config: dict[str, Any] = CONFIG, **changes: Any) -> Sweep:
    return Sweep(drawn(config, **changes), sweep_of(config, "rings"), folder / "results/entries")


def stored(folder: Path, name: str, wanted: Sweep) -> bytes:
    """Gather, and return the bytes of both files."""
    wanted.gather(folder / f"{name}_fits.npz", folder / f"{name}_scores.npz")
    return b"".join((folder / f"{name}_{kind}.npz").read_bytes() for kind in ("fits", "scores"))


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("once")
    assert sweep(folder).fill() == FIRST
    return folder


@pytest.fixture
def folder(swept_once: Path, tmp_path: Path) -> Path:
    """A folder in which the sweep has run."""
    return shutil.copytree(swept_once, tmp_path / "swept")


@pytest.mark.parametrize(
    ("config", "fits", "scores"),
    [
        (CONFIG, 0, 0),
        # Per replicate: 3 sizes of two kernels, 2 of PCA, two methods on raw rows, and two Gaussian
        # kernels on them.
        (changed("evaluation", C=[1, 10, 100]), 0, 2 * (2 * 3 + 2 + 2 + 2)),
        (changed("evaluation", C=[10]), 0, 0),
        (changed("evaluation", scaling=["unit", "whiten"]), 0, 2 * 2 * (2 * 3 + 2 + 1)),
        (changed("evaluation", kmeans_starts=2), 0, 2 * (2 * 3 + 2 + 1 + 2)),
        (changed("evaluation", n_components=[1, 2, 3]), 0, 2 * 3 * (2 + 1)),
        # Another width of fits, but PCA and raw rows are as they were.
        (changed("evaluation", n_components=[1, 3, 4]), 4, 2 * 3 * (2 * 4 + 1)),
        (changed("evaluation", variance_share=0.8), 4, 2 * 3 * 2 * 3),
        (changed("evaluation", folds=3), 0, 74),
        (changed("kernels", rbf={"gamma": [2, 4]}), 2, 2 * (3 * 3 + 3)),
        (CONFIG | {"replicates": 3}, 2, 37),
        (changed("kernels", linear={}), 2, 2 * 3 * 3),
    ],
    ids=[
        *("nothing", "a C more", "a C less", "whitened", "starts", "an m between", "a larger m"),
        *("share", "folds", "another point", "a replicate", "another kernel"),
    ],
)
def test_only_what_is_new_is_computed(
    folder: Path, tmp_path_factory: Any, config: dict[str, Any], fits: int, scores: int
) -> None:
    later, scratch = sweep(folder, config), sweep(tmp_path_factory.mktemp("scratch"), config)

    said = later.fill()

    assert said.split(" of ")[0] == str(fits)
    assert said.split(" and ")[1].split(" of ")[0] == str(scores)
    scratch.fill(processes=2)
    assert stored(folder, "later", later) == stored(folder, "scratch", scratch)


@pytest.mark.parametrize(
    ("what", "value"),
    [("fit_code", "other"), ("score_code", "other"), ("libraries", {"numpy": "3"}), ("noise", 0.3)],
)
def test_other_code_libraries_or_data_are_computed_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: str, value: Any
) -> None:
    changes = {what: value} if what == "noise" else {}
    if what == "libraries":
        monkeypatch.setattr(plan, "libraries", lambda: value)
    described = sweep_of(CONFIG, "rings") | ({what: value} if what.endswith("code") else {})

    again = Sweep(drawn(CONFIG, **changes), described, folder / "results/entries").fill()

    # PCA and the like need no fit.
    expected = {"fit_code": "4 of 4 fits and 36 of", "score_code": "0 of 4 fits and 74 of"}
    assert again.startswith(expected.get(what, FIRST))


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def edit(path: Path) -> None:
    """Put another number in, and leave the rest as it was."""
    if path.suffix == ".json":
        content = json.loads(path.read_text())
        next(iter(content["scores"].values()))[0][-2] += 0.125
        path.write_text(json.dumps(content))
    else:
        arrays = dict(np.load(path))
        arrays["eigenvalues_"] = 2 * arrays["eigenvalues_"]
        np.savez(path, **arrays)


def swap(path: Path) -> None:
    """Put a whole entry there that belongs to another key."""
    path.write_bytes(next(p for p in path.parent.iterdir() if p != path).read_bytes())


@pytest.mark.parametrize("kind", ["fits", "scores"])
@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:200]),
        flip,
        edit,
        swap,
    ],
    ids=["missing", "empty", "truncated", "a bit", "edited", "foreign"],
)
def test_what_is_damaged_is_named_and_computed_again(
    folder: Path, caplog: pytest.LogCaptureFixture, kind: str, spoil: Callable[[Path], None]
) -> None:
    before = stored(folder, "before", sweep(folder))
    path = min((folder / "results/entries" / kind).iterdir())
    spoil(path)
    again = sweep(folder)

    with caplog.at_level(logging.WARNING):
        said = again.fill()

    assert said.startswith("1 of 4 fits and 0 of" if kind == "fits" else "0 of 4 fits and")
    assert said != sweep(folder).fill()
    assert ("computed again" in caplog.text) == (spoil is not Path.unlink)
    assert (path.name in caplog.text) == (spoil is not Path.unlink)
    assert stored(folder, "after", again) == before


def test_parts_fill_the_folder_and_the_whole_finds_it_full(folder: Path, tmp_path: Path) -> None:
    parted = tmp_path / "parted"
    for part in range(3):
        sweep(parted).fill(part, 3, processes=2)

    assert sweep(parted).fill().startswith("0 of 4 fits and 0 of 74")
    assert stored(parted, "x", sweep(parted)) == stored(folder, "x", sweep(folder))


def fatal(x: np.ndarray, y: np.ndarray, first: str) -> float:
    """Kill the process, once."""
    if not Path(first).exists():
        Path(first).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x @ y)


def hopeless(x: np.ndarray, y: np.ndarray) -> float:
    raise ValueError("no such kernel")


def test_a_process_that_is_killed_costs_what_it_had_under_way(tmp_path: Path) -> None:
    own = {"callable": f"{__name__}:fatal", "parameters": {"first": [str(tmp_path / "first")]}}
    config = changed("kernels", own=own)

    wanted = sweep(tmp_path, config)
    wanted.fill(processes=2)

    assert (tmp_path / "first").exists()
    wanted.gather(tmp_path / "fits.npz", tmp_path / "scores.npz")
    assert len(read_store(tmp_path / "fits.npz")) == 6


def test_an_error_in_one_kernel_leaves_what_the_others_have_stored(tmp_path: Path) -> None:
    config = changed("kernels", own={"callable": f"{__name__}:hopeless"})

    with pytest.raises(ValueError, match=r"'rings'(.|\n)*no such kernel"):
        sweep(tmp_path, config).fill(processes=2)

    assert sweep(tmp_path).fill().startswith("0 of 4 fits and 0 of")


@pytest.fixture
def configured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the card of its dataset, as the working directory."""
    monkeypatch.chdir(folder)
    (folder / "results/datasets").mkdir()
    card = {"key": card_key(CONFIG, "rings"), **drawn(CONFIG).card()}
    (folder / "results/datasets/rings.json").write_text(json.dumps(card))
    return folder


def test_the_outlook_counts_what_a_run_would_compute(configured: Path) -> None:
    assert outlook(CONFIG) == "0 fits and 0 scores are new, 4 and 74 stored"
    more = changed("evaluation", C=[1, 10, 100])
    assert outlook(more).startswith("0 fits and 24 scores are new, 4 and 74 stored, about ")
    assert outlook(more | {"seed": 2}) == (
        "4 fits and 0 scores are new, 0 and 0 stored; scores come on top of datasets not made "
        "yet: rings"
    )


def test_pruning_keeps_what_some_configuration_needs(configured: Path) -> None:
    away = changed("kernels", rbf={"gamma": [2, 4]})
    sweep(configured, away).fill()
    for name, config in (("config", CONFIG), ("away", away)):
        (configured / f"{name}.yaml").write_text(yaml.safe_dump(config))

    assert prune(["config.yaml", "away.yaml"]).startswith("0 files removed")
    assert prune(["config.yaml"]).startswith("6 files removed")
    assert sweep(configured).fill().startswith("0 of 4 fits and 0 of 74")
    assert sweep(configured, away).fill().startswith("2 of 4 fits and 24 of 74")


def test_pruning_refuses_where_it_does_not_know(configured: Path) -> None:
    (configured / "other.yaml").write_text(yaml.safe_dump(CONFIG | {"seed": 2}))

    with pytest.raises(ValueError, match=r"nothing removed: .*\n.*'rings' of other.yaml"):
        prune(["other.yaml"])


@pytest.mark.parametrize("other", [("a", 1), ("a", 1.5), ("b", 2), ("a", 2, None)])
def test_keys_differ_where_anything_does(other: tuple[object, ...]) -> None:
    assert key_of("a", 2) != key_of(*other)


def test_a_key_cannot_hold_what_compares_to_nothing() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        key_of(float("nan"))


def test_all_rows_of_real_data_are_validated_and_stand_apart(tmp_path: Path) -> None:
    config = changed("evaluation", scaling=["unit", "whiten"])
    config["datasets"] = {"iris": {"sklearn": "iris"}}
    dataset = make_dataset("iris", config["datasets"]["iris"], seed=1, replicates=2)
    for C, scores in (([1], 6), ([1, 10], 6), ([1, 10], 0)):  # two kernels and PCA, two sizes
        config["evaluation"]["C"] = C
        wanted, found = Sweep(dataset, sweep_of(config, "iris"), tmp_path), Entries(tmp_path)
        of_all = [task for task in wanted.tasks if task.replicate == WHOLE]
        assert {task.fit_key for task in of_all} == {""}
        assert sum(len(t.scores.keys() - found.scored(t).scores.keys()) for t in of_all) == scores
        wanted.fill()
    wanted.gather(tmp_path / "fits.npz", tmp_path / "scores.npz")

    stores = {"iris": tmp_path / "scores.npz"}
    assert set(scores_table(stores)["replicate"]) == {0, 1}
    validated = validation_table(stores)
    assert set(validated["split"]) == {"cv"}
    assert set(validated["method"]) == {"linear_svm"}
    assert len(validated) == 3 * 2 * 2
