"""How often answers are right: of shipped simulations in `all`, and `snakemake calibration`."""

from pipeline.populations import CODE, ROWS as CALIBRATED

# Datasets of a cell, which is a population with its number of rows.
CALIBRATION_SETS = config.get("calibration_sets", 100)
ANSWERS = simulated(CALIBRATED, CALIBRATION_SETS)
SHIPPED = shipped("workflow/scripts/calibration/answers.csv")


def effect_tables(answers, folder, shown):
    """Return the job that compares simulated answers with the truth, by size of effect."""
    made = {name: results(f"calibration/{folder}{name}.csv") for name in ("effects", "reliability")}
    return study_table(
        "effects", made, {"answers": answers}, shown=shown, simulated_by=CODE if shown else ""
    )


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
    "effects_table": effect_tables([SHIPPED], "", True),
    "whole_effects_table": effect_tables(ANSWERS, "whole_", False),
    "novelty_table": study_table(
        "novelty",
        reported("calibration/novelty.csv", "Calibration", "false alarms of the novelty detector"),
        draws=CALIBRATION_SETS,
        seed=SEED,
        shown=False,
    ),
    "reproducibility_table": study_table(
        "reproducibility",
        reported("calibration/reproducibility.csv", "Calibration", "what comes back"),
        draws=CALIBRATION_SETS,
        seed=SEED,
        shown=False,
    ),
}
calibration_figure = partial(
    figure, "Calibration", script="figure_calibration", caption="figure_calibration"
)
CALIBRATION_FIGURES = {
    "calibration_effects": calibration_figure(
        "how often answers are right",
        {name: results(f"calibration/{name}.csv") for name in ("effects", "reliability")},
    ),
    "calibration_whole": calibration_figure(
        "how often answers are right, own simulation",
        {name: results(f"calibration/whole_{name}.csv") for name in ("effects", "reliability")},
        shown=False,
    ),
}
add_study("calibration", CALIBRATION_TABLES, CALIBRATION_FIGURES)
CALIBRATION = [
    results("calibration/novelty.csv"),
    results("calibration/reproducibility.csv"),
    results("calibration/whole_effects.csv"),
    results("calibration/whole_reliability.csv"),
    *drawn("calibration_whole"),
]
add_target("calibration", CALIBRATION)
