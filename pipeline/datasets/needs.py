"""How many rows and groups folds need, and what folds and components rows allow.

Imported while the Snakefile is parsed, hence the standard library only.
"""

import math
from typing import NamedTuple

LEAST_FOLDS = 2
LEAST_ROWS = 10
"""Without labels: as many leave three in every fold and for testing, which neighbours take."""


class Sizes(NamedTuple):
    """What of a file decides on folds and components.

    Attributes
    ----------
    rows_of_file, rows : int
        All rows, and those that `max_rows` leaves.
    smallest : int
        Those of the smallest class, or `rows` without labels.
    train : int
        Training rows of a split.
    groups, largest_group : int
        Number of groups, and rows of the largest; 0 where there are none.
    test_share : float
    """

    rows_of_file: int
    rows: int
    smallest: int
    train: int
    groups: int
    largest_group: int
    test_share: float

    def most_folds(self, wanted: int) -> int:
        """Return how many of the wanted folds there can be, at least `LEAST_FOLDS`.

        >>> Sizes(20, 20, 5, 14, 0, 0, 0.3).most_folds(3)
        2
        """
        share = self.test_share
        fitting = [
            folds
            for folds in range(LEAST_FOLDS, wanted + 1)
            if self.smallest >= rows_for(folds, share)
            and (not self.groups or self.groups >= groups_for(folds, share))
        ]
        return max(fitting, default=LEAST_FOLDS)

    def most_components(self, folds: int) -> int:
        """Return the largest number of components of the smallest inner training fold.

        >>> Sizes(60, 60, 60, 42, 0, 0, 0.3).most_components(3)
        27
        """
        left = fold_rows(self.train, folds)
        if self.groups:  # one group may be a fold of its own
            left = min(left, max(self.train - self.largest_group, LEAST_FOLDS))
        return max(left - 1, 1)


def rows_for(folds: int, test_share: float) -> int:
    """Return how many rows each class needs, or all rows without labels.

    Every inner fold trains and validates on it, after the test rows are gone.
    """
    return max(2 * folds, math.ceil(folds / (1 - test_share)))


def groups_for(folds: int, test_share: float) -> int:
    """Return how many groups there must be: one for testing and one a fold."""
    return max(2, math.ceil(folds / (1 - test_share)))


def fold_rows(train: int, folds: int) -> int:
    """Return the rows of the smallest inner training fold; centring takes one dimension of them."""
    return train - math.ceil(train / folds)
