"""A small folder of results, and small datasets with fits, whose words try to break out."""

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree, which
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from kpca.study.cache import Cache
from kpca.study.datasets.dataset import Dataset
from kpca.study.evidence.faithfulness import TRAINING
from kpca.study.fitting.fitted_models import fit_arrays
from kpca.study.fitting.grid import points
from kpca.study.store import Arrays, entry_name
from tests.kpca.study.decision.test_answer import DECISION
from tests.scores import score, table
from workflow.drawing import style
from workflow.drawing.display_choice import read_sweep
from workflow.scripts.page.write_explorer import explorer
from workflow.scripts.page.write_lesson import lesson
from workflow.scripts.page.write_page import page

HOSTILE = """<script>window.broken = 1</script>"'&<img src=x onerror="window.broken=1">"""
FIGURE = {"category": "Claims", "title": "test scores"}
FIGURE |= {"caption": "workflow/scripts/sweep_figures/gain.rst"}
FIGURES = [FIGURE | {"name": name} for name in ("gain", "rings")]
ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def unpacked(text: str) -> str:
    """Return what a page has in compressed form."""
    return gzip.decompress(base64.b64decode(text)).decode()


def pictures(**gains: float) -> list[dict[str, Any]]:
    """Return measures where kernel PCA differs from PCA by some numbers ± 0.1, t-SNE by 0.05."""
    rows: list[dict[str, Any]] = [{"measure": "variance", "method": "PCA", "mean": 0.6}]
    for measure in (*TRAINING, "alone"):
        other = gains.get("t-SNE", 0.05) if measure == "training" else 0.05
        mine = {"PCA": 0.0, "kernel PCA": gains.get(measure, 0.0), "t-SNE": other}
        for method, gain in mine.items():
            interval = {"gain": gain, "gain_low": gain - 0.1, "gain_high": gain + 0.1}
            mean = {"t-SNE": np.nan}.get(method, 1.0) if measure == "alone" else 0.5 + gain
            interval |= {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}
            rows.append({"measure": measure, "method": method} | interval)
    return rows


def tables() -> dict[str, pd.DataFrame]:
    """Path → table of a run of one dataset."""
    interval = {"low": 0.8, "high": 1.0, "gain": 0.2, "gain_low": 0.1, "gain_high": 0.3}
    decision = DECISION | {"dataset": "iris", "vs_raw": "worse", "vs_pca": "enough"}
    decision |= {"recommended": "raw features", "predictor": "rbf_svm"}
    decision |= {"sentence": f"It pays. Look: {HOSTILE}", "caveats": f"{HOSTILE} | few rows"}
    decision |= {"view": "rbf", "view_score": 0.75, "view_pca": 0.5}
    option: dict[str, Any] = {"dataset": "iris", "low": 0.9996, "high": 1.0}
    options = [
        option | {"model": name, "mean": mean, "probability": probability}
        for name, mean, probability in (("PCA", 0.7, 0.02), ("raw features", 0.95, np.nan))
    ]
    checks = [
        (*check, HOSTILE if check[1] == "issue" else None)
        for check in (("KP007", "issue", "note"), ("KP002", "issue", "warning"))
    ]
    checks += [("KP001", "passed", "warning", None), ("KP005", "not applicable", "warning", None)]
    dataset: dict[str, Any] = {"dataset": "iris", "train": 2, "test": 1, "columns": 4, "classes": 2}
    dataset |= {"rows": 3, "rows_of_file": 3, "replicates": 5, "source": "here"}
    dataset["draws"] = "independent"
    dataset |= {"left_out": "a quick look: 3 of 6 kernels", "warnings": f"{HOSTILE} | odd"}
    compared: dict[str, Any] = {"dataset": "iris", "method": "linear_svm", "main": True}
    compared |= {"metric": "balanced_accuracy", "criterion": "cv", "mean": 0.9} | interval
    compared["baseline"] = "pca"
    kernels = [compared | {"kernel": "pca", "mean": 0.85}, compared | {"kernel": "rbf"}]
    model = {"dataset": "iris", "model": "kernel PCA", "class": HOSTILE}
    recall = model | {"metric": "recall", "mean": 0.9, "low": 0.8, "high": 1}
    claim = {"claim": "1-a", "statement": HOSTILE, "verdict": "holds", "figure": "gain"}
    claim |= {"case": HOSTILE, "measured": 0.2, "low": 0.1, "high": 0.3, "rule": "gain > 0"}
    claim |= {"cases": HOSTILE}
    versions = [("version", "kpca", "1.0"), ("version", "numpy", "2"), ("parameter", "seed", "1")]
    versions.append(("parameter", "datasets.iris.label", json.dumps(HOSTILE)))
    named = {"dataset": "iris", "title": "a title"}
    checked = ["code", "status", "severity", "text"]
    points = np.linspace(-1, 1, 3)
    return {
        "tables/decisions.csv": pd.DataFrame([decision]),
        "tables/datasets.csv": pd.DataFrame([dataset]),
        "tables/ranking.csv": pd.DataFrame(options).assign(recommended=[False, True]),
        "tables/checks.csv": pd.DataFrame(checks, columns=checked).assign(**named),
        "tables/comparisons.csv": pd.DataFrame(kernels),
        "tables/held_out.csv": pd.DataFrame([recall]),
        "tables/confusion.csv": pd.DataFrame([model | {"predicted": HOSTILE, "rows": 17}]),
        "tables/claims.csv": pd.DataFrame([claim]),
        "tables/own_view.csv": pd.DataFrame(pictures(training=0.2)).assign(dataset="iris"),
        "papers/overview.csv": pd.DataFrame(
            {"paper": ["a", "b", "c"], "cells": [9, 80, 7.5], "note": [None, HOSTILE, "few"]}
        ),
        "provenance.csv": pd.DataFrame(versions, columns=["kind", "name", "value"]),
        "models/iris.csv": pd.DataFrame(
            {"row": range(3), "id": HOSTILE, HOSTILE: [HOSTILE, HOSTILE, "b"], "size": points / 2}
            | {f"component_{c}": points * c for c in (1, 2, 3)}
            | {"view_1": points, "view_2": points, "pca_1": points, "pca_2": points + 1}
        ),
    }


def write(folder: Path) -> list[str]:
    """Write the files of a run below a folder, and return their paths."""
    for path, frame in tables().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(folder / path, index=False)
    (folder / "models/iris-predictor.npz").write_bytes(b"")
    (folder / "report").mkdir()
    (folder / "figures").mkdir()
    for name, marks in (("gain", 3), ("rings", 9000)):
        fig, axes = style.figure(width=style.COLUMN)
        with mpl.rc_context({"path.simplify": False}):
            axes[0, 0].plot(np.random.default_rng(0).random(marks), "o")
            style.save(fig, [folder / f"figures/{name}.{kind}" for kind in ("svg", "png")])
    return [str(path) for path in sorted(folder.rglob("*.*"))]


def of_two(folder: Path) -> str:
    """Return the page of two datasets with different measures, below an empty folder."""
    made = write(folder)
    path = folder / "tables/decisions.csv"
    first = pd.read_csv(path).assign(gain=0.1, gain_low=0.0, gain_high=0.2)
    second = first.assign(dataset="moons", measure="correlation", gain_high=0.9)
    pd.concat([first, second]).to_csv(path, index=False)
    described = pd.read_csv(folder / "tables/datasets.csv")
    both = pd.concat([described, described.assign(dataset="moons")])
    both.to_csv(folder / "tables/datasets.csv", index=False)
    made.append(str(copy(folder / "models/iris.csv", folder / "models/moons.csv")))
    return page(folder, made, FIGURES)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a run with its page. Not to be changed."""
    folder = tmp_path_factory.mktemp("results of a run")
    text = page(folder, write(folder), FIGURES)
    (folder / "report/index.html").write_text(text)
    return folder


@pytest.fixture(scope="session")
def several(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of two datasets."""
    return of_two(tmp_path_factory.mktemp("two"))


GRID = {
    "linear": points("linear", {}),
    "rbf": points("rbf", {"median": [0.3, 1, 3]}),
    "poly": points("poly", {"degree": [9]}),  # which no store has
}
SIZES = (1, 2)
SPLITS = ((np.arange(20), np.arange(20, 30)),)


def datasets() -> list[Dataset]:
    """Return rows of the plane with labels, and images with a target."""
    rng = np.random.default_rng(0)
    X, images = rng.normal(size=(30, 2)), rng.normal(size=(30, 12))
    named: dict[str, Any] = {"class_names": (HOSTILE, "b"), "feature_names": (HOSTILE, "width")}
    named |= {"y": np.arange(30) % 2, "ids": np.array([HOSTILE] * 30)}
    plane = Dataset(name="plane", X=X, standardize=True, splits=SPLITS, **named)
    pictures = Dataset(name="pictures", X=images, target=X[:, 0], image_shape=(3, 4), splits=SPLITS)
    return [plane, pictures]


def write_fits(folder: Path | str, fits: dict[str, Arrays]) -> None:
    """Write fits, by name, as the rule `fit` does."""
    cache = Cache(Path(folder).parent / "cache")
    keys = {name: cache.key(name, str(folder)) for name in fits}
    for name, key in keys.items():
        cache.write(key, fits[name])
    cache.link(keys, folder)


def given(folder: Path) -> dict[str, Any]:
    """Write the stores below a folder, and return what the explorer takes."""
    rows = []
    stored = [*GRID["linear"], *GRID["rbf"]]
    paths = {
        kind: [str(folder / f"{kind}-{dataset.name}.npz") for dataset in datasets()]
        for kind in ("datasets", "fits")
    }
    for dataset, data, fits in zip(datasets(), paths["datasets"], paths["fits"], strict=True):
        dataset.save(data)
        X = dataset.split(0).X_train
        arrays = {
            entry_name(p, 0): fit_arrays(p, X, n_components=4, variance_share=0.5) for p in stored
        }
        write_fits(fits, arrays)
        method = "linear_svm" if dataset.name == "plane" else "least_squares"
        pca = {"dataset": dataset.name, "cell": "pca", "kernel": "pca", "method": method}
        rows.append([score(0.55, split=split, n_components=1, **pca) for split in ("cv", "test")])
        for place, point in enumerate(stored):
            cell = {"dataset": dataset.name, "cell": point.id, "kernel": point.kernel}
            cell |= {"method": method}
            rows.append(
                [
                    score(value + place / 10, split=split, n_components=m, C=C, **cell)
                    for m in SIZES
                    for C, worse in ((1.0, 0.0), (10.0, 0.05))
                    for split, value in (("cv", 0.5 + m / 100 - worse), ("test", 0.4 + worse))
                ]
            )
    grid = {kernel: [vars(point) for point in family] for kernel, family in GRID.items()}
    chosen = {"dataset": ["plane", "pictures"], "cell": "rbf-median3", "n_components": 2}
    tables = {"scores": table(*rows), "decisions": pd.DataFrame(chosen)}
    return {"sweep": read_sweep(points=grid, **paths)} | tables


@pytest.fixture(scope="session")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the explorer takes. Not to be changed."""
    return given(tmp_path_factory.mktemp("fits"))


@pytest.fixture(scope="session")
def pages(
    tmp_path_factory: pytest.TempPathFactory, results: Path, several: str, taken: dict[str, Any]
) -> dict[str, Path]:
    """Name → page of a browser."""
    run = tmp_path_factory.mktemp("pages")
    copytree(results / "figures", run / "figures")
    folder = run / "report"
    folder.mkdir()
    few = taken | {"scores": taken["scores"].query("cell != 'rbf-median0.3'")}
    texts = {"several.html": several, "explorer.html": explorer(**few)}
    texts["lesson.html"] = lesson(tables()["tables/decisions.csv"])
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts} | {"index.html": results / "report/index.html"}


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """A browser that keeps its files in a folder of the tests."""
    chromium, chromedriver = map(which, ("chromium", "chromedriver"))
    if not (chromium and chromedriver):
        pytest.skip("needs chromium and chromedriver to look at the page")
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(chromedriver))
    driver.set_script_timeout(120)  # for axe, on a long page
    yield driver
    driver.quit()
