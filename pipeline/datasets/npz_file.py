"""NPZ files: arrays X, y, group, target, or a kernel matrix K in place of X."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.datasets.table import Table, frame_table, only_names
from pipeline.errors import input_error, nearest, shortlist

_DEFAULT_NAMES = {"label": "y", "group": "group", "target": "target"}
_OF_COLUMNS = ("features", "drop", "categorical", "log")
# Asymmetry allowed, relative to the largest entry, by bytes of a number.
_ASYMMETRY = {2: 1e-2, 4: 1e-4}


def read_npz(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read the arrays of an NPZ file.

    X has shape (n, d), or K shape (n, n) when the spec says ``kernel_matrix: true``; where they are
    there, y, group and target have shape (n,), or the arrays that the spec names.

    Raises
    ------
    InputError
        When the file is no NPZ, an array is missing, pickled, of the wrong shape or length, or
        a kernel matrix is not square, finite and symmetric.
    """
    import pandas as pd

    arrays, problems = _load(path, subject)
    precomputed = bool(spec.get("kernel_matrix"))
    main, roles = "K" if precomputed else "X", _roles(spec, arrays)
    if {"label", "target"} <= {*roles} - {*spec}:
        problems.append(
            "there are both 'y' and 'target', and one of them is scored; say which: `label: y` "
            "or `target: target`"
        )
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
    for key in _OF_COLUMNS:
        if spec.get(key):
            problems.append(f"`{key}` names columns, which an NPZ does not have; leave it out")
    if problems:
        raise input_error(subject, problems)

    matrix = arrays[main].astype(np.float64)
    if precomputed:
        matrix = (matrix + matrix.T) / 2
    features = [f"x{column + 1}" for column in range(matrix.shape[1])]
    others = pd.DataFrame({name: array.tolist() for name, array in chosen.items()})
    frame = pd.concat([pd.DataFrame(matrix, columns=features), others], axis=1)
    table = frame_table(frame, subject, roles | {"features": features})
    table.precomputed = precomputed
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
    arrays: dict[str, NDArray[Any]] = {}
    problems = []
    with archive:
        for name in archive.files:
            try:
                arrays[name] = archive[name]
            except Exception as error:  # MemoryError too, where a header promises the world
                if "allow_pickle" in str(error):
                    why = "holds Python objects, and pickles are never loaded; save it as numbers, "
                    why += "or labels as fixed-width text with .astype(str)"
                else:
                    why = f"cannot be read ({error}); write the file again"
                problems.append(f"array {name!r} {why}")
    return arrays, problems


def _roles(spec: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Map each role to its array: the one that the spec names, or the default where it is.

    Labels or a target are scored: where one of them is named, the other has no default.
    """
    named = {role: str(spec[role]) for role in (*_DEFAULT_NAMES, "id") if spec.get(role)}
    scored = {"label", "target"}
    without = scored if scored & {*named} else {}
    defaults = {
        role: name
        for role, name in _DEFAULT_NAMES.items()
        if name in arrays and role not in without
    }
    return defaults | named


def _matrix_problems(
    matrix: NDArray[Any], name: str, others: Mapping[str, NDArray[Any]]
) -> list[str]:
    """Whether X or K is a matrix of numbers, a kernel matrix if it is K, and the rest fits it."""
    if matrix.dtype.kind not in "biuf":
        return [f"array {name!r} holds {matrix.dtype} and not numbers; encode it as numbers"]
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        return [f"array {name!r} has shape {matrix.shape}; reshape it to (rows, columns)"]
    if name == "K" and (problems := _kernel_problems(matrix)):
        return problems
    rows = len(matrix)
    wrong = [f"{other!r} has shape {a.shape}" for other, a in others.items() if a.shape != (rows,)]
    if not wrong:
        return []
    return [f"array {name!r} has {rows} rows, but {shortlist(wrong)}; give one value per row"]


def _kernel_problems(K: NDArray[Any]) -> list[str]:
    if K.shape[0] != K.shape[1]:
        return [
            f"the kernel matrix has shape {K.shape} and must be square, every row against every row"
        ]
    if not np.isfinite(K).all():
        return []  # named cell by cell, like those of any other table
    largest, asymmetry = np.abs(K).max(initial=0), np.abs(K - K.T)
    if asymmetry.max(initial=0) <= _ASYMMETRY.get(K.dtype.itemsize, 1e-8) * largest:
        return []
    i, j = np.unravel_index(asymmetry.argmax(), K.shape)
    return [
        f"the kernel matrix is not symmetric: K[{i}, {j}] = {K[i, j]:.6g} and "
        f"K[{j}, {i}] = {K[j, i]:.6g}; average it with its transpose if only rounding differs"
    ]
