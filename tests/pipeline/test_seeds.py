"""Seeds from named axes."""

import numpy as np
import pytest

from pipeline.seeds import sample, seed_for


def test_a_seed_never_changes() -> None:
    """Stored results would silently belong to other data."""
    assert seed_for(0, "rings", 0, "n_train") == 1742325877


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "b"), ("b", "a")),
        (("a", "b"), ("a,b",)),
        (("ab", "c"), ("a", "bc")),
        ((1,), ("1",)),
        ((), ("",)),
    ],
)
def test_different_axes_have_different_seeds(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert seed_for(0, *one) != seed_for(0, *other)
    assert seed_for(0, *one) != seed_for(1, *one)


def test_a_sample_is_ascending_without_repetition_and_always_the_same() -> None:
    rows = sample(100, 30)

    assert len(set(rows)) == 30
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, sample(100, 30))
    np.testing.assert_array_equal(sample(5, 30), np.arange(5))
