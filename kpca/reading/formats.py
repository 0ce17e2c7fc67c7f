"""Files of rows: text, Excel, Feather, Parquet and NPZ; an `InputError` lists what is wrong."""

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.table import MISSING_CELL, Table, frame_table, label_text, only_names
from kpca.reading.text import Text, sheet_name
from kpca.reading.text import number as read_number

if TYPE_CHECKING:
    import pandas as pd

ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
# How the name of a file ends → what it is.
BINARY = {".xlsx": "an Excel workbook", ".parquet": "Parquet"}
BINARY |= dict.fromkeys((".feather", ".arrow"), "Feather")
_TITLE_LINES = 12
_DEFAULT_NAMES = {"label": "y", "group": "group", "target": "target"}
_OF_COLUMNS = ("features", "drop", "categorical", "log")
# Asymmetry allowed, relative to the largest entry, by bytes of a number.
_ASYMMETRY = {2: 1e-2, 4: 1e-4}


def read_text(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a text file; its header tells comma, semicolon and tab, and so decimal commas, apart."""
    import pandas as pd

    text = Text(str(path), spec.get("encoding", ENCODING), spec.get("header", 1) - 1)
    try:
        (_, names), *rows = list(islice(text, spec.get("sample"))) or [("", [])]
    except (OSError, ValueError) as error:  # it names the option of the command `kpca`
        problem = str(error).replace("--encoding latin-1", "`encoding: latin-1`")
        raise input_error(subject, [problem]) from error
    header = [name.strip() for name in names]
    if "header" not in spec and sum(len(cells) == len(names) for _, cells in rows) < len(rows) / 2:
        for above in range(1, _TITLE_LINES):
            below = Text(str(path), spec.get("encoding", ENCODING), above)
            _guess_header([*islice(below, _TITLE_LINES)], subject)
    whole = [(place, cells) for place, cells in rows if len(cells) == len(header)]
    frame = pd.DataFrame([cells for _, cells in whole], columns=header, dtype=object)
    places = [place for place, _ in whole]
    table = frame_table(frame, subject, spec, places=places, decimal_comma=text.decimal_comma)
    if ragged := [place for place, cells in rows if len(cells) != len(header)]:
        remedy = "quote text that holds the separator, and complete short lines"
        what = f"{shortlist(ragged)}: not the {len(header)} cells of the header"
        table.problems.append(f"{what}; {remedy}")
    return table


def read_binary(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a Parquet or Feather file, or a sheet of an Excel file, by default the first.

    A column of text that reads as numbers is one of numbers.
    """
    import pandas as pd
    from pyarrow.dataset import dataset
    from pyarrow.feather import read_table

    kind = kind_of(path)
    try:
        if kind == ".xlsx":
            with pd.ExcelFile(path, engine="openpyxl") as book:
                name = sheet_name(book, str(spec.get("sheet", 1)))
                frame = pd.read_excel(book, sheet_name=name, header=None, dtype=object)
        elif rows := spec.get("sample"):
            head = dataset(path, format=kind.lstrip(".")).head(rows)
            head.validate(full=True)
            frame = head.to_pandas()
        elif kind == ".parquet":
            frame = pd.read_parquet(path)
        else:
            # Arrow takes a file at its word: text that ends beyond its column would end Python.
            read_table(path).validate(full=True)
            frame = pd.read_feather(path)
    except Exception as error:  # whatever openpyxl, pyarrow and pandas make of a damaged file
        problem = f"cannot be read as {BINARY[kind]} ({error}); correct it, or save it as CSV"
        raise input_error(subject, [problem]) from error
    if kind != ".xlsx":
        return frame_table(frame.rename(columns=str), subject, spec)
    frame = frame.dropna(how="all")
    if frame.empty:
        raise input_error(subject, [f"sheet {name!r} is empty; write a header and rows into it"])
    if "header" in spec:
        frame = frame[frame.index >= spec["header"] - 1].dropna(how="all", axis=1)
    header = list(map(label_text, frame.iloc[0]))
    if "header" not in spec and header.count("") > 1:
        cells = [[*map(label_text, row)] for row in frame.head(2 * _TITLE_LINES).to_numpy()]
        lines = [f"line {index + 1}" for index in frame.index]
        for above in range(1, min(len(cells), _TITLE_LINES)):
            _guess_header([*zip(lines[above:], cells[above:], strict=False)], subject)
    places = [f"line {index + 1}" for index in frame.index[1:]]
    return frame_table(frame.iloc[1:].set_axis(header, axis=1), subject, spec, places=places)


def _guess_header(rows: list[tuple[str, list[str]]], subject: str) -> None:
    """Raise if the first row names each column, and the others have as many cells with numbers."""
    if len(rows) < 2:
        return
    (place, names), *others = rows
    below = [cell for _, cells in others for cell in cells]
    numbers = [any(read_number(cell) is not None for cell in cells) for cells in (names, below)]
    named = len(names) > 1 and all(names)
    if named and len(below) == len(names) * len(others) and numbers == [False, True]:
        problem = f"{place} looks like the header: add `header: {place.removeprefix('line ')}`"
        raise input_error(subject, [problem])


def read_npz(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read X of shape (n, d), or a kernel matrix K, from an NPZ file, and roles of shape (n,)."""
    import pandas as pd

    arrays, problems = _load(path, subject)
    precomputed = bool(spec.get("kernel_matrix"))
    main, roles = "K" if precomputed else "X", _roles(spec, arrays)
    if {"label", "target"} <= {*roles} - {*spec}:
        both = "there are both 'y' and 'target', and one of them is scored"
        problems.append(f"{both}; say which: `label: y` or `target: target`")
    for role, name in roles.items():
        if name not in arrays:
            near = nearest(name, list(arrays))
            problems.append(f"there is no array {name!r}, which `{role}` names; {near}")
    chosen = {name: arrays[name] for name in roles.values() if name in arrays}
    if main in arrays:
        problems += _matrix_problems(arrays[main], main, chosen)
    else:
        there = nearest(main, list(arrays))
        if "K" in arrays:
            there = "if 'K' is a kernel matrix, add `kernel_matrix: true`"
        problems.append(f"there is no array {main!r}; {there}")
    given = [key for key in _OF_COLUMNS if spec.get(key)]
    problems += [f"`{n}` names columns, which an NPZ does not have; leave it out" for n in given]
    if problems:
        raise input_error(subject, problems)

    matrix = arrays[main].astype(np.float64)
    if precomputed:
        matrix = (matrix + matrix.T) / 2
    features = [f"x{column + 1}" for column in range(matrix.shape[1])]
    others = pd.DataFrame({name: array.tolist() for name, array in chosen.items()})
    frame = pd.concat([pd.DataFrame(matrix, columns=features), others], axis=1)
    table = frame_table(frame, subject, {**spec, **roles, "features": features})
    table.warnings = [
        f"column {name!r} {why}, and is a feature; take it out of X if it is none"
        for name, values in zip(features, matrix.T, strict=True)
        if not precomputed and (why := only_names(values, []))
    ]
    return table


def _load(path: Path, subject: str) -> tuple[dict[str, NDArray[Any]], list[str]]:
    try:
        archive = np.load(path, allow_pickle=False)
    except Exception as error:  # a damaged file makes zipfile and NumPy raise nearly anything
        raise input_error(subject, [f"is no NPZ ({error}); write it with numpy.savez"]) from error
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise input_error(subject, ["holds one unnamed array; write it with numpy.savez(…, X=X)"])
    arrays, problems = dict[str, NDArray[Any]](), list[str]()
    with archive:
        for name in archive.files:
            try:
                arrays[name] = archive[name]
            except Exception as error:  # MemoryError too, where a header promises the world
                why = f"cannot be read ({error}); write the file again"
                if "allow_pickle" in str(error):
                    why = "holds Python objects, and pickles are never loaded; save it as numbers, "
                    why += "or labels as fixed-width text with .astype(str)"
                problems.append(f"array {name!r} {why}")
    return arrays, problems


def _roles(spec: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Map each role to its array, named or by default; a named label or target is the only one."""
    named = {role: str(spec[role]) for role in (*_DEFAULT_NAMES, "id", "time") if spec.get(role)}
    scored = {"label", "target"}
    without = scored if scored & {*named} else {}
    there = {role: name for role, name in _DEFAULT_NAMES.items() if name in arrays}
    return {role: name for role, name in there.items() if role not in without} | named


def _matrix_problems(
    matrix: NDArray[Any], name: str, others: Mapping[str, NDArray[Any]]
) -> list[str]:
    """Whether X or K is a matrix of numbers, a kernel matrix if it is K, and the rest fits it."""
    if matrix.dtype.kind not in "biuf":
        return [f"array {name!r} holds {matrix.dtype} and not numbers; encode it as numbers"]
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        return [f"array {name!r} has shape {matrix.shape}; reshape it to (rows, columns)"]
    rows, shape = len(matrix), matrix.shape
    if name == "K" and rows != shape[1]:
        return [f"the kernel matrix has shape {shape} and must be square"]
    if name == "K" and np.isfinite(matrix).all():  # other cells are named like those of any table
        largest, asymmetry = np.abs(matrix).max(initial=0), np.abs(matrix - matrix.T)
        if asymmetry.max(initial=0) > _ASYMMETRY.get(matrix.dtype.itemsize, 1e-8) * largest:
            i, j = np.unravel_index(asymmetry.argmax(), shape)
            return [
                f"the kernel matrix is not symmetric: K[{i}, {j}] = {matrix[i, j]:.6g} and K[{j}, "
                f"{i}] = {matrix[j, i]:.6g}; average it with its transpose if only rounding differs"
            ]
    wrong = [f"{other!r} has shape {a.shape}" for other, a in others.items() if a.shape != (rows,)]
    why = f"array {name!r} has {rows} rows, but {shortlist(wrong)}; give one value per row"
    return [why] if wrong else []


Reader = Callable[[Path, str, Mapping[str, Any]], Table]
FORMATS: dict[str, Reader] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data", ".dat"), read_text),
    **dict.fromkeys(BINARY, read_binary),
    ".npz": read_npz,
}


def read_columns(path: Path, spec: Mapping[str, Any]) -> "pd.DataFrame":
    """Return all columns of a file, missing cells as NaN and decimal commas as points."""
    frame = reader_of(path)(path, str(path), spec).frame
    if is_text(path) and read_header(path, spec)[0] != ",":
        frame = frame.replace(r"^\s*([-+]?\d+),(\d+)\s*$", r"\1.\2", regex=True)
    return frame.replace(MISSING_CELL, float("nan"), regex=True)


def kind_of(path: Path | str) -> str:
    """Return how a name ends, without the mark of a compressed file."""
    path = Path(path)
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()


def is_text(path: Path | str) -> bool:
    """Return whether a file is text by its name: all but a few kinds are."""
    return kind_of(path) not in (*BINARY, ".npz")


def reader_of(path: Path | str) -> Reader:
    """Return the function that reads a file."""
    return FORMATS.get(kind_of(path), read_text)


def read_header(path: Path | str, spec: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the separator and the names; none of an empty file."""
    text = Text(str(path), spec.get("encoding", ENCODING), spec.get("header", 1) - 1)
    _, header = next(iter(text), ("", []))
    return text.separator, [cell.strip() for cell in header]
