"""The words that a run ends with: what came out, where to look, and what is of another run."""

from pathlib import Path

import pytest

from pipeline.outcome import closing_words, leftovers, replaced_file


@pytest.fixture
def made(tmp_path: Path) -> list[Path]:
    """The files of a run."""
    names = ("tables/scores.csv", "tables/claims.csv", "figures/comparison.svg")
    paths = [tmp_path / name for name in (*names, "figures/comparison.png", "provenance.csv")]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return paths


def test_the_run_says_what_came_out_and_where_to_begin(tmp_path: Path, made: list[Path]) -> None:
    assert closing_words(tmp_path, made) == (
        f"Results are in {tmp_path}: 2 tables in tables/, 1 figure in figures/.\n"
        f"Look first at {tmp_path}/report/index.html."
    )


@pytest.mark.parametrize(("datasets", "last"), [(1, "d0: PCA is enough."), (7, None)])
def test_what_was_decided_is_said_first(
    tmp_path: Path, made: list[Path], datasets: int, last: str | None
) -> None:
    table = tmp_path / "tables/decisions.csv"
    rows = "".join(f'd{i},"PCA is enough."\n' for i in range(datasets))
    table.write_text(f"dataset,sentence\n{rows}")

    words = closing_words(tmp_path, made).splitlines()
    assert words[0] == "d0: PCA is enough."
    assert words[-3] == (last or f"… and 2 more in {table}.")
    assert len(words) == 2 + min(datasets, 6)


def test_a_run_of_one_target_tells_the_folder_alone(tmp_path: Path) -> None:
    words = closing_words(tmp_path, [tmp_path / "figures/rings.svg"])
    assert words == f"Results are in {tmp_path}."


@pytest.mark.parametrize(
    ("name", "is_left_over"),
    [
        ("figures/swiss_roll.svg", True),
        ("figures/.swiss_roll.svg-x1", False),
        ("logs/fit/iris.log", False),
        ("timings/exact_million.csv", False),
        ("flowers/figures/rings.svg", False),  # results of another file
    ],
)
def test_files_of_an_earlier_configuration_are_told(
    tmp_path: Path, made: list[Path], name: str, is_left_over: bool
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()

    assert leftovers(tmp_path, made) == [path] * is_left_over
    words = closing_words(tmp_path, made)
    line = "1 other figure there, of an earlier configuration or another target: swiss_roll.svg."
    assert (line in words) == is_left_over


@pytest.mark.parametrize(("path", "before"), [("my.csv", None), ("b/my.csv", "my.csv")])
def test_another_file_of_the_same_name_is_noticed(
    tmp_path: Path, path: str, before: str | None
) -> None:
    (tmp_path / "provenance.csv").write_text(
        'kind,name,value\nparameter,datasets.my.path,"""my.csv"""\n'
    )
    assert replaced_file(tmp_path, "my", path) == before
    assert replaced_file(tmp_path, "yours", path) is None
    assert replaced_file(tmp_path / "nowhere", "my", path) is None
