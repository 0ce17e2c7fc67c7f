"""`snakemake calibration`: a job per batch of simulated datasets."""

from pathlib import Path

from tests.workflow.pipeline import succeeded
from workflow.scripts.calibration.populations import ROWS


def test_more_sets_keep_the_batches_that_are_done(tmp_path: Path) -> None:
    few, more = (
        succeeded(tmp_path, "calibration", "--dry-run", "--config", f"calibration_sets={sets}")
        for sets in (48, 100)
    )
    cells = sum(map(len, ROWS.values()))

    assert few.jobs["simulated_sets"] == cells
    assert more.jobs["simulated_sets"] == 3 * cells
    batches = {path for path in few.outputs if "/whole/" in path}
    assert batches < more.outputs
    assert "results/calibration/whole/ring-60-96-100.csv" in more.outputs
