"""The last words of a run, and what the rules read of Snakemake."""

from types import SimpleNamespace

import pytest

from tests.workflow.pipeline import snakemake
from workflow.messages import FULL, GO_ON, GO_ON_CLUSTER, closing_words, last_words


def touched(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return [folder / name for name in names]


def test_the_run_says_what_came_out_and_where_to_begin(tmp_path):
    names = ("tables/scores.csv", "tables/claims.csv", "figures/comparison.svg")
    targets = touched(tmp_path, *names, "figures/comparison.png", "provenance.csv")
    results = f"Results are in {tmp_path}: 2 tables in tables/, 1 figures in figures/."
    first = f"Look first at {tmp_path}/report/index.html."
    assert closing_words(tmp_path, targets) == f"{results}\n{first}"
    touched(tmp_path, "figures/roll.svg", "figures/.roll.svg-x1", "my/figures/rings.svg")
    table = tmp_path / "tables/decisions.csv"
    rows = "".join(f'd{i},"PCA is enough."\n' for i in range(7))
    table.write_text(f"dataset,sentence\n{rows}")
    decided = [f"d{i}: PCA is enough." for i in range(5)]
    earlier = "Figures of an earlier configuration or another target: roll.svg."
    lines = [*decided, f"… and 2 more in {table}.", results, first, earlier]
    assert closing_words(tmp_path, targets).splitlines() == lines


def test_a_full_disk_is_said_last(tmp_path, monkeypatch):
    log = tmp_path / "snakemake.log"
    log.write_text("ValueError: no")
    assert last_words(tmp_path, [str(log)], True) == GO_ON
    log.write_text("OSError: [Errno 28] No space left on device: 'results/fits/.rings.npz-1'")
    assert last_words(tmp_path, [str(log)], True) == FULL + GO_ON
    assert last_words(tmp_path, [str(log)], False) == FULL + GO_ON_CLUSTER
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=0))
    assert last_words(tmp_path, [], True) == FULL + GO_ON


@pytest.mark.parametrize(
    ("text", "problem_words"),
    [
        ("seed: 1\n\tdatasets: 2\n", "line 2, column 1: found a tab character"),
        ("x: !!python/object/apply:os.system ['touch ran']\n", "line 1, column 4: could not"),
        (None, "no file `mine.yml` (looked in"),
    ],
)
def test_a_named_file_that_is_no_yaml_is_refused_with_its_line(tmp_path, text, problem_words):
    if text:
        (tmp_path / "mine.yml").write_text(text)
    run = snakemake(tmp_path, "--dry-run", "--configfile", "mine.yml")
    assert run.status == 1
    *_, title, problem = run.output.splitlines()
    assert title == "configuration: 1 problem"
    assert problem_words in problem
    assert not (tmp_path / "ran").exists()
