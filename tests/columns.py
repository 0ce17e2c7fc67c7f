"""What docs/columns.md and docs/columns-studies.md say of the columns of every table."""

import re
from pathlib import Path

from pipeline.page.tables import documents

TEXT = documents(Path(__file__).parents[1])


def documented() -> dict[str, list[str]]:
    """Path of every table below the results, with placeholders in capitals → its columns."""
    found: dict[str, list[str]] = {}
    for section in TEXT.split("\n### ")[1:]:
        heading, *lines = section.split("\n## ")[0].splitlines()
        listed = [re.match(r"- ((`\w+`(, )?)+): ", line) for line in lines if line[:2] == "- "]
        columns = [name for line in listed if line for name in re.findall(r"`(\w+)`", line[1])]
        assert all(listed), f"a line of {heading} names no column"
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", heading), columns)
    return found


def columns_of(path: str) -> list[str]:
    """Return the columns that a table should have."""
    known = documented()
    for pattern in sorted(known, key=lambda name: bool(re.search("[A-Z]", name))):
        if re.fullmatch(re.sub("[A-Z]+", r"\\w+", pattern), path):
            return known[pattern]
    raise AssertionError(f"docs/columns*.md do not describe {path}")
