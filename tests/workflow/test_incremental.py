"""A result that was reached step by step is the one of a run from scratch, byte for byte."""

from dataclasses import dataclass

import pytest

from tests.workflow.pipeline import digests, small_config, snakemake, write_config


@dataclass(frozen=True)
class Step:
    """What one run left."""

    fit_log: str
    score_log: str
    results: dict[str, str]


@pytest.fixture(scope="module")
def detour(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Step]:
    """Runs to γ ∈ {1, 2}, away to {2, 4}, which adds one and removes one, and back."""
    folder = tmp_path_factory.mktemp("detour")
    steps = {}
    for name, gammas in (("scratch", [1, 2]), ("away", [2, 4]), ("back", [1, 2])):
        config = small_config(kernels={"rbf": {"gamma": gammas}})
        argument = write_config(folder / "config.yaml", config)
        run = snakemake(folder, argument, "results/tables/scores.csv")
        assert run.status == 0, run.output
        logs = (folder / f"results/logs/{job}/rings.log" for job in ("fit", "evaluate"))
        steps[name] = Step(*(log.read_text() for log in logs), digests(folder / "results"))
    return steps


def test_points_added_and_removed_leave_the_bytes_of_a_run_from_scratch(
    detour: dict[str, Step],
) -> None:
    assert detour["away"].results != detour["scratch"].results
    assert detour["back"].results == detour["scratch"].results


@pytest.mark.parametrize(
    ("step", "computed", "reused"), [("scratch", 4, 0), ("away", 2, 2), ("back", 2, 2)]
)
def test_only_new_points_are_computed(
    detour: dict[str, Step], step: str, computed: int, reused: int
) -> None:
    assert f"{computed} fitted, {reused} reused" in detour[step].fit_log
    assert f"{computed} evaluated, {reused} reused" in detour[step].score_log
