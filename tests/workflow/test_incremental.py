"""A result that was reached step by step is the one of a run from scratch, byte for byte."""

import pytest

from tests.workflow.pipeline import digests, small_config, succeeded, write_config

Step = tuple[list[str], dict[str, str]]  # logs, digests of the results


@pytest.fixture(scope="module")
def detour(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Step]:
    """Runs to γ ∈ {1, 2}, away to {2, 4}, which adds one and removes one, and back."""
    folder = tmp_path_factory.mktemp("detour")
    steps = {}
    for name, gammas in (("scratch", [1, 2]), ("away", [2, 4]), ("back", [1, 2])):
        config = small_config(kernels={"rbf": {"gamma": gammas}})
        argument = write_config(folder / "config.yaml", config)
        succeeded(folder, argument, "results/tables/scores.csv")
        logs = [folder / f"results/logs/{job}/rings.log" for job in ("fit", "evaluate")]
        steps[name] = [log.read_text() for log in logs], digests(folder / "results")
    return steps


def test_points_come_and_gone_leave_the_bytes_of_a_run_from_scratch(
    detour: dict[str, Step],
) -> None:
    scratch, away, back = (results for _, results in detour.values())
    assert back == scratch != away


@pytest.mark.parametrize(
    ("step", "fits", "scores"),
    [
        ("scratch", "4 fitted, 0 reused", "12 evaluated, 0 reused"),
        ("away", "2 fitted, 2 reused", "4 evaluated, 8 reused"),
        ("back", "2 fitted, 2 reused", "4 evaluated, 8 reused"),
    ],
)
def test_only_new_points_are_computed(
    detour: dict[str, Step], step: str, fits: str, scores: str
) -> None:
    for log, said in zip(detour[step][0], (fits, scores), strict=True):
        assert f"INFO {said}\n" in log
