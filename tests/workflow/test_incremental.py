"""A result that was reached step by step is the one of a run from scratch, byte for byte."""

from pathlib import Path

import pytest

from tests.workflow.pipeline import digests, small_config, succeeded, write_config

pytestmark = pytest.mark.slow

Step = tuple[str, dict[str, str]]  # log, digests of the results


@pytest.fixture(scope="module")
def detour(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Step]:
    """Runs to γ ∈ {1, 2}, away to {2, 4}, which adds one and removes one, and back."""
    folder = tmp_path_factory.mktemp("detour")
    steps = {}
    for name, gammas in (("scratch", [1, 2]), ("away", [2, 4]), ("back", [1, 2])):
        config = small_config(kernels={"rbf": {"gamma": gammas}})
        argument = write_config(folder / "config.yaml", config)
        succeeded(folder, argument, "results/tables/scores.csv")
        log = (folder / "results/logs/sweep/rings.log").read_text()
        steps[name] = log, digests(folder / "results")
    return steps


def test_points_come_and_gone_leave_the_bytes_of_a_run_from_scratch(
    detour: dict[str, Step],
) -> None:
    scratch, away, back = (results for _, results in detour.values())
    assert back == scratch != away


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("scratch", "4 of 4 fits and 44 of 44 scores are new"),
        ("away", "2 of 4 fits and 16 of 44 scores are new"),
        ("back", "0 of 4 fits and 0 of 44 scores are new"),
    ],
)
def test_only_new_points_are_computed(detour: dict[str, Step], step: str, said: str) -> None:
    assert f"INFO {said}\n" in detour[step][0]


def test_several_jobs_a_dataset_leave_the_same_bytes(
    detour: dict[str, Step], tmp_path: Path
) -> None:
    config = small_config(kernels={"rbf": {"gamma": [1, 2]}})
    config["datasets"]["rings"]["parts"] = 3
    argument = write_config(tmp_path / "config.yaml", config)

    run = succeeded(tmp_path, argument, "results/tables/scores.csv")

    assert run.jobs["sweep_part"] == 3
    assert "0 of 4 fits" in (tmp_path / "results/logs/sweep/rings.log").read_text()
    assert digests(tmp_path / "results") == detour["scratch"][1]
    again = succeeded(tmp_path, argument, "results/tables/scores.csv", "--dry-run")
    assert "Nothing to be done" in again.output
    assert "0 fits and 0 scores are new, 4 and 44 stored\n" in again.output
