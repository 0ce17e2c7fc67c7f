"""How often intervals and verdicts are right: a small version in `all`, and `snakemake calibration`."""

from workflow.scripts.calibration.populations import ROWS as CALIBRATED

# Datasets of a cell, which is a population with its number of rows.
CALIBRATION_SETS = config.get("calibration_sets", 100)
CALIBRATION_REPLICATES = {"whole": config["replicates"], "small": 3}
SMALL_CELLS, SMALL_SETS = {"plane": (60,), "ring": (60,)}, 6

CALIBRATION_TABLES = {
    "simulated_sets": study_table(
        "simulate",
        results("calibration/{size}/{population}-{rows}-{first}-{last}.csv"),
        population=lambda wildcards: wildcards.population,
        rows=lambda wildcards: int(wildcards.rows),
        sets=lambda wildcards: [int(wildcards.first), int(wildcards.last)],
        replicates=lambda wildcards: CALIBRATION_REPLICATES[wildcards.size],
        seed=SEED,
        shown=False,
    ),
    "calibration_table": study_table(
        "summary",
        reported("calibration/calibration.csv", "Calibration", "how often intervals are right"),
        {"batches": simulated("whole", CALIBRATED, CALIBRATION_SETS)},
        small=False,
        shown=False,
    ),
    "novelty_table": study_table(
        "novelty",
        reported("calibration/novelty.csv", "Calibration", "false alarms of the novelty detector"),
        draws=CALIBRATION_SETS,
        seed=SEED,
        shown=False,
    ),
    "calibration_small_table": study_table(
        "summary",
        results("calibration/small.csv"),
        {"batches": simulated("small", SMALL_CELLS, SMALL_SETS)},
        small=True,
    ),
}
calibration_figure = partial(
    figure, "Calibration", script="figure_calibration", caption="figure_calibration"
)
CALIBRATION_FIGURES = {
    "calibration_small": calibration_figure(
        "how often intervals are right, small version",
        {"calibration": results("calibration/small.csv")},
        params={"small": True},
    ),
    "calibration_whole": calibration_figure(
        "how often intervals are right",
        {"calibration": results("calibration/calibration.csv")},
        params={"small": False},
        shown=False,
    ),
}
add_study("calibration", CALIBRATION_TABLES, CALIBRATION_FIGURES)
TARGETS["calibration"] += simulated("small", SMALL_CELLS, SMALL_SETS)
CALIBRATION = [
    results("calibration/calibration.csv"),
    results("calibration/novelty.csv"),
    *drawn("calibration_whole"),
]
add_target("calibration", CALIBRATION)
