"""The USPS digits: 7291 training and 2007 test images, in a folder that the user names.

They have no licence, so they are not part of this package. The Snakefile imports this module, which
therefore uses only the standard library.
"""

from pathlib import Path

from kpca.files import sha256
from kpca.reading.errors import input_error, missing_file

SHA256 = {
    "zip.train.gz": "66ebf231ab51f2cf6ac1a892d0f98ccffee1079d7a5db638c1f11f366046ca16",
    "zip.test.gz": "8dacc3c6e136af6c3488de9e5113a7daf140c8c2f1f0b61c54ee02f03f1a962f",
}
_REMEDY = (
    "both files are published as `ZIP code` on the data page of The Elements of Statistical "
    "Learning (Hastie, Tibshirani, Friedman); or set `usps` to null, which leaves out what needs "
    "them"
)


def usps_files(folder: Path | str) -> dict[str, str]:
    """Return the paths of the training and of the test file."""
    return {side: str(Path(folder, f"zip.{side}.gz")) for side in ("train", "test")}


def check_usps(folder: Path | str) -> None:
    """Raise an `InputError` unless both files exist and have the expected checksums."""
    problems = []
    for name, expected in SHA256.items():
        path = Path(folder, name)
        if missing_file(path):
            problems.append(f"there is no file {name} (looked in {path.parent.absolute()})")
        elif (digest := sha256(path)) != expected:
            problems.append(f"{name} has SHA-256 {digest}, expected is {expected}: fetch it again")
    if problems:
        problems[-1] += f"; {_REMEDY}"
        raise input_error(f"`usps`, folder {folder}", problems)
