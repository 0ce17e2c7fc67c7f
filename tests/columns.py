"""What docs/columns.md and docs/columns-studies.md say of the columns of every table."""

import re
from pathlib import Path

from kpca.study.evidence.faithfulness import PLANES
from workflow.page.html import documents

TEXT = documents(Path(__file__).parents[1], "columns*.md")


def documented():
    """Path of every table below the results, with placeholders in capitals → its columns."""
    columns_of_tables = {}
    for section in TEXT.split("\n### ")[1:]:
        heading, *lines = section.split("\n## ")[0].splitlines()
        listed = [re.match(r"- ((`\w+`(, )?)+): ", line) for line in lines if line[:2] == "- "]
        columns = [name for line in listed if line for name in re.findall(r"`(\w+)`", line[1])]
        assert all(listed), f"a line of {heading} names no column"
        columns_of_tables |= dict.fromkeys(re.findall(r"`([^`]+)`", heading), columns)
    return columns_of_tables


def columns_of(path):
    """Return the columns that a table should have."""
    tables = documented()
    for pattern in sorted(tables, key=lambda name: bool(re.search("[A-Z]", name))):
        if re.fullmatch(re.sub("[A-Z]+", r"\\w+", pattern), path):
            return tables[pattern]
    raise AssertionError(f"docs/columns*.md do not describe {path}")


def differences(tables):
    """Return the tables whose columns are not those of the document.

    It lists of an embedding no column of the file, and of its components the first. Views and
    novelty may be absent.
    """
    planes = [f"{plane}_{axis}" for plane in PLANES.values() for axis in (1, 2)]
    optional = {*planes, "novelty"}
    wrong = []
    for path, table in tables.items():
        columns = [*table]
        expected = columns_of(path)
        if "component_1" in columns:
            columns = columns[:1] + columns[columns.index("component_1") :]
            expected = [name for name in expected if name in table or name not in optional]
        if [name for name in columns if not re.fullmatch(r"component_(?!1$)\d+", name)] != expected:
            wrong.append(path)
    return wrong
