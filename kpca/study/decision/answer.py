"""`Answer`: what to use for a dataset, as shown in notebooks, answer.md and answer.json."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

import pandas as pd

from kpca.study.decision.importance import importance_sentence, importance_words
from kpca.study.decision.record import COMPARED, RECOMMENDED, Decision
from kpca.study.decision.sentence import difference, option_names, percentage, with_ci
from kpca.study.evidence.comparison import PLANNED
from kpca.study.evidence.selection import KERNEL_PCA
from kpca.study.scoring.metrics import METRICS

_TABLES = ("ranking", "checks", "by_components", "importance")
SCHEMA = 2  # version of `Answer.to_dict`, raised if a key is removed or gets another meaning
_EXPORTED = ("model", "kernel", "cell", "parameters", "n_components", "scaling")
_PREDICTOR = ("predictor", "predictor_cell", "predictor_parameters", "C", "predictor_score")


@dataclass(frozen=True, repr=False)
class Answer:
    """What to use for a dataset, with probabilities, and what limits the answer.

    Attributes
    ----------
    decision : Decision
        The row of ``tables/decisions.csv``, with its columns as attributes.
    ranking : DataFrame
        The rows of ``tables/ranking.csv``: one per option.
    checks : DataFrame
        The rows of ``tables/checks.csv``: one per check.
    left_out : str
        Parts of the run left out because of ``quick=true`` or the number of rows; empty if none.
    by_components : DataFrame
        The rows of ``tables/by_components.csv``: scores by the number of components.
    notices : tuple of str
        What is unusual about the table, and how it was read.
    importance : DataFrame
        The rows of ``tables/importance.csv``: what drives the recommended predictor.
    """

    decision: Decision
    ranking: pd.DataFrame
    checks: pd.DataFrame
    left_out: str = ""
    by_components: pd.DataFrame = field(default_factory=pd.DataFrame)
    notices: tuple[str, ...] = ()
    importance: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def sentence(self) -> str:
        """The answer in words."""
        return self.decision.sentence

    @property
    def drivers(self) -> str:
        """A sentence on which columns drive the prediction; empty if that is not known."""
        return importance_sentence(self.importance, self.decision)

    @property
    def comparisons(self) -> pd.DataFrame:
        """Kernel PCA compared with raw features and PCA, and the recommended option with chance."""
        rows = []
        for baseline, model in PLANNED.items():
            option = self.decision.recommended if baseline == "chance" else KERNEL_PCA
            rows.append((option, model, *self.decision.interval(COMPARED[baseline])))
        columns = ["option", "baseline", "difference", "low", "high", "probability", "verdict"]
        return pd.DataFrame(rows, columns=columns)

    def tables(self) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Return three tables in words: the ranking, the comparisons and the issues."""
        measure = self.decision.measure
        names = option_names(measure, self.decision.raw_method)
        ranked = [
            {
                "option": f"{row['model']}{' (recommended)' if row['recommended'] else ''} "
                + names[row["model"]],
                METRICS[measure].words: with_ci(row["mean"], row["low"], row["high"]),
                "P(better than the recommended)": percentage(row["probability"]),
            }
            for row in self.ranking.sort_values("mean", ascending=False).to_dict("records")
        ]
        sizes = [
            {
                "compared": f"{row['option']} with {row['baseline']}",
                "difference": difference(measure, row["difference"], row["low"], row["high"]),
                "P(better)": percentage(row["probability"]),
                "verdict": row["verdict"],
            }
            for row in self.comparisons.dropna(subset="difference").to_dict("records")
        ]
        issues = self.checks[self.checks["status"] == "issue"]
        return pd.DataFrame(ranked), pd.DataFrame(sizes), issues[["code", "title", "text"]]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a dict of plain values, with None for missing numbers.

        The keys are those of ``answer.json``, which docs/howto/notebook.md describes.
        """
        decision = asdict(self.decision)
        values = {
            "schema": SCHEMA,
            "dataset": self.decision.dataset,
            "sentence": self.sentence,
            "components": self.decision.sentence_components,
            "predict": self.decision.sentence_predict,
            "drivers": self.drivers,
            "left_out": self.left_out,
            "notices": [*self.notices],
            **{name: decision[name] for name in ("recommended", "measure", *RECOMMENDED)},
            "ranking": self.ranking,
            "comparisons": self.comparisons,
            "by_components": self.by_components,
            "embedding": {name: decision[name] for name in _EXPORTED},
            "predictor": {name: decision[name] for name in _PREDICTOR},
            "checks": self.checks,
            "importance": self.importance,
        }
        return dict(_plain(values))

    def to_markdown(self) -> str:
        """Return the answer as Markdown: the sentence, ranking, comparisons and issues.

        Names of columns and classes are escaped, so that Markdown and HTML show them as they are.
        """
        parts = [f"# {_escaped(self.decision.dataset)}", *map(_escaped, self._sentences())]
        if self.notices:
            parts.append("\n".join(f"- {_escaped(notice)}" for notice in self.notices))
        for table in self.tables():
            if len(table):
                head = map(_escaped, table.columns)
                rule = ["---"] * len(table.columns)
                rows = (map(_escaped, row) for row in table.to_numpy())
                parts.append("\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows)))
        return "\n\n".join(parts) + "\n"

    def _repr_html_(self) -> str:
        tables = [*self.tables(), importance_words(self.importance, self.decision.measure)]
        shown = [table.to_html(index=False, border=0) for table in tables if len(table)]
        texts = [*self._sentences(), *self.notices]
        return "".join([*(f"<p>{escape(text)}</p>" for text in texts), *shown])

    def __repr__(self) -> str:
        return self.to_markdown()

    def _sentences(self) -> list[str]:
        left_out = f"{self.left_out[:1].upper()}{self.left_out[1:]}." * bool(self.left_out)
        return [self.sentence, *filter(None, [self.drivers, left_out])]


def answers(
    decisions: pd.DataFrame,
    left_out: Sequence[str],
    notices: Mapping[str, Sequence[str]],
    **tables: Any,
) -> list[Answer]:
    """Return one answer per dataset; ``notices`` maps a dataset to what is unusual about its table.

    ``left_out`` lists the parts that the run left out. The ``tables`` are those of all datasets.
    """
    answered = []
    for row in decisions.to_dict("records"):
        decision = Decision.of(row)
        here = {
            name: table[table["dataset"] == decision.dataset].reset_index(drop=True)
            for name, table in tables.items()
            if name in _TABLES
        }
        noticed = tuple(notices.get(decision.dataset, ()))
        answered.append(Answer(decision, left_out="; ".join(left_out), notices=noticed, **here))
    return answered


def as_json(answered: Sequence[Answer]) -> str:
    """Return the text of ``answer.json``; numbers have as many digits as in the tables."""
    values = [answer.to_dict() for answer in answered]
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def usage(model: str, *, predicts: bool) -> str:
    """Return lines of Python that load and use a model file.

    Parameters
    ----------
    model : str
        Path of the file.
    predicts : bool
        Whether the file holds a predictor. Otherwise, the lines compute components.

    Examples
    --------
    >>> print(usage("results/my/predictor.npz", predicts=True))
    import kpca
    from kpca.reading.formats import read_table
    <BLANKLINE>
    model = kpca.load('results/my/predictor.npz')  # steps of scikit-learn, the first reads cells
    print(model.predict(read_table("new.csv")))
    """
    action = "predict" if predicts else "transform"
    return "\n".join(
        [
            "import kpca",
            "from kpca.reading.formats import read_table",
            "",
            f"model = kpca.load({model!r})  # steps of scikit-learn, the first reads cells",
            f'print(model.{action}(read_table("new.csv")))',
        ]
    )


def _escaped(text: object) -> str:
    """Return text that Markdown shows as it is, on one line."""
    return re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", " ".join(str(text).split()))


def _plain(value: Any) -> Any:
    """Return a value for JSON: plain types, None for NaN, twelve digits, a table as a list."""
    if isinstance(value, pd.DataFrame):
        value = value.drop(columns="dataset", errors="ignore").to_dict("records")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.12g}")
    return value
