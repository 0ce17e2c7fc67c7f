"""Phrases of messages for people."""

from kpca.pipeline.errors import InputError, input_error, nearest, shortlist


def test_every_problem_has_its_own_line() -> None:
    error = input_error("file a.csv", ["first", "second"])

    assert isinstance(error, InputError)
    assert str(error) == "file a.csv: 2 problems\n  - first\n  - second"


def test_nearest_ignores_case() -> None:
    assert nearest("SPECIES", ["species", "age"]).startswith("did you mean 'species'?")


def test_nearest_lists_everything_when_nothing_is_near() -> None:
    assert nearest("zzz", ["b", "a"]) == "there are 'a', 'b'"


def test_a_long_list_is_cut() -> None:
    assert nearest("zzz", [f"c{i:02d}" for i in range(25)]).endswith("'c19' and 5 more")


def test_shortlist_counts_nothing_when_all_are_shown() -> None:
    assert shortlist(["a", "b"], limit=2) == "a, b"
