"""What can be said of a user's ``package.module:name`` without importing it.

Importing would run foreign code, and cost its imports, whenever the Snakefile is parsed.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path

from kpca.pipeline.errors import nearest


def problems(path: str, parameters: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with a function or class, and its keyword arguments.

    Parameters
    ----------
    path : str
        Such as ``package.module:name``.
    parameters : iterable of str
        Keywords that a function is to be called with.
    """
    module, _, name = path.partition(":")
    package = module.split(".")[0]
    if importlib.util.find_spec(package) is None:
        yield f"no module `{package}` can be imported: install it, or put it beside the Snakefile"
        return
    file = source_file(module)
    if file is None or file.suffix != ".py":  # compiled, or made when it is imported
        return
    try:
        tree = ast.parse(file.read_text())
    except SyntaxError as error:
        yield f"`{module}` is no Python: {file}, line {error.lineno}: {error.msg}"
        return
    known = list(_defined(tree))
    if name not in known and not {"*", "__getattr__"} & set(known):
        own = [word for word in known if not word.startswith("_")]
        yield f"`{module}` ({file}) defines no `{name}`; {nearest(name, own)}"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            yield from _unknown_arguments(node, parameters)


def source_file(module: str) -> Path | None:
    """Return the file of a module, or of a package its ``__init__.py``, if there is one."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent.joinpath(*rest) if rest else Path(spec.origin)
    places = (file / "__init__.py", file.with_suffix(".py"))
    return next((place for place in places if place.is_file()), None)


def _defined(tree: ast.Module) -> Iterator[str]:
    """Names that a module binds, also under conditions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _unknown_arguments(function: ast.FunctionDef, given: Iterable[str]) -> Iterator[str]:
    arguments = function.args
    taken = [a.arg for a in (*arguments.posonlyargs, *arguments.args)[2:]]
    taken += [a.arg for a in arguments.kwonlyargs]
    for name in given:
        if name not in taken and arguments.kwarg is None:
            yield f"`{function.name}` takes no argument `{name}`; {nearest(name, taken)}"
