"""The USPS digits: refused when missing or different, read as images and labels."""

import gzip
import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from pipeline.datasets import usps
from pipeline.errors import InputError
from workflow.scripts.papers.usps import read_usps

FOLDER = os.environ.get("KPCA_USPS", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three made-up images a file, with their sums in place of the published ones."""
    sums = {}
    for name, digits in {"zip.train.gz": (6, 5, 0), "zip.test.gz": (9, 6, 3)}.items():
        rows = [f"{d:.4f} " + " ".join(["-1.0000"] * 255 + [f"{d / 10:.4f}"]) for d in digits]
        (tmp_path / name).write_bytes(gzip.compress("\n".join([*rows, ""]).encode()))
        sums[name] = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    monkeypatch.setattr(usps, "SHA256", sums)
    return tmp_path


def test_a_line_is_a_label_and_an_image(folder: Path) -> None:
    images = read_usps([str(folder / name) for name in usps.SHA256])
    assert images.y_train.tolist() == [6, 5, 0]
    assert images.y_test.tolist() == [9, 6, 3]
    assert images.X_train.shape == images.X_test.shape == (3, 256)
    np.testing.assert_allclose(images.X_train[:, -1], [0.6, 0.5, 0.0])
    assert (images.X_test[:, :-1] == -1).all()


def test_another_file_is_refused_with_both_sums_and_where_to_get_it(folder: Path) -> None:
    expected = usps.SHA256["zip.test.gz"]
    (folder / "zip.test.gz").write_bytes(b"something else")
    found = hashlib.sha256(b"something else").hexdigest()

    with pytest.raises(InputError) as caught:
        usps.check_usps(folder)

    message = str(caught.value)
    assert f"zip.test.gz has SHA-256 {found}, expected is {expected}" in message
    assert "zip.train.gz has" not in message
    assert "`ZIP code` on the data page of The Elements of Statistical Learning" in message
    assert "set `usps` to null" in message


@pytest.mark.skipif(not FOLDER, reason="KPCA_USPS names no folder with the images")
def test_the_published_images_are_those_of_the_papers() -> None:
    images = read_usps([*usps.usps_files(FOLDER).values()])
    assert images.X_train.shape == (7291, 256)
    assert images.X_test.shape == (2007, 256)
    assert abs(images.X_train).max() == 1
    assert set(images.y_train) == set(images.y_test) == set(range(10))
