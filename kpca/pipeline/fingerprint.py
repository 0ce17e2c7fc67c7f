"""Fingerprints of code, so that an edit of the package reruns what used it.

Snakemake notices edits of a rule's script, never of a package that the script
imports. A rule therefore carries ``fingerprint("kpca.pipeline.fits")`` among its
``params``. It covers the module and everything of this package that it imports,
is blind to comments, docstrings and layout, and uses the standard library only,
since it runs whenever the Snakefile is parsed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

from kpca.pipeline.own_code import source_file

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGE = "kpca"
_KERNELS = "kpca.kernels.registry"
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def fingerprint(*modules: str, kernel: str | None = None) -> str:
    """Return a digest of the code of some modules and of what they import.

    Parameters
    ----------
    *modules : str
        Dotted names, such as ``kpca.pipeline.fits``.
    kernel : str, optional
        Of `kpca.kernels.registry` count only this entry and what it calls:
        an edit of one kernel's formula then leaves the other families alone.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256()
    for name in sorted(reachable(modules)):
        code = _kernel_code(kernel) if kernel and name == _KERNELS else _code(name)
        digest.update(f"{name}\n{code}\n".encode())
    return digest.hexdigest()[:16]


def own_fingerprint(paths: Iterable[str]) -> str:
    """Return a digest of the modules that some ``package.module:name`` stand in.

    They are read, not imported, and what they import in turn is not followed.
    """
    found = {source_file(path.split(":")[0]) for path in paths}
    files = sorted(file for file in found if file is not None and file.suffix == ".py")
    code = "\n".join(ast.dump(_parse(file)) for file in files)
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def reachable(modules: tuple[str, ...]) -> set[str]:
    """Return ``modules`` and the modules of this package that they import, directly or not."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return found


@functools.cache
def _tree(name: str) -> ast.Module:
    return _parse(_file(name))


def _parse(file: Path) -> ast.Module:
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, _Documented):
            _drop_docstring(node)
    return tree


def _drop_docstring(node: _Documented) -> None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        node.body = node.body[1:]


@functools.cache
def _code(name: str) -> str:
    return ast.dump(_tree(name))


@functools.cache
def _kernel_code(kernel: str) -> str:
    """Dump the kernels' module with one entry of its registry, and without what only others use."""
    functions: dict[str, ast.FunctionDef] = {}
    kept: list[ast.AST] = []
    for node in _tree(_KERNELS).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
            functions[node.name] = node
        else:
            kept.append(_only_entry(node, kernel))
    used, waiting = set(), [name for node in kept for name in _names(node)]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in used:
            used.add(name)
            waiting += _names(functions[name])
    return "\n".join(ast.dump(node) for node in [*kept, *(functions[n] for n in sorted(used))])


def _only_entry(node: ast.stmt, kernel: str) -> ast.AST:
    """Return the registry's entry of ``kernel``; any other statement as it is."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
        for key, value in zip(node.value.keys, node.value.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == kernel:
                return value
    return node


def _names(node: ast.AST) -> list[str]:
    return [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]


@functools.cache
def _imports(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_imported(name)))


def _imported(name: str) -> Iterator[str]:
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            yield node.module
            submodules = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (module for module in submodules if _is_ours(module))
        elif isinstance(node, ast.Constant) and name != _PACKAGE and _names_module(node.value):
            yield node.value  # of a registry whose entries are imported on use


def _names_module(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value.isprintable() and "." in value and _is_ours(value)


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE and _file(name).is_file()


def _file(name: str) -> Path:
    path = _ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
