"""OpenML through a stand-in on this machine."""

import hashlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kpca.pipeline.datasets import check_dataset, make_dataset, openml
from kpca.pipeline.datasets.openml import read_openml
from kpca.pipeline.datasets.rows import Rows
from kpca.pipeline.errors import InputError

COLOURS, SPECIES = ["'light blue'", *["red"] * 4], ["finch", "wren"]
HEADER = """@relation birds
@attribute 'wing span' numeric
@attribute ringed {0,1}
@attribute colour {red,'light blue'}
@attribute row numeric
@attribute species {finch,wren}
@data
"""
ARFF = HEADER + "\n".join(
    f"{i / 2},{i % 3 % 2},{COLOURS[i % 5]},{i},{SPECIES[i % 2]}" for i in range(20)
)
USABLE = {"openml": 7, "features": ["wing span", "ringed"]}


@dataclass
class StandIn:
    """Answers of the service, and which of them were asked for."""

    address: str = ""
    answers: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def serve(self, data: str = ARFF, **description: Any) -> None:
        """Offer a dataset under the id 7."""
        fields = {
            "name": "birds",
            "version": "3",
            "url": f"{self.address}/data/7.arff",
            "md5_checksum": hashlib.md5(data.encode()).hexdigest(),
            "default_target_attribute": "species",
            "row_id_attribute": "row",
            **description,
        }
        self.answers["/description/7"] = json.dumps({"data_set_description": fields}).encode()
        self.answers["/data/7.arff"] = data.encode()

    def read(self, spec: dict[str, Any]) -> Rows:
        """Load from here."""
        return read_openml("birds", spec, service=f"{self.address}/description/{{}}")

    def refusal(self, spec: dict[str, Any]) -> str:
        """Return the message with which a spec is refused."""
        with pytest.raises(InputError) as caught:
            self.read(spec)
        return str(caught.value)


@pytest.fixture
def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """Serve on a free port of this machine."""
    state = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            answer = state.answers.get(self.path)
            self.send_response(404 if answer is None else 200)
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_: object) -> None:
            """Keep the test's output quiet."""

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        state.address = f"http://127.0.0.1:{server.server_port}"
        state.serve()
        yield state
        server.shutdown()


def test_features_and_default_label_are_read(stand_in: StandIn) -> None:
    rows = stand_in.read(USABLE)

    i = np.arange(20)
    np.testing.assert_array_equal(rows.X, np.column_stack([i / 2, i % 3 % 2]))
    np.testing.assert_array_equal(rows.y, i % 2)
    assert rows.class_names == ("finch", "wren")
    assert rows.source == f"sha256:{hashlib.sha256(ARFF.encode()).hexdigest()}"


def test_another_label_is_read(stand_in: StandIn) -> None:
    rows = stand_in.read({"openml": 7, "label": "colour", "features": ["wing span"]})

    assert rows.class_names == ("light blue", "red")


def test_a_target_in_place_of_the_default_label(stand_in: StandIn) -> None:
    rows = stand_in.read({"openml": 7, "target": "wing span", "features": ["ringed"]})

    assert rows.y is None
    np.testing.assert_array_equal(rows.target, np.arange(20) / 2)


def test_categories_and_identifiers_are_no_features(stand_in: StandIn) -> None:
    message = stand_in.refusal({"openml": 7})

    assert "column 'colour' holds text (row 1 'light blue', row 2 'red'" in message
    assert "'row'" not in message
    assert "1 problem\n" in message


def test_what_was_downloaded_is_not_downloaded_again(stand_in: StandIn) -> None:
    first = stand_in.read(USABLE)
    assert stand_in.asked == ["/description/7", "/data/7.arff"]
    stand_in.answers.clear()

    np.testing.assert_array_equal(stand_in.read(USABLE).X, first.X)
    assert len(stand_in.asked) == 2


def test_the_checksum_lies_beside_the_data(stand_in: StandIn) -> None:
    stand_in.read({**USABLE, "cache": "my cache"})

    digest = hashlib.sha256(ARFF.encode()).hexdigest()
    assert Path("my cache/7.sha256").read_text() == f"{digest}  7.arff\n"


def test_a_changed_cache_is_refused(stand_in: StandIn) -> None:
    stand_in.read(USABLE)
    Path("data/openml/7.arff").write_text(ARFF.replace("0.5", "0.6"))

    assert "delete it to download it again" in stand_in.refusal(USABLE)


def test_an_expected_checksum_is_compared(stand_in: StandIn) -> None:
    stand_in.read({**USABLE, "sha256": hashlib.sha256(ARFF.encode()).hexdigest()})

    assert f"`sha256` is {'0' * 64}, but" in stand_in.refusal({**USABLE, "sha256": "0" * 64})


def test_an_expected_version_is_compared(stand_in: StandIn) -> None:
    stand_in.read({**USABLE, "version": 3})
    message = stand_in.refusal({**USABLE, "version": 1})

    assert "`version` is 1, but id 7 is version 3 of 'birds'; correct the id" in message


def test_a_broken_download_is_not_kept(stand_in: StandIn) -> None:
    stand_in.serve(md5_checksum="0" * 32)

    assert f"not the announced {'0' * 32}; run again" in stand_in.refusal(USABLE)
    assert not Path("data").exists()


def test_an_unknown_id_is_refused(stand_in: StandIn) -> None:
    message = stand_in.refusal({"openml": 8})

    assert "dataset 'birds', OpenML 8: 1 problem" in message
    assert "/description/8 answered 404 Not Found; check the id" in message


def test_no_network_is_said(folder: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be reached .*; check the network"):
        read_openml("birds", USABLE, service="http://127.0.0.1:1/{}")


def test_an_answer_that_is_no_description_is_refused(stand_in: StandIn) -> None:
    stand_in.answers["/description/7"] = b"<html>"

    assert "something else than a description" in stand_in.refusal(USABLE)


@pytest.mark.parametrize(
    "data",
    [
        "@relation a\n@attribute name string\n@data\nAnna\n",
        "@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n{1 2}\n",
        "age\n1\n",
    ],
)
def test_arff_that_cannot_be_read_is_refused(stand_in: StandIn, data: str) -> None:
    stand_in.serve(data)

    assert "cannot be read as dense ARFF" in stand_in.refusal(USABLE)


def test_missing_values_are_refused(stand_in: StandIn) -> None:
    stand_in.serve(ARFF.replace("1.0,0", "?,0").replace("1.5,0", "1.5,?"))
    message = stand_in.refusal(USABLE)

    assert "row 3, column 'wing span' (missing), row 4, column 'ringed' (missing)" in message


def test_the_check_never_downloads_but_reads_the_cache(stand_in: StandIn) -> None:
    check_dataset("birds", {"openml": 7}, n_components=1, folds=2)
    assert stand_in.asked == []
    stand_in.read(USABLE)

    with pytest.raises(InputError, match="column 'colour' holds text"):
        check_dataset("birds", {"openml": 7}, n_components=1, folds=2)


def test_scikit_learn_s_address_is_the_default(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert openml._default_service().format(7).endswith("/data/7")
    monkeypatch.setattr(
        "sklearn.datasets._openml._DATA_INFO", f"{stand_in.address}/description/{{}}"
    )

    assert make_dataset("birds", USABLE, seed=0, replicates=2).replicates == 2
