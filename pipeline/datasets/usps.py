"""The USPS digits: 7291 training and 2007 test images, read from a folder of the user's.

The images carry no licence, so that they are not part of this package.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import input_error, is_file

if TYPE_CHECKING:  # the Snakefile imports this module, and a dry run should not pay for NumPy
    import numpy as np

SHAPE = (16, 16)
SHA256 = {
    "zip.train.gz": "66ebf231ab51f2cf6ac1a892d0f98ccffee1079d7a5db638c1f11f366046ca16",
    "zip.test.gz": "8dacc3c6e136af6c3488de9e5113a7daf140c8c2f1f0b61c54ee02f03f1a962f",
}
_REMEDY = (
    "both files are published as `ZIP code` on the data page of The Elements of Statistical "
    "Learning (Hastie, Tibshirani, Friedman); or set `usps` to null, which leaves out what needs "
    "them"
)


@dataclass(frozen=True, eq=False)
class Usps:
    """Grey values in [−1, 1], of shape (7291, 256) and (2007, 256), and digits 0 to 9.

    A row is an image of 16 × 16, −1 its background.
    """

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def usps_files(folder: Path | str) -> dict[str, str]:
    """Return the paths of the training and of the test file.

    >>> usps_files("data")
    {'train': 'data/zip.train.gz', 'test': 'data/zip.test.gz'}
    """
    return {side: str(Path(folder, f"zip.{side}.gz")) for side in ("train", "test")}


def check_usps(folder: Path | str) -> None:
    """Make sure that both files are there and are those that results were computed from.

    Raises
    ------
    InputError
        With every file that is missing or differs, and where to get it.
    """
    problems = [
        problem for name in SHA256 for problem in _file_problems(Path(folder, name), SHA256[name])
    ]
    if problems:
        problems[-1] += f"; {_REMEDY}"
        raise input_error(f"`usps`, folder {folder}", problems)


def read_usps(folder: Path | str) -> Usps:
    """Read the images, after comparing checksums.

    Raises
    ------
    InputError
        As `check_usps`.
    """
    check_usps(folder)
    files = usps_files(folder)
    return Usps(*_rows(files["train"]), *_rows(files["test"]))


def _file_problems(path: Path, expected: str) -> list[str]:
    if not is_file(path):
        return [f"there is no file {path.name} (looked in {path.parent.absolute()})"]
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found == expected:
        return []
    return [f"{path.name} has SHA-256 {found}, expected is {expected}: fetch it again"]


def _rows(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return images and digits of one file: a label and 256 grey values a line."""
    import numpy as np

    with gzip.open(path, "rt") as stream:
        table = np.loadtxt(stream)
    return table[:, 1:], table[:, 0].astype(np.int64)
