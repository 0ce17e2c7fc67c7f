"""What moves with the instructions of a processor."""

from pathlib import Path

import pandas as pd

from benchmarks.instruction_sets import VERDICTS, changed_verdicts


def write(folder: Path, verdicts: list[str | None]) -> Path:
    for table, keys in VERDICTS.items():
        rows = [dict.fromkeys(keys, f"row {i}") | {"verdict": v} for i, v in enumerate(verdicts)]
        (folder / "tables").mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(folder / f"tables/{table}.csv", index=False)
    return folder


def test_verdicts_that_changed_are_listed_by_table_and_row(tmp_path: Path) -> None:
    before = write(tmp_path / "before", ["gain shown", "undecided", None])
    after = write(tmp_path / "after", ["gain shown", "no gain shown", None])

    found = changed_verdicts(before, after)

    assert found["table"].tolist() == list(VERDICTS)
    assert set(found["row"].str.contains("row 1")) == {True}
    assert set(found["verdict_after"]) == {"no gain shown"}
