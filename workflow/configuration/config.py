"""Check the configuration, and report all problems at once, each with its place and a remedy.

While the Snakefile is parsed, it imports this module. The module therefore uses only the standard
library, yaml and jsonschema.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from kpca.reading.errors import InputError, input_error, missing_file
from kpca.study.design import quick_rows
from kpca.study.fitting.kernels import FAMILIES
from kpca.study.options import (
    EVALUATION_OPTIONS,
    TABLE_OPTIONS,
    is_true,
    listed,
    table_evaluation,
    table_spec,
)
from kpca.study.scoring.methods import METHODS
from workflow.configuration.explain import Place, Problem, read_yaml, scan, schema_problems

# Names that no kernel or method may have, because the workflow uses them for baselines, scores and
# given kernel matrices.
RESERVED = frozenset({"raw", "pca", "baselines", "precomputed", *METHODS})
RESULTS = "results"  # default folder of results; results of a user's file go to a subfolder

# Files and folders that a run makes in its folder of results.
FOLDERS = frozenset(
    {
        "benchmarks",
        "cache",
        "calibration",
        "classified",
        "clustered",
        "datasets",
        "embeddings",
        "figures",
        "fits",
        "logs",
        "models",
        "papers",
        "report",
        "scaling",
        "scores",
        "tables",
        "timings",
        "workflow",
    }
)
_TAKEN = FOLDERS | {"full"}  # folders in use; config/full.yaml writes to results/full

COMMAND_LINE = "command line"
# Keys whose values are integers; JSON Schema also accepts floats such as 5e1 for these.
_INTEGERS = frozenset(
    {
        "gap",
        "min_class_size",
        "header",
        "skip",
        "max_rows",
        "folds",
        "splits",
        "n_components",
        "seed",
        "replicates",
        "n_train",
        "n_test",
        "calibration_sets",
    }
)
# Pair of keys of a dataset that exclude each other → remedy.
_EITHER = {
    ("decimal", "thousands"): "either says both marks; leave one out",
    ("target", "label"): "leave one out, and list the other columns in `features` to keep it out",
}

Section = dict[str, Any]  # section of a configuration, or a whole configuration
_LONGEST_NAME = 40
# Wildcards, variables and separators of Snakemake, which paths cannot contain.
_OF_SNAKEMAKE = re.compile(r"[{}\x00-\x1f]|<\w*>")


def check_config(
    config: Section,
    files: Iterable[Path],
    *,
    command_line: Mapping[str, Any] | None = None,
    further: Callable[[Section], Iterable[str]] = lambda _: (),
) -> None:
    """Raise one `InputError` that lists every problem of a configuration.

    ``config`` is merged from the ``files`` and the ``command_line``. The files are read again to
    find duplicate keys and the line of each value. The check ``further`` gets the resolved
    configuration without the entries that have problems.
    """
    lines: dict[Place, str] = {}
    problems: list[Problem] = []
    for file in files:
        located, duplicates = scan(file)
        lines |= located
        problems += duplicates
    lines |= {path: COMMAND_LINE for path, _ in _walk(command_line or {})}
    refused = list(schema_problems(config))
    for path, value in _walk(config):
        if isinstance(value, float) and not math.isfinite(value):  # The schema accepts NaN and ∞.
            refused.append(Problem(path, f"{value} must be a finite number"))
    problems += [*refused, *_meaning_problems(_sound(config, refused))]
    listed = [_located(problem, lines) for problem in problems]
    messages = [str(input_error("configuration", listed))] if listed else []
    messages += further(resolve(_sound(config, problems)))
    if messages:
        raise InputError("\n".join(messages))


def resolve(config: Section) -> Section:
    """Return the configuration in the form that the rules use.

    ``--config data=… label=…`` becomes the only dataset, with its own folder of results. Keys whose
    order has no meaning are sorted, so that a change of their order reruns nothing.
    """
    config = _with_integers(config)
    resolved = {key: value for key, value in config.items() if key not in TABLE_OPTIONS}
    resolved["quick"] = is_true(config.get("quick"))
    if "data" in config:
        name = own_name(config["data"])
        resolved["datasets"] = {name: table_spec(config["data"], config)}
        resolved.setdefault("results", f"{RESULTS}/{name}")
        if "splits" in config:
            resolved["replicates"] = config["splits"]
        if "evaluation" in config:
            resolved["evaluation"] = table_evaluation(config["evaluation"], config)
    resolved.setdefault("results", RESULTS)
    for name, spec in resolved["datasets"].items():
        if resolved["quick"] and "generator" not in spec:
            spec = quick_rows(spec)
        resolved["datasets"] = resolved["datasets"] | {name: _in_order(_at_home(spec))}
    ordered = {key: _in_order(resolved[key]) for key in resolved.keys() & {"evaluation", "methods"}}
    return _at_home(resolved) | ordered


def named_kernels(names: str, files: Iterable[Path]) -> Section:
    """Return the kernels that the command line names, with their grids in ``files``, if any."""
    grids: Section = {}
    for file in files:
        grids |= (read_yaml(file) or {}).get("kernels") or {}
    return {name: grids.get(name, {}) for name in listed(names)}


def own_name(data: str) -> str:
    """Return the name of the dataset, and of the folder of results, for a user's file.

    >>> own_name("data/my flowers.csv"), own_name("full.csv"), len(own_name("2" * 50))
    ('my_flowers', 'data_full', 40)
    """
    name = re.sub(r"\W", "_", Path(re.sub(r"(?i)\.gz$", "", data)).stem)
    free = name[:1].isalpha() and name.casefold() not in _TAKEN
    return (name if free else f"data_{name}")[:_LONGEST_NAME]


def _with_integers(section: Section) -> Section:
    """Return a section in which floats at keys of integers, such as 5.0e+1, are integers."""
    converted = Section()
    for key, value in section.items():
        if isinstance(value, dict):
            value = _with_integers(value)
        elif key in _INTEGERS and isinstance(value, float):
            value = int(value)
        elif key in _INTEGERS and isinstance(value, list):
            value = [int(part) for part in value]
        converted[key] = value
    return converted


def _at_home(section: Section) -> Section:
    """Return a section with its paths normalised: `~` is expanded, a final `/` is removed."""
    paths = ("path", "cache", "results", "usps")
    named = {key: section[key] for key in paths if section.get(key)}
    return section | {key: str(_expanded(path)) for key, path in named.items()}


def _expanded(path: str) -> Path:
    """Return a path with `~` expanded, or unchanged if there is no such home directory."""
    with suppress(RuntimeError, ValueError):
        return Path(path).expanduser()
    return Path(path)


def _in_order(value: Any) -> Any:
    """Return a value with sorted keys, since Snakemake compares parameters as printed text."""
    if not isinstance(value, dict):
        return value
    return {key: _in_order(value[key]) for key in sorted(value, key=str)}


def _sound(config: Section, refused: Iterable[Problem]) -> Section:
    """Return the configuration without the sections and entries that were ``refused``."""
    places = [problem.place for problem in refused]
    sections = {key_path[0] for key_path in places if len(key_path) == 1}
    entries = {key_path[:2] for key_path in places}
    return {"datasets": {}, "kernels": {}} | {
        key: {name: entry for name, entry in value.items() if (key, name) not in entries}
        if isinstance(value, dict)
        else value
        for key, value in config.items()
        if key not in sections
    }


def _meaning_problems(config: Section) -> Iterator[Problem]:
    """Yield the problems that a schema cannot express."""
    for key in TABLE_OPTIONS:
        if key in config and "data" not in config:
            section = "`evaluation`" if key in EVALUATION_OPTIONS else "a dataset"
            there = f"put `{EVALUATION_OPTIONS.get(key, key)}` in {section}"
            there = "set `replicates`" if key == "splits" else there
            yield Problem((key,), f"is only valid with `data`: give data=FILE, or {there}")
    specs: dict[Place, Any] = {("datasets", name): s for name, s in config["datasets"].items()}
    key = "path"
    if "data" in config:
        specs = {(): config}
        key = "data"
    for key_path, spec in specs.items():
        for (one, other), remedy in _EITHER.items():
            if one in spec and other in spec:
                yield Problem((*key_path, one), f"cannot be combined with `{other}`: {remedy}")
    files = {(*key_path, key): spec[key] for key_path, spec in specs.items() if key in spec}
    folders = {(key,): config[key] for key in ("results", "usps") if config.get(key)}
    for key_path, path in (files | folders).items():
        if key_path in files and (missing := missing_file(_expanded(path))):
            yield Problem(key_path, missing)
        if key_path == ("results",) and (refused := _unwritable(_expanded(path))):
            yield Problem(key_path, refused)
        if marks := _OF_SNAKEMAKE.findall(path):
            problem = f"{path!r} has {', '.join(map(repr, marks))}, which Snakemake does not take"
            yield Problem(key_path, f"{problem}: choose another")
    methods = config.get("methods") or {}
    kernels = config["kernels"]
    for section, names, taken in (
        ("datasets", config["datasets"], ()),
        ("kernels", kernels, RESERVED),
        ("methods", methods, {*RESERVED, *FAMILIES, *kernels}),
    ):
        for name in names:
            if name in taken:
                yield Problem((section, name), "the name is taken: choose another")


def _unwritable(folder: Path) -> str:
    """Return a message if nothing can be written to a folder, which need not exist yet."""
    existing = next(above for above in (folder, *folder.absolute().parents) if above.exists())
    if existing.is_dir() and os.access(existing, os.W_OK):
        return ""
    problem = "is read-only" if existing.is_dir() else "is no folder"
    remedy = "name another folder, such as results=FOLDER, or make it writable"
    return f"`{existing}` {problem}: {remedy}"


def _walk(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield a value with its place, and then every value that it contains with its place."""
    yield place, value
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(child, (*place, key))


def _located(problem: Problem, lines: dict[Place, str]) -> str:
    key_path = problem.place
    message = problem.what
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key_path)
    while key_path and key_path not in lines:
        key_path = key_path[:-1]
    where = lines.get(key_path, "")
    if where == COMMAND_LINE and len(problem.place) > 1 and message.startswith('"'):
        message += "; Snakemake takes what stands within braces for text: put it in a file"
    return f"{path.lstrip('.') or 'the file'}{f' ({where})' if key_path else ''}: {message}"
