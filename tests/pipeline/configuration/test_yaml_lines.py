"""What is no YAML at all."""

from pathlib import Path

import pytest

from pipeline.configuration.__main__ import check_file
from pipeline.configuration.yaml_lines import read_yaml
from pipeline.errors import InputError


@pytest.mark.parametrize(
    ("text", "line"), [("a: 1\nb: {c: 1\nd: 2\n", 3), ("a:\n\tb: 1\n", 2), ("a: 'x\nb: 1\n", 3)]
)
def test_what_is_no_yaml_comes_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)

    with pytest.raises(InputError, match=rf"config\.yaml, line {line}, column \d+: .*brackets"):
        read_yaml(file)


@pytest.mark.parametrize("value", ["2026-13-01", "!!bool perhaps", "0x_"])
def test_a_value_that_cannot_be_read_comes_with_its_line(tmp_path: Path, value: str) -> None:
    (tmp_path / "config.yaml").write_text(f"a: 1\nb: {value}\n")

    with pytest.raises(InputError, match=r"line 2, column 4: cannot be read .* in quotes"):
        read_yaml(tmp_path / "config.yaml")


@pytest.mark.parametrize(
    ("text", "problem"), [(b"a: \xff", "byte 3 is not UTF-8"), (b"a: \x01", "control characters")]
)
def test_what_is_no_text_is_refused(tmp_path: Path, text: bytes, problem: str) -> None:
    (tmp_path / "config.yaml").write_bytes(text)

    with pytest.raises(InputError, match=rf"config\.yaml: .*{problem}"):
        read_yaml(tmp_path / "config.yaml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [("a: [1\n", r"mine\.yaml, line 2, column 1"), ("", "no keys"), ("seed: x\n", "an integer")],
)
def test_a_file_can_be_checked_without_a_run(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "mine.yaml").write_text(text)

    with pytest.raises(InputError, match=problem):
        check_file(tmp_path / "mine.yaml")
