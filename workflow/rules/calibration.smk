"""How often answers are right: stored simulations in `all`, new ones by `snakemake calibration`."""

from workflow.populations import batches

# Number of simulated datasets per population and number of rows.
CALIBRATION_SETS = config.get("calibration_sets", 100)
ANSWERS = [
    results("calibration/answers/{}-{}-{}-{}.csv".format(*batch))
    for batch in batches(CALIBRATION_SETS)
]
POPULATIONS = modules(
    "workflow/populations.py",
    "workflow/populations.yaml",
    "workflow/scripts/calibration/draws.py",
)
REDUCED = "workflow/scripts/calibration/reduced.yaml"
STUDY_CODE = [
    *CORE,
    *POPULATIONS,
    *modules("kpca/study/*.py", "kpca/study/datasets/*.py", "kpca/study/evidence/*.py"),
    *modules("kpca/study/fitting/*.py", "kpca/study/scoring/*.py", REDUCED),
    *modules("kpca/linear/*.py", "kpca/study/decision/*.py"),
]


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


rule shipped_calibration:
    """Tables that this version ships; `workflow.scripts.calibration.document` writes them."""
    input:
        effects=shipped("workflow/scripts/calibration/effects.csv"),
        reliability=shipped("workflow/scripts/calibration/reliability.csv"),
    output:
        effects=results("calibration/effects.csv"),
        reliability=results("calibration/reliability.csv"),
    log:
        results("logs/shipped_calibration.log"),
    conda:
        ENVIRONMENT
    shell:
        "cp {input.effects} {output.effects} && cp {input.reliability} {output.reliability}"


rule whole_calibration_tables:
    """How often answers are right for the datasets that this run simulates."""
    input:
        answers=ANSWERS,
        code=modules("kpca/study/evidence/selection.py", "kpca/study/scoring/metrics.py"),
    output:
        effects=results("calibration/whole_effects.csv"),
        reliability=results("calibration/whole_reliability.csv"),
        cells=results("calibration/whole_cells.csv"),
    log:
        results("logs/whole_calibration_tables.log"),
    conda:
        ENVIRONMENT
    script:
        "../scripts/calibration/effects.py"


rule novelty_table:
    input:
        code=[
            *CORE,
            *modules("kpca/novelty/*.py", "kpca/study/datasets/generators.py"),
        ],
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
        code=[*CORE, *POPULATIONS, *modules("kpca/inspection/*.py")],
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
        effects=rules.shipped_calibration.output.effects,
        reliability=rules.shipped_calibration.output.reliability,
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
        effects=rules.whole_calibration_tables.output.effects,
        reliability=rules.whole_calibration_tables.output.reliability,
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


CALIBRATION = [*rules.shipped_calibration.output, *rules.calibration_effects.output]
# Files of the target `calibration`, which the page shows if they exist.
WHOLE_CALIBRATION = [*rules.novelty_table.output, *rules.reproducibility_table.output]
WHOLE_CALIBRATION += [*rules.whole_calibration_tables.output, *rules.calibration_whole.output]


rule calibration:
    input:
        WHOLE_CALIBRATION,
    localrule: True
