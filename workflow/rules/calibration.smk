"""How often answers are right: of shipped simulations in `all`, and `snakemake calibration`."""

from workflow.populations import CODE, ROWS as CALIBRATED

# Datasets of a cell, which is a population with its number of rows.
CALIBRATION_SETS = config.get("calibration_sets", 100)
ANSWERS = simulated(CALIBRATED, CALIBRATION_SETS)
SHIPPED = shipped("workflow/scripts/calibration/answers.csv")


def calibration_tables(version):
    """Return tables of the shipped answers, or of those of `snakemake calibration`, by name."""
    return {n: results(f"calibration/{version}{n}.csv") for n in ("effects", "reliability")}


repeated = partial(study_table, draws=CALIBRATION_SETS, seed=SEED, shown=False)
CALIBRATION_TABLES = {
    "simulated_sets": study_table(
        "simulate",
        results("calibration/answers/{population}-{rows}-{first}-{last}.csv"),
        population=lambda wildcards: wildcards.population,
        rows=lambda wildcards: int(wildcards.rows),
        sets=lambda wildcards: [int(wildcards.first), int(wildcards.last)],
        replicates=config["replicates"],
        seed=SEED,
        shown=False,
    ),
    "effects_table": study_table(
        "effects", calibration_tables(""), {"answers": [SHIPPED]}, simulated_by=CODE
    ),
    "whole_effects_table": study_table(
        "effects", calibration_tables("whole_"), {"answers": ANSWERS}, simulated_by="", shown=False
    ),
    "novelty_table": repeated(
        "novelty",
        reported("calibration/novelty.csv", "Calibration", "false alarms of the novelty detector"),
    ),
    "reproducibility_table": repeated(
        "reproducibility",
        reported("calibration/reproducibility.csv", "Calibration", "what comes back"),
    ),
}
calibration_figure = partial(
    figure, "Calibration", script="figure_calibration", caption="figure_calibration"
)
CALIBRATION_FIGURES = {
    "calibration_effects": calibration_figure(
        "how often answers are right", calibration_tables("")
    ),
    "calibration_whole": calibration_figure(
        "how often answers are right, own simulation", calibration_tables("whole_"), shown=False
    ),
}
add_study("calibration", CALIBRATION_TABLES, CALIBRATION_FIGURES)
CALIBRATION = [
    *(results(f"calibration/{name}.csv") for name in ("novelty", "reproducibility")),
    *calibration_tables("whole_").values(),
    *drawn("calibration_whole"),
]
add_target("calibration", CALIBRATION)
