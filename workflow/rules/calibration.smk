"""How often answers are right: of shipped simulations in `all`, and `snakemake calibration`."""

from workflow.populations import ROWS as CALIBRATED

# Datasets of a cell, which is a population with its number of rows.
CALIBRATION_SETS = config.get("calibration_sets", 100)
STUDY_CODE = [*CORE, *modules("kpca/study/*/*.py", "workflow/populations.py")]


rule simulated_sets:
    input:
        code=STUDY_CODE,
    output:
        results("calibration/answers/{population}-{rows}-{first}-{last}.csv"),
    log:
        results("logs/simulated_sets_{population}_{rows}_{first}_{last}.log"),
    conda:
        ENVIRONMENT
    params:
        population=lambda wildcards: wildcards.population,
        rows=lambda wildcards: int(wildcards.rows),
        sets=lambda wildcards: [int(wildcards.first), int(wildcards.last)],
        replicates=config["replicates"],
        seed=SEED,
    script:
        "../scripts/calibration/simulate.py"


rule effects_table:
    """How often the shipped answers are right."""
    input:
        answers=[shipped("workflow/scripts/calibration/answers.csv")],
        code=modules("kpca/study/evidence/*.py", "workflow/populations.py"),
    output:
        effects=results("calibration/effects.csv"),
        reliability=results("calibration/reliability.csv"),
    log:
        results("logs/effects_table.log"),
    priority: 1
    conda:
        ENVIRONMENT
    script:
        "../scripts/calibration/effects.py"


use rule effects_table as whole_effects_table with:
    input:
        answers=simulated(CALIBRATED, CALIBRATION_SETS),
        code=modules("kpca/study/evidence/*.py", "workflow/populations.py"),
    output:
        effects=results("calibration/whole_effects.csv"),
        reliability=results("calibration/whole_reliability.csv"),
    log:
        results("logs/whole_effects_table.log"),


rule novelty_table:
    input:
        code=[*CORE, *modules("kpca/novelty/*.py")],
    output:
        reported(
            "calibration/novelty.csv",
            "Calibration",
            "false alarms of the novelty detector",
            "calibration/novelty",
        ),
    log:
        results("logs/novelty_table.log"),
    conda:
        ENVIRONMENT
    params:
        draws=CALIBRATION_SETS,
        seed=SEED,
    script:
        "../scripts/calibration/novelty.py"


rule reproducibility_table:
    input:
        code=[*CORE, *modules("kpca/inspection/*.py")],
    output:
        reported(
            "calibration/reproducibility.csv",
            "Calibration",
            "what comes back",
            "calibration/reproducibility",
        ),
    log:
        results("logs/reproducibility_table.log"),
    conda:
        ENVIRONMENT
    params:
        draws=CALIBRATION_SETS,
        seed=SEED,
    script:
        "../scripts/calibration/reproducibility.py"


rule calibration_effects:
    input:
        effects=rules.effects_table.output.effects,
        reliability=rules.effects_table.output.reliability,
        code=DRAWING,
    output:
        svg=reported(
            "figures/calibration_effects.svg",
            "Calibration",
            "how often answers are right",
            "calibration/figure_calibration",
        ),
        png=results("figures/calibration_effects.png"),
    log:
        results("logs/figures/calibration_effects.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/calibration/figure_calibration.py"


use rule calibration_effects as calibration_whole with:
    input:
        effects=rules.whole_effects_table.output.effects,
        reliability=rules.whole_effects_table.output.reliability,
        code=DRAWING,
    output:
        svg=reported(
            "figures/calibration_whole.svg",
            "Calibration",
            "how often answers are right, own simulation",
            "calibration/figure_calibration",
        ),
        png=results("figures/calibration_whole.png"),
    log:
        results("logs/figures/calibration_whole.log"),


CALIBRATION = [*rules.effects_table.output, *rules.calibration_effects.output]
# Files of the target, which the page shows if they exist.
WHOLE_CALIBRATION = [*rules.novelty_table.output, *rules.reproducibility_table.output]
WHOLE_CALIBRATION += [*rules.whole_effects_table.output, *rules.calibration_whole.output]


rule calibration:
    input:
        WHOLE_CALIBRATION,
    localrule: True
