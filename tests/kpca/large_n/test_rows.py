import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest

from kpca.large_n.rows import as_blocks
from tests.kpca.large_n.clouds import X, exact, nystrom


class Reader:
    """Blocks that can be iterated again and again."""

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter([X[:50], X[50:]])


def test_what_counts_as_blocks() -> None:
    for blocks in (Reader(), lambda: Reader(), [X[:3], X[3:]], (X,), [pd.DataFrame(X)]):
        assert as_blocks(blocks) is not None
    for array in (X, pd.DataFrame(X), X.tolist(), [[1.0, 2.0]], []):
        assert as_blocks(array) is None


def test_an_iterator_is_refused_with_the_way_to_wrap_it() -> None:
    message = re.escape("give a function that returns a fresh one, fit(lambda: read_blocks(")
    with pytest.raises(TypeError, match=message):
        nystrom().fit(iter(Reader()))
    with pytest.raises(TypeError, match="blocks of rows are for eigen_solver='nystrom'"):
        exact().fit(iter(Reader()))


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (lambda: [X[:5], X[5:, :2]], "Block 1 has 2 columns, the first one 4"),
        (lambda: [X[:5], np.full((2, 4), np.nan)], "block 1 contains NaN"),
        (lambda: [], "There are no blocks of rows"),
        (lambda: [X[:5], X[5]], "Expected 2D array"),
    ],
)
def test_bad_blocks_are_named(blocks: Callable[[], list[np.ndarray]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nystrom().fit(blocks)


def test_blocks_that_change_between_passes_are_refused() -> None:
    sizes = iter([100, 100, 90, 80, 70])
    with pytest.raises(ValueError, match=r"gave \d+ rows, an earlier one 100"):
        nystrom(2, n_landmarks=20).fit(lambda: [X[: next(sizes)]])


def test_names_of_columns_come_with_the_first_block() -> None:
    table = pd.DataFrame(X, columns=list("abcd"))
    model = nystrom(2, n_landmarks=50).fit([table[:300], table[300:]])
    assert list(model.feature_names_in_) == list("abcd")
