"""The folder of entries: every fit and every score, by the key of what determined it.

``fits/KEY.npz`` is one fit, ``scores/KEY.json`` the scores of one representation of one replicate,
by name. A file is whole or not there; one that is not as it was written counts as missing, and the
log names it. Imported while the Snakefile is parsed, hence without NumPy at the top.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.plan import Task, key_of

if TYPE_CHECKING:
    from pipeline.store import Arrays


class Scored(NamedTuple):
    """What is stored of a representation.

    Attributes
    ----------
    facts : dict
        What else the tables say of it, see `pipeline.evaluation.families`.
    scores : dict
        Name of a score → rows: number of components, method, C, metric, split, value.
    seconds : dict
        What each score took, and ``fit``.
    """

    facts: dict[str, float]
    scores: dict[str, list[Any]]
    seconds: dict[str, float]


class Entries:
    """The entries below a folder."""

    def __init__(self, folder: Path | str) -> None:
        self._folder = Path(folder)
        self._named: set[Path] = set()

    def fit_path(self, task: Task) -> Path:
        """Return where a fit is stored."""
        return self._folder / f"fits/{task.fit_key}.npz"

    def scores_path(self, task: Task) -> Path:
        """Return where scores are stored."""
        return self._folder / f"scores/{task.scores_key}.json"

    def fit(self, task: Task) -> Arrays | None:
        """Return a stored fit, None where there is none."""
        from pipeline.store import DamagedError, read_arrays

        path = self.fit_path(task)
        try:
            arrays = read_arrays(path)
            if str(arrays.pop("key", "")) != task.fit_key:
                raise DamagedError("it belongs to another key")
        except FileNotFoundError:
            return None
        except DamagedError as error:
            self._refuse(path, error)
            return None
        return arrays

    def save_fit(self, task: Task, arrays: Arrays) -> None:
        """Store a fit."""
        import numpy as np

        from pipeline.store import write_arrays

        members = arrays | {"key": np.array(task.fit_key)}
        write_arrays(self.fit_path(task), sorted(members.items()))

    def scored(self, task: Task) -> Scored:
        """Return all that is stored of a representation, wanted or not."""
        path = self.scores_path(task)
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            content = (stored["key"], stored["facts"], stored["scores"])
            if content[0] != task.scores_key or stored["digest"] != key_of(*content):
                raise ValueError("it is not as it was written")
            return Scored(stored["facts"], stored["scores"], stored["seconds"])
        except FileNotFoundError:
            pass
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            self._refuse(path, error)
        return Scored({}, {}, {})

    def save_scored(self, task: Task, scored: Scored) -> None:
        """Store all that is known of a representation."""
        from pipeline.files import write_atomically

        content = {"key": task.scores_key, **scored._asdict()}
        content["digest"] = key_of(task.scores_key, scored.facts, scored.scores)
        text = json.dumps(content)
        write_atomically(self.scores_path(task), lambda file: file.write(text.encode()))

    def _refuse(self, path: Path, why: object) -> None:
        if path not in self._named:
            logging.warning("%s: %s; computed again", path, why)
        self._named.add(path)
