"""Choose an option for every dataset, explain the choice, and check what may limit it."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from kpca.files import write_text
from kpca.study.decision.answer import answers, as_json, usage
from kpca.study.stages import decided_tables
from kpca.study.store import write_table
from workflow.job import script


@script
def decisions(
    paths: Any,
    left_out: Sequence[str],
    notices: Mapping[str, Sequence[str]],
    models: Mapping[str, str],
    **inputs: Any,
) -> None:
    """Write the tables that `decided_tables` returns, and the answers as Markdown and JSON.

    If ``models`` has a file for a dataset, Python code that uses this file follows the answer.
    """
    tables = decided_tables(**inputs)
    for name, table in tables.items():
        write_table(table, paths[name])
    answered = answers(left_out=left_out, notices=notices, **inputs, **tables)
    texts = []
    for answer in answered:
        texts.append(answer.to_markdown())
        print(f"{answer.decision.dataset}: {answer.sentence}", file=sys.stderr)
        if model := models.get(answer.decision.dataset):
            code = usage(model, predicts="predictor" in model)
            texts.append(f"For new rows, in Python:\n\n```python\n{code}\n```\n")
    write_text(paths["markdown"], "\n".join(texts))
    write_text(paths["json"], as_json(answered))
