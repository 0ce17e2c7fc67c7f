"""What a run would compute, and what is stored already, without reading any data.

Imported while the Snakefile is parsed, hence the standard library only.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from pipeline.entries import Entries
from pipeline.plan import Task, card_key, grid_of, sweep_of, tasks


def tasks_of(config: Mapping[str, Any], dataset: str) -> list[Task] | None:
    """Return the tasks of a dataset, None where it has not been made as the configuration says."""
    path = Path(config["results"], "datasets", f"{dataset}.json")
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        if card.pop("key") != card_key(config, dataset):
            return None
        return list(tasks(sweep_of(config, dataset), **card))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def outlook(config: Mapping[str, Any]) -> str:
    """Return in words how many fits and scores are new, how many are stored, and the time it takes.

    The time is that of one processor, by what is stored of the same dataset. Of a dataset that has
    to be made every fit is new, its scores are not known yet, and no time is said.
    """
    entries = Entries(Path(config["results"], "entries"))
    new, stored, unmade = Counter[str](), Counter[str](), []
    seconds = 0.0  # NaN where what is stored does not tell
    for dataset, spec in config["datasets"].items():
        listed = tasks_of(config, dataset)
        if listed is None:
            points = sum(map(len, grid_of(config, dataset).values()))
            new["fit"] += points * spec.get("replicates", config["replicates"])
            unmade.append(dataset)
            continue
        lacking, there, took = _counted(entries, listed)
        new, stored = new + lacking, stored + there
        for kind in lacking:
            seconds += lacking[kind] * fmean(took.get(kind, [math.nan]))
    text = f"{new['fit']} fits and {new['score']} scores are new, "
    text += f"{stored['fit']} and {stored['score']} stored"
    if unmade:
        return f"{text}; scores come on top of datasets not made yet: {', '.join(unmade)}"
    return f"{text}, about {math.ceil(seconds)} s of one processor" if seconds > 0 else text


def _counted(
    entries: Entries, listed: Iterable[Task]
) -> tuple[Counter[str], Counter[str], dict[str, list[float]]]:
    """Return how many fits and scores are new and stored, and what the stored ones took."""
    new, stored = Counter[str](), Counter[str]()
    took: dict[str, list[float]] = {}
    for task in listed:
        scored = entries.scored(task)
        if task.fit_key:
            (stored if entries.fit_path(task).exists() else new)["fit"] += 1
        there = len(task.scores.keys() & scored.scores.keys())
        stored["score"] += there
        new["score"] += len(task.scores) - there
        for name, time in scored.seconds.items():
            took.setdefault("fit" if name == "fit" else "score", []).append(time)
    return +new, +stored, took
