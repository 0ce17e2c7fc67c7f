"""Input that is damaged, or made to do harm: it is read rightly, or refused with a remedy."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from pipeline.errors import LONGEST, InputError

PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "60"))
"""Of each kind that takes no time; `make test-all` has 10 000, which makes 100 000 of all kinds."""

NAMES = (
    *("$x^2$", "$x", r"\alpha", "a_b", "_a", "<script>alert(1)</script>", "R&D", "'", '"', '"""\n'),
    *(
        "two\nlines",
        "a" * 300,
        "../../up",
        "αβγ",
        "特征",
        "ميزة",
        "🙂",
        "=1+1",
        "%s{0}{x!r}",
        "@row",
    ),
    *(
        "a\x00b",
        "\x1b[31mred",
        "\u202eback",
        "None",
        "true",
        "1e5",
        "C:\\x",
        "~root",
        "a | b",
        "$HOME",
    ),
)
"""Names of columns, classes and rows that some part of the way may take for more than a name."""

_EDITS = ("overwrite", "insert", "cut", "truncate", "repeat", "flip")


def as_many(part: int = 1) -> settings:
    """Return how many cases are tried, the same in every run; a slow kind takes a part of them."""
    return settings(
        max_examples=max(PROBLEMS // part, 1),
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def damaged(draw: st.DrawFn, whole: bytes, tokens: tuple[bytes, ...] = ()) -> bytes:
    """Bytes of a file after up to four edits: bits, gaps, repetitions, words that may mean more."""
    data = bytearray(whole)
    new = st.binary(min_size=1, max_size=8) | st.sampled_from(tokens or (b"\0", b"\xff"))
    for kind in draw(st.lists(st.sampled_from(_EDITS), min_size=1, max_size=4)):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(1, 64))
        match kind:
            case "overwrite":
                word = draw(new)
                data[start : start + len(word)] = word
            case "insert":
                data[start:start] = draw(new)
            case "cut":
                del data[start:end]
            case "truncate":
                del data[start:]
            case "repeat":
                data[start:start] = data[start:end] * draw(st.integers(1, 40))
            case "flip" if start < len(data):
                data[start] ^= 1 << draw(st.integers(0, 7))
    return bytes(data)


def survived(work: Callable[[], Any]) -> str | None:
    """Return the message that refuses, of text that a terminal can show, or None if it went well.

    Whatever else is raised passes through and fails the test.
    """
    try:
        work()
    except InputError as error:
        said = str(error)
        assert all(line.isprintable() and len(line) <= LONGEST + 5 for line in said.split("\n"))
        return said
    return None
