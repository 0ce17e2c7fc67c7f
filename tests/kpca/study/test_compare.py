"""Two folders of results, cell by cell."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from kpca.study.compare import compare_folders, compare_tables, main

SCORES = pd.read_csv(
    StringIO(
        """dataset,cell,gamma,C,value,verdict
rings,rbf-median1,0.123456789,0.1,0.5,better
rings,rbf-median1,0.123456789,1.0,0.75,inconclusive
iris,rbf-median1,0.7,1.0,1.0,better
iris,linear,,1.0,0.25,better
"""
    )
)


def folder(path, **tables):
    for name, table in tables.items():
        target = path / "tables" / f"{name}.csv"
        target.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(target, index=False)
    return path


def test_a_folder_is_the_same_as_itself_whatever_its_times_and_versions(tmp_path):
    columns = ["kind", "name", "value"]
    for name, version in (("a", "2.4.6"), ("b", "2.5.0")):
        folder(tmp_path / name, scores=SCORES.assign(value=SCORES["value"] + 1e-9 * (name == "b")))
        rows = [("version", "numpy", version), ("parameter", "seed", "0")]
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / name / "provenance.csv", index=False)
    folder(tmp_path / "a/benchmarks", summary=SCORES)
    folder(tmp_path / "a/of_another_file", scores=SCORES)
    (tmp_path / "a/of_another_file/provenance.csv").write_text("kind,name,value\n")
    equal, report = compare_folders(tmp_path / "a", tmp_path / "b")
    assert equal
    assert "scores.csv: the same" in report
    assert report.splitlines()[4] == "    version numpy 2.4.6: 2.4.6 -> 2.5.0"


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"value": [0.5, 0.75, 1.0, 0.3]}, "  iris linear better: 0.25 -> 0.3"),
        ({"value": [np.nan, 0.75, 1.0, 0.25]}, "  rings rbf-median1 better: 0.5 -> nan"),
        ({"verdict": "better"}, "  rings rbf-median1 inconclusive: inconclusive -> better"),
    ],
)
def test_a_changed_cell_is_shown_with_its_row(changed, line):
    [column] = changed
    assert compare_tables(SCORES, SCORES.assign(**changed)) == [f"{column}: 1 of 4 changed", line]


def test_rows_columns_and_tables_without_a_partner(tmp_path, capsys):
    more = pd.concat([SCORES.assign(dataset="wine"), SCORES, SCORES[:1]])
    a = folder(tmp_path / "a", scores=SCORES, old=SCORES, none=SCORES[:0])
    b = folder(tmp_path / "b", scores=more.assign(new=1.0), new=SCORES, none=SCORES[:0])
    assert (main([str(a), str(a)]), main([str(a), str(b)])) == (0, 1)
    report = capsys.readouterr().out
    assert "5 rows only in B: wine rbf-median1 better" in report
    assert "columns only in B: new" in report
    assert "changed\n" not in report.split("scores.csv: changed")[1]
    assert "none.csv: the same" in report
    assert "only in A: tables/old.csv" in report
    assert report.endswith("tables that differ: 1; without a partner: 2\n")


def test_a_folder_without_tables_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no table"):
        compare_folders(tmp_path, tmp_path)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none"), str(tmp_path)])
