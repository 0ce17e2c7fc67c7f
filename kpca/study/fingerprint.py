"""Fingerprints of code, so that an edit of what a script imports reruns its rule.

Snakemake notices edits of a rule's script, never of a module that the script imports. Hence rules
have ``code_of("workflow/scripts/fit.py")`` among their ``params``. It is blind to comments,
docstrings, layout, ``assert`` and the texts of errors and warnings, and needs the standard library
only. Another minor version of Python has other fingerprints.
"""

import ast
import functools
import gc
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).resolve().parents[2]
# Packages, as dotted names below the root, whose modules are followed.
OWN_PACKAGES = ("kpca", "workflow", "benchmarks")
# Package that `kpca.base` imports → the names by which alone others ask for what it does.
ON_REQUEST = {
    "kpca.preimage": ("denoise", "find_preimages", "fit_inverse_transform", "inverse_transform")
}
# Packages above `kpca.base`, which may ask.
_ASKING = ("kpca.choice", "kpca.command", "kpca.inspection", "kpca.novelty")
# Fields of records that tables, figures and sentences read, and nothing that computes scores.
SAID = ("words", "symbol", "margin", "label", "marker")
_TELLING = ("warn", "warning", "info", "error", "print")

# Attributes of compiled code that say what it does: all but its constants and its lines.
_DOES = (
    *("co_name", "co_code", "co_exceptiontable", "co_names", "co_varnames", "co_cellvars"),
    *("co_freevars", "co_flags", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount"),
)


@functools.cache
def code_of(script: Path | str, without: tuple[str, ...] = (), *, words: bool = True) -> str:
    """Return a digest of a script and of everything of our own packages that it imports.

    Imports count wherever they stand. The path starts from the root of the project if it is not
    absolute. Modules and packages ``without`` which the script computes the same do not count, nor
    without ``words`` what records say (`SAID`).
    """
    file = ROOT / script
    found = reachable(_imports(file), without)
    codes = {name: _code(_modules()[name], words) for name in found}
    return key_of({**codes, "": _code(file, words)})


def code_below(folder: str) -> str:
    """Return a digest of every module below a folder of the project."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return key_of({file.relative_to(ROOT).as_posix(): _code(file, True) for file in files})


def own_fingerprint(path: str) -> str:
    """Return a digest of the module that a ``package.module:name`` stands in.

    It is read with the user's own modules that it imports; of installed ones the version counts.
    """
    codes: dict[str, str] = {}
    waiting = [path.split(":")[0]]
    while waiting:
        name = waiting.pop()
        file = source_file(name)
        if name in codes or file is None or file.suffix != ".py":
            continue
        codes[name] = _code(file, True)
        if not {"site-packages", "dist-packages"}.isdisjoint(file.parts):
            codes[name] += _version(name.split(".")[0])
            continue
        waiting += [name.rpartition(".")[0]] if "." in name else []  # its package runs first
        waiting += _imported(file, name)
    return key_of(codes)


@functools.cache
def _imported(file: Path, module: str) -> tuple[str, ...]:
    """Return the modules that a module may import, without the standard library."""
    found: list[str] = []
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            within = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(within if node.level else []), *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        found += [n for n in names if n.split(".")[0] not in sys.stdlib_module_names]
    return tuple(dict.fromkeys(found))


@functools.cache
def _version(package: str) -> str:
    names = metadata.packages_distributions().get(package, [])
    return " ".join(metadata.version(name) for name in names)


def source_file(module: str) -> Path | None:
    """Return the file of a module, or of a package its ``__init__.py``, if there is one."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent.joinpath(*rest) if rest else Path(spec.origin)
    places = (file / "__init__.py", file.with_suffix(".py"))
    return next((place for place in places if place.is_file()), None)


def reachable(modules: Iterable[str], without: tuple[str, ...] = ()) -> set[str]:
    """Return ``modules`` and our own that they import; those of `ON_REQUEST` only if asked for."""
    found: set[str] = set()
    waiting, asked = list(modules), {*ON_REQUEST}
    postponed: list[str] = []
    while waiting:
        name = waiting.pop()
        package = ".".join(name.split(".")[:2])
        if name in found or any(f"{name}.".startswith(f"{left}.") for left in without):
            continue
        if package in asked:
            postponed.append(name)
            continue
        found.add(name)
        waiting += _imports(_modules()[name])
        if (name.split(".")[0] != "kpca" or package in _ASKING) and name != __name__:
            for answered in [p for p in asked if _names(_modules()[name]) & {*ON_REQUEST[p]}]:
                asked.remove(answered)
                waiting += postponed
    return found


def key_of(*parts: object) -> str:
    """Return the digest of values that JSON can hold."""
    text = json.dumps(parts, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def _compiled(file: Path, words: bool) -> list[CodeType]:
    """Return the code of a module and of all that it defines, without docstrings and messages."""
    text = file.read_bytes()
    collects = gc.isenabled()
    gc.disable()  # which takes most of the time that reading a tree takes
    try:
        tree = ast.parse(text)
        for statement in _statements(tree.body):
            if isinstance(statement, ast.Raise) or _tells(statement):
                for node in ast.walk(statement):  # whose texts count for nothing
                    if isinstance(node, ast.JoinedStr):
                        node.values = []
                    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                        node.value = ""
        if not words:
            for node in ast.walk(tree):
                if isinstance(node, ast.keyword) and node.arg in SAID:
                    node.value = ast.copy_location(ast.Constant(None), node.value)
        found = [compile(tree, file.name, "exec", dont_inherit=True, optimize=2)]
    finally:
        if collects:
            gc.enable()
    for code in found:  # which grows
        found += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements with those inside of them."""
    for statement in body:
        yield statement
        for block in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, block, ()))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _statements(part.body)


def _tells(statement: ast.stmt) -> bool:
    """Return whether a statement does nothing but warn, log or print."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    name = call.func if isinstance(call, ast.Call) else None
    return getattr(name, "attr", getattr(name, "id", "")) in _TELLING


@functools.cache
def _code(file: Path, words: bool) -> str:
    if not words and b" words=" not in file.read_bytes():
        return _code(file, True)  # which is read already
    does = [[getattr(code, name) for name in _DOES] for code in _compiled(file, words)]
    constants = [[*map(_shown, code.co_consts)] for code in _compiled(file, words)]
    return key_of(repr(does), repr(constants))


@functools.cache
def _names(file: Path) -> set[str]:
    """Return the attributes, arguments and texts of a module."""
    found: set[str] = set()
    for code in _compiled(file, True):
        found.update(code.co_names)
        for constant in code.co_consts:
            each = constant if isinstance(constant, tuple) else (constant,)
            found.update(one for one in each if isinstance(one, str))
    return found


def _shown(constant: object) -> str:
    if isinstance(constant, CodeType):  # which is listed by itself
        return constant.co_name
    # The order of a set is another in each process.
    return repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


@functools.cache
def _imports(file: Path) -> tuple[str, ...]:
    """Return the modules of our own packages that a file names, each once."""
    # The front of a package lists everything that it exports: who imports from it says what.
    front = any(file == _modules().get(package) for package in OWN_PACKAGES)
    found: list[str] = []
    for code in _compiled(file, True):
        ours = [name for name in code.co_names if name in _modules()]
        for name in ours:
            package = importlib.import_module(name) if name in OWN_PACKAGES else None
            exports = getattr(package, "_EXPORTS", {})  # what it imports on use, by name
            found += [name, *(exports[other] for other in code.co_names if other in exports)]
        for constant in () if front else code.co_consts:
            if isinstance(constant, str):
                # A registry imports entries on use, so a text may be a module, or a name in one.
                found += [constant, constant.rpartition(".")[0]]
            elif isinstance(constant, tuple):  # what is imported from a module, among others
                found += [f"{name}.{one}" for name in ours for one in constant]
    return tuple(dict.fromkeys(name for name in found if name in _modules()))


@functools.cache
def _modules() -> dict[str, Path]:
    """Return name → file of every module of our own packages."""
    folders = [ROOT.joinpath(*package.split(".")) for package in OWN_PACKAGES]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    places = [file.relative_to(ROOT).with_suffix("").parts for file in files]
    names = [".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in places]
    return dict(zip(names, files, strict=True))
