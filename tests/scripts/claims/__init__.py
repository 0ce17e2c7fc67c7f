"""The statements that the topics measure, what their rules say of cases, and small versions."""

import functools
import os
import pickle
from importlib import import_module
from pathlib import Path
from unittest import mock

import pandas as pd
from filelock import FileLock

from kpca.study.scoring.settings import Settings
from workflow.scripts.claims import claim

STATEMENTS = pd.read_csv(Path(claim.__file__).with_name("statements.csv"))
TWO = {"REPLICATES": 2}
RINGS = {"generator": "rings", "n_train": 80, "n_test": 200, "noise": 0.05}
IRIS = {"sklearn": "iris", "max_rows": 60}
WINE = {"sklearn": "wine", "standardize": True, "max_rows": 60}
SHEETS = {"linear": [1], "poly": [2], "rbf": [0.01, 1], "laplacian": [1], "geodesic": [6, 20]}
# Topic → constants that it is measured with in place of its own.
TOPICS = {
    "centring": {"REPLICATES": 3, "DATA": {"rings": RINGS, "wine": WINE}},
    "degree": TWO
    | {
        "DATA": {"rings": RINGS, "iris": IRIS},
        "DEGREES": [1, 2, 9],
        # Inner folds of so few images allow 105 components.
        "MORE": (80, 100),
        "OF_IMAGES": Settings((4, 64, 80, 100), (10.0,), 2, ("unit",), 1, 1.0),
        "DIGITS": {"digits": {"sklearn": "digits", "max_rows": 600}},
    },
    "gaussian": {
        "REPLICATES": 3,
        "DATA": {"iris": IRIS},
        "WIDTHS": [0.1, 1, 100],
        "DRAWS": 3,
        "SIZES": (50, 100),
    },
    "identities": TWO,
    "known_answers": {},
    "landmark_choices": TWO | {"N": 400, "SIZES": [50]},
    "shapes": TWO | {"MULTIPLES": [0.3, 1, 3.2, 10], "SHEET": 600, "GRID": SHEETS},
}


@functools.cache
def measured(topic):
    """Return the tables of the small version of a topic, which are not to be changed.

    The first worker that needs them measures them; the others wait for them.
    """
    module = import_module(f"workflow.scripts.experiments.{topic}")
    file = Path(os.environ["KPCA_SHARED"]) / f"{topic}.pickle"
    with FileLock(f"{file}.lock"), mock.patch.dict(vars(module), TOPICS[topic]):
        if not file.exists():
            file.write_bytes(pickle.dumps(module.measure(seed=0)))
    return pickle.loads(file.read_bytes())


def verdicts(cases):
    table = claim.judged(STATEMENTS, cases)
    return dict(zip(zip(table["claim"], table["case"], strict=True), table["verdict"], strict=True))
