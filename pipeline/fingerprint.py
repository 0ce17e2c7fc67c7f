"""Fingerprints of code, so that an edit of what a script imports reruns its rule.

Snakemake notices edits of a rule's script, never of a module that the script imports. A rule
therefore carries ``code_of("workflow/scripts/fit.py")`` among its ``params``. It covers the script
and everything of our own packages that it imports, is blind to comments, docstrings and layout,
and uses the standard library only, since it runs whenever the Snakefile is parsed.
"""

import ast
import functools
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN_PACKAGES = ("kpca", "pipeline", "workflow.scripts", "benchmarks")
"""Packages, as dotted names below the root, whose modules are followed."""

_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def code_of(script: Path | str) -> str:
    """Return a digest of a script and of everything of our own packages that it imports.

    Imports count wherever they stand: in functions, and under ``if __name__ == "__main__"``. The
    path starts from the root of the project where it is not absolute.
    """
    file = ROOT / script
    codes = {name: _code(_file(name)) for name in reachable(_imports(file))}
    return _digest({**codes, "": _code(file)})


def code_below(folder: str) -> str:
    """Return a digest of every module below a folder of the project."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return _digest({file.relative_to(ROOT).as_posix(): _code(file) for file in files})


def own_fingerprint(paths: Iterable[str]) -> str:
    """Return a digest of the modules that some ``package.module:name`` stand in.

    They are read, not imported, and what they import in turn is not followed.
    """
    found = {source_file(path.split(":")[0]) for path in paths}
    files = sorted(file for file in found if file is not None and file.suffix == ".py")
    return _digest({str(number): _code(file) for number, file in enumerate(files)})


def source_file(module: str) -> Path | None:
    """Return the file of a module, or of a package its ``__init__.py``, if there is one."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent.joinpath(*rest) if rest else Path(spec.origin)
    places = (file / "__init__.py", file.with_suffix(".py"))
    return next((place for place in places if place.is_file()), None)


def reachable(modules: Iterable[str]) -> set[str]:
    """Return ``modules`` and those of our own packages that they import, directly or not."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(_file(name))
    return found


def _digest(codes: dict[str, str]) -> str:
    return _sum("\n".join(f"{name}\n{codes[name]}" for name in sorted(codes)))[:16]


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def _nodes(file: Path) -> tuple[ast.AST, ...]:
    """Return the syntax of a file without docstrings: the module, and all that is in it."""
    nodes = tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    for node in nodes:
        if isinstance(node, _Documented):
            _drop_docstring(node)
    return nodes


def _drop_docstring(node: _Documented) -> None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        node.body = node.body[1:]


@functools.cache
def _code(file: Path) -> str:
    return _sum(ast.dump(_nodes(file)[0]))


@functools.cache
def _imports(file: Path) -> tuple[str, ...]:
    """Return the modules of our own packages that a file names, each once."""
    return tuple(dict.fromkeys(name for name in _named(file) if _is_ours(name)))


def _named(file: Path) -> Iterator[str]:
    # The front of a package lists everything that it exports: who imports from it says what.
    front = any(file == _file(package) for package in OWN_PACKAGES)
    for node in _nodes(file):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
                if alias.name in OWN_PACKAGES:
                    yield from _exports(alias.name).values()
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            exports = _exports(node.module) if node.module in OWN_PACKAGES else {}
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
                yield exports.get(alias.name, "")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not front:
            # Of a registry whose entries are imported on use: a module, or a name in one.
            yield from (node.value, node.value.rpartition(".")[0])


@functools.cache
def _exports(package: str) -> dict[str, str]:
    """Return name → module of what a package imports on use, as its dictionary says."""
    file = _file(package)
    pairs = [
        (key.value, value.value)
        for node in (_nodes(file) if file.is_file() else ())
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant)
    ]
    return {str(name): str(module) for name, module in pairs}


def _is_ours(name: str) -> bool:
    """Whether a text is the dotted name of a module of ours."""
    within = f"{name}.".startswith(tuple(f"{package}." for package in OWN_PACKAGES))
    return within and name.isprintable() and "/" not in name and _file(name).is_file()


@functools.cache
def _file(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
