"""The last words of a run, and what the rules read of Snakemake."""

from pathlib import Path

from snakemake.api import Workflow

from workflow.messages import closing_words


def test_snakemake_has_what_the_rules_read() -> None:
    """None of it is documented: after an update, this says where to look first."""
    of_workflow = {"is_main_process", "local_exec", "resource_settings", "config_settings"}
    remedy = "adapt Snakefile and workflow/rules/common.smk"
    assert of_workflow <= {*dir(Workflow), *Workflow.__annotations__}, remedy


def touched(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return [folder / name for name in names]


def test_the_run_says_what_came_out_and_where_to_begin(tmp_path: Path) -> None:
    names = ("tables/scores.csv", "tables/claims.csv", "figures/comparison.svg")
    made = touched(tmp_path, *names, "figures/comparison.png", "provenance.csv")
    results = f"Results are in {tmp_path}: 2 tables in tables/, 1 figures in figures/."
    first = f"Look first at {tmp_path}/report/index.html."
    assert closing_words(tmp_path, made) == f"{results}\n{first}"
    touched(tmp_path, "figures/roll.svg", "figures/.roll.svg-x1", "my/figures/rings.svg")
    table = tmp_path / "tables/decisions.csv"
    rows = "".join(f'd{i},"PCA is enough."\n' for i in range(7))
    table.write_text(f"dataset,sentence\n{rows}")
    decided = [f"d{i}: PCA is enough." for i in range(5)]
    earlier = "Figures of an earlier configuration or another target: roll.svg."
    words = [*decided, f"… and 2 more in {table}.", results, first, earlier]
    assert closing_words(tmp_path, made).splitlines() == words
