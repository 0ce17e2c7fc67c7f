"""Test that the docstrings of the public API are complete, entry by entry."""

import ast
import inspect
import re
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[1] / "docs/reference/api.md"
SECTION = re.compile(r"^(\w+)\n-{3,}\n(.*?)(?=^\w+\n-{3,}$|\Z)", re.DOTALL | re.MULTILINE)
ENTRY = re.compile(r"^(\S+(?:, \S+)*) : (\S.*)\n {4}\S", re.MULTILINE)  # names, type, meaning


def public():
    """Yield what the reference lists, and the methods of its classes, but for modules."""
    package = ""
    for line in REFERENCE.read_text().splitlines():
        package = line.removeprefix(".. currentmodule:: ") if "currentmodule" in line else package
        if listed := re.fullmatch(r"   ([A-Za-z_][\w.]*)", line):
            module, _, name = f"{package}.{listed[1]}".rpartition(".")
            item = getattr(import_module(module), name)
            yield name, item
            for member, function in inspect.getmembers(item, inspect.isroutine):
                ours = getattr(function, "__module__", None) or ""
                if inspect.isclass(item) and member[0] != "_" and ours.startswith("kpca"):
                    yield f"{name}.{member}", function


ITEMS = {name: item for name, item in public() if not inspect.ismodule(item)}
# Warnings have no parameters.
PUBLIC = {n: i for n, i in ITEMS.items() if not (inspect.isclass(i) and issubclass(i, Warning))}


def test_the_reference_has_the_public_names():
    for name in ("kpca", "kpca.choice", "kpca.inspection", "kpca.novelty", "kpca.persistence"):
        package = import_module(name)
        assert {n for n in package.__all__ if callable(getattr(package, n))} <= ITEMS.keys()


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_the_docstring_has_every_entry(name):
    """Each parameter with a type, a meaning and its default; results, errors and an example."""
    item = PUBLIC[name]
    text = inspect.getdoc(PUBLIC[name]) or ""
    signature = inspect.signature(item)
    sections = dict(SECTION.findall(text))
    heading = "Attributes" if is_dataclass(item) else "Parameters"
    types = dict(ENTRY.findall(sections.get(heading, "")))
    for parameter in (p for p in signature.parameters.values() if p.name != "self"):
        entry = re.match(r"\**\w+", str(parameter))[0]
        assert entry in types, f"{entry} has no entry with a type and a meaning"
        _, stated, default = types[entry].partition(", default=")
        value = ast.literal_eval(default) if stated else inspect.Parameter.empty
        assert value == parameter.default, f"default of {entry}"
    required = set()
    if not inspect.isclass(item) and signature.return_annotation is not None:
        required |= {"Returns"}
    if "." not in name and not is_dataclass(item):
        required |= {"Attributes" if inspect.isclass(item) else "Raises", "Examples"}
    assert required <= sections.keys()
