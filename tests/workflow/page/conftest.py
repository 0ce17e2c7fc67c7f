"""A small folder of results, and small datasets with fits, whose words try to break out."""

import json
from itertools import product
from pathlib import Path
from shutil import copytree, which

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import yaml
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from kpca.study.cache import Cache
from kpca.study.datasets.dataset import Dataset
from kpca.study.evidence.faithfulness import TRAINING
from kpca.study.fitting.fits import FitOptions, fit_grid
from kpca.study.fitting.grid import points
from tests.kpca.study.decision.test_answer import DECISION
from tests.scores import setting
from workflow.drawing import style
from workflow.drawing.display_choice import read_sweep
from workflow.scripts.page.write_explorer import explorer
from workflow.scripts.page.write_lesson import lesson
from workflow.scripts.page.write_page import page

HOSTILE = """<script>window.broken = 1</script>"'&<img src=x onerror="window.broken=1">"""
FIGURES = [
    {
        "name": name,
        "category": "Claims",
        "title": "test scores",
        "caption": "workflow/scripts/sweep_figures/gain.rst",
    }
    for name in ("gain", "rings")
]
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pictures(**gains):
    """Return measures where kernel PCA differs from PCA by some numbers ± 0.1, t-SNE by 0.05."""
    rows = [{"measure": "variance", "method": "PCA", "mean": 0.6}]
    for measure in (*TRAINING, "alone"):
        other = gains.get("t-SNE", 0.05) if measure == "training" else 0.05
        mine = {"PCA": 0.0, "kernel PCA": gains.get(measure, 0.0), "t-SNE": other}
        for method, gain in mine.items():
            interval = {"gain": gain, "gain_low": gain - 0.1, "gain_high": gain + 0.1}
            mean = {"t-SNE": np.nan}.get(method, 1.0) if measure == "alone" else 0.5 + gain
            interval |= {"mean": mean, "low": mean - 0.1, "high": mean + 0.1}
            rows.append({"measure": measure, "method": method} | interval)
    return rows


def tables():
    """Path → table of a run of one dataset, of run.yaml."""
    text = Path(__file__).with_name("run.yaml").read_text()
    records = yaml.safe_load(text.replace("HOSTILE", json.dumps(HOSTILE)[1:-1]))
    frames = {path: pd.DataFrame(rows) for path, rows in records.items()}
    decisions = pd.DataFrame([DECISION]).assign(**records["tables/decisions.csv"][0])
    view = pd.DataFrame(pictures(training=0.2)).assign(dataset="iris")
    return frames | {"tables/decisions.csv": decisions, "tables/own_view.csv": view}


def write(folder, frames=None):
    """Write the files of a run below a folder, by default of one dataset; return their paths."""
    for path, frame in (frames or tables()).items():
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


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """Folder of a run with its page. Not to be changed."""
    folder = tmp_path_factory.mktemp("results of a run")
    text = page(folder, write(folder), FIGURES)
    (folder / "report/index.html").write_text(text)
    return folder


@pytest.fixture(scope="session")
def several(tmp_path_factory):
    """The page of two datasets with different measures."""
    folder = tmp_path_factory.mktemp("two")
    frames = tables()
    described = frames["tables/datasets.csv"]
    first = frames["tables/decisions.csv"].assign(gain=0.1, gain_low=0.0, gain_high=0.2)
    second = first.assign(dataset="moons", measure="correlation", gain_high=0.9)
    frames["tables/decisions.csv"] = pd.concat([first, second])
    frames["tables/datasets.csv"] = pd.concat([described, described.assign(dataset="moons")])
    frames["models/moons.csv"] = frames["models/iris.csv"]
    return page(folder, write(folder, frames), FIGURES)


GRID = {
    "linear": points("linear", {}),
    "rbf": points("rbf", {"median": [0.3, 1, 3]}),
    "poly": points("poly", {"degree": [9]}),  # No store has these fits.
}
SPLITS = ((np.arange(20), np.arange(20, 30)),)


def datasets():
    """Return rows of the plane with labels, and images with a target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    images = rng.normal(size=(30, 12))
    plane = Dataset(
        name="plane",
        X=X,
        y=np.arange(30) % 2,
        ids=np.array([HOSTILE] * 30),
        class_names=(HOSTILE, "b"),
        feature_names=(HOSTILE, "width"),
        standardize=True,
        splits=SPLITS,
    )
    pictures = Dataset(name="pictures", X=images, target=X[:, 0], image_shape=(3, 4), splits=SPLITS)
    return [plane, pictures]


def write_fits(folder, dataset, swept, n_components):
    """Write fits of a dataset as the rule `fit` does, and return their folder."""
    cache = Cache(folder.parent / "cache", ())
    options = FitOptions(n_components, folds=2, variance_share=0.5, seed=0)
    cache.link(fit_grid(dataset, swept, options, cache), folder)
    return str(folder)


@pytest.fixture(scope="session")
def taken(tmp_path_factory):
    """What the explorer takes: fits of two datasets and their scores. Not to be changed."""
    folder = tmp_path_factory.mktemp("fits")
    swept = [*GRID["linear"], *GRID["rbf"]]
    paths = {"datasets": [], "fits": []}
    scores = []
    for dataset, method in zip(datasets(), ("linear_svm", "least_squares"), strict=True):
        name = dataset.name
        dataset.save(folder / f"{name}.npz")
        paths["datasets"].append(str(folder / f"{name}.npz"))
        paths["fits"].append(write_fits(folder / name, dataset, swept, 4))
        of_dataset = {"dataset": name, "method": method}
        pca = of_dataset | {"cell": "pca", "kernel": "pca", "n_components": 1}
        scores += setting(0.55, 0.55, **pca)
        for (position, point), m in product(enumerate(swept), (1, 2)):
            cell = of_dataset | {"cell": point.id, "kernel": point.kernel, "n_components": m}
            validated = 0.5 + m / 100 + position / 10
            tested = 0.4 + position / 10
            for C, change in ((1.0, 0.0), (10.0, 0.05)):  # validation prefers the first
                scores += setting(validated - change, tested + change, C=C, **cell)
    grid = {kernel: [vars(point) for point in family] for kernel, family in GRID.items()}
    return {
        "sweep": read_sweep(points=grid, **paths),
        "scores": pd.DataFrame(scores),
        "decisions": pd.DataFrame(
            {"dataset": ["plane", "pictures"], "cell": "rbf-median3", "n_components": 2}
        ),
    }


@pytest.fixture(scope="session")
def pages(tmp_path_factory, results, several, taken):
    """Name → page of a browser."""
    folder = tmp_path_factory.mktemp("pages") / "report"
    copytree(results / "figures", folder.parent / "figures")
    folder.mkdir()
    few = taken | {"scores": taken["scores"].query("cell != 'rbf-median0.3'")}
    texts = {
        "index.html": (results / "report/index.html").read_text(),
        "several.html": several,
        "explorer.html": explorer(**few),
        "lesson.html": lesson(tables()["tables/decisions.csv"]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
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
    driver.set_script_timeout(120)  # Axe takes long on a long page.
    yield driver
    driver.quit()
