import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA, load, save, to_arrays
from kpca.persistence import read_notes

X = np.random.default_rng(0).normal(size=(20, 2))
MODEL = KernelPCA(2, kernel="rbf").fit(X)
NOTES = {"id": "patient", "label": "Art", "dataset": "größe"}


def test_notes_come_back_and_change_no_score(tmp_path: Path) -> None:
    save(MODEL, tmp_path / "m", notes=NOTES)
    assert read_notes(tmp_path / "m") == NOTES
    np.testing.assert_array_equal(load(tmp_path / "m").transform(X), MODEL.transform(X))


def test_files_without_notes_have_none_and_are_what_they_were(tmp_path: Path) -> None:
    save(MODEL, tmp_path / "m")
    assert read_notes(tmp_path / "m") == {}
    assert "notes" not in json.loads(str(to_arrays(MODEL)["description"]))


@pytest.mark.parametrize("notes", [{"id": 3}, {3: 4}, ["id"], "id"])
def test_notes_are_texts_by_names(notes: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Notes must be texts by names"):
        save(MODEL, tmp_path / "m", notes=notes)
    assert not (tmp_path / "m").exists()
    arrays = to_arrays(MODEL)
    description = json.loads(str(arrays["description"])) | {"notes": notes}
    np.savez(tmp_path / "m", **arrays | {"description": np.array(json.dumps(description))})
    with pytest.raises(ValueError, match=r"m.npz: Notes must be .* Save the model again"):
        read_notes(tmp_path / "m.npz")


def test_notes_of_what_is_no_model_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"PK half of a file")
    with pytest.raises(ValueError, match=r"m: not a model file .* Save the model again"):
        read_notes(tmp_path / "m")
