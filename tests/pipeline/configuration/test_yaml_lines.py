"""What is no YAML at all."""

from pathlib import Path

import pytest

from pipeline.configuration.yaml_lines import check_syntax
from pipeline.errors import InputError


@pytest.mark.parametrize(
    ("text", "line"), [("a: 1\nb: {c: 1\nd: 2\n", 3), ("a:\n\tb: 1\n", 2), ("a: 'x\nb: 1\n", 3)]
)
def test_what_is_no_yaml_comes_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(text)

    with pytest.raises(InputError, match=rf"config\.yaml, line {line}, column \d+: .*brackets"):
        check_syntax(file)
