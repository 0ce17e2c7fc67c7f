"""Read text, Excel, Feather, Parquet and NPZ files; an `InputError` lists their problems."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpca.reading.cells import cell_number, cell_text, plain
from kpca.reading.errors import input_error, nearest, shortlist
from kpca.reading.notation import evidence
from kpca.reading.table import LISTS, ROLES, Table, frame_table, only_names
from kpca.reading.text import Row, Text

if TYPE_CHECKING:
    import pandas as pd

ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
NO_HEADER = "none"
EXCEL = ".xlsx"
# Suffix of a columnar file → its format.
COLUMNAR = {".parquet": "Parquet", ".feather": "Feather", ".arrow": "Feather"}
TITLE_LINES = 12  # largest number of lines above the names of the columns
_UNIT_ROWS = 20  # number of first rows that are read to recognize a line of units
# Smallest count of rising or falling numbers that may be column names, such as wavelengths.
_FEWEST_RISING = 5
NAMES = "names"  # place of the column names in a file format without lines
_ROW_NAMES = "write a comma before the name of line 1 if the first cells name the rows"
_DEFAULT_NAMES = {"label": "y", "group": "group", "target": "target"}
_SCORED = {"label", "target"}
# Bytes per number → largest asymmetry that is accepted, relative to the largest entry.
_ASYMMETRY = {2: 1e-2, 4: 1e-4}


@dataclass
class Rows:
    """The rows of a sheet or a frame."""

    rows: Iterable[Row]
    points_are_decimal: bool = False  # whether a point is decimal if the cells do not show it

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows."""
        yield from self.rows


def read_table(path: Path | str, **options: Any) -> "pd.DataFrame":
    r"""Return the cells of a file unchanged, because the model decides how they are read.

    Parameters
    ----------
    path : Path or str
        Text, Excel, Parquet, Feather, or the array X of an NPZ.
    **options : object
        Options as on the command line of a run: encoding, sheet, header, skip and transpose.

    Returns
    -------
    DataFrame
        Cells as text, or in the types of the file.

    Raises
    ------
    InputError
        If the file is not a table, or a line has more or fewer cells than the header.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "new.csv")
    ...     _ = path.write_text("width,species\n1.50,a\n")
    ...     read_table(path)["width"].tolist()
    ['1.50']
    """
    subject = f"file {path}"
    frame = read_frame(Path(path), subject, options)
    if problems := frame.attrs.get("problems"):
        raise input_error(subject, problems)
    return frame


def read_frame(path: Path, subject: str, spec: Mapping[str, Any]) -> "pd.DataFrame":
    """Return the cells of a file as a frame, whose index has the place of each row.

    Two entries of its ``attrs`` may be set: "points_are_decimal" says whether a point is decimal if
    the cells do not show it, and "problems" lists problems of lines.
    """
    kind = kind_of(path)
    if kind == ".npz":
        arrays, problems = _load(path, subject)
        if "X" not in arrays:
            problems.append(f"there is no array 'X'; {nearest('X', [*arrays])}")
        elif wrong := _wrong_shape("X", arrays["X"]):
            problems.append(wrong)
        if problems:
            raise input_error(subject, problems)
        return _framed(arrays["X"])
    if kind in COLUMNAR:
        return _read_columnar(path, subject, spec.get("sample")).rename(columns=str)
    return _read_lines(path, subject, spec)


def _framed(matrix: NDArray[Any]) -> "pd.DataFrame":
    """Return a matrix as a frame with the columns x1, x2, …."""
    import pandas as pd

    return pd.DataFrame(matrix, columns=_numbered(matrix.shape[1]))


def _numbered(columns: int) -> list[str]:
    return [f"x{column + 1}" for column in range(columns)]


def _read_columnar(path: Path, subject: str, rows: int | None) -> "pd.DataFrame":
    # Import pandas first: without the extra `study`, both pandas and pyarrow are missing.
    import pandas as pd

    kind = kind_of(path)
    try:
        from pyarrow.dataset import dataset
        from pyarrow.feather import read_table as read_feather
    except ModuleNotFoundError as error:
        problem = f'{COLUMNAR[kind]} needs pyarrow: pip install "kpca[parquet]", or save it as CSV'
        raise input_error(subject, [problem]) from error
    try:
        # The table is validated, because Arrow trusts files: text that ends outside of its column
        # would crash Python.
        if rows is None and kind != ".parquet":
            table = read_feather(path)
        else:
            whole = dataset(path, format=kind.lstrip("."))
            table = whole.to_table() if rows is None else whole.head(rows)
        table.validate(full=True)
        frame: pd.DataFrame = table.to_pandas()
    except Exception as error:  # A damaged file makes pyarrow raise nearly anything.
        problem = f"cannot be read as {COLUMNAR[kind]} ({error}); correct it, or save it as CSV"
        raise input_error(subject, [problem]) from error
    return frame


def rows_of(path: str, spec: Mapping[str, Any], above: int = 0) -> Text | Rows:
    """Return the rows of a file in sequence; lines of a title and column names come first.

    `above` is the number of lines to skip.
    """
    if kind_of(path) not in (*COLUMNAR, ".npz") and not _is_transposed(spec):
        return lines_of(path, spec, above)
    frame = read_frame(Path(path), path, spec)
    cells = frame.astype(object).where(frame.notna(), "")
    numbered = enumerate(cells.itertuples(index=False, name=None), start=1)
    rows = ((f"row {number}", [*row]) for number, row in numbered)
    named = chain([(NAMES, [*frame.columns])], rows)
    return Rows(named, frame.attrs.get("points_are_decimal", True))


def _is_transposed(spec: Mapping[str, Any]) -> bool:
    return spec.get("transpose") in (True, "true")


def lines_above(spec: Mapping[str, Any]) -> int:
    """Return the number of lines above the column names.

    Raises
    ------
    ValueError
        If the option `header` is not the number of a line.
    """
    header = str(spec.get("header", 1))
    if header == NO_HEADER:
        return 0
    if not header.isdecimal() or int(header) < 1:
        raise ValueError(
            f"`header: {header}` is no line: `header: 1` is the first, and `header: {NO_HEADER}` "
            "if no line has the names"
        )
    return int(header) - 1


def lines_of(path: Path | str, spec: Mapping[str, Any], above: int = 0) -> Text | Rows:
    """Return the lines of a text file or Excel sheet, without its first `above` lines."""
    if kind_of(path) == EXCEL:
        sheet = spec.get("sheet")
        return _sheet(path, None if sheet is None else str(sheet), above)
    return Text(str(path), spec.get("encoding", ENCODING), above)


def _read_lines(path: Path, subject: str, spec: Mapping[str, Any]) -> "pd.DataFrame":
    """Return the cells of a text file, or of an Excel sheet, in which one line has the names."""
    import pandas as pd

    try:
        lines = lines_of(path, spec, lines_above(spec))
        rows = list(islice(lines, spec.get("sample"))) or [("", [])]
    # The message names an option of the command `kpca`; replace it by the one of the configuration.
    except (OSError, ValueError) as error:
        problem = str(error).replace("--encoding cp1252", "`encoding: cp1252`")
        raise input_error(subject, [problem]) from error
    names = [plain(str(cell)) for cell in rows[0][1]]
    are_ragged = sum(len(cells) == len(names) for _, cells in rows) < len(rows) / 2
    problem = ""
    widths = {len(cells) for _, cells in rows[1:]}
    if "header" not in spec and (are_ragged or names.count("") > 1):
        for title in range(1, TITLE_LINES):
            below = rows[title:] if isinstance(lines, Rows) else lines_of(path, spec, title)
            problem = problem or _header_below([*islice(below, TITLE_LINES)])
        if problem and widths == {len(names) + 1}:
            problem += f", or {_ROW_NAMES}"
    if spec.get("header") == NO_HEADER:
        names = _numbered(len(names))
    else:
        rows = rows[1:]
    rows = [(line, cells) for line, cells in rows if line != f"line {spec.get('skip')}"]
    whole = {line: cells for line, cells in rows if len(cells) == len(names)}
    places = pd.Index(whole, dtype=object)
    frame = pd.DataFrame([*whole.values()], places, names, dtype=object)
    frame.attrs["points_are_decimal"] = lines.points_are_decimal
    if "header" not in spec:
        problem = problem or _numbers_as_names(names)
    if "skip" not in spec:
        problem = problem or _line_of_units(frame)
    if problem:
        raise input_error(subject, [problem])
    if ragged := [line for line, _ in rows if line not in whole]:
        remedy = "quote text that holds the separator, and complete short lines"
        if len(names) == 1:
            remedy = "quote numbers with decimal commas"
        if len(names) + 1 in widths:
            remedy += f"; {_ROW_NAMES}"
        problem = f"{shortlist(ragged)}: not the {len(names)} cells of the header"
        frame.attrs["problems"] = [f"{problem}; {remedy}"]
    return _transposed(frame) if _is_transposed(spec) else frame


def _sheet(path: Path | str, sheet: str | None, above: int) -> Rows:
    """Return the rows of a sheet, by default the first one, that are not blank.

    Raises
    ------
    ValueError
        If the file is not a workbook, or the sheet contains no table.
    """
    import pandas as pd

    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            sheets = [str(sheet) for sheet in book.sheet_names]
            numbered = {str(number): sheet for number, sheet in enumerate(sheets, start=1)}
            name = sheets[0] if sheet is None else numbered.get(sheet)
            if sheet in sheets:
                name = sheet
            if name is None:
                raise ValueError(f"there is no sheet {sheet!r}, but {', '.join(sheets)}")
            frame = pd.read_excel(book, sheet_name=name, header=None, dtype=object, na_filter=False)
    except Exception as error:  # A damaged file makes openpyxl raise nearly anything.
        raise ValueError(
            f"cannot be read as an Excel workbook ({error}); correct it, or save it as CSV"
        ) from error
    frame = frame.iloc[above:].fillna("")
    is_full = frame.map(lambda cell: str(cell).strip() != "")
    # If a title is skipped, drop empty columns, because the table below it may be narrower.
    frame = frame.loc[is_full.any(axis=1), is_full.any() | (above == 0)]
    holds_number = any(map(is_number, frame.to_numpy().flat))
    others = [other for other in sheets if other != name]
    # A sheet without numbers can only be meant if it is named.
    if frame.empty or (others and sheet is None and not holds_number):
        problem = "is empty" if frame.empty else "holds no number"
        remedy = "write a header and rows into it"
        if others:
            remedy = f"`sheet: {others[0]}` reads another one"
        if others and not frame.empty:
            remedy += f", and `sheet: {name}` this one"
        raise ValueError(f"sheet {name!r} {problem}; {remedy}")
    rows = [(f"line {number + 1}", cells) for number, *cells in frame.itertuples(name=None)]
    return Rows(rows)


def is_number(cell: Any) -> bool:
    """Return whether a cell is a number in some notation."""
    text = cell_text(cell)
    return bool(text) and (cell_number(text) is not None or evidence([text]).numeric)


def _header_below(rows: list[Row]) -> str:
    """Return the option to add if the first of `rows` looks like the header, or "".

    A row looks like the header if it has a name for each column, and numbers are below it.
    """
    if len(rows) < 2:
        return ""
    (line, names), *others = rows
    below = [cell for _, cells in others for cell in cells]
    are_names = len(names) > 1 and all(map(cell_text, names)) and not any(map(is_number, names))
    if are_names and len(below) == len(names) * len(others) and any(map(is_number, below)):
        return f"{line} looks like the header: add `header: {line.removeprefix('line ')}`"
    return ""


def _numbers_as_names(names: list[str]) -> str:
    """Return a message with the options to add if most column names are numbers; otherwise ""."""
    names = [*filter(None, names)]
    values = [value for name in names if (value := cell_number(name)) is not None]
    steps = np.diff(values)
    are_rising = len(values) >= _FEWEST_RISING and bool((steps > 0).all() or (steps < 0).all())
    if not values or len(values) <= len(names) / 2 or (are_rising and len(values) < len(names)):
        return ""
    remedies = [
        f"`header: {NO_HEADER}` if it is a row like the others",
        "`header: 1` if these numbers name the columns, as wavelengths do",
    ]
    likeliest, other = reversed(remedies) if are_rising else remedies
    return f"line 1 holds numbers: {likeliest} (likeliest), {other}"


def _line_of_units(frame: "pd.DataFrame") -> str:
    """Return the option to add if the first row has text above numbers, such as units, or ""."""
    numeric = frame.iloc[:_UNIT_ROWS].map(is_number).to_numpy()
    if len(numeric) < 3 or numeric[0].any():
        return ""
    first = frame.iloc[0].to_numpy()[numeric[1:].all(axis=0)]
    texts = [repr(cell) for cell in first if cell_text(cell)]
    if len(first) < 2 or not texts:
        return ""
    line = str(frame.index[0])
    problem = f"{line} holds text ({shortlist(texts, limit=3)}) above numbers, such as units"
    return f"{problem}: add `skip: {line.removeprefix('line ')}`"


def _transposed(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the transposed frame; the first column of `frame` has the names of the new columns."""
    first = str(frame.columns[0])
    turned = frame.set_index(first).T.rename(columns=str).rename_axis(columns=None)
    names = [str(name) for name in turned.index]
    turned.insert(0, first or "name", names)
    turned.index = turned.index.map(lambda name: f"column {name!r}")
    turned.attrs = frame.attrs
    return turned


def file_table(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a file as a `Table`."""
    if kind_of(path) == ".npz":
        return _read_npz(path, subject, spec)
    return frame_table(read_frame(path, subject, spec), subject, spec)


def _read_npz(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read X of shape (n, d) or a kernel matrix K, and arrays of roles, from an NPZ file."""
    import pandas as pd

    arrays, problems = _load(path, subject)
    is_kernel = bool(spec.get("kernel_matrix"))
    main = "K" if is_kernel else "X"
    roles = {role: name for role, name in _DEFAULT_NAMES.items() if name in arrays}
    named = {role: str(spec[role]) for role in ROLES if spec.get(role)}
    if _SCORED & {*named}:  # Only one column is scored, which is the named one.
        roles = {role: name for role, name in roles.items() if role not in _SCORED}
    elif {*roles} >= _SCORED:
        both = "there are both 'y' and 'target', and one of them is scored"
        problems.append(f"{both}; say which: `label: y` or `target: target`")
    roles |= named
    for role, name in roles.items():
        if name not in arrays:
            near = nearest(name, list(arrays))
            problems.append(f"there is no array {name!r}, which `{role}` names; {near}")
    others = {name: arrays[name] for name in roles.values() if name in arrays}
    problems += _matrix_problems(arrays, main, others)
    problems += [
        f"`{key}` names columns, which an NPZ does not have; leave it out"
        for key in LISTS
        if spec.get(key)
    ]
    if problems:
        raise input_error(subject, problems)

    matrix = arrays[main].astype(np.float64)
    if is_kernel:
        matrix = (matrix + matrix.T) / 2
    frame = _framed(matrix)
    features = [*frame]
    columns = pd.DataFrame({name: array.tolist() for name, array in others.items()})
    frame = pd.concat([frame, columns], axis=1)
    table = frame_table(frame, subject, {**spec, **roles, "features": features})
    table.warnings = [
        f"column {name!r} {why}, and is a feature; take it out of X if it is none"
        for name, values in zip(features, matrix.T, strict=True)
        if not is_kernel and (why := only_names(values, []))
    ]
    return table


def _load(path: Path, subject: str) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """Return the arrays of an NPZ file, and messages on arrays that cannot be read."""
    try:
        archive = np.load(path, allow_pickle=False)
    except Exception as error:  # a damaged file makes zipfile and NumPy raise nearly anything
        raise input_error(subject, [f"is no NPZ ({error}); write it with numpy.savez"]) from error
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise input_error(subject, ["holds one unnamed array; write it with numpy.savez(…, X=X)"])
    arrays = dict[str, NDArray[Any]]()
    problems = list[str]()
    with archive:
        for name in archive.files:
            try:
                arrays[name] = archive[name]
            # This includes a MemoryError, if a header declares a huge array.
            except Exception as error:
                why = f"cannot be read ({error}); write the file again"
                if "allow_pickle" in str(error):
                    why = "holds Python objects, and pickles are never loaded; save it as numbers, "
                    why += "or labels as fixed-width text with .astype(str)"
                problems.append(f"array {name!r} {why}")
    return arrays, problems


def _matrix_problems(
    arrays: Mapping[str, NDArray[Any]], name: str, others: Mapping[str, NDArray[Any]]
) -> list[str]:
    """Return problems of the array `name`, which is X or a kernel matrix K.

    The array must be a matrix of numbers, a kernel matrix must be symmetric, and the arrays
    `others` must have one value per row.
    """
    if name not in arrays:
        remedy = nearest(name, [*arrays])
        if "K" in arrays:
            remedy = "if 'K' is a kernel matrix, add `kernel_matrix: true`"
        return [f"there is no array {name!r}; {remedy}"]
    matrix = arrays[name]
    if matrix.dtype.kind not in "biuf":
        return [f"array {name!r} holds {matrix.dtype} and not numbers; encode it as numbers"]
    if wrong := _wrong_shape(name, matrix):
        return [wrong]
    rows = len(matrix)
    shape = matrix.shape
    if name == "K" and rows != shape[1]:
        return [f"the kernel matrix has shape {shape} and must be square"]
    # Cells that are not finite are reported later, as in any table.
    if name == "K" and np.isfinite(matrix).all():
        largest = np.abs(matrix).max(initial=0)
        asymmetry = np.abs(matrix - matrix.T)
        if asymmetry.max(initial=0) > _ASYMMETRY.get(matrix.dtype.itemsize, 1e-8) * largest:
            i, j = np.unravel_index(asymmetry.argmax(), shape)
            return [
                f"the kernel matrix is not symmetric: K[{i}, {j}] = {matrix[i, j]:.6g} and K[{j}, "
                f"{i}] = {matrix[j, i]:.6g}; average it with its transpose if only rounding differs"
            ]
    unfit = [f"{other!r} has shape {a.shape}" for other, a in others.items() if a.shape != (rows,)]
    why = f"array {name!r} has {rows} rows, but {shortlist(unfit)}; give one value per row"
    return [why] if unfit else []


def _wrong_shape(name: str, matrix: NDArray[Any]) -> str:
    has_columns = matrix.ndim == 2 and matrix.shape[1] > 0
    problem = f"array {name!r} has shape {matrix.shape}; reshape it to (rows, columns)"
    return "" if has_columns else problem


FORMATS = (".csv", ".tsv", ".txt", ".data", ".dat", EXCEL, *COLUMNAR, ".npz")


def kind_of(path: Path | str) -> str:
    """Return the suffix of a file in lower case, without ".gz"."""
    path = Path(path)
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()


def unknown_format(path: Path) -> str:
    """Return a message if a file is neither text nor of a known format; otherwise ""."""
    with path.open("rb") as file:
        is_binary = kind_of(path) not in FORMATS and b"\0" in file.read(4096)
    if path.suffix.lower() == ".gz":
        is_binary = kind_of(path) in (EXCEL, *COLUMNAR, ".npz")
    return f"ends in {path.suffix!r}; convert it to one of {', '.join(FORMATS)}" * is_binary
