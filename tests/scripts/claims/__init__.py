"""The statements that the topics measure, what their rules say of cases, and small versions."""

import functools
import os
import pickle
from importlib import import_module
from pathlib import Path
from unittest import mock

import pandas as pd
import yaml
from filelock import FileLock

from kpca.study.scoring.settings import Settings
from workflow.scripts.claims import claim

STATEMENTS = pd.read_csv(Path(claim.__file__).with_name("statements.csv"))
TOPICS = yaml.safe_load(Path(__file__).with_name("topics.yaml").read_text())
TOPICS["degree"]["OF_IMAGES"] = Settings((4, 64, 80, 100), (10.0,), 2, ("unit",), 1, 1.0)


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
