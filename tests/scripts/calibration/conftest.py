"""Answers for simulated datasets that several tests read."""

import pytest

from workflow.scripts.calibration.simulate import simulate


@pytest.fixture(scope="session")
def ring():
    """Return the answers for two rings of 60 rows with three splits."""
    return simulate("ring", 60, [0, 2], 3, seed=0)
