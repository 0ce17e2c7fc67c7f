"""Kernel PCA before a linear SVM: degree, constants c and θ of the kernel, number of components.

Each degree is used as a practitioner would use it (some components, C by cross-validation), and
without any restraint (all components, each scaled to variance 1). On images, up to four times as
many components as inputs are used. The splits of images differ from those of the sweep, because
they use a seed of this study.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Split
from kpca.study.fitting.fitted_models import training_scores
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import Options
from kpca.study.scoring.metrics import balanced_accuracy
from kpca.study.scoring.predictors import train
from kpca.study.scoring.settings import Settings
from kpca.study.seeds import seed_for
from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, averaged, of_rows
from workflow.scripts.experiments import setting
from workflow.scripts.experiments.setting import (
    DATA,
    GRIDS,
    KERNELS,
    PENALTY,
    REPLICATES,
    at_best,
    best_of_others,
    fitted_point,
    limited,
    units,
)

DEGREES = GRIDS["degree"]
LOW = 2
HIGH = 9
TUNED = Settings((32,), (1.0, 10.0, 100.0), 3, ("unit",), 1, 1.0)
FREE = Options(PENALTY, "balanced")
SIDES = ("train", "test")
N_COMPONENTS = 5  # number of components in the comparison of constants coef0
CONSTANTS = GRIDS["constants"]
DIGITS = {"digits": {"sklearn": "digits"}}
INPUTS = 64  # number of pixels of an image
MORE = (128, 256)  # numbers of components, above `INPUTS`, that the statements are about
CLAIMS = {"8-images-pca": "linear", "8-images-more": "rbf"}  # claim → kernel of its baseline
OF_IMAGES = Settings((4, 8, 16, 32, INPUTS, *MORE), (10.0, 100.0), 3, ("unit",), 1, 1.0)


def unrestrained(split: Split, point: Point) -> dict[str, float]:
    """Return training and test accuracy of a linear SVM on all components, scaled to variance 1."""
    model = fitted_point(point, split.X_train, None)
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
    """Return how accuracies change up to degree `HIGH`, and the largest change that is possible.

    The change is counted from degree `LOW` for training accuracy and for the gap between training
    and test accuracy, and from the best degree for test accuracy. The best degree of a replicate
    has the largest mean in the other replicates.
    """
    keys = ["use", "dataset", "overlap"]
    values = table.set_index([*keys, "replicate", "split", "degree"])["value"]
    by = values.unstack(["split", "degree"])
    train = by["train"]
    test = by["test"]
    best = best_of_others(test, test, keys)
    gap = train - test
    steps = {
        "train": (train[HIGH] - train[LOW], 1 - train[LOW]),
        "test": (test[HIGH] - best, 1 - best),
        "gap": (gap[HIGH] - gap[LOW], 1 - gap[LOW]),
    }
    parts = []
    for side, (change, room) in steps.items():
        rows = pd.DataFrame({"change": change, "room": room}).reset_index()
        bounded = limited(rows, ["use", "dataset"], "change", "room")
        parts.append(bounded.assign(split=side, highest=bounded["highest"].round(10)))
    return pd.concat(parts, ignore_index=True)


def constants(seed: int) -> Iterator[dict[str, Any]]:
    """Yield the balanced accuracy for every dataset, kernel, replicate and constant coef0."""
    for unit, split in units(DATA, CONSTANTS, seed, REPLICATES):
        like = KERNELS[unit["kernel"]]
        for constant in CONSTANTS[unit["kernel"]]:
            point = like
            if "coef0" in like.parameters:  # The Gaussian kernel, for comparison, has no constant.
                point = replace(like, parameters=like.parameters | {"coef0": constant})
            model = fitted_point(point, split.X_train, N_COMPONENTS)
            scores = training_scores(model), model.transform(split.X_test)
            value = setting.balanced_accuracy(*scores, split)
            yield unit | {"constant": constant, "value": value}


def constants_matter(table: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases on the gain of the best constant over the worst, or over the Gaussian kernel.

    The best and the worst constant of a replicate follow from means over the other replicates.
    """
    keys = ["dataset", "overlap"]
    values = table.set_index([*keys, "replicate", "kernel", "constant"])["value"]
    by = values.unstack(["kernel", "constant"])
    others = by.groupby(level=keys, dropna=False).transform("mean") - by / REPLICATES
    compared = {}
    for kernel in ("poly", "sigmoid"):
        best = at_best(others[kernel], by[kernel])
        worst = at_best(-others[kernel], by[kernel])
        compared[f"9-constant-{kernel}"] = (best, worst)
    compared["9-sigmoid"] = (best, by["rbf"].to_numpy()[:, 0])
    for claim, (first, second) in compared.items():
        gains = by.index.to_frame(index=False).assign(gain=first - second, room=1 - second)
        yield from of_rows(claim, limited(gains, ["dataset"], "gain", "room"))


def of_images(table: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases on the gain of `MORE` components of kernel PCA over `INPUTS` components.

    The baseline with `INPUTS` components is PCA or kernel PCA.
    """
    by = table.pivot(index="replicate", columns=["kernel", "n_components"], values="value")
    overlap = table["overlap"].iloc[0]
    for m, (claim, kernel) in product(MORE, CLAIMS.items()):
        baseline = by[kernel, INPUTS]
        limit = {"overlap": overlap, "highest": 1 - baseline.mean()}
        yield averaged(claim, by["rbf", m] - baseline, f"{m} components", **limit)


def images(seed: int) -> pd.DataFrame:
    """Return balanced accuracies on images by kernel and number of components."""
    rows = []
    for unit, split in units(DIGITS, ("linear", "rbf"), seed_for(seed, "images"), REPLICATES):
        values = setting.tuned(split, KERNELS[unit["kernel"]], OF_IMAGES)["test"]
        # PCA has fewer components than inputs, because some pixels do not vary in every fold. The
        # accuracy at its largest number of components then stands for that at `INPUTS`.
        values[INPUTS] = values.get(INPUTS, values.iloc[-1])
        sizes = [m for m in OF_IMAGES.n_components if m in values]
        rows += [unit | {"n_components": m, "value": values[m]} for m in sizes]
    return pd.DataFrame(rows)


@script
def measure(*, seed: int) -> Tables:
    """Return the cases, and accuracies by degree (``scores``) and by components (``images``)."""
    rows = []
    for unit, split in units(DATA, USES, seed, REPLICATES):
        for degree in DEGREES:
            # The kernel is (γ x·y + 1)^d with γ = 1/(features · variance).
            point = Point("poly", {"degree": degree, "scale": 1, "coef0": 1})
            accuracy = USES[unit["kernel"]](split, point)
            for side in SIDES:
                rows.append(unit | {"degree": degree, "split": side, "value": accuracy[side]})
    table = pd.DataFrame(rows).rename(columns={"kernel": "use"})
    cases: list[Case] = []
    for (use, effect), steps in changes(table).groupby(["use", "split"], sort=False):
        cases += of_rows(f"6-degree-{use}-{effect}", steps)
    cases += constants_matter(pd.DataFrame(constants(seed)))
    of_digits = images(seed)
    cases += of_images(of_digits)
    return {"claims": pd.DataFrame(cases), "scores": table, "images": of_digits}
