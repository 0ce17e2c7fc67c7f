"""Searches that meet before every product."""

from functools import partial

import numpy as np
import pytest

from kpca.gram import FullGram
from kpca.sharing.together import SharedGram, Together, run_together
from kpca.types import Array, Floats

K = np.diag(np.arange(1.0, 7.0))


class Counted(FullGram):
    """Counts passes, and fails when told to."""

    fails_at = 0

    def matmul(self, V: Array) -> Floats:
        if self.passes + 1 == self.fails_at:
            raise ArithmeticError("no product")
        return super().matmul(V)


def powers(gram: FullGram, times: int, together: Together, party: int) -> Floats:
    own = SharedGram(gram, together, party)
    block = np.full((6, party + 1), 1.0)
    for _ in range(times):
        block = own.matmul(block)
    return block


def test_searches_of_any_length_share_their_passes() -> None:
    gram = Counted(K)
    lengths = [1, 4, 2]

    found = run_together([partial(powers, gram, n) for n in lengths])

    assert gram.passes == max(lengths)
    for party, (block, times) in enumerate(zip(found, lengths, strict=True)):
        assert block.shape == (6, party + 1)
        np.testing.assert_array_equal(block[:, 0], np.arange(1.0, 7.0) ** times)


def test_different_matrices_are_gone_through_once_each() -> None:
    first, second = Counted(K), Counted(2 * K)

    found = run_together(
        [lambda t, p: powers(first, 2, t, p), lambda t, p: powers(second, 2, t, p)]
    )

    assert first.passes == second.passes == 2
    np.testing.assert_array_equal(4 * found[0][:, 0], found[1][:, 0])


def test_an_error_in_a_common_product_reaches_everyone() -> None:
    gram = Counted(K)
    gram.fails_at = 2

    with pytest.raises(ArithmeticError, match="no product"):
        run_together([lambda t, p: powers(gram, 3, t, p) for _ in range(3)])


def test_an_error_in_one_search_does_not_hold_up_the_others() -> None:
    gram = Counted(K)

    def fails(together: Together, party: int) -> Floats:
        powers(gram, 1, together, party)
        raise ValueError("one search failed")

    with pytest.raises(ValueError, match="one search failed"):
        run_together([fails, lambda t, p: powers(gram, 5, t, p)])
    assert gram.passes == 5
