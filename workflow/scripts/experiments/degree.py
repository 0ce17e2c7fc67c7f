"""Parameters before a linear SVM: degree of the kernel, constants c and θ, number of components.

A degree is used as a practitioner would (some components, C by cross-validation), and with nothing
that holds back (all components, each of variance 1). Up to four times as many components as inputs
are used on images, whose splits are not those of the sweep: their seed is one of this study.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Split
from kpca.study.fitting.fitted_models import estimator, resolve_gamma, training_scores
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import Options
from kpca.study.scoring.metrics import balanced_accuracy
from kpca.study.scoring.predictors import train
from kpca.study.scoring.settings import Settings
from kpca.study.seeds import seed_for
from workflow.job import script
from workflow.scripts.claims.claim import Case, averaged, of_rows
from workflow.scripts.experiments import setting
from workflow.scripts.experiments.setting import DATA, KERNELS, PENALTY, REPLICATES, bounds, units

DEGREES = (1, 2, 3, 5, 7, 9)
LOW = 2
HIGH = 9
TUNED = Settings((32,), (1.0, 10.0, 100.0), 3, ("unit",), 1, 1.0)
FREE = Options(PENALTY, "balanced")
SIDES = ("train", "test")
N_COMPONENTS = 5  # of constants
# One constant for the Gaussian kernel, which has none: sigmoid kernels are compared with it.
CONSTANTS = {"poly": (0.0, 0.1, 1.0, 10.0), "sigmoid": (-2.0, -1.0, 0.0, 1.0), "rbf": (0.0,)}
DIGITS = {"digits": {"sklearn": "digits"}}
INPUTS = 64  # pixels of an image
MORE = (128, 256)  # components that the statements are about
CLAIMS = {"8-images-pca": "linear", "8-images-more": "rbf"}  # and the kernels of their baselines
OF_IMAGES = Settings((4, 8, 16, 32, INPUTS, *MORE), (10.0, 100.0), 3, ("unit",), 1, 1.0)


def unrestrained(split: Split, point: Point) -> dict[str, float]:
    """Return the accuracy of a linear SVM on every component, each scaled to variance 1."""
    gamma = resolve_gamma(point, split.X_train)
    model = estimator(point, gamma, n_components=None).fit(split.X_train)
    Z_train = training_scores(model)
    Z_test = model.transform(split.X_test)
    y_train = np.asarray(split.y_train)
    y_test = np.asarray(split.y_test)
    rule = train("linear_svm_whitened", Z_train, y_train, FREE)
    sides = {"train": (y_train, Z_train), "test": (y_test, Z_test)}
    return {side: balanced_accuracy(y, rule.predict(Z)) for side, (y, Z) in sides.items()}


USES: dict[str, Callable[[Split, Point], Any]] = {
    "tuned": lambda split, point: setting.tuned(split, point, TUNED).iloc[0],
    "all": unrestrained,
}


def changes(table: pd.DataFrame) -> pd.DataFrame:
    """Return how accuracies change up to degree `HIGH`, and by how much they can at most.

    Training accuracy and the gap between training and test accuracy change from degree `LOW`, test
    accuracy from the best degree. This has the largest mean in the other replicates.
    """
    keys = ["use", "dataset", "overlap"]
    values = table.set_index([*keys, "replicate", "split", "degree"])["value"]
    by = values.unstack(["split", "degree"])
    train = by["train"]
    test = by["test"]
    others = test.groupby(level=keys, dropna=False).transform("sum") - test
    best = test.to_numpy()[np.arange(len(test)), others.to_numpy().argmax(axis=1)]
    gap = train - test
    steps = {
        "train": (train[HIGH] - train[LOW], 1 - train[LOW]),
        "test": (test[HIGH] - best, 1 - best),
        "gap": (gap[HIGH] - gap[LOW], 1 - gap[LOW]),
    }
    parts = []
    for side, (change, room) in steps.items():
        rows = pd.DataFrame({"change": change, "room": room}).reset_index()
        most = rows.groupby(["use", "dataset"], sort=False)["room"].mean().round(10).to_numpy()
        bounded = bounds(rows, ["use", "dataset"], "change")
        parts.append(bounded.assign(split=side, highest=most))
    return pd.concat(parts, ignore_index=True)


def constants(seed: int) -> Iterator[dict[str, Any]]:
    """Yield the balanced accuracy of every constant."""
    for unit, split in units(DATA, CONSTANTS, seed, REPLICATES):
        like = KERNELS[unit["kernel"]]
        for constant in CONSTANTS[unit["kernel"]]:
            point = like
            if "coef0" in like.parameters:  # the Gaussian kernel, for comparison, has none
                point = replace(like, parameters=like.parameters | {"coef0": constant})
            model = estimator(point, resolve_gamma(point, split.X_train), n_components=N_COMPONENTS)
            scores = training_scores(model.fit(split.X_train)), model.transform(split.X_test)
            value = setting.balanced_accuracy(*scores, split)
            yield unit | {"constant": constant, "value": value}


def constants_matter(table: pd.DataFrame) -> Iterator[Case]:
    """Yield what the best constant gains over the worst, and over the Gaussian kernel.

    Both constants of a replicate are those of the other replicates' means.
    """
    keys = ["dataset", "overlap", "replicate"]
    by = table.set_index([*keys, "kernel", "constant"])["value"].unstack(["kernel", "constant"])
    means = by.groupby(level=keys[:2], dropna=False).transform("mean")
    others = means - by / REPLICATES
    at = np.arange(len(by))
    gained = {}
    compared = {}
    for kernel in ("poly", "sigmoid"):
        values = by[kernel].to_numpy()
        seen = others[kernel].to_numpy()
        best = values[at, seen.argmax(axis=1)]
        worst = values[at, seen.argmin(axis=1)]
        gained[f"9-constant-{kernel}"], compared[f"9-constant-{kernel}"] = best - worst, worst
    compared["9-sigmoid"] = by["rbf"].to_numpy()[:, 0]
    gained["9-sigmoid"] = best - compared["9-sigmoid"]
    gains = by.index.to_frame(index=False)
    for claim, gain in gained.items():
        rows = gains.assign(gain=gain, left=1 - compared[claim])
        most = rows.groupby("dataset", sort=False)["left"].mean().to_numpy()
        yield from of_rows(claim, bounds(rows, ["dataset"], "gain").assign(highest=most))


def of_images(table: pd.DataFrame) -> Iterator[Case]:
    """Yield what more components gain over PCA and kernel PCA with as many as inputs."""
    by = table.pivot(index="replicate", columns=["kernel", "n_components"], values="value")
    overlap = float(table["overlap"].iloc[0])
    for m, (claim, kernel) in product(MORE, CLAIMS.items()):
        baseline = by[kernel, INPUTS]
        values = (by["rbf", m] - baseline).to_numpy()
        remaining = 1 - float(baseline.mean())
        yield averaged(claim, values, overlap, f"{m} components", highest=remaining)


def images(seed: int) -> pd.DataFrame:
    """Return balanced accuracies on images by kernel and number of components."""
    rows = []
    for unit, split in units(DIGITS, ("linear", "rbf"), seed_for(seed, "images"), REPLICATES):
        values = setting.tuned(split, KERNELS[unit["kernel"]], OF_IMAGES)["test"]
        # PCA has as many components as pixels that vary in every fold, a few less than inputs.
        values[INPUTS] = values.get(INPUTS, values.iloc[-1])
        sizes = [m for m in OF_IMAGES.n_components if m in values]
        rows += [unit | {"n_components": m, "value": values[m]} for m in sizes]
    return pd.DataFrame(rows)


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of parameters, and ``scores`` and ``images``: accuracies by degree and m."""
    # (γ x·y + 1)^d, γ = 1/(features · variance).
    points = {d: Point("poly", {"degree": d, "scale": 1, "coef0": 1}) for d in DEGREES}
    rows = [
        unit | {"degree": degree, "split": side, "value": outcomes[side]}
        for unit, split in units(DATA, USES, seed, REPLICATES)
        for degree, point in points.items()
        for outcomes in [USES[unit["kernel"]](split, point)]
        for side in SIDES
    ]
    table = pd.DataFrame(rows).rename(columns={"kernel": "use"})
    steps = changes(table).groupby(["use", "split"], sort=False)
    cases = [
        case for (use, side), rows in steps for case in of_rows(f"6-degree-{use}-{side}", rows)
    ]
    cases += constants_matter(pd.DataFrame(constants(seed)))
    cases += of_images(outcomes := images(seed))
    return {"claims": pd.DataFrame(cases), "scores": table, "images": outcomes}
