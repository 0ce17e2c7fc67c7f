"""OpenML through a stand-in for scikit-learn's `fetch_openml`."""

import hashlib
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from kpca.reading.errors import InputError
from kpca.study.datasets.make import check_dataset, make_dataset
from kpca.study.datasets.sources import read_openml

NUMBERS = np.arange(20)
FRAME = pd.DataFrame(
    {
        "wing span": NUMBERS / 2,
        "ringed": pd.Categorical((NUMBERS % 3 % 2).astype(str)),
        "colour": pd.Categorical(np.where(NUMBERS % 5 == 0, "light blue", "red")),
        "species": pd.Categorical(np.array(["finch", "wren"])[NUMBERS % 2]),
    }
)
DIGEST = hashlib.sha256(FRAME.to_csv(index=False).encode()).hexdigest()
USABLE = {"openml": 7, "features": ["wing span", "ringed"]}


@pytest.fixture(autouse=True)
def served(folder, monkeypatch):
    """What the stand-in answers; it may be changed, also to an error."""
    state = Bunch(asked=[], frame=FRAME, error=None)

    def fetch(**options):
        state.asked.append(options)
        if state.error:
            raise state.error
        details = {"name": "birds", "version": "3"}
        return Bunch(frame=state.frame, target_names=["species"], details=details)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    return state


def test_features_and_default_label_are_read(served):
    rows = read_openml("birds", USABLE)
    assert served.asked == [{"data_id": 7, "data_home": "data", "as_frame": True}]
    np.testing.assert_array_equal(rows.X, np.column_stack([NUMBERS / 2, NUMBERS % 3 % 2]))
    np.testing.assert_array_equal(rows.y, NUMBERS % 2)
    assert rows.class_names == ("finch", "wren")
    assert rows.source == f"sha256:{DIGEST}"
    assert make_dataset("birds", USABLE, seed=0, replicates=2).replicates == 2
    # Another label or a target replaces the default label.
    rows = read_openml("birds", {"openml": 7, "label": "colour", "features": ["wing span"]})
    assert rows.class_names == ("light blue", "red")
    rows = read_openml("birds", {"openml": 7, "target": "wing span", "features": ["ringed"]})
    assert rows.y is None
    np.testing.assert_array_equal(rows.target, NUMBERS / 2)


def test_a_table_that_is_another_one_than_expected_is_refused(served):
    cached = USABLE | {"cache": "my cache"}
    read_openml("birds", cached | {"sha256": DIGEST, "version": 3})
    assert Path("my cache/openml/7.sha256").read_text() == DIGEST
    with pytest.raises(InputError) as caught:
        read_openml("birds", cached | {"sha256": "0" * 64, "version": 1})
    assert f"`sha256` is {'0' * 64}, but the table has {DIGEST}; correct one" in str(caught.value)
    assert "`version` is 1, but id 7 is version 3 of 'birds'; correct the" in str(caught.value)
    served.frame = FRAME.assign(ringed="0")
    gone = f"had {DIGEST} when it was downloaded; delete my cache/openml/7.sha256"
    with pytest.raises(InputError, match=gone):
        read_openml("birds", cached)


def test_what_cannot_be_fetched_is_said(served):
    for error, message in (
        (URLError("no route"), r"cannot be fetched \(.*no route.*\); check the id and the network"),
        (ValueError("Sparse ARFF"), r"cannot be fetched \(Sparse ARFF\); .*convert it to CSV"),
    ):
        served.error = error
        with pytest.raises(InputError, match=rf"dataset 'birds', OpenML 7: 1 problem\n.*{message}"):
            read_openml("birds", USABLE)
    assert not Path("data").exists()


def test_the_check_never_downloads_but_reads_the_cache(served):
    check_dataset("birds", {"openml": 7}, n_components=1, folds=2)
    assert served.asked == []
    read_openml("birds", USABLE)
    with pytest.raises(InputError, match="there is no column 'wing'"):
        check_dataset("birds", {"openml": 7, "label": "wing"}, n_components=1, folds=2)
